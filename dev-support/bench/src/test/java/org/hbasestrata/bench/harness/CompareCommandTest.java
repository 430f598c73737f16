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
import org.hbasestrata.bench.PageCache;
import org.hbasestrata.tools.ToolException;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import picocli.CommandLine;

public class CompareCommandTest {
  @Rule
  public final CheckoutFolder folder = new CheckoutFolder().with("reads",
    "recordcount=1000\nreadproportion=1\nupdateproportion=0\n");

  @Before
  public void makeFolders() throws IOException {
    Files.createDirectories(folder.path("my conf"));
    Files.createDirectories(folder.path("jars"));
    Files.writeString(folder.path("jars/hbase-server-9.jar"), "");
    Files.createDirectories(folder.path("empty"));
  }

  @Test
  public void armsAreStockAndStrataUnlessNamed() {
    Request request = request("reads");
    assertThat(request.arms()).containsExactly(
      new ArmSpec("stock", folder.path("dev-support/bench/conf/stock"), "stock"),
      new ArmSpec("strata", folder.path("conf"), "strata"));
    assertThat(request.rounds()).isEqualTo(3);
    assertThat(request.rows()).isNull();
    assertThat(request.pageCache()).isEqualTo(PageCache.WARM);
    assertThat(request.settings()).isEmpty();
    assertThat(request.out().getParent()).isEqualTo(folder.path("target/bench"));
  }

  @Test
  public void readsAllOptions() {
    Request request = request("reads", "--arm", "stock", "--arm", "mine=" + folder.path("my conf")
      + ":" + folder.path("jars"), "--rows", "500", "--minutes", "0.5", "--rounds", "2",
      "--target", "100", "--memory", "2g", "--page-cache", "cold", "--warm-up", "0",
      "--device-iops", "300", "--restart", "-c", "a.key=1",
      "-p", "updateproportion=0.1", "--out", folder.path("out").toString());
    assertThat(request.arms().get(1)).isEqualTo(
      new ArmSpec("mine", folder.path("my conf"), folder.path("jars").toString()));
    assertThat(request.rows()).isEqualTo(500);
    assertThat(request.minutes()).isEqualTo(0.5);
    assertThat(request.loads()).containsExactly(new Load(null, 100, null));
    assertThat(request.memory()).isEqualTo(new Memory(2L << 30));
    assertThat(request.pageCache()).isEqualTo(PageCache.COLD);
    assertThat(request.warmUpMinutes()).isZero();
    assertThat(request.deviceIops()).isEqualTo(300);
    assertThat(request.restart()).isTrue();
    assertThat(request.settings()).isEqualTo(Map.of("a.key", "1"));
    assertThat(request.profile().writes()).isTrue();
    assertThat(request.out()).isEqualTo(folder.path("out"));
    assertThat(request.command()).startsWith("dev-support/bin/bench reads --arm stock")
      .contains("'mine=" + folder.path("my conf"));
  }

  @Test
  public void anArmHasTheJvmsOwnChoicesUnlessAPresetIsNamed() {
    Request request = request("reads", "--preset", "strata=g1");
    assertThat(request.environment(request.arms().get(0))).containsEntry("HBASE_JVM_PRESET",
      "default").containsEntry("HBASE_HEAPSIZE", "1536m");
    assertThat(request.environment(request.arms().get(1))).containsEntry("HBASE_JVM_PRESET", "g1");
    assertThat(request.environment()).containsEntry("HBASE_JVM_PRESET", "default");
  }

  @Test
  public void anArmWithoutJarsHasTheTarballs() {
    assertThat(ArmSpec.parse("x=" + folder.path("my conf"), folder.checkout()).jars())
      .isEqualTo("strata");
  }

