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
package org.hbasestrata.bench.charts;

import org.hbasestrata.bench.report.Metric.Better;
import org.hbasestrata.bench.report.View;

/**
 * An arm's figure divided by that of the arm it is compared with.
 * @param median of all rounds
 * @param low    the lowest round's; the median when all rounds have it
 * @param high   the highest round's; the median when all rounds have it
 * @param rounds how many there were
 * @param noise  as far, as a factor, each may be from the truth
 */
record RecordedRatio(double median, double low, double high, int rounds, double noise) {
  /** As far a shared machine is from itself a minute later. */
  private static final double NOISE_OF_MINUTES = 1.3;

  /** Creates that of rounds of minutes. */
  RecordedRatio(double median, double low, double high, int rounds) {
    this(median, low, high, rounds, NOISE_OF_MINUTES);
  }

  /** Creates that of pairs of slices, whose interval says how far it may be from the truth. */
  static RecordedRatio ofPairs(double mean, double low, double high, int pairs) {
    return new RecordedRatio(mean, low, high, pairs, 1);
  }

  /** Whether a single round says this, which may be chance. */
  boolean once() {
    return rounds == 1;
  }

  /** Whether each round's is better than 1 by more than noise. */
  boolean isBetter(Better better) {
    return better == Better.LOWER && isBelow() || better == Better.HIGHER && isAbove();
  }

  /** Whether each round's is worse than 1 by more than noise. */
  boolean isWorse(Better better) {
    return better == Better.LOWER && isAbove() || better == Better.HIGHER && isBelow();
  }

  private boolean isBelow() {
    return high < 1 / noise;
  }

  private boolean isAbove() {
    return low > noise;
  }

  /** The median as the reports show it. */
  String text() {
    return View.ratio(median);
  }

  /** The median and, if there is one, the range. */
  String description() {
    return text() + (low == high ? "" : " (" + View.ratio(low) + " to " + View.ratio(high) + ")");
  }
}
