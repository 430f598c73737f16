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

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hbasestrata.bench.harness.Host;
import org.hbasestrata.bench.report.Where;
import org.hbasestrata.tools.report.Pages;

/** Writes what source D's program did: for people, for a commit, and for programs. */
final class StallFiles {
  private static final Pages PAGES = new Pages(StallFiles.class);

  private StallFiles() {
  }

  /** What the templates show. */
  record View(List<Row> rows, Where where) {
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
    int diskRate, PrintStream out) {
    View view = new View(results.stream().map(StallFiles::row).toList(), Where.of(command,
      List.of(new Where.Fact("Busy disk", diskRate == 0 ? "as it is"
        : "ext4 in a file, held to " + diskRate + " MB/s of writes"),
        new Where.Fact("Java", System.getProperty("java.runtime.version"))),
      Host.machine(disk, null)));
    out.println(PAGES.write(folder.resolve("report"), "index.html", "stalls",
      "Pauses by where the GC log is", view, Map.of("rows", view.rows(), "places", results),
      data(results)));
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
