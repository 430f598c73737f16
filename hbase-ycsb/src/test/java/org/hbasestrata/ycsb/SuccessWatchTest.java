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
package org.hbasestrata.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public class SuccessWatchTest {
  private final SuccessWatch watch = new SuccessWatch();

  @Test
  public void failuresAloneForAMinuteAreALoss() {
    assertThat(watch.isLost(1, 50, 0)).isFalse();
    assertThat(watch.isLost(10, 50, 1)).isFalse();
    assertThat(watch.isLost(69, 50, 9)).isFalse();
    assertThat(watch.isLost(70, 50, 9)).isTrue();
    assertThat(watch.secondsWithoutSuccess(70)).isEqualTo(69);
  }

  @Test
  public void aSuccessBetweenFailuresIsHope() {
    for (int second = 1; second <= 1_000; second++) {
      assertThat(watch.isLost(second, second / 50, second * 10L)).isFalse();
    }
  }

  @Test
  public void clientsThatRetryAreGivenTimeButNotForEver() {
    assertThat(watch.isLost(10, 50, 3)).isFalse();
    assertThat(watch.isLost(309, 50, 3)).isFalse();
    assertThat(watch.isLost(310, 50, 3)).isTrue();
  }

  @Test
  public void clusterThatRecoversIsKept() {
    assertThat(watch.isLost(10, 50, 0)).isFalse();
    assertThat(watch.isLost(200, 50, 0)).isFalse();
    assertThat(watch.isLost(201, 50, 40)).isFalse();
    assertThat(watch.isLost(202, 90, 41)).isFalse();
    assertThat(watch.isLost(500, 90, 41)).isFalse();
    assertThat(watch.isLost(502, 90, 41)).isTrue();
  }
}
