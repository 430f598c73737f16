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
package org.hbasestrata.bench.neighbours;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.report.SummaryFiles;

/**
 * All of a {@code bench neighbours}.
 * @param comparison what was asked, and what it ran on
 * @param results    in the order in which they were measured
 */
public record Neighbours(@JsonUnwrapped Comparison comparison, List<Beside> results) {
  private static final double MILLI = 1e3;

  /** Writes the report, for a commit and for programs. Returns the former. */
  public Path write(Path folder) {
    return SummaryFiles.write(folder, this, lines());
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>(List.of("# Gets beside neighbours", "",
      "    " + comparison.command(), "",
      "Medians of the rounds. Latencies are in ms, from when a get was due; in brackets by those"
        + " beside nothing."));
    if (comparison.reason() != null) {
      lines.addAll(List.of("", "Partial: " + comparison.reason()));
    }
    lines.addAll(List.of("",
      "| beside | arm | gets/s | P50 | P99 | P999 | longest | server's CPUs | busy |"
        + " its own work |",
      "|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|"));
    for (String neighbour : results.stream().map(Beside::neighbour).distinct().toList()) {
      for (Arm arm : comparison.arms()) {
        List<Beside> rounds = of(neighbour, arm.name());
        if (!rounds.isEmpty()) {
          lines.add(row(rounds, of(Beside.NOTHING, arm.name())));
        }
      }
    }
    long wrong = results.stream().mapToLong(Beside::wrong).max().orElse(0);
    long failed = results.stream().mapToLong(Beside::failed).sum();
    lines.addAll(List.of("", "Rows that weren't those that were loaded: " + wrong
      + ". Gets that failed: " + failed + "."));
    comparison.notes().forEach(note -> lines.addAll(List.of("", note)));
    return lines;
  }

  private List<Beside> of(String neighbour, String arm) {
    return results.stream()
      .filter(result -> result.neighbour().equals(neighbour) && result.arm().equals(arm)).toList();
  }

  private static String row(List<Beside> rounds, List<Beside> alone) {
    Beside first = rounds.get(0);
    double work = median(rounds, Beside::work);
    return List.of(first.what(), first.arm(), format("%,.0f", median(rounds, Beside::answered)),
      latency(rounds, alone, Beside::p50Micros), latency(rounds, alone, Beside::p99Micros),
      latency(rounds, alone, Beside::p999Micros), latency(rounds, alone, Beside::maxMicros),
      format("%.2f", median(rounds, Beside::serverCpu)),
      format("%.0f %%", median(rounds, Beside::busy) * 100),
      first.unit().isEmpty() ? "" : format(work < 10 ? "%.2f" : "%,.0f", work) + " "
        + first.unit() + "/s")
      .stream().collect(Collectors.joining(" | ", "| ", " |"));
  }

  private static String latency(List<Beside> rounds, List<Beside> alone,
    ToDoubleFunction<Beside> figure) {
    double micros = median(rounds, figure);
    String text = format("%.2f", micros / MILLI);
    return alone.isEmpty() || alone.equals(rounds)
      ? text
      : text + format(" (%.1f)", micros / median(alone, figure));
  }

  static double median(List<Beside> rounds, ToDoubleFunction<Beside> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static String format(String format, double number) {
    return String.format(Locale.ROOT, format, number);
  }
}
