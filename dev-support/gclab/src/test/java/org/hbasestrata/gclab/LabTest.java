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
package org.hbasestrata.gclab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.Server;
import org.hbasestrata.bench.report.ComparisonFiles;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.ToolException;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What is made of the files that runs of ten seconds left, at two levels. */
public class LabTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path lab;

  @Before
  public void measure() throws Exception {
    lab = folder.getRoot().toPath();
    Path goals = folder.newFile("some.goals").toPath();
    Files.write(goals, List.of("[high]", "client P99 <= 50 %", "[low]", "pause max <= 1 ms"));
    new Lab(List.of("high", "low", "never")).write(lab, goals);
    for (String level : List.of("high", "low")) {
      ComparisonFiles files = new ComparisonFiles(lab.resolve(level));
      files.comparison(2, "default", "g1");
      for (int round = 1; round <= 2; round++) {
        files.run(round, "default").latencies("READ", 1, 9_000, 20_000)
          .latencies("READ-INTENDED", 1, 9_000, 50_000).server(allocated(100L << 20))
          .pause(1, 10).pause(2, 30).write();
        files.run(round, "g1").latencies("READ", 1, 2_000, 4_000)
          .latencies("READ-INTENDED", 1, 2_000, 4_000).server(allocated(200L << 20)).pause(1, 5)
          .write();
      }
    }
  }

  private static Server allocated(long bytes) {
    return new Server(1.0, bytes, null, null, null, null, null, null, null, null);
  }

  private int gclab(String... args) {
    return new GcLabTool().execute(new PrintStream(out, true, StandardCharsets.UTF_8),
      new PrintStream(err, true, StandardCharsets.UTF_8), args);
  }

  @Test
  public void figuresAreOfAllRoundsTogether() {
    Map<Figure, Double> figures =
      Lab.level("high", Lab.read(lab).reports(lab).get("high"), Lab.goals(lab)).figures()
        .get("default");
    assertThat(figures.get(Figure.OPERATIONS)).isEqualTo(0.2);
    assertThat(figures.get(Figure.CLIENT_P99)).isCloseTo(20, within(0.1));
    assertThat(figures.get(Figure.DUE_P99)).isCloseTo(50, within(0.1));
    assertThat(figures.get(Figure.YOUNG_COUNT)).isEqualTo(12);
    assertThat(figures.get(Figure.YOUNG_TIME)).isCloseTo(4, within(1e-6));
    assertThat(figures.get(Figure.FULL_COUNT)).isZero();
    assertThat(figures.get(Figure.PAUSE_MEAN)).isCloseTo(20, within(1e-6));
    assertThat(figures.get(Figure.PAUSE_DEVIATION)).isCloseTo(Math.sqrt(400 / 3.0), within(1e-6));
    assertThat(figures.get(Figure.PAUSE_MAX)).isCloseTo(30, within(1e-6));
    assertThat(figures.get(Figure.ALLOCATION)).isEqualTo(10);
    // Not in these logs.
    assertThat(figures).doesNotContainKeys(Figure.PROMOTION, Figure.EDEN);
  }

  @Test
  public void whatNeverPausedMeetsGoalsOfPausesAndWhatFailedIsCounted() {
    ComparisonFiles files = new ComparisonFiles(lab.resolve("low"));
    files.comparison(2, "default", "quiet", "failing");
    for (int round = 1; round <= 2; round++) {
      // A collection before the measured part.
      files.run(round, "quiet").latencies("READ", 1, 2_000, 4_000).pause(-5, 10).write();
      files.run(round, "failing").latencies("READ", 1, 1_000).latencies("READ-FAILED", 1, 1_000)
        .pause(-5, 10).write();
    }
    Level level = Lab.level("low", Lab.read(lab).reports(lab).get("low"), Lab.goals(lab));
    assertThat(level.figures().get("quiet")).containsEntry(Figure.PAUSE_MAX, 0.0)
      .containsEntry(Figure.PAUSE_P99, 0.0).containsEntry(Figure.REMARK_SHARE, 0.0)
      .containsEntry(Figure.GC_TIME, 0.0).containsEntry(Figure.FAILED, 0.0);
    assertThat(level.unmet().get("failing")).containsExactly("2 operations failed");
    assertThat(level.verdict()).isEqualTo("quiet wins");
  }

  @Test
  public void theReportNamesWinnersAndWhenThereIsNone() throws Exception {
    assertThat(gclab("report", lab.toString())).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly("high: g1 wins",
      "low: none meets the goals", lab.resolve("report/index.html").toString());
    String text = Files.readString(lab.resolve("report/report.md"));
    assertThat(text).contains("| client P99, ms | 20 | 4 |", "| pause max, ms | 30 | 5 |",
      "**g1 wins**", "default: client P99 20, at most 10 ms", "g1: pause max 5, at most 1 ms");
    assertThat(Files.readString(lab.resolve("report/index.html"))).contains("data-level=\"low\"",
      "g1 wins");
    assertThat(lab.resolve("high/report/index.html")).exists();
    assertThat(Files.readString(lab.resolve("report/report.json"))).contains("\"winner\" : \"g1\"");
  }

  @Test
  public void wrongInputIsOneLine() {
    assertWrong("no profile", "presets", "--profile", "nope", "--presets", "default,g1");
    assertWrong("one preset is nothing to compare", "presets", "--profile", "nope", "--presets",
      "default");
    assertWrong("source C is about CMS", "sources");
    assertWrong("SOURCE is 'A', allowed: B, C and D", "sources", "A");
    assertWrong("--disk is '/nowhere', allowed: a directory that is there", "sources", "D",
      "--disk", "/nowhere");
    assertWrong("there is no gclab.json in it", "report", lab.resolve("high").toString());
  }

  @Test
  public void helpIsFormatted() {
    for (String command : List.of("presets", "sources", "report")) {
      out.reset();
      assertThat(gclab(command, "--help")).isZero();
      assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("Usage: gclab " + command)
        .doesNotContain("%%", "%n");
    }
  }

  private void assertWrong(String message, String... args) {
    err.reset();
    String before = System.setProperty(Checkout.PROPERTY, Path.of("../..").toAbsolutePath()
      .normalize().toString());
    try {
      assertThat(gclab(args)).isEqualTo(ToolException.USAGE);
    } finally {
      if (before == null) {
        System.clearProperty(Checkout.PROPERTY);
      }
    }
    assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSize(1)
      .allMatch(line -> line.startsWith("gclab: ") && line.contains(message));
  }
}
