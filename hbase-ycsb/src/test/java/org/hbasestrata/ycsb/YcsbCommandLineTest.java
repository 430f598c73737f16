/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The command without a cluster. */
public class YcsbCommandLineTest extends YcsbCommand {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  /** Has a port that nobody else gets, and doesn't listen. */
  private final Socket held = new Socket();

  @Before
  public void holdPort() throws IOException {
    held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @After
  public void releasePort() throws IOException {
    held.close();
  }

  @Override
  int zooKeeperPort() {
    return held.getLocalPort();
  }

  @Test
  public void unreachableClusterIsGivenUpInTime() {
    long start = System.nanoTime();
    assertThat(ycsb("run", "point-get", "--rows", "70")).isEqualTo(ToolException.CLUSTER);
    // Seconds; without the limits of the client it takes minutes.
    assertThat((System.nanoTime() - start) / 1e9).isLessThan(90);
    assertOneLineOfError("localhost:" + zooKeeperPort(), "nothing listens there");
  }

  @Test
  public void whoHasNoTicketIsToldAtOnce() {
    assertThat(ycsb("run", "point-get", "--rows", "70", "-p",
      "hbase.security.authentication=kerberos")).isEqualTo(ToolException.CLUSTER);
    assertOneLineOfError("no Kerberos ticket", "kinit", "hbase.client.keytab.file");
  }

  @Test
  public void wrongCommandLinesAreUsageErrors() {
    assertThat(ycsb("run", "point-get", "--rows", "many")).isEqualTo(ToolException.USAGE);
    assertOneLineOfError("--rows is 'many'");
    assertThat(ycsb("run", "no-such")).isEqualTo(ToolException.USAGE);
    assertOneLineOfError("multiget-50, point-get, put-batch");
    assertThat(ycsb("run", "point-get", "-p", "recordcuont=5")).isEqualTo(ToolException.USAGE);
    assertOneLineOfError("-p: unknown key 'recordcuont', did you mean 'recordcount'?");
    assertThat(ycsb("run", "point-get", "--nonsense")).isEqualTo(ToolException.USAGE);
    assertOneLineOfError("--nonsense");
    assertThat(ycsb("run", "point-get", "--minutes", "0")).isEqualTo(ToolException.USAGE);
    assertOneLineOfError("--minutes is '0'");
    assertThat(ycsb("run", "point-get", "--rows", "10", "--operations", "0"))
      .isEqualTo(ToolException.USAGE);
    assertOneLineOfError("--operations");
  }

  @Test
  public void profilesAreListed() {
    assertThat(ycsb("profiles")).isZero();
    assertThat(out()).contains("point-get: Random single-row gets",
      "multiget-50: Random multigets");
  }

  @Test
  public void aFileThatIsNoResultIsNotWrittenOver() throws IOException {
    Path precious = folder.newFile("precious").toPath();
    for (String option : List.of("--json", "--hlog")) {
      Files.writeString(precious, "{ \"mine\": 1 }");
      assertThat(ycsb("run", "point-get", option, precious.toString()))
        .isEqualTo(ToolException.USAGE);
      assertOneLineOfError(option + " is " + precious, "give another file");
      assertThat(precious).content().isEqualTo("{ \"mine\": 1 }");
      assertThat(ycsb("run", "point-get", option, "/dev/null")).isEqualTo(ToolException.USAGE);
    }
  }
}
