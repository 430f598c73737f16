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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * What the charts show. A point is an array of x and y.
 * @param latencies      one chart for each series of operations
 * @param throughput     by arm; an arm that has none is not in it, here and below
 * @param pauses         by arm: seconds since the measured part began, milliseconds
 * @param pauseHistogram how many pauses of which length; null when no arm has any
 * @param allocations    sites, those that allocate most in any arm first
 * @param paths          all paths, in their order; empty when no arm's allocations are known
 * @param elsewhere      sites of {@link AllocationPath#ELSE}, in the order of allocations
 */
public record Charts(List<Latency> latencies, Map<String, Throughput> throughput,
  Map<String, List<double[]>> pauses, PauseHistogram pauseHistogram,
  List<SiteAllocation> allocations, List<PathAllocation> paths,
  List<SiteAllocation> elsewhere) {

  private static final int SITES = 15;
  private static final int POINTS_PER_HALVING = 8;
  /** Upper bounds of the pause histogram's bars but the last, in milliseconds. */
  private static final double[] PAUSE_BOUNDS = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20,
    50, 100, 200, 500, 1_000, 2_000, 5_000 };

  /**
   * Latency by percentile of one series, all rounds merged.
   * @param arms by arm: 1 / (1 - percentile / 100), microseconds
   */
  record Latency(String series, Map<String, List<double[]>> arms) {
  }

  /**
   * Operations a second over time.
   * @param rounds by round: seconds since the start, operations a second
   * @param median of the rounds, by the whole second
   */
  record Throughput(Map<Integer, List<double[]>> rounds, List<double[]> median) {
  }

  /**
   * @param bars      what each bar stands for
   * @param perMinute by arm: pauses a minute, for each bar
   */
  record PauseHistogram(List<String> bars, Map<String, double[]> perMinute) {
  }

  /**
   * @param site              for people
   * @param fullName          with the package
   * @param bytesPerOperation by arm
   */
  record SiteAllocation(String site, String fullName, Map<String, Double> bytesPerOperation) {
  }

  /**
   * What is allocated for one path.
   * @param path              its name for people
   * @param what              what belongs to it
   * @param bytesPerOperation by arm
   * @param percent           of all that the arm allocates, by arm
   */
  record PathAllocation(String path, String what, Map<String, Double> bytesPerOperation,
    Map<String, Double> percent) {
  }

  /** @param runs those that count */
  static Charts of(List<String> arms, List<RunReading> runs) {
    Map<String, List<RunReading>> byArm = new LinkedHashMap<>();
    for (String arm : arms) {
      List<RunReading> ofArm = runs.stream().filter(run -> run.arm().equals(arm)).toList();
      if (!ofArm.isEmpty()) {
        byArm.put(arm, ofArm);
      }
    }
    Map<String, Map<Recording.Allocation, Double>> allocated = allocated(byArm);
    return new Charts(latencies(byArm), throughput(byArm), pauses(byArm), pauseHistogram(byArm),
      sites(allocated, EnumSet.allOf(AllocationPath.class)), paths(allocated),
      sites(allocated, EnumSet.of(AllocationPath.ELSE)));
  }

  private static List<Latency> latencies(Map<String, List<RunReading>> byArm) {
    Set<String> names = new LinkedHashSet<>();
    byArm.values().forEach(
      runs -> runs.forEach(run -> names.addAll(run.ycsb().latencies().keySet())));
    List<Latency> latencies = new ArrayList<>();
    for (String name : names) {
      Map<String, List<double[]>> arms = new LinkedHashMap<>();
      byArm.forEach((arm, runs) -> {
        Histogram merged = new Histogram(3);
        runs.stream().map(run -> run.ycsb().latencies().get(name)).filter(h -> h != null)
          .forEach(merged::add);
        if (merged.getTotalCount() > 0) {
          arms.put(arm, percentiles(merged));
        }
      });
      latencies.add(new Latency(name, arms));
    }
    return latencies;
  }

  private static List<double[]> percentiles(Histogram histogram) {
    List<double[]> points = new ArrayList<>();
    for (HistogramIterationValue value : histogram.percentiles(POINTS_PER_HALVING)) {
      double above = 1 - value.getPercentileLevelIteratedTo() / 100;
      double x = above * histogram.getTotalCount() <= 1 ? histogram.getTotalCount() : 1 / above;
      points.add(new double[] { x, value.getValueIteratedTo() });
      if (x >= histogram.getTotalCount()) {
        break;
      }
    }
    return points;
  }

  private static Map<String, Throughput> throughput(Map<String, List<RunReading>> byArm) {
    Map<String, Throughput> throughput = new LinkedHashMap<>();
    byArm.forEach((arm, runs) -> {
      Map<Integer, List<double[]>> rounds = new TreeMap<>();
      Map<Long, List<Double>> bySecond = new TreeMap<>();
      for (RunReading run : runs) {
        List<double[]> points = new ArrayList<>();
        for (YcsbResult.Rate rate : run.ycsb().throughput()) {
          points.add(new double[] { rate.seconds(), rate.operationsPerSecond() });
          bySecond.computeIfAbsent(Math.round(rate.seconds()), s -> new ArrayList<>())
            .add(rate.operationsPerSecond());
        }
        rounds.put(run.round(), points);
      }
      List<double[]> median = new ArrayList<>();
      bySecond.forEach((second, rates) -> median
        .add(new double[] { second, Summary.Spread.of(rates).median() }));
      throughput.put(arm, new Throughput(rounds, median));
    });
    return throughput;
  }

  private static Map<String, List<double[]>> pauses(Map<String, List<RunReading>> byArm) {
    Map<String, List<double[]>> pauses = new LinkedHashMap<>();
    byArm.forEach((arm, runs) -> runs.stream().filter(run -> run.pauses() != null)
      .forEach(run -> pauses.computeIfAbsent(arm, a -> new ArrayList<>())
        .addAll(run.pauses().stream().map(pause -> new double[] {
          run.window().secondsTo(pause.start()), pause.millis() }).toList())));
    return pauses;
  }

  private static PauseHistogram pauseHistogram(Map<String, List<RunReading>> byArm) {
    Map<String, double[]> counts = new LinkedHashMap<>();
    byArm.forEach((arm, runs) -> {
      List<RunReading> known = runs.stream().filter(run -> run.pauses() != null).toList();
      double minutes = known.stream().mapToDouble(run -> run.window().seconds()).sum() / 60;
      if (minutes > 0) {
        double[] bars = new double[PAUSE_BOUNDS.length + 1];
        known.forEach(run -> run.pauses()
          .forEach(pause -> bars[bar(pause.millis())] += 1 / minutes));
        counts.put(arm, bars);
      }
    });
    int from = PAUSE_BOUNDS.length;
    int to = -1;
    for (double[] bars : counts.values()) {
      for (int i = 0; i < bars.length; i++) {
        if (bars[i] > 0) {
          from = Math.min(from, i);
          to = Math.max(to, i);
        }
      }
    }
    if (to < 0) {
      return null;
    }
    List<String> labels = new ArrayList<>();
    for (int i = from; i <= to; i++) {
      labels.add(label(i));
    }
    int first = from;
    int end = to + 1;
    counts.replaceAll((arm, bars) -> Arrays.copyOfRange(bars, first, end));
    return new PauseHistogram(labels, counts);
  }

  private static int bar(double millis) {
    int i = 0;
    while (i < PAUSE_BOUNDS.length && millis >= PAUSE_BOUNDS[i]) {
      i++;
    }
    return i;
  }

  private static String label(int bar) {
    if (bar == 0) {
      return "< " + Unit.number(PAUSE_BOUNDS[0]);
    }
    String from = Unit.number(PAUSE_BOUNDS[bar - 1]);
    return bar == PAUSE_BOUNDS.length ? "\u2265 " + from
      : from + "\u2013" + Unit.number(PAUSE_BOUNDS[bar]);
  }

  /** Returns bytes per operation by arm, of the arms of which they are known. */
  private static Map<String, Map<Recording.Allocation, Double>> allocated(
    Map<String, List<RunReading>> byArm) {
    Map<String, Map<Recording.Allocation, Double>> allocated = new LinkedHashMap<>();
    byArm.forEach((arm, runs) -> {
      List<RunReading> known = runs.stream().filter(run -> run.allocations() != null).toList();
      double operations = known.stream().mapToLong(run -> run.ycsb().succeeded()).sum();
      known.forEach(run -> run.allocations().forEach((allocation, bytes) -> allocated
        .computeIfAbsent(arm, a -> new HashMap<>())
        .merge(allocation, bytes / operations, Double::sum)));
    });
    return allocated;
  }

  private static List<PathAllocation> paths(
    Map<String, Map<Recording.Allocation, Double>> allocated) {
    if (allocated.isEmpty()) {
      return List.of();
    }
    List<PathAllocation> paths = new ArrayList<>();
    for (AllocationPath path : AllocationPath.values()) {
      Map<String, Double> bytes = new LinkedHashMap<>();
      Map<String, Double> percent = new LinkedHashMap<>();
      allocated.forEach((arm, allocations) -> {
        bytes.put(arm, sum(allocations, path::equals));
        percent.put(arm, 100 * bytes.get(arm) / sum(allocations, any -> true));
      });
      paths.add(new PathAllocation(path.label(), path.what(), bytes, percent));
    }
    return paths;
  }

  private static double sum(Map<Recording.Allocation, Double> allocations,
    Predicate<AllocationPath> chosen) {
    return allocations.entrySet().stream().filter(entry -> chosen.test(entry.getKey().path()))
      .mapToDouble(Map.Entry::getValue).sum();
  }

  private static List<SiteAllocation> sites(
    Map<String, Map<Recording.Allocation, Double>> allocated, Set<AllocationPath> chosen) {
    Map<Site, Map<String, Double>> sites = new HashMap<>();
    allocated.forEach((arm, allocations) -> allocations.forEach((allocation, bytes) -> {
      if (chosen.contains(allocation.path())) {
        sites.computeIfAbsent(allocation.site(), site -> new LinkedHashMap<>())
          .merge(arm, bytes, Double::sum);
      }
    }));
    return sites.entrySet().stream()
      .sorted(Comparator.comparingDouble(
        (Map.Entry<Site, Map<String, Double>> entry) -> -max(entry.getValue().values()))
        .thenComparing(entry -> entry.getKey().fullName()))
      .limit(SITES).map(entry -> new SiteAllocation(entry.getKey().shortName(),
        entry.getKey().fullName(), entry.getValue()))
      .toList();
  }

  private static double max(Collection<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }
}
