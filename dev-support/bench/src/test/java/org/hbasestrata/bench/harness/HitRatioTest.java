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

import org.junit.Test;

public class HitRatioTest {
  private final HitRatio ratio = new HitRatio();
  private long hits;
  private long misses;

  @Test
  public void isNotStableBeforeThereAreFourWindows() {
    window(0, 0);
    for (int i = 0; i < 3; i++) {
      window(100, 0);
      assertThat(ratio.isStable()).isFalse();
    }
    window(100, 0);
    assertThat(ratio.isStable()).isTrue();
  }

  @Test
  public void isNotStableWhileItRises() {
    for (int i = 0; i < 20; i++) {
      window(1_000 + 100 * i, 1_000);
      assertThat(ratio.isStable()).isFalse();
    }
  }

  @Test
  public void isStableWhenItHasRisenAndStays() {
    window(1_000, 9_000);
    for (int i = 0; i < 5; i++) {
      window(9_000 + i, 1_000);
    }
    assertThat(ratio.isStable()).isTrue();
  }

  @Test
  public void isStableWhenNothingIsLookedUp() {
    for (int i = 0; i < 5; i++) {
      window(0, 0);
    }
    assertThat(ratio.isStable()).isTrue();
  }

  private void window(long moreHits, long moreMisses) {
    hits += moreHits;
    misses += moreMisses;
    ratio.add(hits, misses);
  }
}
