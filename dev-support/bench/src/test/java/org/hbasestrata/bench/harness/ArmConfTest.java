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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.hbasestrata.tools.ToolException;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ArmConfTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path conf;
  private Path shipped;
  private Path to;

  @Before
  public void makeFolders() throws IOException {
    Path root = folder.getRoot().toPath();
    conf = Files.createDirectory(root.resolve("conf"));
    shipped = Files.createDirectory(root.resolve("shipped"));
    Files.writeString(shipped.resolve("hadoop-metrics2-hbase.properties"),
      "*.period=10\nhbase.period = 5\n");
    to = root.resolve("a/b");
  }

  @Test
  public void keepsWhatIsThereAndHasMetricsEverySecond() throws IOException {
    Files.createDirectory(conf.resolve("sub"));
    Files.writeString(conf.resolve("sub/x"), "y");
    Files.writeString(conf.resolve("hbase-site.xml"), "<configuration><!-- why -->"
      + "<property><name>k</name><value>v</value></property></configuration>");
    write();
    assertThat(to.resolve("sub/x")).hasContent("y");
    assertThat(Files.readString(to.resolve("hbase-site.xml"))).contains("<!-- why -->",
      "<name>k</name>", "hbase.regionserver.metrics.period", "<value>1000</value>");
    // One alone: of two Hadoop takes the first.
    assertThat(Files.readAllLines(to.resolve("hadoop-metrics2-hbase.properties")))
      .filteredOn(line -> line.contains(".period")).containsExactly("*.period=1");
  }

  @Test
  public void aConfigurationMayBeEmpty() throws IOException {
    write();
    assertThat(Files.readString(to.resolve("hbase-site.xml"))).contains("<configuration>");
  }

  @Test
  public void namesAFileThatIsNoXml() throws IOException {
    Files.writeString(conf.resolve("hbase-site.xml"), "<configuration>");
    assertThatThrownBy(() -> ArmConf.check(arm())).isInstanceOf(ToolException.class)
      .hasMessageContaining(conf + "/hbase-site.xml isn't XML");
  }

  private void write() {
    ArmConf.write(arm(), shipped, Map.of(), to);
  }

  private ArmSpec arm() {
    return new ArmSpec("a", conf, ArmSpec.STRATA);
  }
}
