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

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** What a figure is counted in, and how people read it. */
public enum Unit {
  OPERATIONS_PER_SECOND(step(1, "ops/s")),
  ROWS_PER_SECOND(step(1, "rows/s")),
  COUNT(step(1, "")),
  PERCENT(step(1, "%")),
  MICROSECONDS(step(1, "µs"), step(1e3, "ms"), step(1e6, "s")),
  MILLISECONDS(step(1e-3, "µs"), step(1, "ms"), step(1e3, "s")),
  MILLISECONDS_PER_SECOND(step(1, "ms/s")),
  SECONDS_PER_MILLION(step(1, "s/M ops")),
  PER_OPERATION(step(1, "per op")),
  BYTES(step(1, "B"), step(1 << 10, "KiB"), step(1 << 20, "MiB"), step(1 << 30, "GiB")),
  BYTES_PER_OPERATION(step(1, "B/op"), step(1 << 10, "KiB/op"), step(1 << 20, "MiB/op"));

  private static final int SIGNIFICANT_DIGITS = 3;

  private final Step[] steps;

  Unit(Step... steps) {
    this.steps = steps;
  }

  /**
   * A size in which to write a unit.
   * @param factor how much of the unit it is
   * @param label  its short name; empty for plain numbers
   */
  record Step(double factor, String label) {
    String format(double value) {
      return number(value / factor);
    }
  }

  private static Step step(double factor, String label) {
    return new Step(factor, label);
  }

  /** The largest size that keeps {@code value} at 1 or more. */
  Step stepFor(double value) {
    Step chosen = steps[0];
    for (Step step : steps) {
      if (Math.abs(value) >= step.factor()) {
        chosen = step;
      }
    }
    return chosen;
  }

  /** The value with the size that suits it. */
  public String format(double value) {
    Step step = stepFor(value);
    return (step.format(value) + ' ' + step.label()).strip();
  }

  /** Three digits that count, more only for whole numbers. */
  static String number(double value) {
    double size = Math.abs(value);
    if (value == Math.rint(value) || size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    int decimals = SIGNIFICANT_DIGITS - 1 - (int) Math.floor(Math.log10(size));
    return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_UP).toPlainString();
  }
}
