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

public class SeriesTest {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  private final Series series = new Series();

  @Test
  public void countsBetweenReadings() {
    add(0, 10);
    add(1_000, 30);
    assertThat(between(0, 1_000)).isEqualTo(20);
  }

  @Test
  public void risesEvenlyBetweenTwoReadings() {
    add(0, 0);
    add(1_000, 100);
    add(2_000, 300);
    assertThat(between(250, 1_500)).isEqualTo(175);
  }

  @Test
  public void nothingIsCountedWithinAStandStill() {
    add(0, 5);
    add(1_000, 5);
    assertThat(between(100, 900)).isZero();
  }

  @Test
  public void isNotKnownBeyondTheReadings() {
    add(0, 0);
    add(1_000, 100);
    assertThat(between(-1, 500)).isNull();
    assertThat(between(500, 1_001)).isNull();
  }

  @Test
  public void isNotKnownWithoutReadings() {
    assertThat(between(0, 1)).isNull();
  }

  private void add(long millis, double value) {
    series.add(START.plusMillis(millis), value);
  }

  private Double between(long startMillis, long endMillis) {
    return series.between(START.plusMillis(startMillis), START.plusMillis(endMillis));
  }
}
