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

import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.pairs.Pairs;
import org.hbasestrata.bench.pairs.Slice;
import org.hbasestrata.bench.pairs.SliceExample;
import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import picocli.CommandLine;

public class PairsCommandTest {
  private static final String READS =
    "recordcount=1000\nreadproportion=1\nupdateproportion=0\n";

  @Rule
  public final CheckoutFolder folder = new CheckoutFolder().with("reads", READS).with("gets", READS)
    .with("full", "fullscanthreads=1\n");

  @Test
  public void armsAreStockAndStrataUnlessNamed() {
    PairsRequest pairs = requests("reads").get(0);
    assertThat(pairs.request().arms()).extracting(ArmSpec::name).containsExactly("stock",
      "strata");
    assertThat(pairs.threads()).containsExactly(1, 4, 16, 64);
    assertThat(pairs.mostThreads()).isEqualTo(64);
    assertThat(pairs.sliceSeconds()).isEqualTo(4);
    assertThat(pairs.leastPairs()).isEqualTo(6);
    assertThat(pairs.mostPairs()).isEqualTo(12);
    assertThat(pairs.stopAt()).isEqualTo(0.01);
    assertThat(pairs.starts()).isEqualTo(1);
    // Both are up at once: each has half of 6 GB.
    assertThat(pairs.request().memory()).isEqualTo(new Memory(3L << 30));
  }

  @Test
  public void readsAllOptions() {
    PairsRequest pairs = requests("reads", "--arm", "stock", "--arm",
      "off=" + folder.path("dev-support/bench/conf/stock"), "--threads", "8,2", "--slice", "2.5s",
      "--pairs", "4", "--stop-at", "0", "--rows", "500", "--memory", "2g", "--warm-up", "0", "-c",
      "a.key=1", "-p", "fieldcount=1", "--out", folder.path("out").toString()).get(0);
    assertThat(pairs.request().arms().get(1)).isEqualTo(
      new ArmSpec("off", folder.path("dev-support/bench/conf/stock"), "strata"));
    assertThat(pairs.threads()).containsExactly(8, 2);
    assertThat(pairs.sliceSeconds()).isEqualTo(2.5);
    assertThat(pairs.leastPairs()).isEqualTo(4);
    assertThat(pairs.request().rows()).isEqualTo(500);
    assertThat(pairs.request().settings()).isEqualTo(Map.of("a.key", "1"));
    assertThat(pairs.request().out()).isEqualTo(folder.path("out"));
  }

  @Test
  public void bothHaveAHeapThatStaysAsItIsUnlessAPresetIsNamed() {
    Map<String, ServerJvm> jvms =
      requests("reads", "--preset", "strata=g1").get(0).request().jvms();
    assertThat(jvms.get("strata").preset()).isEqualTo("g1");
    assertThat(jvms.get("stock").preset())
      .isEqualTo(folder.path("dev-support/bench/conf/jvm/pairs.preset").toString());
  }

  @Test
  public void oneClientAsksBothUnlessOneIsNamed() {
    PairsRequest shared = requests("reads").get(0);
    assertThat(shared.ownClients()).isFalse();
    assertThat(shared.clientOf("stock")).isEqualTo("strata");
    PairsRequest own = requests("reads", "--client", "stock=stock").get(0);
    assertThat(own.ownClients()).isTrue();
    assertThat(own.clientOf("stock")).isEqualTo("stock");
    assertThat(own.clientOf("strata")).isEqualTo("strata");
    PairsRequest crossed =
      requests("reads", "--client", "stock=strata", "--client", "strata=stock").get(0);
    assertThat(crossed.clientOf("stock")).isEqualTo("strata");
    assertThat(crossed.clientOf("strata")).isEqualTo("stock");
  }

  @Test
  public void severalProfilesHaveFoldersOfTheirOwn() {
    assertThat(requests("reads", "gets", "--out", folder.path("out").toString()))
      .extracting(pairs -> pairs.request().out())
      .containsExactly(folder.path("out/reads"), folder.path("out/gets"));
  }

