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
package org.hbasestrata.gclab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.Test;

public class PauseStatisticsTest {
  @Test
  public void meanDeviationAndMaximumAreThoseOfTheSample() {
    PauseStatistics statistics =
      PauseStatistics.of(List.of(2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0));
    assertThat(statistics.count()).isEqualTo(8);
    assertThat(statistics.total()).isEqualTo(40);
    assertThat(statistics.mean()).isEqualTo(5);
    // Squares of the distances: 32, over 7.
    assertThat(statistics.deviation()).isCloseTo(2.1381, within(1e-4));
    assertThat(statistics.max()).isEqualTo(9);
  }

  @Test
  public void p99IsTheLeastThatNinetyNineOfAHundredDontExceed() {
    List<Double> millis = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      millis.add((double) i);
    }
    Collections.shuffle(millis);
    assertThat(PauseStatistics.of(millis).p99()).isEqualTo(198);
    assertThat(PauseStatistics.of(List.of(3.0, 1.0, 2.0)).p99()).isEqualTo(3);
  }

  @Test
  public void oneHasNoDeviationAndNoneHasNothing() {
    assertThat(PauseStatistics.of(List.of(7.5)))
      .isEqualTo(new PauseStatistics(1, 7.5, 7.5, 0, 7.5, 7.5));
    assertThat(PauseStatistics.of(List.of())).isEqualTo(new PauseStatistics(0, 0, 0, 0, 0, 0));
  }
}
