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
package org.hbasestrata.bench.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;

/**
 * A report in the words and numbers that the templates show. Text is as it came: the templates
 * escape it.
 * @param others     the arms that are compared with the first
 * @param tallies    how often which verdict fell
 * @param headlines  the figures that are shown first
 * @param groups     all figures
 * @param where      what was asked, and where it ran
 * @param paths      what is allocated, by path; the last is the sum
 * @param elsewhere  the sites of what no path names
 * @param flames     flame graphs of allocation
 */
public record View(String title, boolean partial, List<String> reasons, Where where, String first,
  List<String> others, int rounds, List<Tally> tallies,
  List<Row> headlines, List<Group> groups, List<LatencyView> latencies, boolean throughput,
  boolean pauses, boolean allocations, List<SiteRow> sites, List<PathRow> paths,
  List<SiteRow> elsewhere, List<Flame> flames) {

  private static final String NONE = "\u2013";
  private static final double LEAST_PERCENT = 0.1;
  private static final MathContext SMALL_RATIO = new MathContext(2);

  record Tally(String arm, String counts) {
  }

  record Group(String title, List<Row> rows) {
  }

  /** A figure; {@code first} and {@code others} are in the arms' order. */
  record Row(String label, String unit, Value first, List<Compared> others) {
  }

  /** A median with its range; empty when one run gave it. */
  record Value(String median, String range) {
  }

  /**
   * @param kind   the verdict for style sheets
   * @param rounds the ratio of each round
   */
  record Compared(Value value, String ratio, String ratioRange, String rounds, String kind,
    String sign, String verdict) {
  }

  record LatencyView(int index, String title) {
  }

  record SiteRow(String site, List<String> bytes) {
  }

  /** @param what what belongs to the path; empty for the sum */
  record PathRow(String path, String what, List<PathCell> arms) {
  }

  /** Of one arm. */
  record PathCell(String bytes, String percent) {
  }

  /** @param link relative to the page */
  record Flame(String arm, int round, String link) {
  }

  /** The arms, in their order, for the heads of tables. */
  public List<Where.ArmView> arms() {
    return where.arms();
  }

  public static View of(Report report) {
    Comparison comparison = report.comparison();
    List<String> arms = comparison.arms().stream().map(Arm::name).toList();
    List<String> others = arms.subList(1, arms.size());
    Map<Metric.Group, List<Row>> groups = new EnumMap<>(Metric.Group.class);
    List<Row> headlines = new ArrayList<>();
    for (Summary summary : report.summaries()) {
      Row row = row(summary, arms.get(0), others);
      groups.computeIfAbsent(summary.metric().group(), g -> new ArrayList<>()).add(row);
      if (summary.metric().headline()) {
        headlines.add(row);
      }
    }
    Charts charts = report.charts();
    return new View(comparison.profile() + ": " + String.join(", ", others) + " against "
      + arms.get(0), !report.reasons().isEmpty(), report.reasons(),
      Where.of(comparison, report.notes(), report.runs()), arms.get(0), others, comparison.rounds(),
      others.stream().map(arm -> tally(arm, report.summaries())).toList(), headlines,
      groups.entrySet().stream().map(e -> new Group(e.getKey().title(), e.getValue())).toList(),
      latencies(charts),
      charts.throughput().values().stream().anyMatch(t -> !t.median().isEmpty()),
      charts.pauseHistogram() != null, !charts.allocations().isEmpty(),
      charts.allocations().stream().map(site -> site(site, arms)).toList(),
      paths(charts.paths(), arms),
      charts.elsewhere().stream().map(site -> site(site, arms)).toList(),
      report.runs().stream().filter(run -> run.allocations() != null).map(run -> new Flame(
        run.arm(), run.round(), link(FlameGraph.file(run)))).toList());
  }

  private static Tally tally(String arm, List<Summary> summaries) {
    Map<Verdict, Long> counts = summaries.stream().map(summary -> summary.ratios().get(arm))
      .filter(ratio -> ratio != null).collect(Collectors.groupingBy(Summary.Ratio::verdict,
        () -> new EnumMap<>(Verdict.class), Collectors.counting()));
    return new Tally(arm, counts.isEmpty() ? "none that both have" : counts.entrySet().stream()
      .map(e -> e.getValue() + " " + e.getKey().label()).collect(Collectors.joining(", ")));
  }

  private static Row row(Summary summary, String first, List<String> others) {
    Metric metric = summary.metric();
    double largest = summary.arms().values().stream().mapToDouble(Summary.Spread::median)
      .map(Math::abs).max().orElse(0);
    Unit.Step step = metric.unit().stepFor(largest);
    return new Row(metric.label(), step.label(), value(summary.arms().get(first), step),
      others.stream().map(arm -> compared(value(summary.arms().get(arm), step),
        summary.ratios().get(arm))).toList());
  }

  /** @param spread null when the arm has none */
  private static Value value(Summary.Spread spread, Unit.Step step) {
    if (spread == null) {
      return new Value(NONE, "");
    }
    return new Value(step.format(spread.median()), spread.min() == spread.max() ? ""
      : step.format(spread.min()) + NONE + step.format(spread.max()));
  }

  /** @param ratio null when there is none */
  private static Compared compared(Value value, Summary.Ratio ratio) {
    if (ratio == null) {
      return new Compared(value, NONE, "", "", "none", "", "");
    }
    Summary.Spread spread = ratio.spread();
    return new Compared(value, ratio(spread.median()), spread.min() == spread.max() ? ""
      : ratio(spread.min()) + NONE + ratio(spread.max()),
      ratio.rounds().values().stream().map(View::ratio).collect(Collectors.joining(" ")),
      ratio.verdict().name().toLowerCase(Locale.ROOT), ratio.verdict().sign(),
      ratio.verdict().label());
  }

  /** Two places behind the point, or two digits below 0.1. */
  public static String ratio(double ratio) {
    return ratio < 0.1 && ratio > 0
      ? new BigDecimal(ratio).round(SMALL_RATIO).toPlainString()
      : String.format(Locale.ROOT, ratio < 100 ? "%.2f" : "%,.0f", ratio);
  }

  private static List<LatencyView> latencies(Charts charts) {
    List<LatencyView> views = new ArrayList<>();
    for (Charts.Latency latency : charts.latencies()) {
      String series = latency.series();
      views.add(new LatencyView(views.size(), series.endsWith(YcsbResult.INTENDED_SUFFIX)
        ? series.substring(0, series.length() - YcsbResult.INTENDED_SUFFIX.length())
          + " from when it was due"
        : series));
    }
    return views;
  }

  private static SiteRow site(Charts.SiteAllocation site, List<String> arms) {
    return new SiteRow(site.fullName(), arms.stream()
      .map(arm -> site.bytesPerOperation().get(arm))
      .map(bytes -> bytes == null ? NONE : Unit.BYTES.format(bytes)).toList());
  }

  private static List<PathRow> paths(List<Charts.PathAllocation> paths, List<String> arms) {
    List<PathRow> rows = new ArrayList<>();
    for (Charts.PathAllocation path : paths) {
      rows.add(new PathRow(path.path(), path.what(), arms.stream().map(arm -> cell(
        path.bytesPerOperation().get(arm), path.percent().get(arm))).toList()));
    }
    if (!paths.isEmpty()) {
      rows.add(new PathRow("All", "", arms.stream().map(arm -> cell(
        paths.get(0).bytesPerOperation().containsKey(arm) ? paths.stream()
          .mapToDouble(path -> path.bytesPerOperation().get(arm)).sum() : null, 100.0)).toList()));
    }
    return rows;
  }

  /** @param bytes null when the arm's allocations aren't known */
  private static PathCell cell(Double bytes, Double percent) {
    return bytes == null ? new PathCell(NONE, NONE)
      : new PathCell(Unit.BYTES.format(bytes), percent(percent));
  }

  private static String percent(double percent) {
    return percent > 0 && percent < LEAST_PERCENT ? "< " + LEAST_PERCENT + " %"
      : String.format(Locale.ROOT, percent == 0 || percent >= 10 ? "%.0f %%" : "%.1f %%", percent);
  }

  /** A name of a file as a link takes it. */
  private static String link(Path file) {
    return URLEncoder.encode(file.toString(), StandardCharsets.UTF_8).replace("+", "%20");
  }

}
