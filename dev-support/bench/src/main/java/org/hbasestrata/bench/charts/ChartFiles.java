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
package org.hbasestrata.bench.charts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.report.Pages;
import org.hbasestrata.tools.report.Theme;

/** The charts of the documents, as SVG. The same list and reports make the same bytes. */
final class ChartFiles {
  private static final Pages PAGES = new Pages(ChartFiles.class);

  private ChartFiles() {
  }

  /**
   * Makes all charts, a light one and a dark one of each. Returns their text by the file's name.
   * @param list a {@link ChartList}
   */
  static Map<String, String> of(Path list) {
    Map<String, RecordedReport> reports = new HashMap<>();
    Map<String, String> files = new LinkedHashMap<>();
    ChartList.read(list).charts().forEach((name, chart) -> {
      ChartView view = ChartView.of(chart, (group, figure) -> reports
        .computeIfAbsent(group.report(),
          report -> RecordedReport.read(list.resolveSibling(report).normalize()))
        .ratio(group.arm(), group.against(), group.section(), figure.row()));
      for (Theme theme : Theme.values()) {
        files.put(name + "-" + theme.suffix() + ".svg", svg(view, theme));
      }
    });
    return files;
  }

  private static String svg(ChartView view, Theme theme) {
    try {
      return PAGES.svg("chart", Map.of("view", view, "theme", theme));
    } catch (IOException e) {
      throw ToolException.failed(ToolException.oneLine(e), e);
    }
  }

  /** Returns the files. */
  static List<Path> write(Map<String, String> charts, Path folder) {
    List<Path> files = new ArrayList<>();
    try {
      Files.createDirectories(folder);
      for (Map.Entry<String, String> chart : charts.entrySet()) {
        files.add(Files.writeString(folder.resolve(chart.getKey()), chart.getValue()));
      }
    } catch (IOException e) {
      throw ToolException.failed(folder + " can't be written: " + ToolException.oneLine(e), e);
    }
    return files;
  }
}
