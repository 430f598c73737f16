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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.hbasestrata.bench.Server;
import org.junit.Test;

public class WarmthTest {
  private final Warmth warmth = new Warmth();
  private long requests;
  private long hits;
  private long misses;
  private double cpuSeconds;

  @Test
  public void isNotReachedBeforeThereAreFourWindows() {
    window(0, 0, 0);
    for (int i = 0; i < 3; i++) {
      window(100, 0, 1);
      assertThat(warmth.isReached()).isFalse();
    }
    window(100, 0, 1);
    assertThat(warmth.isReached()).isTrue();
  }

  @Test
  public void isNotReachedWhileTheHitRatioRises() {
    for (int i = 0; i < 20; i++) {
      window(1_000 + 100 * i, 1_000, 1);
      assertThat(warmth.isReached()).isFalse();
    }
  }

  @Test
  public void isNotReachedWhileLookUpsGetCheaper() {
    for (int i = 0; i < 20; i++) {
      window(1_000, 0, 10 * Math.pow(0.9, i));
      assertThat(warmth.isReached()).isFalse();
    }
  }

  @Test
  public void isReachedWhenBothStay() {
    window(1_000, 9_000, 50);
    for (int i = 0; i < 5; i++) {
      window(9_000 + i, 1_000, 5 + 0.01 * i);
    }
    assertThat(warmth.isReached()).isTrue();
  }

  @Test
  public void isReachedWhenNothingIsLookedUp() {
    for (int i = 0; i < 5; i++) {
      window(0, 0, 1);
    }
    assertThat(warmth.isReached()).isTrue();
  }

  @Test
  public void isNotReachedBeforeTheClientBegins() {
    for (int i = 0; i < 10; i++) {
      add(3, 10, 0, 0.1);
      assertThat(warmth.isReached()).isFalse();
    }
  }

  private void window(long moreHits, long moreMisses, double moreCpuSeconds) {
    add(1_000, moreHits, moreMisses, moreCpuSeconds);
  }

  private void add(long moreRequests, long moreHits, long moreMisses, double moreCpuSeconds) {
    requests += moreRequests;
    hits += moreHits;
    misses += moreMisses;
    cpuSeconds += moreCpuSeconds;
    warmth.add(new RegionServer.Counters(Map.of("L1", new Server.CacheTier(hits, misses)),
      new Server.CacheTier(hits, misses), 0,
      requests), cpuSeconds);
  }
}
