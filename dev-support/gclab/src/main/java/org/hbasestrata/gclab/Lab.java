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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.report.Report;
import org.hbasestrata.bench.report.RunReading;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.ToolException;

/*
 * OUT/gclab.json    Lab
 * OUT/goals.txt     the goals file, if there is one
 * OUT/LEVEL/        a comparison of the bench for each level, with a report of its own
 * OUT/report/       made from all that
 */

/**
 * What was asked of {@code gclab presets}: {@code gclab.json}.
 * @param levels the levels of load, in their order; each has a folder of its name
 */
record Lab(List<String> levels) {
  private static final String FILE = "gclab.json";
  private static final String GOALS = "goals.txt";

  /** @param goals null for none */
  void write(Path folder, Path goals) {
    try {
      Json.write(folder.resolve(FILE), this);
      if (goals != null) {
        Files.copy(goals, folder.resolve(GOALS));
      }
    } catch (IOException e) {
      throw ToolException.usage("--out " + folder + " can't be made: "
        + ToolException.oneLine(e), e);
    }
  }

  static Lab read(Path folder) {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      throw ToolException.usage(folder + " is none of gclab presets: there is no " + FILE
        + " in it");
    }
    return Json.read(file, Lab.class);
  }

  /** Null when there are none. */
  static Goals goals(Path folder) {
    Path file = folder.resolve(GOALS);
    return Files.exists(file) ? Goals.read(file) : null;
  }

  /** By level, in their order; one that wasn't begun isn't in it. */
  Map<String, Report> reports(Path folder) {
    Map<String, Report> reports = new LinkedHashMap<>();
    for (String level : levels) {
      ComparisonFolder comparison = new ComparisonFolder(folder.resolve(level));
      if (Files.exists(comparison.comparison())) {
        reports.put(level, Report.of(comparison));
      }
    }
    return reports;
  }

  static Level level(String name, Report report, Goals goals) {
    Comparison comparison = report.comparison();
    Map<String, Map<Figure, Double>> figures = new LinkedHashMap<>();
    Map<String, List<Double>> best = new LinkedHashMap<>();
    for (Arm arm : comparison.arms()) {
      List<RunReading> runs = new ArrayList<>(report.runs());
      runs.removeIf(run -> !run.counts() || !run.arm().equals(arm.name()));
      figures.put(arm.name(), Figures.of(runs));
      if (goals != null) {
        best.put(arm.name(), runs.stream().map(run -> Figures.of(List.of(run)).get(goals.best()))
          .filter(Objects::nonNull).toList());
      }
    }
    return Level.of(name, comparison.targetPerSecond(), figures, best, goals);
  }
}
