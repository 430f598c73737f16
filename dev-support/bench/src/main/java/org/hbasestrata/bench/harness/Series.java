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
package org.hbasestrata.bench.harness;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** A counter, read now and then. Thread-safe. */
final class Series {
  private final TreeMap<Instant, Double> readings = new TreeMap<>();

  synchronized void add(Instant time, double value) {
    readings.put(time, value);
  }

  /**
   * What was counted between two times; between two readings it is taken to rise evenly.
   * @return null when the readings don't reach over both
   */
  synchronized Double between(Instant start, Instant end) {
    Double first = at(start);
    Double last = at(end);
    return first == null || last == null ? null : last - first;
  }

  private Double at(Instant time) {
    Map.Entry<Instant, Double> before = readings.floorEntry(time);
    Map.Entry<Instant, Double> after = readings.ceilingEntry(time);
    if (before == null || after == null) {
      return null;
    }
    double span = nanos(before.getKey(), after.getKey());
    double share = span == 0 ? 0 : nanos(before.getKey(), time) / span;
    return before.getValue() + share * (after.getValue() - before.getValue());
  }

  private static double nanos(Instant from, Instant to) {
    return Duration.between(from, to).toNanos();
  }
}
