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

/** The hit ratio of a region server's block cache over time. Thread-safe. */
final class HitRatio {
  static final double WARM = 0.95;
  private static final Duration WINDOW = Duration.ofSeconds(1);

  private final Series hits;
  private final Series misses;

  /** Reads it from now on, until the sampler is closed. */
  HitRatio(Sampler sampler, RegionServer server) {
    this(sampler.sample(WINDOW, () -> (double) server.counters().hits()),
      sampler.sample(WINDOW, () -> (double) server.counters().misses()));
  }

  HitRatio(Series hits, Series misses) {
    this.hits = hits;
    this.misses = misses;
  }

  /**
   * How long it takes until the ratio of a second is {@link #WARM} or more.
   * @param from  what the time counts from
   * @param start when look-ups begin; not before {@code from}
   * @return milliseconds, or null if that isn't so up to the end
   */
  Long millisUntilWarm(Instant from, Instant start, Instant end) {
    for (Instant time = start.plus(WINDOW); !time.isAfter(end); time = time.plus(WINDOW)) {
      Double hit = hits.between(time.minus(WINDOW), time);
      Double missed = misses.between(time.minus(WINDOW), time);
      if (hit != null && missed != null && hit > 0 && hit >= WARM * (hit + missed)) {
        return Duration.between(from, time).toMillis();
      }
    }
    return null;
  }
}
