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
package org.hbasestrata.gclab.stalls;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.Machine;
import org.hbasestrata.bench.harness.Host;
import org.hbasestrata.bench.report.Pages;

/** Writes what source D's program did: for people, for a commit, and for programs. */
final class StallFiles {
  private static final Pages PAGES = new Pages(StallFiles.class);

  private StallFiles() {
  }

  /** What the templates show. */
  record View(String command, List<Row> rows, String disk, String java, Machine machine) {
  }

  /**
   * A place; times in milliseconds, for people.
   * @param longestWork of the longest pause, what may have been the collector's work
   * @param longRest    of all pauses over 250 ms together, what wasn't
   */
  record Row(String place, int pauses, int longPauses, String longest, String longestWork,
    String longTotal, String longRest, String logKilobytes) {
  }

  /** @param command the command line, for people */
  static void write(Path folder, List<PlaceResult> results, String command, Path disk,
    int diskRate, PrintStream out) throws IOException {
    Machine machine = Host.machine(disk, null);
    View view = new View(command, results.stream().map(StallFiles::row).toList(),
      diskRate == 0 ? machine.disk()
        : "ext4 in a file on " + machine.disk() + ", held to " + diskRate + " MB/s of writes",
      System.getProperty("java.runtime.version"), machine);
    Path report = Files.createDirectories(folder.resolve("report"));
    Files.writeString(report.resolve("report.json"), ComparisonFolder.JSON.writeValueAsString(
      Map.of("rows", view.rows(), "places", results)) + '\n');
    String title = "Pauses by where the GC log is";
    Files.writeString(report.resolve("report.md"), PAGES.markdown("stalls", title, view));
    Path page = report.resolve("index.html");
    Files.writeString(page, PAGES.html("stalls", title, view, data(results)));
    out.println(page);
  }

  private static Row row(PlaceResult result) {
    List<Stop> stops = result.longStops();
    Stop longest = result.longest();
    return new Row(result.place().label(), result.stops().size(), stops.size(),
      longest == null ? "\u2013" : whole(longest.millis()),
      longest == null ? "\u2013" : whole(longest.workMillis()),
      whole(stops.stream().mapToDouble(Stop::millis).sum()),
      whole(stops.stream().mapToDouble(Stop::restMillis).sum()),
      whole(result.logBytes() / 1024.0));
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private static Map<String, Object> data(List<PlaceResult> results) {
    Map<String, List<double[]>> stops = new LinkedHashMap<>();
    results.forEach(result -> stops.put(result.place().label(), result.stops().stream()
      .map(stop -> new double[] { stop.atSeconds(), stop.millis() }).toList()));
    return Map.of("arms", List.copyOf(stops.keySet()), "charts", Map.of("pauses", stops));
  }
}
