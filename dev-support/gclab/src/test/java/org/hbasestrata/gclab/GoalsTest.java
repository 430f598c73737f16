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

import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.tools.ToolException;
import org.junit.Test;

public class GoalsTest {
  @Test
  public void readsLevelsAndWhatIsBest() {
    Goals goals = Goals.parse("goals", List.of("# some", "", "best = pause max", "[high] # peak",
      "client P99 <= 70 %", "Young Count <= 12.5 /min", "[low]", "remark share <= 5 %"));
    assertThat(goals.best()).isEqualTo(Figure.PAUSE_MAX);
    assertThat(goals.levels()).containsOnlyKeys("high", "low");
    assertThat(goals.levels().get("high")).containsExactly(new Goal(Figure.CLIENT_P99, 70, true),
      new Goal(Figure.YOUNG_COUNT, 12.5, false));
    // Of what is in percent itself, percents are its unit.
    assertThat(goals.levels().get("low"))
      .containsExactly(new Goal(Figure.REMARK_SHARE, 5, false));
  }

  @Test
  public void clientP99IsBestUnlessSaid() {
    assertThat(Goals.parse("goals", List.of("[high]")).best()).isEqualTo(Figure.CLIENT_P99);
  }

  @Test
  public void whatItCantReadIsNamedWithItsLine() {
    assertWrong("goals, line 2: 'client P99 is small', allowed: ", "[high]",
      "client P99 is small");
    assertWrong("goals, line 1: 'client P99 <= 5 ms', allowed: [LEVEL]", "client P99 <= 5 ms");
    assertWrong("goals, line 2: no figure 'client P98', there are: operations, failed, cut short,"
        + " client P95",
      "[high]", "client P98 <= 5 ms");
    assertWrong("goals, line 2: client P99 in 's', allowed: ms, or % of the first candidate's",
      "[high]", "client P99 <= 5 s");
    assertWrong("goals, line 2: remark share in 'ms', allowed: %", "[high]",
      "remark share <= 5 ms");
    assertWrong("goals, line 2: [high] is there twice", "[high]", "[high]");
    assertWrong("goals, line 1: no figure 'speed'", "best = speed");
    for (String figure : List.of("operations", "eden")) {
      assertWrong("goals, line 1: best is '" + figure + "', of which the least is worst, allowed:"
        + " failed, cut short, client P95", "best = " + figure);
    }
  }

  private static void assertWrong(String message, String... lines) {
    assertThatThrownBy(() -> Goals.parse("goals", List.of(lines)))
      .isInstanceOf(ToolException.class).hasMessageStartingWith(message);
  }

  @Test
  public void theShippedOnesAreForTheThreeLevels() {
    for (String name : List.of("source-c", "latency")) {
      Goals goals = Goals.read(Path.of("../gclab/goals/" + name + ".goals"));
      assertThat(goals.levels()).as(name).containsOnlyKeys("high", "medium", "low");
      goals.levels().forEach((level, list) -> assertThat(list).as(name + level).isNotEmpty());
    }
  }
}
