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

import java.util.ArrayDeque;
import java.util.Deque;

/** Tells when a cache is warm: when its hit ratio doesn't change any more. For one thread. */
final class HitRatio {
  private static final int WINDOWS = 4;
  private static final double STABLE_WITHIN = 0.005;

  private final Deque<Double> ratios = new ArrayDeque<>();
  private long lastHits = -1;
  private long lastMisses = -1;

  /** Takes the counters' next reading. */
  void add(long hits, long misses) {
    if (lastHits >= 0) {
      long lookups = hits - lastHits + misses - lastMisses;
      // Nothing is looked up: as stable as can be.
      ratios.addLast(lookups == 0 ? 1 : (double) (hits - lastHits) / lookups);
      if (ratios.size() > WINDOWS) {
        ratios.removeFirst();
      }
    }
    lastHits = hits;
    lastMisses = misses;
  }

  /** Whether the ratios between the last readings are about the same. */
  boolean isStable() {
    return ratios.size() == WINDOWS
      && ratios.stream().mapToDouble(r -> r).max().orElseThrow()
        - ratios.stream().mapToDouble(r -> r).min().orElseThrow() <= STABLE_WITHIN;
  }
}
