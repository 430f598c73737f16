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

import java.io.IOException;
import org.hbasestrata.bench.pairs.Pairs;
import org.hbasestrata.bench.pairs.Slice;

/** How warm a side gets by slices that aren't counted. For one thread. */
final class PairWarmth {
  /** JIT compilers that take no more of a server's CPU have compiled what counts. */
  static final double COMPILE_SHARE = 0.05;

  private static final double MICROS = 1e6;

  private final Slicer.Side side;
  private final Warmth warmth = new Warmth();
  private RegionServer.Counters before;
  private RegionServer.Counters after;
  private Slice last;
  private double cpuSeconds;
  private int slices;

  PairWarmth(Slicer.Side side) {
    this.side = side;
  }

  /** Takes one slice more. */
  void go(Slicer slicer, int threads) throws IOException, InterruptedException {
    before = side.server().counters();
    if (slices == 0) {
      warmth.add(before, 0);
    }
    last = slicer.take(side, threads);
    cpuSeconds += last.server().cpuSeconds();
    after = side.server().counters();
    warmth.add(after, cpuSeconds);
    slices++;
  }

  private double compileShare() {
    return last.server().compileSeconds() / last.server().cpuSeconds();
  }

  boolean isReached() {
    return warmth.isReached() && compileShare() <= COMPILE_SHARE;
  }

  Pairs.WarmUp state() {
    double hits = after.hits() - before.hits();
    double lookups = hits + after.misses() - before.misses();
    return new Pairs.WarmUp(side.arm().name(), slices, isReached(),
      lookups == 0 ? 1 : hits / lookups, last.server().cpuSeconds() * MICROS / last.operations(),
      compileShare());
  }
}
