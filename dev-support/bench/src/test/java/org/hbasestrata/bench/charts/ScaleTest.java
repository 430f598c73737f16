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
package org.hbasestrata.bench.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.Test;

public class ScaleTest {
  private static final double PIXEL = 1e-6;

  private static Scale scale(double low, double high) {
    return Scale.of(List.of(new RecordedRatio(1, low, high, 3)), 100, 500);
  }

  @Test
  public void equalFactorsAreEquallyLong() {
    Scale scale = scale(0.01, 100);
    assertThat(scale.x(0.01)).isCloseTo(100, within(PIXEL));
    assertThat(scale.x(0.1)).isCloseTo(200, within(PIXEL));
    assertThat(scale.x(1)).isCloseTo(300, within(PIXEL));
    assertThat(scale.x(100)).isCloseTo(500, within(PIXEL));
  }

  @Test
  public void smallDifferencesDoNotLookBig() {
    Scale scale = scale(0.98, 1.02);
    assertThat(scale.x(0.5)).isCloseTo(100, within(PIXEL));
    assertThat(scale.x(2)).isCloseTo(500, within(PIXEL));
  }

  @Test
  public void marksHaveRoomForTheirLabels() {
    assertThat(scale(0.1, 10).marks(99, 501)).containsExactly(0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0);
    assertThat(scale(0.001, 1000).marks(99, 501))
      .containsExactly(0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0);
  }

  @Test
  public void marksGoOnWhereLabelsOfBarsAre() {
    assertThat(scale(0.5, 2).marks(-200, 501)).containsExactly(0.2, 0.5, 1.0, 2.0);
  }
}
