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

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hbasestrata.bench.report.MeanRatio;
import org.hbasestrata.bench.report.Metric;
import org.hbasestrata.bench.report.Metric.Better;
import org.hbasestrata.bench.report.Metric.Group;
import org.hbasestrata.bench.report.Unit;

/**
 * A figure of both arms, over some pairs of slices. Two JVMs of the same jars compile their code
 * differently, which no number of pairs averages out: with several starts of the region servers
 * the interval is of the starts' ratios, with one of the pairs'.
 * @param first  the mean of the first arm's slices
 * @param second the mean of the second arm's
 * @param ratio  the second by the first: the geometric mean of the pairs' ratios, or, where a slice
 *               has 0 or there is but one pair, of the means; null when the first arm has 0
 * @param low    where the 95 % interval of the ratio begins; null when it can't be told
 * @param high   where it ends; null when it can't be told
 * @param pairs  how many pairs of slices
 */
public record PairedFigure(@JsonIgnore Metric metric, double first, double second, Double ratio,
  Double low, Double high, int pairs) {
  /** The name of the figure that a comparison is about. */
  public static final String SERVER_CPU = "server_cpu_us";
  /** The name of the other figure whose interval must be narrow before a run stops early. */
  public static final String THROUGHPUT = "throughput";

  private static final double MICROS = 1e6;

  @JsonProperty
  public String id() {
    return metric.id();
  }

  @JsonProperty
  String label() {
    return metric.label();
  }

  /** Which values are better. */
  @JsonProperty
  String better() {
    return metric.better() == Better.HIGHER ? "more" : "less";
  }

  /** Half of the interval as a share of the ratio; infinite when there is none. */
  @JsonIgnore
  public double halfWidth() {
    return low == null ? Double.POSITIVE_INFINITY
      : new MeanRatio(ratio, low, high).halfWidth();
  }

  /**
   * The figures of pairs of slices.
   * @param first  the first arm's slices, in the order of the pairs
   * @param second the second arm's
   * @param perRow whether operations differ in size, so that rows are counted in their place
   */
  public static List<PairedFigure> of(List<Slice> first, List<Slice> second, boolean perRow) {
    List<Map<Metric, Double>> a = first.stream().map(slice -> figures(slice, perRow)).toList();
    List<Map<Metric, Double>> b = second.stream().map(slice -> figures(slice, perRow)).toList();
    List<PairedFigure> figures = new ArrayList<>();
    for (Metric metric : a.get(0).keySet()) {
      List<Double> ofFirst = new ArrayList<>();
      List<Double> ofSecond = new ArrayList<>();
      List<Integer> starts = new ArrayList<>();
      for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
        Double one = a.get(i).get(metric);
        Double other = b.get(i).get(metric);
        if (one != null && other != null) {
          ofFirst.add(one);
          ofSecond.add(other);
          starts.add(first.get(i).start());
        }
      }
      if (!ofFirst.isEmpty()) {
        figures.add(of(metric, ofFirst, ofSecond, starts));
      }
    }
    return figures;
  }

  /** @param starts by which start of the region servers each pair was had */
  static PairedFigure of(Metric metric, List<Double> first, List<Double> second,
    List<Integer> starts) {
    double meanOfFirst = mean(first);
    double meanOfSecond = mean(second);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      if (first.get(i) > 0 && second.get(i) > 0) {
        ratios.add(second.get(i) / first.get(i));
      }
    }
    if (ratios.size() < 2 || ratios.size() < first.size()) {
      return new PairedFigure(metric, meanOfFirst, meanOfSecond,
        meanOfFirst == 0 ? null : meanOfSecond / meanOfFirst, null, null, first.size());
    }
    MeanRatio ratio = MeanRatio.of(independent(ratios, starts));
    return new PairedFigure(metric, meanOfFirst, meanOfSecond, ratio.ratio(), ratio.low(),
      ratio.high(), first.size());
  }

  /** The mean ratio of each start, or the ratios themselves if there is but one. */
  private static Collection<Double> independent(List<Double> ratios, List<Integer> starts) {
    Map<Integer, Double> logs = IntStream.range(0, ratios.size()).boxed()
      .collect(Collectors.groupingBy(starts::get, LinkedHashMap::new,
        Collectors.averagingDouble(i -> Math.log(ratios.get(i)))));
    return logs.size() == 1 ? ratios : logs.values().stream().map(Math::exp).toList();
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  private static Map<Metric, Double> figures(Slice slice, boolean perRow) {
    String per = perRow ? " per row" : " per operation";
    double count = perRow ? slice.rows() : slice.operations();
    Map<Metric, Double> figures = new LinkedHashMap<>();
    figures.put(new Metric(THROUGHPUT, Group.THROUGHPUT, perRow ? "Rows" : "Operations",
      perRow ? Unit.ROWS_PER_SECOND : Unit.OPERATIONS_PER_SECOND, Better.HIGHER, true),
      count / slice.seconds());
    put(figures, SERVER_CPU, Group.CPU, "Server CPU" + per, Unit.MICROSECONDS,
      slice.server().cpuSeconds() * MICROS / count);
    put(figures, "client_cpu_us", Group.CPU, "Client CPU" + per, Unit.MICROSECONDS,
      slice.clientCpuSeconds() * MICROS / count);
    put(figures, "server_context_switches", Group.CPU, "Server context switches" + per, Unit.COUNT,
      slice.server().contextSwitches() / count);
    put(figures, "client_context_switches", Group.CPU, "Client context switches" + per, Unit.COUNT,
      slice.clientSwitches() / count);
    put(figures, "server_heap_bytes", Group.CPU, "Server heap bytes" + per, Unit.BYTES,
      slice.server().allocatedBytes() / count);
    put(figures, "client_heap_bytes", Group.CPU, "Client heap bytes" + per, Unit.BYTES,
      slice.clientAllocatedBytes() / count);
    put(figures, "server_jit_us", Group.CPU, "Server JIT time" + per, Unit.MICROSECONDS,
      slice.server().compileSeconds() * MICROS / count);
    put(figures, "server_gc_us", Group.GC, "Server GC time" + per, Unit.MICROSECONDS,
      slice.server().gcSeconds() * MICROS / count);
    slice.latencies().forEach((operation, latency) -> {
      latency(figures, operation, "mean", latency.meanUs());
      latency(figures, operation, "P50", latency.p50Us());
      latency(figures, operation, "P99", latency.p99Us());
      latency(figures, operation, "P999", latency.p999Us());
    });
    return figures;
  }

  private static void latency(Map<Metric, Double> figures, String operation, String what,
    double micros) {
    put(figures, "latency." + operation + "." + what.toLowerCase(Locale.ROOT),
      Group.LATENCY, operation + " " + what, Unit.MICROSECONDS, micros);
  }

  /** Of all these less is better. */
  private static void put(Map<Metric, Double> figures, String id, Group group, String label,
    Unit unit, double value) {
    figures.put(new Metric(id, group, label, unit, Better.LOWER, true), value);
  }
}
