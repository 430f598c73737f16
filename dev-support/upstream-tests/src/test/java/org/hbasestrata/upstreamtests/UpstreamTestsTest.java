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
package org.hbasestrata.upstreamtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hbasestrata.upstreamtests.ClassReport.Failure;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class UpstreamTestsTest {
  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();
  private Path folder;

  @Before
  public void folder() {
    folder = temporary.getRoot().toPath();
  }

  @Test
  public void shardsAreApartAndTogetherAll() {
    List<ListedTest> tests = List.of(test("a.A"), test("a.B"), test("a.C"));
    assertThat(new Choice("all", "off", "1/2", ".").of(tests))
      .isEqualTo(Map.of(Arm.OFF, List.of("a.A", "a.C")));
    assertThat(new Choice("all", "off", "2/2", ".").of(tests))
      .isEqualTo(Map.of(Arm.OFF, List.of("a.B")));
  }

  @Test
  public void setArmAndClassesNarrow() {
    List<ListedTest> tests = List.of(test("a.A", "core-on"), test("a.B"));
    assertThat(new Choice("core", "both", "1/1", ".").of(tests))
      .isEqualTo(Map.of(Arm.ON, List.of("a.A")));
    assertThat(new Choice("all", "both", "1/1", "B$").of(tests))
      .isEqualTo(Map.of(Arm.OFF, List.of("a.B"), Arm.ON, List.of("a.B")));
  }

  @Test
  public void aChoiceOfNothingSaysWhatToDo() {
    assertThatThrownBy(() -> new Choice("all", "both", "1/1", "Typo").of(List.of(test("a.A"))))
      .hasMessageContaining("-Dclasses=Typo leave no class").hasMessageContaining("widen");
  }

  @Test
  public void wrongOptionsAreNamed() {
    assertThatThrownBy(() -> new Choice("some", "both", "1/1", "."))
      .hasMessage("-Dset=some must be core or all");
    assertThatThrownBy(() -> new Choice("all", "stock", "1/1", "."))
      .hasMessage("-Darm=stock must be off, on or both");
    assertThatThrownBy(() -> new Choice("all", "both", "5/4", "."))
      .hasMessage("-Dshard=5/4 must be 1/4 to 4/4");
    assertThatThrownBy(() -> new Options("minutes=0").positive("minutes"))
      .hasMessageStartingWith("-Dminutes=0");
  }

  @Test
  public void listsNameTheirWrongLines() throws IOException {
    Path list = Files.writeString(folder.resolve("tests"), "# a comment\n\na.A core\n");
    assertThatThrownBy(() -> ListedTest.read(list)).hasMessageContaining("\"a.A core\"");
    assertThatThrownBy(() -> MayFail.parse(List.of("stock a.A#b")))
      .hasMessageContaining("\"stock a.A#b\"");
    Path areas = Files.writeString(folder.resolve("areas"), "out a.A\n");
    assertThatThrownBy(() -> new Areas(areas)).hasMessageContaining("\"out a.A\"");
  }

  @Test
  public void whatIsMendedMayFailInBothArms() {
    MayFail mayFail = MayFail.parse(List.of("mended a.A#b X"));
    ClassReport report = report(new Failure("a.A", "b", "X: said"));
    verdict(mayFail, false, Arm.OFF, report).check();
    verdict(mayFail, false, Arm.ON, report).check();
  }

  @Test
  public void onlyListedFailuresMayBe() {
    MayFail mayFail =
      MayFail.parse(List.of("stock a.A#onStock X: said", "forced a.A#whenForced Y"));
    ClassReport report = report(new Failure("a.A", "onStock", "X: said 1"),
      new Failure("a.A", "whenForced", "Y"));

    assertThatThrownBy(verdict(mayFail, false, Arm.OFF, report)::check)
      .hasMessageStartingWith("1 of ");
    verdict(mayFail, true, Arm.OFF, report).check();
    Verdict on = verdict(mayFail, false, Arm.ON, report);
    on.check();
    assertThat(on.summary()).contains("| on | Strata | 1 | 4 | 1 | 2 | 2 | 0 | 0.1 |",
      "- on, failed, as listed: a.A#onStock X: said 1");
  }

  @Test
  public void aListedTestMayNotFailOtherwise() {
    Verdict verdict = verdict(MayFail.parse(List.of("stock a.A#b X: said")), false, Arm.OFF,
      report(new Failure("a.A", "b", "Y")));
    assertThatThrownBy(verdict::check).isInstanceOf(IllegalStateException.class);
    assertThat(verdict.summary()).contains("FAILED: a.A#b Y",
      "- off, in may-fail, but not failed so: a.A#b");
  }

  @Test
  public void whatFailsSoOnlyOnceIsTold() {
    ClassReport first = report(new Failure("a.A", "once", "X"), new Failure("a.A", "twice", "X"));
    ClassReport both = report(new Failure("a.A", "twice", "Y")).after(first);
    assertThat(both.failures()).containsExactly(new Failure("a.A", "twice", "Y"));
    assertThat(both.flaky()).containsExactly(new Failure("a.A", "once", "X"),
      new Failure("a.A", "twice", "X"));
  }

  @Test
  public void resultsOfRunsAddUp() throws IOException {
    Path file = folder.resolve("results.md");
    new Results(file).add(Arm.OFF, report());
    new Results(file).add(Arm.ON, report(new Failure("a.A", "b", "X")));
    new Results(file).add(Arm.OFF,
      new ClassReport("org.apache.hadoop.hbase.B", 2, 0, 1, List.of(), List.of()));
    assertThat(file).content().contains("| all 2 | 6 | 1 | 0 | 4 | 1 | 1 |\n"
      + "| `B` | 2 | 0 | 0 |  |  |  |\n| `a.A` | 4 | 1 | 0 | 4 | 1 | 1 |\n");
  }

  private static ListedTest test(String className, String... marks) {
    return new ListedTest(className, Set.of(marks));
  }

  private static ClassReport report(Failure... failures) {
    return new ClassReport("a.A", 4, 1, 6, List.of(failures), List.of());
  }

  private static Verdict verdict(MayFail mayFail, boolean stock, Arm arm, ClassReport report) {
    Verdict verdict = new Verdict(mayFail, stock);
    verdict.add(arm, report);
    return verdict;
  }
}
