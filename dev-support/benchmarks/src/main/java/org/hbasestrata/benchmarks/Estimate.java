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
package org.hbasestrata.benchmarks;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.util.ListStatistics;

/**
 * A mean and how far off it may be.
 * @param mean    of the samples
 * @param error   half the width of the mean's 99.9 % confidence interval, as JMH has it; null when
 *                there are too few samples to tell
 * @param samples one per iteration, of all rounds; null for a ratio
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Estimate(double mean, Double error, List<Double> samples) {
  private static final double CONFIDENCE = 0.999;

  static Estimate of(List<Double> samples) {
    ListStatistics statistics =
      new ListStatistics(samples.stream().mapToDouble(Double::doubleValue).toArray());
    double error = statistics.getMeanErrorAt(CONFIDENCE);
    return new Estimate(statistics.getMean(), Double.isFinite(error) ? error : null,
      List.copyOf(samples));
  }

  /**
   * Returns this in units of {@code base}, with the relative errors added as those of independent
   * quantities are; null when the base is 0.
   */
  Estimate relativeTo(Estimate base) {
    if (base.mean == 0) {
      return null;
    }
    double ratio = mean / base.mean;
    Double ratioError = error == null || base.error == null || mean == 0 ? null
      : ratio * Math.hypot(error / mean, base.error / base.mean);
    return new Estimate(ratio, ratioError, null);
  }

  /** Such as 12.3 ± 0.4. */
  @Override
  public String toString() {
    return error == null ? number(mean) : number(mean) + " ± " + number(error);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f",
      value);
  }
}
