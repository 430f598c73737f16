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
package org.hbasestrata.faults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.tools.report.Pages;

/** Writes the reports of a run: report.html and report.md for people, report.json for programs. */
final class FaultsReport {
  private static final Pages PAGES = new Pages(FaultsReport.class);
  private static final List<String> COLUMNS =
    List.of("injected", "survived", "operations", "wrong", "lost", "errors");

  private FaultsReport() {
  }

  /**
   * Writes the reports.
   * @param about  one line that describes the run
   * @param notRun number of faults without an outcome, if the run was interrupted
   */
  static void write(Path folder, List<Outcome> outcomes, int notRun, String about) {
    List<Map<String, Object>> charts = new ArrayList<>();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("passed", passed(outcomes, notRun));
    all.put("skippedFaults", outcomes.stream().filter(outcome -> outcome.skipped() != null)
      .map(Outcome::name).toList());
    all.put("about", about);
    all.put("faults", outcomes.stream().map(outcome -> view(outcome, charts)).toList());
    String heading = heading(outcomes, notRun);
    PAGES.write(folder, "report.html", "report", heading, all, all, data(charts));
  }

  private static long failed(List<Outcome> outcomes) {
    return outcomes.stream().filter(outcome -> outcome.verdict().equals(Outcome.FAILED)).count();
  }

  /** Returns true if a fault passed, and all others were run and passed or were skipped. */
  static boolean passed(List<Outcome> outcomes, int notRun) {
    return outcomes.stream().anyMatch(Outcome::passed) && failed(outcomes) == 0 && notRun == 0;
  }

  static String heading(List<Outcome> outcomes, int notRun) {
    long failed = failed(outcomes);
    long passed = outcomes.stream().filter(Outcome::passed).count();
    long skipped = outcomes.size() - passed - failed;
    if (failed + skipped + notRun == 0) {
      return "Faults: all " + passed + " survived, nothing lost";
    }
    return "Faults: " + passed + " passed"
      + (failed > 0 ? ", " + failed + " " + Outcome.FAILED : "")
      + (skipped > 0 ? ", " + skipped + " skipped" : "")
      + (notRun > 0 ? ", " + notRun + " not run" : "");
  }

  /** Returns the data of the page's charts. */
  private static Map<String, Object> data(List<Map<String, Object>> charts) {
    return Map.of("arms", charts.stream().flatMap(
      chart -> ((Map<?, ?>) chart.get("arms")).keySet().stream()).distinct().toList(), "charts",
      Map.of("lines", charts));
  }

  private static Map<String, Object> view(Outcome outcome,
    List<Map<String, Object>> charts) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", outcome.name());
    view.put("about", outcome.about());
    view.put("verdict", outcome.verdict());
    view.put("skipped", outcome.skipped());
    view.put("seconds", Math.round(outcome.seconds()));
    view.put("counts", outcome.counts());
    Map<String, Object> more = new LinkedHashMap<>(outcome.counts());
    more.keySet().removeAll(COLUMNS);
    view.put("more", more.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList());
    if (!outcome.rows().isEmpty()) {
      view.put("parts", Map.of("columns", outcome.columns(), "rows",
        outcome.rows().stream().map(row -> Map.of("cells", row)).toList()));
    }
    List<Map<String, Object>> own = new ArrayList<>();
    for (Outcome.Chart chart : outcome.charts()) {
      Map<String, Object> drawn = Map.of("title", chart.title(), "unit", chart.unit(), "arms",
        chart.lines(), "index", charts.size());
      charts.add(drawn);
      own.add(drawn);
    }
    view.put("charts", own);
    view.put("failures", outcome.failures());
    view.put("notes", outcome.notes());
    view.put("log", outcome.lines());
    return view;
  }
}
