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

import java.util.Arrays;
import java.util.List;

/**
 * Lengths of pauses, in milliseconds.
 * @param deviation the standard deviation: of the sample, with n - 1; 0 of a single one
 * @param p99       the least that 99 % of the pauses don't exceed
 */
record PauseStatistics(int count, double total, double mean, double deviation, double p99,
  double max) {
  private static final double P99 = 0.99;

  /** All 0 when there are none. */
  static PauseStatistics of(List<Double> millis) {
    int count = millis.size();
    if (count == 0) {
      return new PauseStatistics(0, 0, 0, 0, 0, 0);
    }
    double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double total = Arrays.stream(sorted).sum();
    double mean = total / count;
    double squares = Arrays.stream(sorted).map(value -> (value - mean) * (value - mean)).sum();
    return new PauseStatistics(count, total, mean,
      count == 1 ? 0 : Math.sqrt(squares / (count - 1)),
      sorted[(int) Math.ceil(P99 * count) - 1], sorted[count - 1]);
  }
}
