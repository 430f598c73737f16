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
import java.time.Duration;
import java.util.List;
import java.util.Set;
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
    assertThat(new Choice("all", "both", "1/2", ".").of(tests, Arm.OFF)).containsExactly("a.A",
      "a.C");
    assertThat(new Choice("all", "both", "2/2", ".").of(tests, Arm.OFF)).containsExactly("a.B");
  }

  @Test
  public void setArmAndClassesNarrow() {
    List<ListedTest> tests = List.of(test("a.A", "core-on"), test("a.B"));
    assertThat(new Choice("core", "both", "1/1", ".").of(tests, Arm.ON)).containsExactly("a.A");
    assertThat(new Choice("all", "both", "1/1", "B$").of(tests, Arm.ON)).containsExactly("a.B");
  }

  @Test
  public void anEmptySelectionIsNoClassButNotEmpty() {
    List<String> none = new Choice("core", "off", "1/1", ".").of(List.of(test("a.A")), Arm.OFF);
    assertThat(none).hasSize(1).noneMatch(Choice::isClass);
    assertThat(new Choice("all", "off", "1/1", ".").of(List.of(test("a.A")), Arm.ON))
      .isEqualTo(none);
  }

  @Test
  public void wrongOptionsAreNamed() {
    assertThatThrownBy(() -> new Choice("some", "both", "1/1", "."))
      .hasMessage("-Dset=some must be core or all");
    assertThatThrownBy(() -> new Choice("all", "stock", "1/1", "."))
      .hasMessage("-Darm=stock must be off, on or both");
    assertThatThrownBy(() -> new Choice("all", "both", "5/4", "."))
      .hasMessage("-Dshard=5/4 must be 1/4 to 4/4");
    assertThatThrownBy(() -> Choice.positive("minutes", "0")).hasMessageStartingWith("-Dminutes=0");
  }

  @Test
  public void listsNameTheirWrongLines() throws IOException {
    Path list = Files.writeString(folder.resolve("tests"), "# a comment\n\na.A core\n");
    assertThatThrownBy(() -> ListedTest.read(list)).hasMessageContaining("\"a.A core\"");
    assertThatThrownBy(() -> MayFail.parse(List.of("stock a.A#b")))
      .hasMessageContaining("\"stock a.A#b\"");
  }

  @Test
  public void onlyListedFailuresMayBe() throws IOException {
    report("a.A", "<testcase name='works'/>"
      + "<testcase name='onStock[1]'><failure type='X'>X: said\n at</failure></testcase>"
      + "<testcase name='whenForced'><error type='Y'/></testcase>"
      + "<testcase name='flickers'><flakyError type='Z'/></testcase>");
    MayFail mayFail =
      MayFail.parse(List.of("stock a.A#onStock X: said", "forced a.A#whenForced a default"));

    assertThatThrownBy(verdict(mayFail, false, Arm.OFF)::check).hasMessageStartingWith("1 of ");
    verdict(mayFail, true, Arm.OFF).check();
    Verdict on = verdict(mayFail, false, Arm.ON);
    on.check();
    assertThat(on.summary()).contains("| on | Strata | 1 | 4 | 0 | 2 | 2 | 1 | 0.1 |",
      "- on, failed, as listed: a.A#onStock X: said", "- on, failed once: a.A#flickers Z");
  }

  @Test
  public void aClassWithoutReportFailed() throws IOException {
    Verdict verdict = new Verdict(MayFail.parse(List.of()), false);
    verdict.add(Arm.OFF, List.of("a.A"), Report.readAll(folder));
    assertThatThrownBy(verdict::check).isInstanceOf(IllegalStateException.class);
    assertThat(verdict.summary()).contains("FAILED: a.A no report");
  }

  @Test
  public void selectingForgetsTheReportsOfAnEarlierRun() throws IOException {
    Path old = Files.createDirectories(folder.resolve("on")).resolve("TEST-a.A.xml");
    Files.createFile(old);
    Path list = Files.writeString(folder.resolve("tests"), "a.A\na.B core-on\n");
    UpstreamTests.main(new String[] { "select", list.toString(), folder.toString(), "core", "both",
      "1/1", ".", "1" });
    assertThat(old).doesNotExist();
    assertThat(folder.resolve("on.tests")).hasContent("a.B");
    assertThat(folder.resolve("off.tests")).hasContent("none");
  }

  @Test
  public void classesAreBegunUntilTheDeadline() throws IOException {
    System.setProperty(Deadline.FOLDER_PROPERTY, folder.toString());
    try {
      Deadline.write(folder, Duration.ofMinutes(1));
      assertThat(new DeadlineFilter().apply(null).included()).isTrue();
      Deadline.write(folder, Duration.ofMinutes(-1));
      assertThat(new DeadlineFilter().apply(null).included()).isFalse();
    } finally {
      System.clearProperty(Deadline.FOLDER_PROPERTY);
    }
  }

  private static ListedTest test(String className, String... marks) {
    return new ListedTest(className, Set.of(marks));
  }

  private void report(String className, String cases) throws IOException {
    Files.writeString(folder.resolve("TEST-" + className + ".xml"), "<testsuite name='" + className
      + "' tests='4' skipped='0' time='6'>" + cases + "</testsuite>");
  }

  private Verdict verdict(MayFail mayFail, boolean stock, Arm arm) throws IOException {
    Verdict verdict = new Verdict(mayFail, stock);
    verdict.add(arm, List.of("a.A"), Report.readAll(folder));
    return verdict;
  }
}