  @Test
  public void armsOfTheBenchNeedOnlyTheirNames() {
    assertThat(request("reads", "--arm", "unpooled", "--arm", "combined", "--arm", "composite")
      .arms()).containsExactly(
        new ArmSpec("unpooled", folder.path("dev-support/bench/conf/unpooled"), "stock"),
        new ArmSpec("combined", folder.path("dev-support/bench/conf/combined"), "stock"),
        new ArmSpec("composite", folder.path("dev-support/bench/conf/composite"), "strata"));
  }

  @Test
  public void aFolderWithAColonIsAFolder() throws IOException {
    Path odd = Files.createDirectory(folder.path("a:stock"));
    assertThat(ArmSpec.parse("x=" + odd, folder.checkout()).conf()).isEqualTo(odd);
  }

  @Test
  public void theOrderTurnsEachRound() {
    Request request = request("reads");
    assertThat(request.order(1)).extracting(ArmSpec::name).containsExactly("stock", "strata");
    assertThat(request.order(2)).extracting(ArmSpec::name).containsExactly("strata", "stock");
    assertThat(request.order(3)).isEqualTo(request.order(1));
  }

  @Test
  public void wrongArgumentsAreNamedWithWhatIsAllowed() throws IOException {
    Files.createDirectory(folder.path("full"));
    Files.writeString(folder.path("full/x"), "");
    assertRefused("no profile 'nope'", "nope");
    assertRefused("there are: reads", "nope");
    assertRefused("one --arm is nothing to compare", "reads", "--arm", "stock");
    assertRefused("two arms have the same name: stock, stock", "reads", "--arm", "stock", "--arm",
      "stock");
    assertRefused("--arm is 'other', allowed", "reads", "--arm", "other", "--arm", "stock");
    assertRefused("the name is 'a/b'", "reads", "--arm", "a/b=x", "--arm", "stock");
    assertRefused("directory '/nonexistent' isn't there", "reads", "--arm", "a=/nonexistent",
      "--arm", "stock");
    assertRefused("directory '' isn't there", "reads", "--arm", "a=", "--arm", "stock");
    assertRefused("directory '' isn't there", "reads", "--arm", "a=:stock", "--arm", "stock");
    assertRefused("JARS is '" + folder.path("empty") + "'", "reads", "--arm",
      "a=" + folder.path("conf") + ":" + folder.path("empty"), "--arm", "stock");
    assertRefused("--preset is 'other', allowed", "reads", "--preset", "other=g1");
    assertRefused("--rows is '0'", "reads", "--rows", "0");
    assertRefused("--minutes is '0.0'", "reads", "--minutes", "0");
    assertRefused("--rounds is '0'", "reads", "--rounds", "0");
    assertRefused("--page-cache is 'hot', allowed: cold, warm or limited", "reads", "--page-cache",
      "hot");
    assertRefused("--memory is '10k'", "reads", "--memory", "10k");
    assertRefused("--device-iops is '-1'", "reads", "--device-iops", "-1");
    assertRefused("--out is '" + folder.path("full") + "'", "reads", "--out",
      folder.path("full").toString());
  }

  @Test
  public void aProfileThatOnlyReadsIsKnown() {
    assertThat(request("reads").profile().writes()).isFalse();
    assertThat(request("reads", "-p", "updatebatchproportion=1").profile().writes()).isTrue();
    assertThat(request("reads").profile().bytes(100L)).isEqualTo(100 * 10 * 150);
    assertThat(request("reads", "-p", "zeropadding=119").profile().bytes(100L))
      .isEqualTo(100 * 10 * 250);
  }

  private void assertRefused(String message, String... arguments) {
    assertThatThrownBy(() -> request(arguments)).isInstanceOf(ToolException.class)
      .hasMessageContaining(message).hasMessageNotContaining("\n")
      .extracting(e -> ((ToolException) e).exitCode()).isEqualTo(ToolException.USAGE);
  }

  private Request request(String... arguments) {
    CompareCommand command = new CompareCommand();
    new CommandLine(command).parseArgs(arguments);
    return command.request(folder.checkout());
  }
}
