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

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.State;

/**
 * What report.json holds.
 * @param state   whether every run that was asked for gave its numbers
 * @param reasons why not; empty when all did
 */
record ReportJson(State state, List<String> reasons, List<String> notes, Comparison comparison,
  List<Figure> figures, List<RunFigures> runs, Charts charts) {

  /** A figure over all runs; maps are by arm. */
  record Figure(String id, String group, String label, String unit, String better,
    Map<String, ArmFigure> arms, Map<String, ArmRatio> ratios) {
  }

  record ArmFigure(@JsonUnwrapped Summary.Spread spread) {
  }

  /** Against the first arm; low and high are the ends of the 95 % confidence interval. */
  record ArmRatio(@JsonUnwrapped Summary.Spread spread, Double low, Double high, Verdict verdict,
    Map<Integer, Double> rounds) {
  }

  /**
   * @param position  its turn in the round, from 1; null when it did not run
   * @param reason    why it doesn't count; null when it does
   * @param seconds   length of the measured part; null when it doesn't count
   * @param figures   values by figure
   * @param pauses    in the measured part; null when not known
   */
  record RunFigures(int round, String arm, Integer position, String reason, Double seconds,
    Map<String, Double> figures, List<Pause> pauses) {
  }

  static ReportJson of(Report report) {
    return new ReportJson(report.reasons().isEmpty() ? State.COMPLETE : State.PARTIAL,
      report.reasons(), report.notes(), report.comparison(),
      report.summaries().stream().map(ReportJson::figure).toList(),
      report.runs().stream().map(ReportJson::run).toList(), report.charts());
  }

  private static Figure figure(Summary summary) {
    Metric metric = summary.metric();
    Map<String, ArmFigure> arms = new LinkedHashMap<>();
    summary.arms().forEach((arm, spread) -> arms.put(arm, new ArmFigure(spread)));
    Map<String, ArmRatio> ratios = new LinkedHashMap<>();
    summary.ratios().forEach((arm, ratio) -> ratios.put(arm, new ArmRatio(ratio.spread(),
      ratio.low(), ratio.high(), ratio.verdict(), ratio.rounds())));
    return new Figure(metric.id(), lower(metric.group()), metric.label(), lower(metric.unit()),
      lower(metric.better()), arms, ratios);
  }

  private static RunFigures run(RunReading run) {
    Map<String, Double> figures = new LinkedHashMap<>();
    run.figures().forEach((metric, value) -> figures.put(metric.id(), value));
    return new RunFigures(run.round(), run.arm(), run.run() == null ? null : run.run().position(),
      run.reason(), run.window() == null ? null : run.window().seconds(), figures, run.pauses());
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
