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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.report.Report;
import org.hbasestrata.bench.report.Where;

/**
 * A report in the words and numbers that the templates show.
 * @param partial    whether something that was asked for is missing, and {@code reasons} say what
 * @param candidates in their order
 */
record LabView(String title, boolean partial, List<String> reasons, List<String> candidates,
  List<LevelView> levels, Where where) {
  private static final String NONE = "\u2013";

  /**
   * @param target  operations a second, for people
   * @param verdict who won
   * @param unmet   why others didn't; empty without goals
   * @param goals   in one line; empty without
   * @param charts  whether there are pauses to show
   */
  record LevelView(String name, String target, String verdict, List<String> unmet, String goals,
    List<Row> rows, boolean charts) {
  }

  /** A figure; {@code values} are in the candidates' order. */
  record Row(String label, String unit, List<String> values) {
  }

  /** @param reports by level, in the levels' order */
  static LabView of(List<Level> levels, Map<String, Report> reports) {
    Report first = reports.values().iterator().next();
    Set<String> reasons = new LinkedHashSet<>();
    Set<String> notes = new LinkedHashSet<>();
    reports.forEach((name, report) -> {
      report.reasons().forEach(reason -> reasons.add(name + ": " + reason));
      notes.addAll(report.notes());
    });
    List<String> candidates = first.comparison().arms().stream().map(Arm::name).toList();
    return new LabView(first.comparison().profile() + ": " + String.join(", ", candidates),
      !reasons.isEmpty(), List.copyOf(reasons), candidates,
      levels.stream().map(level -> level(level, candidates,
        reports.get(level.name()).charts().pauseHistogram() != null)).toList(),
      Where.of(first.comparison(), List.copyOf(notes), List.of())
        .with(List.of(), List.of("Target rate")));
  }

  private static LevelView level(Level level, List<String> candidates, boolean charts) {
    List<Row> rows = new ArrayList<>();
    for (Figure figure : Figure.values()) {
      List<String> values = candidates.stream().map(name -> level.figures().get(name).get(figure))
        .map(value -> value == null ? NONE : Numbers.format(value)).toList();
      if (values.stream().anyMatch(value -> !value.equals(NONE))) {
        rows.add(new Row(figure.label(), figure.unit(), values));
      }
    }
    List<String> unmet = new ArrayList<>();
    level.unmet().forEach((candidate, reasons) -> {
      if (!reasons.isEmpty()) {
        unmet.add(candidate + ": " + String.join("; ", reasons));
      }
    });
    return new LevelView(level.name(), level.target() == null ? "as many as go"
      : Numbers.format(level.target()) + " operations a second", level.verdict(), unmet,
      level.goals() == null ? "" : String.join(", ", level.goals()), rows, charts);
  }
}
