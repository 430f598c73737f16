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
package org.hbasestrata.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

public class MeanRatioTest {
  @Test
  public void theIntervalIsStudentsOverLogarithms() {
    MeanRatio ratio = MeanRatio.of(List.of(1.2, 1.25, 1.3));
    // By hand: t(2 degrees, 97.5 %) = 4.3027, mean of logs 0.22261, standard error 0.023107.
    assertThat(ratio.ratio()).isCloseTo(Math.exp(0.22261), within(1e-5));
    assertThat(ratio.low()).isCloseTo(1.1311, within(0.0002));
    assertThat(ratio.high()).isCloseTo(1.3799, within(0.0002));
    assertThat(ratio.halfWidth()).isCloseTo(Math.exp(4.3027 * 0.023107) - 1, within(1e-4));
  }

  @Test
  public void aRatioAndItsInverseAreAsFarFromOne() {
    assertThat(MeanRatio.of(List.of(2.0, 0.5)).ratio()).isCloseTo(1, within(1e-12));
  }

  @Test
  public void equalRatiosLeaveNoDoubt() {
    MeanRatio ratio = MeanRatio.of(List.of(1.1, 1.1, 1.1));
    assertThat(ratio.low()).isCloseTo(1.1, within(1e-9));
    assertThat(ratio.halfWidth()).isCloseTo(0, within(1e-9));
  }

  /** 12 pairs whose values vary by 3 %, on a machine whose speed changes by 30 %. */
  @Test
  public void theTruthIsInNineteenOfTwentyIntervals() {
    Random random = new Random(1); // Of some 600 seeds one has it beyond the bounds.
    int held = 0;
    for (int i = 0; i < 2_000; i++) {
      List<Double> ratios = new ArrayList<>();
      for (int pair = 0; pair < 12; pair++) {
        double machine = 1 + 0.3 * random.nextDouble();
        double first = machine * Math.exp(0.03 * random.nextGaussian());
        double second = 1.05 * machine * Math.exp(0.03 * random.nextGaussian());
        ratios.add(second / first);
      }
      MeanRatio ratio = MeanRatio.of(ratios);
      held += ratio.low() <= 1.05 && ratio.high() >= 1.05 ? 1 : 0;
    }
    assertThat(held / 2_000.0).isBetween(0.935, 0.965);
  }
}
