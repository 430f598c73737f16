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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hbasestrata.bench.report.Metric.Better;
import org.junit.Test;

public class SummaryTest {
  private static Map<Integer, Double> rounds(double... values) {
    Map<Integer, Double> rounds = new TreeMap<>();
    for (double value : values) {
      rounds.put(rounds.size() + 1, value);
    }
    return rounds;
  }

  private static Verdict verdict(Better better, double... ratios) {
    double[] ones = new double[ratios.length];
    Arrays.fill(ones, 1);
    return Summary.ratio(rounds(ones), rounds(ratios), better).verdict();
  }

  @Test
  public void medianIsTheMiddleOrTheMeanOfTheTwoThere() {
    assertThat(Summary.Spread.of(List.of(3.0, 1.0, 2.0)))
      .isEqualTo(new Summary.Spread(2, 1, 3));
    assertThat(Summary.Spread.of(List.of(4.0, 1.0, 2.0, 3.0)))
      .isEqualTo(new Summary.Spread(2.5, 1, 4));
  }

  @Test
  public void ratiosAreTakenRoundByRound() {
    Summary.Ratio ratio = Summary.ratio(rounds(100, 200, 400), rounds(120, 250, 520),
      Better.HIGHER);
    assertThat(ratio.rounds()).containsExactly(Map.entry(1, 1.2), Map.entry(2, 1.25),
      Map.entry(3, 1.3));
    assertThat(ratio.spread()).isEqualTo(new Summary.Spread(1.25, 1.2, 1.3));
    // By hand: t(2 degrees, 97.5 %) = 4.3027, mean of logs 0.22261, standard error 0.023107.
    assertThat(ratio.low()).isCloseTo(1.1311, within(0.0002));
    assertThat(ratio.high()).isCloseTo(1.3799, within(0.0002));
    assertThat(ratio.verdict()).isEqualTo(Verdict.BETTER);
  }

  @Test
  public void roundsThatOneArmLacksGiveNoRatio() {
    Map<Integer, Double> first = rounds(100, 200, 400);
    first.remove(2);
    Summary.Ratio ratio = Summary.ratio(first, rounds(110, 1, 440), Better.HIGHER);
    assertThat(ratio.rounds()).containsOnlyKeys(1, 3);
    assertThat(Summary.ratio(Map.of(1, 2.0), Map.of(2, 2.0), Better.HIGHER)).isNull();
  }

  @Test
  public void differenceCountsOnlyAboveTheNoise() {
    assertThat(verdict(Better.HIGHER, 1.2, 1.25, 1.3)).isEqualTo(Verdict.BETTER);
    assertThat(verdict(Better.LOWER, 1.2, 1.25, 1.3)).isEqualTo(Verdict.WORSE);
    assertThat(verdict(Better.LOWER, 0.8, 0.82, 0.81)).isEqualTo(Verdict.BETTER);
    assertThat(verdict(Better.NEITHER, 0.8, 0.82, 0.81)).isEqualTo(Verdict.LOWER);
    assertThat(verdict(Better.NEITHER, 1.2, 1.25, 1.3)).isEqualTo(Verdict.HIGHER);
    assertThat(verdict(Better.HIGHER, 0.98, 1.03, 1.01)).isEqualTo(Verdict.SAME);
    assertThat(verdict(Better.HIGHER, 0.5, 2.0, 1.5)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  public void lessThanOnePercentIsTheSame() {
    assertThat(verdict(Better.HIGHER, 1.004, 1.005, 1.006)).isEqualTo(Verdict.SAME);
    assertThat(verdict(Better.HIGHER, 1.02, 1.02, 1.02)).isEqualTo(Verdict.BETTER);
  }

  @Test
  public void oneRoundDecidesNothing() {
    assertThat(verdict(Better.HIGHER, 3)).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  public void zeroesAreEqualAndNothingIsDividedByThem() {
    assertThat(Summary.ratio(rounds(0, 0), rounds(0, 0), Better.LOWER).verdict())
      .isEqualTo(Verdict.SAME);
    assertThat(Summary.ratio(rounds(0, 1), rounds(2, 2), Better.LOWER)).isNull();
    assertThat(verdict(Better.LOWER, 0, 0, 0)).isEqualTo(Verdict.BETTER);
    assertThat(verdict(Better.LOWER, 0, 0, 0.99)).isEqualTo(Verdict.UNDECIDED);
    assertThat(verdict(Better.LOWER, 0, 0, 2)).isEqualTo(Verdict.UNDECIDED);
  }
}
