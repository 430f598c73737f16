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
import org.apache.commons.statistics.distribution.TDistribution;

/*
 * Ratios multiply, so their logarithms are what can be averaged; Student's t over those gives the
 * confidence interval of the true ratio.
 */

/**
 * The geometric mean of ratios, each of two values that were had in the same circumstances.
 * @param low  where the true ratio's range begins, with a confidence of 95 %
 * @param high where it ends
 */
public record MeanRatio(double ratio, double low, double high) {
  private static final double CONFIDENCE = 0.95;

  /** @param ratios two or more, all positive */
  public static MeanRatio of(Collection<Double> ratios) {
    double[] logs = ratios.stream().mapToDouble(Math::log).toArray();
    double mean = mean(logs);
    double margin = TDistribution.of(logs.length - 1)
      .inverseSurvivalProbability((1 - CONFIDENCE) / 2) * standardError(logs, mean);
    return new MeanRatio(Math.exp(mean), Math.exp(mean - margin), Math.exp(mean + margin));
  }

  /** Half of the interval as a share of the ratio: 0.02 is plus or minus 2 %. */
  public double halfWidth() {
    return Math.sqrt(high / low) - 1;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double standardError(double[] values, double mean) {
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / (values.length - 1) / values.length);
  }
}
