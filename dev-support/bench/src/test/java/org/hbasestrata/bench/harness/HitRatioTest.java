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

import java.time.Instant;
import org.junit.Test;

public class HitRatioTest {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  private final Series hits = new Series();
  private final Series misses = new Series();

  @Test
  public void isWarmAfterTheFirstGoodSecond() {
    add(0, 0, 0);
    add(1_000, 50, 50);
    add(2_000, 144, 56);
    add(3_000, 239, 61);
    assertThat(millisUntilWarm(3_000)).isEqualTo(3_000 + 700);
  }

  @Test
  public void isNotWarmBeforeThat() {
    add(0, 0, 0);
    add(1_000, 50, 50);
    add(2_000, 144, 56);
    assertThat(millisUntilWarm(2_000)).isNull();
  }

  @Test
  public void isNotKnownWithoutLookups() {
    add(0, 0, 0);
    add(2_000, 0, 0);
    assertThat(millisUntilWarm(2_000)).isNull();
  }

  private void add(long millis, double hit, double missed) {
    hits.add(START.plusMillis(millis), hit);
    misses.add(START.plusMillis(millis), missed);
  }

  private Long millisUntilWarm(long endMillis) {
    return new HitRatio(hits, misses).millisUntilWarm(START.minusMillis(700), START,
      START.plusMillis(endMillis));
  }
}