  @Test
  public void aSelfTestIsStockAgainstItself() {
    List<ArmSpec> arms = requests("reads", "--self-test").get(0).request().arms();
    assertThat(arms).extracting(ArmSpec::name).doesNotHaveDuplicates();
    assertThat(arms).extracting(ArmSpec::jars).containsExactly("stock", "stock");
    assertThat(arms.get(0).conf()).isEqualTo(arms.get(1).conf());
  }

  @Test
  public void aSelfTestFailsWhenTheSameDiffersByMoreThanTwoPercent() {
    PairsRun.checkSelfTest(List.of(result(30.5), result(29.5)));
    assertThatThrownBy(() -> PairsRun.checkSelfTest(List.of(result(30), result(30.7))))
      .isInstanceOf(ToolException.class).hasMessageContaining("1.023 at 7 threads, known to ")
      .hasMessageNotContaining("1.000");
  }

  private static Pairs.Result result(double cpuMicros) {
    List<Slice> first = List.of(SliceExample.of("stock", 1, 40_000, 30));
    return Pairs.Result.of(7, first, List.of(SliceExample.of("other", 1, 40_000, cpuMicros)),
      false);
  }

  @Test
  public void eachPairBeginsWithTheArmThatEndedTheOneBefore() {
    assertThat(PairsRequest.first(1)).isZero();
    assertThat(PairsRequest.first(2)).isEqualTo(1);
    assertThat(PairsRequest.first(3)).isZero();
  }

  @Test
  public void aRegionThatMovedIsAFailure() {
    Slicer.checkPlace("stock", 20_010, List.of("localhost,20010,1700000000000"));
    assertThatThrownBy(() -> Slicer.checkPlace("stock", 20_010,
      List.of("localhost,20010,1700000000000", "localhost,20012,1700000000001")))
      .isInstanceOf(ToolException.class).hasMessageContaining("a region moved")
      .hasMessageContaining("stock should be on port 20010 alone");
    assertThatThrownBy(() -> Slicer.checkPlace("stock", 20_010, List.of()))
      .isInstanceOf(ToolException.class);
  }

  @Test
  public void wrongArgumentsAreNamedWithWhatIsAllowed() {
    assertRefused("no profile 'nope'", "nope");
    assertRefused("one --arm is nothing to compare", "reads", "--arm", "stock");
    assertRefused("--arm is given 3 times", "reads", "--arm", "stock", "--arm", "strata", "--arm",
      "unpooled");
    assertRefused("two arms have the same name", "reads", "--arm", "stock", "--arm", "stock");
    assertRefused("allowed: none with --self-test", "reads", "--self-test", "--arm", "stock");
    assertRefused("--threads is '[0]'", "reads", "--threads", "0");
    assertRefused("--slice is '0.1s'", "reads", "--slice", "0.1s");
    assertRefused("--turn is '10'", "reads", "--turn", "10");
    assertRefused("--slice is 'long'", "reads", "--slice", "long");
    assertRefused("--pairs is '0'", "reads", "--pairs", "0");
    assertRefused("--starts is '0'", "reads", "--starts", "0");
    assertRefused("--stop-at is '-1.0'", "reads", "--stop-at", "-1");
    assertRefused("--rows is '0'", "reads", "--rows", "0");
    assertRefused("--memory is '1g', allowed: a size of 2g or more", "reads", "--memory", "1g");
    assertRefused("--preset is 'other'", "reads", "--preset", "other=g1");
    assertRefused("--client is 'other=stock', allowed: ARM=JARS of an --arm", "reads", "--client",
      "other=stock");
    assertRefused("--client is 'stock=mine'", "reads", "--client", "stock=mine");
    assertRefused("threads are given by --threads", "reads", "-p", "threadcount=3");
    assertRefused("full: fullscanthreads is '1', allowed: 0", "full");
    assertRefused("reads: target is '5', allowed: 0", "reads", "-p", "target=5");
  }

  private void assertRefused(String message, String... arguments) {
    assertThatThrownBy(() -> requests(arguments)).isInstanceOf(ToolException.class)
      .hasMessageContaining(message).hasMessageNotContaining("\n")
      .extracting(e -> ((ToolException) e).exitCode()).isEqualTo(ToolException.USAGE);
  }

  private List<PairsRequest> requests(String... arguments) {
    PairsCommand command = new PairsCommand();
    new CommandLine(command).parseArgs(arguments);
    return command.requests(folder.checkout());
  }
}
