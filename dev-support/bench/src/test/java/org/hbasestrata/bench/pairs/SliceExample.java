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
package org.hbasestrata.bench.pairs;

import java.util.Map;

/** Slices of 4 seconds, as they might be. */
public final class SliceExample {
  private SliceExample() {
  }

  /** @param cpuMicros of the region server per operation; also its latency's mean */
  public static Slice of(String arm, int pair, long operations, double cpuMicros) {
    return of(arm, 1, pair, operations, cpuMicros);
  }

  static Slice of(String arm, int start, int pair, long operations, double cpuMicros) {
    return new Slice(16, start, pair, arm, false, operations, operations * 5, 4,
      new ServerUse(cpuMicros * operations / 1e6, operations * 2, operations * 1_000, 0, 0.01),
      0.5, operations * 3, operations * 2_000, arm.equals("stock") ? 0.03 : 0.01, 0,
      Map.of("READ", new Slice.Latency(operations, cpuMicros, 100, 900, 5_000)));
  }
}
