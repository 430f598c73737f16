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
package org.hbasestrata.bench.pairs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.report.Metric.Better;
import org.hbasestrata.bench.report.Unit;
import org.hbasestrata.bench.report.Where;

/** What the pages show, as text. */
record PairsView(String title, boolean partial, List<String> reasons, String first, String second,
  List<Part> parts, Where where) {
  /** From 1, in a ratio: nobody would care for less, however sure it is. */
  private static final double NEGLIGIBLE = 0.01;
  /** Facts of comparisons that mean something else here. */
  private static final List<String> WITHOUT = List.of("Rounds", "Target rate", "Memory limit");

  /** A number of threads. */
  record Part(int threads, int pairs, String idle, String starts, List<Row> rows) {
  }

  /** A figure. */
  record Row(String label, String better, String first, String second, String ratio,
    String interval, String verdict) {
  }

  static PairsView of(Pairs pairs) {
    Comparison comparison = pairs.comparison();
    List<String> names = comparison.arms().stream().map(Arm::name).toList();
    List<Where.Fact> facts = new ArrayList<>();
    facts.add(new Where.Fact("Each arm", Unit.BYTES.format(comparison.memoryBytes())
      + " of heap, off-heap memory and what is left for the JVM"));
    pairs.clientJars().forEach((arm, jar) -> facts.add(new Where.Fact("Client of " + arm,
      jar + (pairs.ownClients() ? ", a process of its own" : ", the same process for both"))));
    pairs.warmUps().forEach(warmUp -> facts.add(new Where.Fact("Warm-up", warmUp(warmUp))));
    return new PairsView(comparison.profile() + ": " + names.get(1) + " against " + names.get(0),
      comparison.reason() != null, Stream.ofNullable(comparison.reason()).toList(), names.get(0),
      names.get(1), pairs.results().stream().map(PairsView::part).toList(),
      Where.of(comparison, comparison.notes(), List.of()).with(facts, WITHOUT));
  }

  private static Part part(Pairs.Result result) {
    List<Row> rows = new ArrayList<>();
    for (PairedFigure figure : result.figures()) {
      rows.add(new Row(figure.label(), figure.better(),
        figure.metric().unit().format(figure.first()),
        figure.metric().unit().format(figure.second()),
        figure.ratio() == null ? "" : ratio(figure.ratio()),
        figure.low() == null ? "" : ratio(figure.low()) + " to " + ratio(figure.high()),
        verdict(figure)));
    }
    return new Part(result.threads(),
      result.figures().stream().mapToInt(PairedFigure::pairs).max().orElse(0),
      result.idleShares().stream().map(PairsView::percent).collect(Collectors.joining(" and ")),
      result.startRatios().size() < 2 ? "" : result.startRatios().stream().map(PairsView::ratio)
        .collect(Collectors.joining(", ")), rows);
  }

  private static String verdict(PairedFigure figure) {
    if (figure.low() == null || figure.low() <= 1 && figure.high() >= 1
      || Math.abs(figure.ratio() - 1) < NEGLIGIBLE) {
      return "";
    }
    return figure.low() > 1 == (figure.metric().better() == Better.HIGHER) ? "better" : "worse";
  }

  private static String warmUp(Pairs.WarmUp warmUp) {
    return String.format(Locale.ROOT,
      "%s: %s after %d slices; hit ratio %.4f, %.1f µs of CPU, %s of it the JIT compilers'",
      warmUp.arm(), warmUp.reached() ? "steady" : "not steady", warmUp.slices(),
      warmUp.hitRatio(), warmUp.cpuUs(), percent(warmUp.compileShare()));
  }

  private static String ratio(double ratio) {
    return String.format(Locale.ROOT, "%.3f", ratio);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  /** The few figures that a terminal has room for, of one number of threads. */
  static List<String> lines(Pairs.Result result, List<String> arms) {
    List<String> lines = new ArrayList<>();
    Part part = part(result);
    lines.add(String.format(Locale.ROOT, "%-36s %12s %12s  %-6s  %s", part.threads()
      + " threads, " + part.pairs() + " pairs", arms.get(0), arms.get(1), "ratio",
      "95 % interval"));
    for (Row row : part.rows()) {
      lines.add(String.format(Locale.ROOT, "%-36s %12s %12s  %-6s  %-16s %s", row.label(),
        row.first(), row.second(), row.ratio(), row.interval(), row.verdict()).stripTrailing());
    }
    if (!part.starts().isEmpty()) {
      lines.add("Ratio of server CPU by start: " + part.starts());
    }
    lines.add("CPU of the idle one: " + part.idle() + " of a processor");
    return lines;
  }
}
