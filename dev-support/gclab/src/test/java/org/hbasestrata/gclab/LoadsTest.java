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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.hbasestrata.bench.harness.Load;
import org.hbasestrata.tools.ToolException;
import org.junit.Test;

public class LoadsTest {
  @Test
  public void namesAloneAreSharesAndNumbersAboveOneAreRates() {
    assertThat(Loads.parse(List.of("high", "low", "peak=0.95", "some=1500", "all=1")))
      .containsExactly(new Load("high", null, 0.8), new Load("low", null, 0.15),
        new Load("peak", null, 0.95), new Load("some", 1500, null), new Load("all", null, 1.0));
  }

  @Test
  public void whatIsNoLoadIsNamed() {
    for (String text : List.of("", "peak", "peak=", "peak=x", "peak=0", "peak=-3", "peak=NaN",
      "a/b=3", "=3", "peak=1e30")) {
      assertThatThrownBy(() -> Loads.parse(List.of(text))).as(text)
        .isInstanceOf(ToolException.class).hasMessageStartingWith("--loads has '" + text + "'");
    }
    for (String folder : List.of("maximum", "cluster", "conf", "logs", "report")) {
      assertThatThrownBy(() -> Loads.parse(List.of(folder + "=0.5")))
        .hasMessageStartingWith("--loads has '" + folder + "=0.5'").hasMessageContaining("maximum");
    }
    assertThatThrownBy(() -> Loads.parse(List.of("low", "low=3")))
      .hasMessageStartingWith("--loads has 'low=3'");
  }
}
