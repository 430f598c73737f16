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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.hbasestrata.upstreamtests.Report.Failure;

/** Adds up the reports of all arms, and tells what failed that may not. Not thread-safe. */
final class Verdict {
  private final MayFail mayFail;
  private final boolean stock;
  private final List<String> rows = new ArrayList<>();
  private final List<String> details = new ArrayList<>();
  private int unexpected;

  /**
   * Begins with no arms.
   * @param stock whether upstream's jars were run, of which all may fail
   */
  Verdict(MayFail mayFail, boolean stock) {
    this.mayFail = mayFail;
    this.stock = stock;
  }

  /** Adds what was selected to run in an arm, and the reports of what ran. */
  void add(Arm arm, List<String> selection, List<Report> reports) {
    List<String> classes = selection.stream().filter(Choice::isClass).toList();
    if (classes.isEmpty()) {
      return;
    }
    List<Failure> failures = new ArrayList<>();
    List<Failure> flaky = new ArrayList<>();
    Set<String> missing = new HashSet<>(classes);
    for (Report report : reports) {
      missing.remove(report.className());
      failures.addAll(report.failures());
      flaky.addAll(report.flaky());
    }
    missing.stream().sorted().forEach(name -> failures.add(new Failure(name, "",
      "no report: not begun before the time was up, or ended by its time limit or a crash")));
    List<Failure> listed = failures.stream().filter(f -> mayFail.covers(arm, f)).toList();
    unexpected += failures.size() - listed.size();
    row(arm, classes.size(), reports, failures.size(), listed.size(), flaky.size());
    failures.forEach(f -> detail(arm, listed.contains(f) ? "failed, as listed" : "FAILED", f));
    flaky.forEach(f -> detail(arm, "failed once", f));
  }

  private void row(Arm arm, int classes, List<Report> reports, int failed, int listed, int flaky) {
    int tests = reports.stream().mapToInt(Report::tests).sum();
    int skipped = reports.stream().mapToInt(Report::skipped).sum();
    double minutes = reports.stream().mapToDouble(Report::seconds).sum() / 60;
    rows.add(String.format(Locale.ROOT, "| %s | %s | %d | %d | %d | %d | %d | %d | %.1f |", arm,
      stock ? "stock" : "Strata", classes, tests, skipped, failed, listed, flaky, minutes));
  }

  private void detail(Arm arm, String what, Failure failure) {
    details.add("- " + arm + ", " + what + ": " + failure.test() + " " + failure.message());
  }

  /** Returns a table with a row for each arm, and below it what failed. */
  String summary() {
    List<String> lines = new ArrayList<>();
    lines.add("| features | jars | classes | tests | skipped | failed | of these listed "
      + "| failed once | minutes |");
    lines.add("|---|---|---|---|---|---|---|---|---|");
    lines.addAll(rows);
    lines.add("");
    lines.addAll(details);
    return String.join("\n", lines);
  }

  /** Throws if tests of the patched jars failed that aren't listed. */
  void check() {
    if (unexpected > 0 && !stock) {
      throw new IllegalStateException(unexpected + " of upstream's tests failed that may not; they "
        + "are marked FAILED above. If stock fails, too (-Dstock), list them in may-fail");
    }
  }
}
