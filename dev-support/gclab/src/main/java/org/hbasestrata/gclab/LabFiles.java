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

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.report.Report;
import org.hbasestrata.bench.report.ReportCommand;
import org.hbasestrata.tools.report.Pages;

/** Writes the report of {@code gclab presets}: for people, for a commit, and for programs. */
final class LabFiles {
  private static final Pages PAGES = new Pages(LabFiles.class);

  private LabFiles() {
  }

  /** Of what is there, complete or not; {@code out} is told who won, and where the report is. */
  static void write(Path folder, PrintWriter out) {
    Lab lab = Lab.read(folder);
    Goals goals = Lab.goals(folder);
    Map<String, Report> reports = lab.reports(folder);
    if (reports.isEmpty()) {
      return;
    }
    List<Level> levels = new ArrayList<>();
    reports.forEach((name, report) -> {
      levels.add(Lab.level(name, report, goals));
      ReportCommand.make(new ComparisonFolder(folder.resolve(name)),
        new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()));
    });
    LabView view = LabView.of(levels, reports);
    Path page = PAGES.write(folder.resolve("report"), "index.html", "presets", view.title(), view,
      Map.of("levels", levels), data(reports));
    view.levels().forEach(level -> out.println(level.name() + ": " + level.verdict()));
    out.println(page);
  }

  private static Map<String, Object> data(Map<String, Report> reports) {
    Map<String, Object> levels = new LinkedHashMap<>();
    reports.forEach((name, report) -> levels.put(name, report.charts()));
    return Map.of("arms", reports.values().iterator().next().comparison().arms().stream()
      .map(Arm::name).toList(), "levels", levels);
  }
}
