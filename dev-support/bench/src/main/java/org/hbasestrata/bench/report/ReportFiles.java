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
package org.hbasestrata.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.report.Pages;

/** Writes a report: for people, for a commit, and for programs. */
final class ReportFiles {
  static final String PAGE = "index.html";
  static final String TEXT = "report.md";
  static final String DATA = "report.json";
  static final String ALLOCATION_PAGE = "allocation.html";
  static final String ALLOCATION_TEXT = "allocation.md";

  private static final Pages PAGES = new Pages(ReportFiles.class);

  private ReportFiles() {
  }

  /** Makes the comparison's folder for it if that isn't there. */
  static void write(Report report, ComparisonFolder comparison) {
    View view = View.of(report);
    Path folder = comparison.report();
    List<String> arms = report.comparison().arms().stream().map(Arm::name).toList();
    Map<String, Object> data = Map.of("arms", arms, "charts", report.charts());
    PAGES.write(folder, PAGE, "report", view.title(), view, ReportJson.of(report), data);
    PAGES.writePage(folder, ALLOCATION_TEXT, ALLOCATION_PAGE, "allocation",
      "Allocation: " + view.title(), view, data);
    try {
      for (RunReading run : report.runs()) {
        if (run.allocations() != null) {
          FlameGraph.write(comparison.run(run.round(), run.arm()).resolve("server.jfr"), run,
            folder);
        }
      }
    } catch (IOException e) {
      throw ToolException.failed(folder + " can't be written: " + ToolException.oneLine(e), e);
    }
  }
}
