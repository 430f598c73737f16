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
import java.util.function.ToDoubleFunction;

/*
 * The cache is warm when its hit ratio doesn't change any more, and the JVM is when a request
 * doesn't get cheaper: code that isn't compiled yet takes ten times the CPU, and on a busy machine
 * the compilers take their time, so that no fixed time will do.
 */

/** Tells when a region server is warm. For one thread. */
final class Warmth {
  private static final int WINDOWS = 4;
  /** In a window with fewer the client hasn't begun yet. */
  private static final int LEAST_REQUESTS = 100;
  private static final double RATIO_WITHIN = 0.005;
  private static final double CPU_WITHIN = 0.1;

  /**
   * What happened between two readings.
   * @param ratio      hits among look-ups; 1 when there were none
   * @param cpuSeconds per request
   */
  private record Window(double ratio, double cpuSeconds) {
  }

  private final Deque<Window> windows = new ArrayDeque<>();
  private RegionServer.Counters last;
  private double lastCpuSeconds;

  /** Takes the counters' next reading. */
  void add(RegionServer.Counters counters, double cpuSeconds) {
    if (last != null && counters.requests() - last.requests() >= LEAST_REQUESTS) {
      double hits = counters.hits() - last.hits();
      double lookups = hits + counters.misses() - last.misses();
      windows.addLast(new Window(lookups == 0 ? 1 : hits / lookups,
        (cpuSeconds - lastCpuSeconds) / (counters.requests() - last.requests())));
      if (windows.size() > WINDOWS) {
        windows.removeFirst();
      }
    }
    last = counters;
    lastCpuSeconds = cpuSeconds;
  }

  /** Whether hit ratio and CPU per request were about the same in the last windows. */
  boolean isReached() {
    return windows.size() == WINDOWS
      && most(Window::ratio) - least(Window::ratio) <= RATIO_WITHIN
      && most(Window::cpuSeconds) <= least(Window::cpuSeconds) * (1 + CPU_WITHIN);
  }

  private double most(ToDoubleFunction<Window> value) {
    return windows.stream().mapToDouble(value).max().orElseThrow();
  }

  private double least(ToDoubleFunction<Window> value) {
    return windows.stream().mapToDouble(value).min().orElseThrow();
  }
}
