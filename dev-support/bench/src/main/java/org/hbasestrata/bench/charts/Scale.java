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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A logarithmic axis of ratios. Places are in pixels from the left of the picture.
 * @param least the ratio at {@code from}
 * @param most  the ratio at {@code to}
 */
record Scale(double least, double most, double from, double to) {
  /** Ratios that are always on the axis, or small differences would look big. */
  private static final double LEAST = 0.5;
  private static final double MOST = 2;

  /** Least pixels between two marks, which have labels. */
  private static final double APART = 44;
  private static final int[] STEPS = { 1, 2, 5 };
  private static final int DECADES = 6;

  static Scale of(List<RecordedRatio> ratios, double from, double to) {
    return new Scale(
      DoubleStream.concat(DoubleStream.of(LEAST), ratios.stream().mapToDouble(RecordedRatio::low))
        .min().getAsDouble(),
      DoubleStream.concat(DoubleStream.of(MOST), ratios.stream().mapToDouble(RecordedRatio::high))
        .max().getAsDouble(), from, to);
  }

  /** Where a ratio is. */
  double x(double ratio) {
    return from + (to - from) * (log(ratio) - log(least)) / (log(most) - log(least));
  }

  /**
   * Ratios that are marked, in ascending order.
   * @param left  where the first one may be
   * @param right where the last one may be
   */
  List<Double> marks(double left, double right) {
    boolean steps = x(STEPS[1]) - x(STEPS[0]) >= APART;
    List<Double> marks = new ArrayList<>();
    for (int decade = -DECADES; decade <= DECADES; decade++) {
      for (int step : STEPS) {
        // Divided, since 0.1 isn't exact.
        double mark = decade < 0 ? step / Math.pow(10, -decade) : step * Math.pow(10, decade);
        if ((step == 1 || steps) && x(mark) >= left && x(mark) <= right) {
          marks.add(mark);
        }
      }
    }
    return marks;
  }

  /** The same on all machines, so that the same pictures come of it. */
  private static double log(double ratio) {
    return StrictMath.log(ratio);
  }
}
