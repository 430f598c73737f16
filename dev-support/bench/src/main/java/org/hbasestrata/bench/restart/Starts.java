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
package org.hbasestrata.bench.restart;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.report.SummaryFiles;

/**
 * All of a {@code bench starts}.
 * @param comparison what was asked, and what it ran on
 * @param starts     of each arm, in the order in which they ran
 */
public record Starts(@JsonUnwrapped Comparison comparison, Map<String, List<Start>> starts) {

  /** Writes the report, for a commit and for programs. Returns the former. */
  public Path write(Path folder) {
    return SummaryFiles.write(folder, this, lines());
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>(List.of("# Starts of a region server", "",
      "    " + comparison.command(), ""));
    lines.addAll(List.of("Each start, in its order; CPU of a get by its steady value in brackets.",
      ""));
    if (comparison.reason() != null) {
      lines.addAll(List.of("Partial: " + comparison.reason(), ""));
    }
    lines.add(row("", starts.keySet().stream().toList()));
    lines.add("|:--" + "|:--".repeat(starts.size()) + "|");
    add(lines, "From the process's start to the first get, s", "%.1f", Start::toFirstGet);
    add(lines, "CPU until then, s", "%.1f", Start::cpuBefore);
    for (int i = 0; i < Start.WINDOWS.size(); i++) {
      int window = i;
      lines.add(row("CPU of a get in the first " + Start.WINDOWS.get(i) + " s, us",
        cells(start -> String.format(Locale.ROOT, "%.0f (%.2f)", start.cpuPerGet().get(window),
          start.factor(window)))));
    }
    add(lines, "Steady CPU of a get, us", "%.0f", Start::steadyPerGet);
    add(lines, "Until no get waits any more, s", "%.1f", Start::backlogGone);
    comparison.notes().forEach(note -> lines.addAll(List.of("", note)));
    return lines;
  }

  private void add(List<String> lines, String name, String format,
    ToDoubleFunction<Start> figure) {
    lines.add(row(name,
      cells(start -> String.format(Locale.ROOT, format, figure.applyAsDouble(start)))));
  }

  private List<String> cells(Function<Start, String> text) {
    return starts.values().stream()
      .map(all -> all.stream().map(text).collect(Collectors.joining(", "))).toList();
  }

  private static String row(String name, List<String> cells) {
    return "| " + name + " | " + String.join(" | ", cells) + " |";
  }
}
