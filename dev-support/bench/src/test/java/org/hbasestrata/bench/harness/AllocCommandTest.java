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
package org.hbasestrata.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import picocli.CommandLine;

public class AllocCommandTest {
  @Rule
  public final CheckoutFolder folder = new CheckoutFolder().with("reads", "recordcount=1000\n");

  @Before
  public void addArm() throws IOException {
    folder.addArm("unpooled");
  }

  private Request request(String... arguments) {
    AllocCommand command = new AllocCommand();
    new CommandLine(command).parseArgs(arguments);
    return command.request(folder.checkout());
  }

  @Test
  public void theThreeArmsShareACacheOnDisk() {
    Request request = request("reads", "--memory", "4g");
    assertThat(request.arms()).extracting(ArmSpec::name).containsExactly("unpooled", "stock",
      "strata");
    assertThat(request.arms()).extracting(ArmSpec::jars).containsExactly("stock", "stock",
      "strata");
    assertThat(request.rounds()).isEqualTo(1);
    assertThat(request.minutes()).isEqualTo(2);
    assertThat(request.warmUpMinutes()).isEqualTo(3);
    assertThat(request.settings())
      .containsEntry("hbase.bucketcache.ioengine", "file:${hbase.tmp.dir}/bucketcache")
      .containsEntry("hbase.bucketcache.size", "4096")
      .containsEntry("hbase.rs.cacheblocksonwrite", "true");
  }

  @Test
  public void theCommandLineWins() {
    Request request = request("reads", "--arm", "stock", "--arm", "strata", "--rounds", "2",
      "--minutes", "0.5", "-c", "hbase.bucketcache.size=100", "-c", "a.key=1");
    assertThat(request.arms()).extracting(ArmSpec::name).containsExactly("stock", "strata");
    assertThat(request.rounds()).isEqualTo(2);
    assertThat(request.minutes()).isEqualTo(0.5);
    assertThat(request.settings()).containsEntry("hbase.bucketcache.size", "100")
      .containsEntry("a.key", "1").containsEntry("hbase.rs.cacheblocksonwrite", "true");
  }

  @Test
  public void helpTellsItsOwnDefaults() {
    StringWriter help = new StringWriter();
    new CommandLine(new AllocCommand()).usage(new PrintWriter(help));
    assertThat(help.toString().replaceAll("\\s+", " "))
      .contains("Length of a run's measured part. Default: 2.", "allocation.html");
  }
}
