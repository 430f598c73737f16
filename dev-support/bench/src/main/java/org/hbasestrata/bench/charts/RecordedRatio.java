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
 */
record RecordedRatio(double median, double low, double high, int rounds) {
  /** As far, as a factor, a shared machine is from itself a minute later. */
  private static final double NOISE = 1.3;

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
    return high < 1 / NOISE;
  }

  private boolean isAbove() {
    return low > NOISE;
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
