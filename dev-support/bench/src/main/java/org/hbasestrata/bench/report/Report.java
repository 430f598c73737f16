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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.State;

/**
 * All that is derived from a comparison.
 * @param comparison what was asked
 * @param runs       every run that was asked for, done or not, by round and then in the arms' order
 * @param reasons    why the comparison is partial; empty when it is complete
 * @param notes      what the reader must know of how figures were had
 * @param summaries  the figures, in the order of {@link Metric.Group}
 * @param charts     what the charts show
 */
public record Report(Comparison comparison, List<RunReading> runs, List<String> reasons,
  List<String> notes, List<Summary> summaries, Charts charts) {

  public static Report of(ComparisonFolder folder) {
    Comparison comparison = folder.readComparison();
    List<RunReading> runs = new ArrayList<>();
    for (int round = 1; round <= comparison.rounds(); round++) {
      for (Arm arm : comparison.arms()) {
        runs.add(RunReading.read(folder, round, arm.name()));
      }
    }
    List<String> arms = comparison.arms().stream().map(Arm::name).toList();
    List<RunReading> counted = runs.stream().filter(RunReading::counts).toList();
    return new Report(comparison, runs, reasons(comparison, runs), notes(comparison, runs),
      summaries(arms, counted), Charts.of(arms, counted));
  }

  private static List<String> reasons(Comparison comparison, List<RunReading> runs) {
    List<String> reasons = new ArrayList<>();
    if (comparison.state() == State.PARTIAL) {
      reasons.add(comparison.reason() == null ? "the comparison did not end"
        : comparison.reason());
    }
    for (RunReading run : runs) {
      if (!run.counts()) {
        reasons.add("round " + run.round() + ", " + run.arm() + ": " + run.reason());
      }
    }
    // The comparison's reason may be a run's.
    return reasons.stream().distinct().toList();
  }

  /** What several runs have in common is said once. */
  private static List<String> notes(Comparison comparison, List<RunReading> runs) {
    Map<String, Map<String, List<Integer>>> rounds = new LinkedHashMap<>();
    for (RunReading run : runs) {
      for (String note : run.notes()) {
        rounds.computeIfAbsent(note, n -> new LinkedHashMap<>())
          .computeIfAbsent(run.arm(), a -> new ArrayList<>()).add(run.round());
      }
    }
    List<String> notes = new ArrayList<>(comparison.notes());
    rounds.forEach((note, arms) -> {
      List<String> where = new ArrayList<>();
      arms.forEach((arm, r) -> where.add(arm + (r.size() == comparison.rounds() ? ""
        : " in round " + String.join(", ", r.stream().map(String::valueOf).toList()))));
      notes.add(String.join("; ", where) + ": " + note);
    });
    return notes;
  }

  private static List<Summary> summaries(List<String> arms, List<RunReading> runs) {
    Set<Metric> metrics = new LinkedHashSet<>();
    runs.forEach(run -> metrics.addAll(run.figures().keySet()));
    return metrics.stream().sorted(Comparator.comparing(Metric::group))
      .map(metric -> summary(metric, arms, runs)).toList();
  }

  private static Summary summary(Metric metric, List<String> arms, List<RunReading> runs) {
    Map<String, Map<Integer, Double>> values = new LinkedHashMap<>();
    for (String arm : arms) {
      values.put(arm, new TreeMap<>());
    }
    for (RunReading run : runs) {
      Double value = run.figures().get(metric);
      if (value != null) {
        values.get(run.arm()).put(run.round(), value);
      }
    }
    Map<String, Summary.Spread> spreads = new LinkedHashMap<>();
    Map<String, Summary.Ratio> ratios = new LinkedHashMap<>();
    String first = arms.get(0);
    values.forEach((arm, byRound) -> {
      if (!byRound.isEmpty()) {
        spreads.put(arm, Summary.Spread.of(byRound.values()));
      }
      if (!arm.equals(first)) {
        Summary.Ratio ratio = Summary.ratio(values.get(first), byRound, metric.better());
        if (ratio != null) {
          ratios.put(arm, ratio);
        }
      }
    });
    return new Summary(metric, spreads, ratios);
  }
}
