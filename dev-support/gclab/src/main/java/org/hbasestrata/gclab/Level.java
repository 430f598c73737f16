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

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What was found at one level of load.
 * @param name    of the level
 * @param target  operations a second; null for as many as go
 * @param figures by candidate, in their order; the first is what goals in percent are of
 * @param unmet   why a candidate can't win, for people, by candidate; empty of one that can
 * @param winner  the candidate that meets all goals, and in each of its rounds, two or more, has
 *                less of what is best than all others that meet them in any of theirs; null when
 *                there is none
 * @param verdict for people
 * @param goals   for people; null when there are none for this level
 */
record Level(String name, Double target, Map<String, Map<Figure, Double>> figures,
  Map<String, List<String>> unmet, String winner, String verdict, List<String> goals) {
  /** Of the target: with less a candidate didn't keep up, and its clients waited. */
  private static final double KEPT_UP = 0.95;

  /** With fewer nobody knows how much a figure varies. */
  private static final int ROUNDS_TO_TELL = 2;

  /**
   * @param best by candidate, what is best in each of its rounds
   * @param all  null for none
   */
  static Level of(String name, Double target, Map<String, Map<Figure, Double>> figures,
    Map<String, List<Double>> best, Goals all) {
    List<Goal> goals = all == null ? null : all.levels().get(name);
    if (goals == null) {
      return new Level(name, target, figures, Map.of(), null, "no goals", null);
    }
    Map<Figure, Double> first = figures.values().iterator().next();
    Map<String, List<String>> unmet = new LinkedHashMap<>();
    figures.forEach((candidate, its) -> unmet.put(candidate,
      unmet(goals, all.best(), target, its, first)));
    Map<String, List<Double>> meeting = new LinkedHashMap<>();
    figures.keySet().stream().filter(candidate -> unmet.get(candidate).isEmpty())
      .forEach(candidate -> meeting.put(candidate, best.get(candidate)));
    String winner = winner(meeting);
    return new Level(name, target, figures, unmet, winner, verdict(meeting, winner, all.best()),
      goals.stream().map(Goal::toString).toList());
  }

  private static String winner(Map<String, List<Double>> meeting) {
    return tooFewRounds(meeting) ? null : meeting.keySet().stream()
      .filter(candidate -> meeting.keySet().stream().filter(other -> !other.equals(candidate))
        .allMatch(other -> Collections.max(meeting.get(candidate))
          < Collections.min(meeting.get(other))))
      .findFirst().orElse(null);
  }

  private static boolean tooFewRounds(Map<String, List<Double>> meeting) {
    return meeting.values().stream().anyMatch(rounds -> rounds.size() < ROUNDS_TO_TELL);
  }

  private static String verdict(Map<String, List<Double>> meeting, String winner, Figure best) {
    String names = String.join(", ", meeting.keySet());
    if (meeting.isEmpty()) {
      return "none meets the goals";
    } else if (winner != null) {
      return winner + " wins";
    } else if (meeting.size() == 1) {
      return names + " alone meets the goals, in one round";
    }
    return names + " meet the goals; " + (tooFewRounds(meeting) ? "one round can't tell"
      : best.label() + " can't tell them apart");
  }

  private static List<String> unmet(List<Goal> goals, Figure best, Double target,
    Map<Figure, Double> its, Map<Figure, Double> first) {
    if (its.isEmpty()) {
      return List.of("no run that counts");
    }
    List<String> reasons = new ArrayList<>();
    double rate = its.getOrDefault(Figure.OPERATIONS, 0.0);
    if (target != null && rate < KEPT_UP * target) {
      reasons.add("did not keep up: " + Numbers.format(rate) + " of " + Numbers.format(target)
        + " operations a second");
    }
    double failed = its.getOrDefault(Figure.FAILED, 0.0);
    if (failed > 0) {
      reasons.add(Numbers.format(failed) + " operations failed");
    }
    if (its.getOrDefault(Figure.CUT_SHORT, 0.0) > 0) {
      reasons.add("the client was interrupted, or gave operations up");
    }
    if (!its.containsKey(best)) {
      reasons.add(best.label() + " not known");
    }
    goals.stream().map(goal -> goal.unmet(its, first)).filter(Objects::nonNull)
      .filter(reason -> !reasons.contains(reason)).forEach(reasons::add);
    return reasons;
  }
}
