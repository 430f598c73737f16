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
package org.hbasestrata.upstreamtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/*
 * The table has a row for each class, with three numbers for each arm: tests, skipped and failed,
 * or nothing if the arm wasn't run. It is read before it is written, so that runs add up.
 */

/** The Markdown file with the results of all runs so far. Thread-safe. */
final class Results {
  private static final String PACKAGE = "org.apache.hadoop.hbase.";
  private static final String ALL = "all";
  private static final int NUMBERS = 3;

  private final Path file;
  private final Map<String, String[]> rows = new TreeMap<>();

  Results(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith("| `")) {
          String[] cells = line.substring(1).split("\\|");
          rows.put(cells[0].replace("`", "").strip(),
            Arrays.stream(cells).skip(1).map(String::strip).toArray(String[]::new));
        }
      }
    }
  }

  /** Adds a class in an arm, or replaces it, and writes the file. */
  synchronized void add(Arm arm, ClassReport report) throws IOException {
    String[] row = rows.computeIfAbsent(report.className().replace(PACKAGE, ""), name -> {
      String[] empty = new String[NUMBERS * Arm.values().length];
      Arrays.fill(empty, "");
      return empty;
    });
    int at = NUMBERS * arm.ordinal();
    row[at] = String.valueOf(report.tests());
    row[at + 1] = String.valueOf(report.skipped());
    row[at + 2] = String.valueOf(report.failures().size());
    Files.write(file, lines());
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("# Results of upstream's tests");
    lines.add("");
    lines.add("Written by runs with `-Drecord` ([how](../../docs/upstream-tests.md)).");
    lines.add("Failed are tests that failed twice; [may-fail](may-fail) says which of them may.");
    lines.add("");
    lines.add("| class | off: tests | skipped | failed | on: tests | skipped | failed |");
    lines.add("|---|---|---|---|---|---|---|");
    lines.add(line(ALL + " " + rows.size(), totals()));
    rows.forEach((name, cells) -> lines.add(line("`" + name + "`", cells)));
    return lines;
  }

  private String[] totals() {
    int[] sums = new int[NUMBERS * Arm.values().length];
    for (String[] row : rows.values()) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += row[i].isEmpty() ? 0 : Integer.parseInt(row[i]);
      }
    }
    return Arrays.stream(sums).mapToObj(String::valueOf).toArray(String[]::new);
  }

  private static String line(String name, String[] cells) {
    return "| " + name + " | " + String.join(" | ", cells) + " |";
  }
}
