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

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.hbasestrata.bench.report.Pause;
import org.hbasestrata.bench.report.RunReading;

/** Works out the figures of a candidate at a level, of all its rounds together. */
final class Figures {
  private static final double SECONDS_PER_MINUTE = 60;
  private static final double MEGABYTE = 1 << 20;
  private static final double MICROS_PER_MILLI = 1_000;

  private final Map<Figure, Double> figures = new EnumMap<>(Figure.class);
  private final List<RunReading> runs;

  private Figures(List<RunReading> runs) {
    this.runs = runs;
  }

  /**
   * @param runs those that count; may be none
   * @return a figure that isn't known isn't in it
   */
  static Map<Figure, Double> of(List<RunReading> runs) {
    Figures figures = new Figures(runs);
    if (!runs.isEmpty()) {
      figures.client();
      figures.allocation();
      if (runs.stream().allMatch(run -> run.pauses() != null)) {
        figures.pauses(runs.stream().flatMap(run -> run.pauses().stream()).toList());
      }
    }
    return figures.figures;
  }

  private void client() {
    figures.put(Figure.OPERATIONS,
      sum(run -> (double) run.ycsb().succeeded()) / sum(run -> run.ycsb().seconds()));
    figures.put(Figure.FAILED, sum(run -> (double) run.ycsb().failed()));
    figures.put(Figure.CUT_SHORT, sum(run -> run.ycsb().cutShort() ? 1.0 : 0.0));
    Histogram calls = merged(run -> run.ycsb().operations(false));
    put(Figure.CLIENT_P95, calls, 95);
    put(Figure.CLIENT_P99, calls, 99);
    put(Figure.CLIENT_P999, calls, 99.9);
    put(Figure.DUE_P99, merged(run -> run.ycsb().operations(true)), 99);
  }

  private Histogram merged(Function<RunReading, Collection<Histogram>> series) {
    Histogram merged = new Histogram(3);
    runs.forEach(run -> series.apply(run).forEach(merged::add));
    return merged;
  }

  private void put(Figure figure, Histogram micros, double percentile) {
    if (micros.getTotalCount() > 0) {
      figures.put(figure, micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI);
    }
  }

  /** Not from the GC log: what is allocated between two collections is known, but not the ends. */
  private void allocation() {
    List<Double> bytes = new ArrayList<>();
    for (RunReading run : runs) {
      if (run.run().server() != null && run.run().server().allocatedBytes() != null) {
        bytes.add((double) run.run().server().allocatedBytes());
      } else if (run.allocations() != null) {
        bytes.add(run.allocations().values().stream().mapToDouble(Double::doubleValue).sum());
      }
    }
    if (bytes.size() == runs.size()) {
      figures.put(Figure.ALLOCATION, bytes.stream().mapToDouble(Double::doubleValue).sum()
        / MEGABYTE / windowSeconds());
    }
  }

  private void pauses(List<Pause> pauses) {
    PauseStatistics all = statistics(pauses, pause -> true);
    put(Figure.YOUNG_COUNT, Figure.YOUNG_TIME, pauses, Pause.Kind.YOUNG);
    put(Figure.FULL_COUNT, Figure.FULL_TIME, pauses, Pause.Kind.FULL);
    put(Figure.CYCLE_COUNT, Figure.CYCLE_TIME, pauses, Pause.Kind.CONCURRENT);
    figures.put(Figure.GC_TIME, all.total() / windowSeconds());
    // A JVM that never pauses has them, too: 0.
    figures.put(Figure.PAUSE_MEAN, all.mean());
    figures.put(Figure.PAUSE_DEVIATION, all.deviation());
    figures.put(Figure.PAUSE_P99, all.p99());
    figures.put(Figure.PAUSE_MAX, all.max());
    figures.put(Figure.REMARK_SHARE, all.total() == 0 ? 0
      : 100 * statistics(pauses, Pause::isRemark).total() / all.total());
    List<Double> eden = known(pauses, Pause::edenBytes).stream().filter(bytes -> bytes > 0)
      .sorted().toList();
    if (!eden.isEmpty()) {
      figures.put(Figure.EDEN, eden.get(eden.size() / 2) / MEGABYTE);
    }
    List<Double> promoted = known(pauses, Pause::promotedBytes);
    if (!promoted.isEmpty()) {
      figures.put(Figure.PROMOTION, promoted.stream().mapToDouble(Double::doubleValue).sum()
        / MEGABYTE / windowSeconds());
    }
  }

  private void put(Figure count, Figure time, List<Pause> pauses, Pause.Kind kind) {
    PauseStatistics ofKind = statistics(pauses, pause -> pause.kind() == kind);
    figures.put(count, ofKind.count() / windowSeconds() * SECONDS_PER_MINUTE);
    figures.put(time, ofKind.total() / windowSeconds());
  }

  private static PauseStatistics statistics(List<Pause> pauses, Predicate<Pause> chosen) {
    return PauseStatistics.of(pauses.stream().filter(chosen).map(Pause::millis).toList());
  }

  private static List<Double> known(List<Pause> pauses, Function<Pause, Long> bytes) {
    return pauses.stream().map(bytes).filter(value -> value != null).map(Long::doubleValue)
      .toList();
  }

  private double windowSeconds() {
    return sum(run -> run.window().seconds());
  }

  private double sum(Function<RunReading, Double> value) {
    return runs.stream().mapToDouble(value::apply).sum();
  }
}
