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

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hbasestrata.bench.report.Metric.Better;

/*
 * Whether a ratio is noise: each round gives one ratio, whatever the machine's mood in that round,
 * and all of them an interval (MeanRatio). One that leaves out 1 is a difference, unless the
 * median is off by less than 1 %, which nobody would care for. One that holds 1 is the same within
 * noise when all of it is near 1; a wide one tells nothing. Among 20 figures that are truly the
 * same, one is expected to be called different.
 */

/**
 * One figure over all runs.
 * @param arms   by the arm's name, in the arms' order; an arm with no value is not in it
 * @param ratios by the name of the arm that is compared with the first; an arm with no round in
 *               common with it is not in it
 */
record Summary(Metric metric, Map<String, Spread> arms, Map<String, Ratio> ratios) {
  private static final double NEGLIGIBLE = 0.01;
  /** As far from 1, as a factor, may an interval reach that is called the same. */
  private static final double NEAR = 1.25;

  /** The middle and the ends of some values. */
  record Spread(double median, double min, double max) {
    /** @param values one or more */
    static Spread of(Collection<Double> values) {
      List<Double> sorted = values.stream().sorted().toList();
      int half = sorted.size() / 2;
      double median = sorted.size() % 2 == 1 ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
      return new Spread(median, sorted.get(0), sorted.get(sorted.size() - 1));
    }
  }

  /**
   * An arm's value divided by the first arm's.
   * @param rounds the ratio by round, of rounds in which both arms have a value; 1 when both are 0
   * @param spread over the rounds
   * @param low    where the true ratio's range begins, with a confidence of 95 %; null when that
   *               can't be told
   * @param high   where it ends; null when that can't be told
   */
  record Ratio(Map<Integer, Double> rounds, Spread spread, Double low, Double high,
    Verdict verdict) {
  }

  /**
   * @param first the first arm's values by round
   * @param other the other arm's values by round
   * @return null when there is no ratio: no round in common, or the first arm has 0 in one where
   *         the other hasn't
   */
  static Ratio ratio(Map<Integer, Double> first, Map<Integer, Double> other, Better better) {
    Map<Integer, Double> rounds = new TreeMap<>();
    for (Map.Entry<Integer, Double> entry : first.entrySet()) {
      Double value = other.get(entry.getKey());
      if (value != null) {
        rounds.put(entry.getKey(), ratio(entry.getValue(), value));
      }
    }
    if (rounds.isEmpty() || rounds.values().stream().anyMatch(r -> r.isInfinite())) {
      return null;
    }
    Spread spread = Spread.of(rounds.values());
    if (rounds.size() == 1) {
      return new Ratio(rounds, spread, null, null, Verdict.UNDECIDED);
    }
    if (spread.min() == 0) {
      // No logarithm, so no interval; none at all where the first arm has some needs none.
      return new Ratio(rounds, spread, null, null,
        spread.max() == 0 ? different(-1, better) : Verdict.UNDECIDED);
    }
    MeanRatio mean = MeanRatio.of(rounds.values());
    return new Ratio(rounds, spread, mean.low(), mean.high(),
      verdict(spread.median(), mean.low(), mean.high(), better));
  }

  private static Verdict verdict(double median, double low, double high, Better better) {
    boolean near = low >= 1 / NEAR && high <= NEAR;
    if (near && (Math.abs(median - 1) < NEGLIGIBLE || low <= 1 && high >= 1)) {
      return Verdict.SAME;
    }
    return low > 1 ? different(1, better) : high < 1 ? different(-1, better) : Verdict.UNDECIDED;
  }

  private static double ratio(double first, double other) {
    return first == 0 && other == 0 ? 1 : other / first;
  }

  /** @param sign -1 when the arm's values are lower than the first arm's, 1 when higher */
  private static Verdict different(int sign, Better better) {
    return switch (better) {
      case NEITHER -> sign > 0 ? Verdict.HIGHER : Verdict.LOWER;
      case HIGHER -> sign > 0 ? Verdict.BETTER : Verdict.WORSE;
      case LOWER -> sign < 0 ? Verdict.BETTER : Verdict.WORSE;
    };
  }
}
