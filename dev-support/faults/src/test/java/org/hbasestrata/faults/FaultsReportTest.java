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
package org.hbasestrata.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class FaultsReportTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Outcome outcome =
    new Outcome("one", "what <b>is</b> | broken");

  private int notRun;

  private String write(String file) throws IOException {
    Path root = folder.getRoot().toPath();
    FaultsReport.write(root, List.of(outcome), notRun,
      new Amounts(true, 1, 2, 3, 4, Engine.DIRECT, Map.of()).toString());
    return Files.readString(root.resolve(file));
  }

  @Test
  public void aFaultThatCostNothingIsPassed() throws IOException {
    outcome.count("injected", 1000);
    outcome.count("failed checksums", 17);
    outcome.judge();
    assertThat(outcome.passed()).isTrue();
    assertThat(outcome.count("survived")).isEqualTo(1000);
    assertThat(write("report.md")).contains("all 1 survived", "| one | passed | 1000 | 1000 |",
      "failed checksums 17", "2 kills", "3 hostile requests of seed 4");
    assertThat(write("report.json")).contains("\"passed\" : true", "\"injected\" : 1000",
      "\"skippedFaults\" : [ ]");
  }

  @Test
  public void oneThatCostAnythingIsNot() throws IOException {
    for (String what : List.of("wrong", "lost", "errors")) {
      Outcome one = new Outcome("one", what);
      one.count(what, 7);
      one.count("injected", 1);
      one.judge();
      assertThat(one.passed()).isFalse();
      assertThat(one.count("survived")).isZero();
      assertThat(one.failures()).singleElement().asString().startsWith("7 ");
    }
    outcome.fail("the server ended");
    assertThat(write("report.html")).contains("FAILED").doesNotContain("survived,");
    assertThat(write("report.md")).contains("# Faults: 0 passed, 1 FAILED",
      "**the server ended**");
  }

  @Test
  public void whatIsMissingIsNotSaidToBeSurvived() throws IOException {
    notRun = 3;
    assertThat(write("report.md")).contains("# Faults: 1 passed, 3 not run");
    assertThat(write("report.json")).contains("\"passed\" : false");
  }

  @Test
  public void oneThatCouldNotBeHadIsSkipped() throws IOException {
    outcome.skip("needs root");
    assertThat(write("report.md")).contains("skipped: needs root",
      "# Faults: 0 passed, 1 skipped");
    assertThat(write("report.json")).contains("\"skippedFaults\" : [ \"one\" ]",
      "\"passed\" : false");
  }

  @Test
  public void partsAreATable() throws IOException {
    assertThat(write("report.html")).doesNotContain("phase");
    outcome.columns(List.of("phase", "lost"));
    outcome.row(List.of("there & back", "0"));
    assertThat(write("report.md")).contains("\n\n| phase | lost |\n|:--|:--|\n"
      + "| there &amp; back | 0 |\n");
    assertThat(write("report.html")).contains("<td>there &amp; back</td><td>0</td>");
    assertThat(write("report.json")).contains("\"cells\" : [ \"there & back\", \"0\" ]");
  }

  @Test
  public void valuesOverTimeAreAChart() throws IOException {
    outcome.chart(new Outcome.Chart("Memory", "bytes",
      Map.of("heap", List.of(new double[] { 1, 2048 }, new double[] { 61, 4096 }))));
    assertThat(write("report.html")).contains("data-chart=\"lines\" data-index=\"0\"",
      "{\"heap\":[[1.0,2048.0],[61.0,4096.0]]}");
  }

  @Test
  public void whatServersSaidIsEscaped() throws IOException {
    outcome.logged("<script>alert(1)</script>");
    assertThat(write("report.html")).doesNotContain("<script>alert", "<b>is");
    assertThat(write("report.md")).doesNotContain("<script>", "<b>").contains("\\|");
  }
}
