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

  private final Map<String, List<Double>> best = new LinkedHashMap<>();

  private void candidate(String name, double operations, double p99, double pauseMax) {
    figures(name, Map.of(Figure.OPERATIONS, operations, Figure.CLIENT_P99, p99, Figure.PAUSE_MAX,
      pauseMax));
  }

  /** Two rounds that are the same. */
  private void figures(String name, Map<Figure, Double> its) {
    figures.put(name, its);
    Double p99 = its.get(Figure.CLIENT_P99);
    best.put(name, p99 == null ? List.of() : List.of(p99, p99));
  }

  private Level level() {
    return Level.of("high", 1_000.0, figures, best, GOALS);
  }

  @Test
  public void ofThoseThatMeetAllGoalsTheBestWins() {
    candidate("first", 1_000, 10, 200);
    candidate("good", 1_000, 7, 90);
    candidate("better", 1_000, 5, 100);
    candidate("pausing", 1_000, 2, 101);
    Level level = level();
    assertThat(level.winner()).isEqualTo("better");
    assertThat(level.verdict()).isEqualTo("better wins");
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
    assertThat(level().verdict()).isEqualTo("none meets the goals");
  }

  @Test
  public void noneWinsWhenTheRoundsDontTellThemApart() {
    candidate("first", 1_000, 20, 90);
    candidate("some", 1_000, 6, 90);
    candidate("other", 1_000, 5, 90);
    best.put("some", List.of(5.1, 7.0));
    best.put("other", List.of(5.2, 4.8));
    assertThat(level().winner()).isNull();
    assertThat(level().verdict())
      .isEqualTo("some, other meet the goals; client P99 can't tell them apart");
    best.put("other", List.of(5.0, 4.8));
    assertThat(level().verdict()).isEqualTo("other wins");
    // What doesn't meet the goals isn't compared with.
    best.put("first", List.of(4.0, 4.0));
    assertThat(level().winner()).isEqualTo("other");
  }

  @Test
  public void oneRoundNamesNoWinner() {
    candidate("first", 1_000, 20, 90);
    candidate("some", 1_000, 6, 90);
    best.put("some", List.of(6.0));
    assertThat(level().winner()).isNull();
    assertThat(level().verdict()).isEqualTo("some alone meets the goals, in one round");
    candidate("other", 1_000, 1, 90);
    best.put("other", List.of(1.0));
    assertThat(level().winner()).isNull();
    assertThat(level().verdict()).isEqualTo("some, other meet the goals; one round can't tell");
  }

  @Test
  public void whoseOperationsFailCannotWin() {
    candidate("first", 1_000, 10, 90);
    figures("failing", Map.of(Figure.OPERATIONS, 1e3, Figure.CLIENT_P99, 1.0, Figure.PAUSE_MAX, 5.0,
      Figure.FAILED, 1_234.0, Figure.CUT_SHORT, 0.0));
    figures("cut", Map.of(Figure.OPERATIONS, 1e3, Figure.CLIENT_P99, 1.0, Figure.PAUSE_MAX, 5.0,
      Figure.FAILED, 0.0, Figure.CUT_SHORT, 1.0));
    assertThat(level().unmet().get("failing")).containsExactly("1,234 operations failed");
    assertThat(level().unmet().get("cut"))
      .containsExactly("the client was interrupted, or gave operations up");
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
    figures("other", Map.of(Figure.OPERATIONS, 1_000.0, Figure.CLIENT_P99, 1.0));
    figures("failed", Map.of());
    figures("blind", Map.of(Figure.OPERATIONS, 1_000.0, Figure.PAUSE_MAX, 1.0));
    assertThat(level().winner()).isNull();
    assertThat(level().unmet().get("other")).containsExactly("pause max not known");
    assertThat(level().unmet().get("failed")).containsExactly("no run that counts");
    assertThat(level().unmet().get("blind")).containsExactly("client P99 not known");
    figures("first", Map.of(Figure.OPERATIONS, 1_000.0, Figure.PAUSE_MAX, 1.0));
    assertThat(level().unmet().get("other")).containsExactly(
      "client P99 of the first candidate not known", "pause max not known");
  }

  @Test
  public void whatIsBestMustBeKnownThoughItIsNoGoal() {
    Goals goals = Goals.parse("goals", List.of("best = client P99", "[high]", "pause max <= 9 ms"));
    figures("first", Map.of(Figure.OPERATIONS, 1_000.0, Figure.PAUSE_MAX, 1.0));
    assertThat(Level.of("high", null, figures, best, goals).unmet().get("first"))
      .containsExactly("client P99 not known");
  }

  @Test
  public void ofAFirstCandidateWithoutFullCollectionsPercentsAreNone() {
    Goals goals = Goals.parse("goals", List.of("[high]", "full count <= 20 %"));
    figures("first", Map.of(Figure.OPERATIONS, 1e3, Figure.CLIENT_P99, 2.0, Figure.FULL_COUNT,
      0.0));
    figures("other", Map.of(Figure.OPERATIONS, 1e3, Figure.CLIENT_P99, 1.0, Figure.FULL_COUNT,
      0.5));
    assertThat(Level.of("high", null, figures, best, goals).winner()).isEqualTo("first");
  }

  @Test
  public void withoutGoalsThereIsNothingToWin() {
    candidate("first", 1_000, 10, 50);
    Level level = Level.of("peak", null, figures, best, GOALS);
    assertThat(level.goals()).isNull();
    assertThat(level.winner()).isNull();
    assertThat(level.verdict()).isEqualTo("no goals");
    assertThat(Level.of("high", null, figures, Map.of(), null).goals()).isNull();
  }
}
