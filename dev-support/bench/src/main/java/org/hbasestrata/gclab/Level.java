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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was found at one level of load.
 * @param name    of the level
 * @param target  operations a second; null for as many as go
 * @param figures by candidate, in their order; the first is what goals in percent are of
 * @param unmet   why a candidate can't win, for people, by candidate; empty of one that can
 * @param winner  the candidate that meets all goals with the least of what is best; null when none
 *                meets them, and when there are no goals
 * @param goals   for people; null when there are none for this level
 */
record Level(String name, Double target, Map<String, Map<Figure, Double>> figures,
  Map<String, List<String>> unmet, String winner, List<String> goals) {
  /** Of the target: with less a candidate didn't keep up, and its clients waited. */
  private static final double KEPT_UP = 0.95;

  /** @param all null for none */
  static Level of(String name, Double target, Map<String, Map<Figure, Double>> figures, Goals all) {
    List<Goal> goals = all == null ? null : all.levels().get(name);
    if (goals == null) {
      return new Level(name, target, figures, Map.of(), null, null);
    }
    Map<Figure, Double> first = figures.values().iterator().next();
    Map<String, List<String>> unmet = new LinkedHashMap<>();
    figures.forEach((candidate, its) -> unmet.put(candidate, unmet(goals, target, its, first)));
    Optional<String> winner = figures.keySet().stream()
      .filter(candidate -> unmet.get(candidate).isEmpty())
      .filter(candidate -> figures.get(candidate).containsKey(all.best()))
      .min(Comparator.comparing(candidate -> figures.get(candidate).get(all.best())));
    return new Level(name, target, figures, unmet, winner.orElse(null),
      goals.stream().map(Goal::toString).toList());
  }

  private static List<String> unmet(List<Goal> goals, Double target, Map<Figure, Double> its,
    Map<Figure, Double> first) {
    if (its.isEmpty()) {
      return List.of("no run that counts");
    }
    List<String> reasons = new ArrayList<>();
    double rate = its.getOrDefault(Figure.OPERATIONS, 0.0);
    if (target != null && rate < KEPT_UP * target) {
      reasons.add("did not keep up: " + Numbers.format(rate) + " of " + Numbers.format(target)
        + " operations a second");
    }
    goals.stream().map(goal -> goal.unmet(its, first)).filter(reason -> reason != null)
      .forEach(reasons::add);
    return reasons;
  }
}
