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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.Run;
import org.hbasestrata.bench.State;
import org.hbasestrata.tools.ToolException;

/**
 * All that a run left, read.
 * @param round       the round, from 1
 * @param arm         the arm's name
 * @param run         null when the run left no run.json
 * @param ycsb        what the client measured; null in a run that doesn't count
 * @param window      the measured part; null in a run that doesn't count
 * @param pauses      pauses within the window in order of time; null when not known
 * @param safepoints  safepoints within the window in milliseconds; null when not known
 * @param allocations bytes by path and site within the window; null when not known
 * @param flags       the JVM's flags, text; null when not known
 * @param figures     the figures; empty in a run that doesn't count
 * @param reason      why it doesn't count, one line; null when it does
 * @param notes       what is missing or was had in another way
 */
public record RunReading(int round, String arm, Run run, YcsbResult ycsb, Window window,
  List<Pause> pauses, List<Double> safepoints, Map<Recording.Allocation, Double> allocations,
  String flags, Map<Metric, Double> figures, String reason, List<String> notes) {

  /** Of the pause time that JFR saw, how much the GC log must show to be believed. */
  private static final double ENOUGH_OF_PAUSES = 0.95;

  static RunReading read(ComparisonFolder folder, int round, String arm) {
    Run run = folder.readRun(round, arm);
    if (run == null) {
      return uncounted(round, arm, null, "did not run");
    }
    if (run.state() != State.COMPLETE) {
      return uncounted(round, arm, run, run.reason() == null ? "did not end" : run.reason());
    }
    Path files = folder.run(round, arm);
    try {
      return counted(run, YcsbResult.read(files.resolve("ycsb.json")), files);
    } catch (IOException e) {
      return uncounted(round, arm, run, e.getMessage());
    }
  }

  private static RunReading uncounted(int round, String arm, Run run, String reason) {
    return new RunReading(round, arm, run, null, null, null, null, null, null, Map.of(), reason,
      run == null ? List.of() : run.notes());
  }

  private static RunReading counted(Run run, YcsbResult ycsb, Path files) {
    List<String> notes = new ArrayList<>(run.notes());
    Window window = new Window(
      run.measuredStart() == null ? ycsb.window().start() : run.measuredStart(),
      run.measuredEnd() == null ? ycsb.window().end() : run.measuredEnd());
    Recording recording = Recording.read(files.resolve("server.jfr"), window);
    List<Pause> pauses = pauses(GcLog.read(files.resolve("gc.log")), recording, window, notes);
    if (recording.problem() != null) {
      notes.add("no safepoints and no allocation by site: " + recording.problem());
    } else {
      if (recording.safepoints() == null) {
        notes.add("no safepoints: none in server.jfr");
      }
      if (recording.allocations() == null) {
        notes.add("no allocation by site: no samples in server.jfr");
      }
    }
    if (ycsb.failed() > 0) {
      notes.add(ycsb.failed() + " operations failed");
    }
    if (ycsb.scannedMeanwhile()) {
      notes.add("figures per operation hold what the scan of the whole table took too, which is no"
        + " operation itself");
    }
    if (ycsb.cutShort()) {
      notes.add("the client was interrupted, or gave operations up");
    }
    Map<Metric, Double> figures = Figures.of(run, ycsb, window, pauses, recording, notes);
    return new RunReading(run.round(), run.arm(), run, ycsb, window, pauses,
      recording.safepoints(), recording.allocations(), text(files.resolve("flags.txt")), figures,
      null, notes);
  }

  /** Null when not known. */
  static List<Pause> pauses(GcLog.Reading log, Recording recording, Window window,
    List<String> notes) {
    List<Pause> logged = within(window, log.pauses());
    List<Pause> recorded = within(window, recording.pauses());
    if (log.problem() == null && millis(logged) >= ENOUGH_OF_PAUSES * millis(recorded)) {
      return logged;
    }
    if (recording.pauses().isEmpty()) {
      notes.add("no GC pauses: " + log.problem() + ", and none are in server.jfr");
      return null;
    }
    notes.add("GC pauses are from server.jfr: " + (log.problem() == null
      ? "GCToolKit found only part of their time in gc.log" : log.problem()));
    return recorded;
  }

  private static List<Pause> within(Window window, List<Pause> pauses) {
    return pauses.stream().filter(pause -> window.holds(pause.start())).toList();
  }

  private static double millis(List<Pause> pauses) {
    return pauses.stream().mapToDouble(Pause::millis).sum();
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file).strip() : null;
    } catch (IOException e) {
      throw ToolException.failed(file + " can't be read: " + ToolException.oneLine(e), e);
    }
  }

  public boolean counts() {
    return reason == null;
  }
}
