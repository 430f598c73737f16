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
package org.hbasestrata.ycsb;

import java.util.Locale;

/** Numbers as people read them. */
final class Units {
  private static final String[] BYTES = { "B", "KB", "MB", "GB", "TB", "PB" };

  private Units() {
  }

  /** 1234567 as 1,234,567. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** A number of events per second: whole, with a decimal below ten. */
  static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%,.0f", perSecond);
  }

  /** Three significant digits and a unit fit for them, from microseconds. */
  static String latency(double micros) {
    if (micros < 1_000) {
      return wholeOrSignificant(micros) + " us";
    }
    if (micros < 1_000_000) {
      return significant(micros / 1_000) + " ms";
    }
    return significant(micros / 1_000_000) + " s";
  }

  /** Decimal bytes: 1 KB is 1000 B. */
  static String bytes(double bytes) {
    int unit = 0;
    double value = bytes;
    while (value >= 1_000 && unit < BYTES.length - 1) {
      value /= 1_000;
      unit++;
    }
    return wholeOrSignificant(value) + " " + BYTES[unit];
  }

  /** Seconds in at most two units, such as 2 h 5 min. */
  static String duration(double seconds) {
    if (seconds < 60) {
      return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    }
    long whole = Math.round(seconds);
    if (whole < 3_600) {
      return whole / 60 + " min " + whole % 60 + " s";
    }
    if (whole < 86_400) {
      return whole / 3_600 + " h " + whole % 3_600 / 60 + " min";
    }
    return whole / 86_400 + " d " + whole % 86_400 / 3_600 + " h";
  }

  private static String wholeOrSignificant(double value) {
    return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value)
      : significant(value);
  }

  private static String significant(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f",
      value);
  }
}
