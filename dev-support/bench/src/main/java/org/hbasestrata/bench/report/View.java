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
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ConfigDifference;
import org.hbasestrata.bench.Machine;
import org.hbasestrata.bench.PageCache;

/**
 * A report in the words and numbers that the templates show. Text is as it came: the templates
 * escape it.
 * @param others     the arms that are compared with the first
 * @param tallies    how often which verdict fell
 * @param headlines  the figures that are shown first
 * @param groups     all figures
 * @param facts      what was asked, and where it ran
 * @param paths      what is allocated, by path; the last is the sum
 * @param elsewhere  the sites of what no path names
 * @param flames     flame graphs of allocation
 */
public record View(String title, String command, boolean partial, List<String> reasons,
  List<String> notes, String first, List<String> others, int rounds, List<Tally> tallies,
  List<Row> headlines, List<Group> groups, List<Fact> facts, List<ArmView> arms,
  List<ConfigRow> config, List<RunView> runs, List<LatencyView> latencies, boolean throughput,
  boolean pauses, boolean allocations, List<SiteRow> sites, List<PathRow> paths,
  List<SiteRow> elsewhere, List<Flame> flames) {

  private static final String NONE = "\u2013";
  private static final double LEAST_PERCENT = 0.1;
  private static final MathContext SMALL_RATIO = new MathContext(2);
  private static final DateTimeFormatter TIME = DateTimeFormatter
    .ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

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

  public record Fact(String name, String value) {
  }

  public record ArmView(String name, String confDir, String jars, String java, String jvmFlags,
    String flags) {
  }

  record ConfigRow(String file, String key, List<String> values) {
  }

  record RunView(int round, String arm, String position, String start, String seconds,
    String throughput, String state, boolean counts) {
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
      + arms.get(0), line(comparison.command()), !report.reasons().isEmpty(), report.reasons(),
      report.notes(), arms.get(0), others, comparison.rounds(),
      others.stream().map(arm -> tally(arm, report.summaries())).toList(), headlines,
      groups.entrySet().stream().map(e -> new Group(e.getKey().title(), e.getValue())).toList(),
      facts(comparison),
      comparison.arms().stream().map(arm -> arm(arm, report.runs())).toList(),
      comparison.configDifferences().stream().map(difference -> config(difference, arms)).toList(),
      report.runs().stream().map(View::run).toList(), latencies(charts),
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

  private static List<Fact> facts(Comparison comparison) {
    List<Fact> facts = new ArrayList<>();
    fact(facts, "Profile", comparison.profile());
    fact(facts, "Rounds", String.valueOf(comparison.rounds()));
    fact(facts, "Rows", comparison.rows() == null ? null : Unit.number(comparison.rows()));
    fact(facts, "Minutes a run",
      comparison.minutes() == null ? null : Unit.number(comparison.minutes()));
    fact(facts, "Target rate", comparison.targetPerSecond() == null ? "as fast as it goes"
      : Unit.OPERATIONS_PER_SECOND.format(comparison.targetPerSecond()));
    fact(facts, "Memory limit", comparison.memoryBytes() == null ? "none"
      : Unit.BYTES.format(comparison.memoryBytes()) + " for heap, off-heap and page cache"
        + (comparison.pageCache() == PageCache.WARM ? ", but for HDFS's page cache" : ""));
    fact(facts, "Page cache", comparison.pageCache() == null ? null
      : comparison.pageCache().name().toLowerCase(Locale.ROOT));
    fact(facts, "Began", time(comparison.start()));
    fact(facts, "Ended", time(comparison.end()));
    fact(facts, "Commit", comparison.commit());
    Machine machine = comparison.machine();
    if (machine != null) {
      fact(facts, "Processor", (machine.cpus() == null ? "" : machine.cpus() + " x ")
        + (machine.cpu() == null ? "not known" : machine.cpu()));
      fact(facts, "Memory",
        machine.memoryBytes() == null ? null : Unit.BYTES.format(machine.memoryBytes()));
      fact(facts, "Disk", machine.disk());
      fact(facts, "Operating system", machine.os());
    }
    comparison.versions().forEach((name, version) -> fact(facts, name, version));
    return facts;
  }

  private static void fact(List<Fact> facts, String name, String value) {
    if (value != null) {
      facts.add(new Fact(name, value));
    }
  }

  private static ArmView arm(Arm arm, List<RunReading> runs) {
    String flags = runs.stream().filter(run -> run.arm().equals(arm.name()))
      .map(RunReading::flags).filter(text -> text != null).findFirst().orElse(null);
    return new ArmView(arm.name(), arm.confDir() == null ? "default" : arm.confDir(),
      arm.describeJars(),
      arm.java() == null ? "not known" : arm.java(),
      arm.jvmFlags().isEmpty() ? "not known" : String.join(" ", arm.jvmFlags()), flags);
  }

  private static ConfigRow config(ConfigDifference difference, List<String> arms) {
    return new ConfigRow(difference.file(), difference.key(), arms.stream()
      .map(arm -> difference.values().getOrDefault(arm, "not set")).toList());
  }

  private static RunView run(RunReading run) {
    Instant start = run.run() == null ? null : run.run().start();
    return new RunView(run.round(), run.arm(),
      run.run() == null ? NONE : String.valueOf(run.run().position()),
      start == null ? NONE : time(start),
      run.counts() ? Unit.number(Math.rint(run.window().seconds())) : NONE,
      run.counts() ? Unit.number(run.ycsb().succeeded() / run.ycsb().seconds()) : NONE,
      run.counts() ? "complete" : "partial: " + run.reason(), run.counts());
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

  private static String time(Instant instant) {
    return instant == null ? null : TIME.format(instant);
  }

  /** In one line. */
  private static String line(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }
}
