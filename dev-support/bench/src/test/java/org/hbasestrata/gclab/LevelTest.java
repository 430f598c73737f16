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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public class LevelTest {
  private static final Goals GOALS = Goals.parse("goals", List.of("best = client P99", "[high]",
    "client P99 <= 70 %", "pause max <= 100 ms"));

  private final Map<String, Map<Figure, Double>> figures = new LinkedHashMap<>();

  private void candidate(String name, double operations, double p99, double pauseMax) {
    figures.put(name, Map.of(Figure.OPERATIONS, operations, Figure.CLIENT_P99, p99,
      Figure.PAUSE_MAX, pauseMax));
  }

  private Level level() {
    return Level.of("high", 1_000.0, figures, GOALS);
  }

  @Test
  public void ofThoseThatMeetAllGoalsTheBestWins() {
    candidate("first", 1_000, 10, 200);
    candidate("good", 1_000, 7, 90);
    candidate("better", 1_000, 5, 100);
    candidate("pausing", 1_000, 2, 101);
    Level level = level();
    assertThat(level.winner()).isEqualTo("better");
    assertThat(level.unmet().get("good")).isEmpty();
    assertThat(level.unmet().get("pausing"))
      .containsExactly("pause max 101, at most 100 ms");
    assertThat(level.unmet().get("first")).containsExactly("client P99 10, at most 7 ms",
      "pause max 200, at most 100 ms");
  }

  @Test
  public void noneWinsWhenNoneMeetsThem() {
    candidate("first", 1_000, 10, 50);
    candidate("other", 1_000, 7.1, 50);
    assertThat(level().winner()).isNull();
  }

  @Test
  public void whoDoesNotKeepUpCannotWin() {
    candidate("first", 1_000, 10, 50);
    candidate("slow", 940, 1, 50);
    assertThat(level().winner()).isNull();
    assertThat(level().unmet().get("slow"))
      .containsExactly("did not keep up: 940 of 1,000 operations a second");
  }

  @Test
  public void whatIsNotKnownIsNoGoalMet() {
    candidate("first", 1_000, 10, 50);
    figures.put("other", Map.of(Figure.OPERATIONS, 1_000.0, Figure.CLIENT_P99, 1.0));
    figures.put("failed", Map.of());
    assertThat(level().winner()).isNull();
    assertThat(level().unmet().get("other")).containsExactly("pause max not known");
    assertThat(level().unmet().get("failed")).containsExactly("no run that counts");
  }

  @Test
  public void ofAFirstCandidateWithoutFullCollectionsPercentsAreNone() {
    Goals goals = Goals.parse("goals", List.of("[high]", "full count <= 20 %"));
    figures.put("first", Map.of(Figure.OPERATIONS, 1e3, Figure.CLIENT_P99, 2.0, Figure.FULL_COUNT,
      0.0));
    figures.put("other", Map.of(Figure.OPERATIONS, 1e3, Figure.CLIENT_P99, 1.0, Figure.FULL_COUNT,
      0.5));
    assertThat(Level.of("high", null, figures, goals).winner()).isEqualTo("first");
  }

  @Test
  public void withoutGoalsThereIsNothingToWin() {
    candidate("first", 1_000, 10, 50);
    Level level = Level.of("peak", null, figures, GOALS);
    assertThat(level.goals()).isNull();
    assertThat(level.winner()).isNull();
    assertThat(Level.of("high", null, figures, null).goals()).isNull();
  }
}
