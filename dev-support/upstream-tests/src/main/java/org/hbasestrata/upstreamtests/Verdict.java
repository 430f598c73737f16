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
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hbasestrata.upstreamtests.ClassReport.Failure;

/** Adds up the reports of all arms, and tells what failed that may not. Thread-safe. */
final class Verdict {
  /** What is said of an arm. */
  private static final class Sums {
    private int classes;
    private int tests;
    private int skipped;
    private int failed;
    private int listed;
    private int flaky;
    private long seconds;
  }

  private final MayFail mayFail;
  private final boolean stock;
  private final Map<Arm, Sums> arms = new EnumMap<>(Arm.class);
  private final List<String> details = new ArrayList<>();

  /**
   * Begins with no arms.
   * @param stock whether upstream's jars are run, of which all may fail
   */
  Verdict(MayFail mayFail, boolean stock) {
    this.mayFail = mayFail;
    this.stock = stock;
  }

  /** Returns whether a class has a failure that isn't listed. */
  boolean isUnexpected(Arm arm, ClassReport report) {
    return report.failures().stream().anyMatch(f -> !mayFail.covers(arm, f));
  }

  /** Adds the report of a class. */
  synchronized void add(Arm arm, ClassReport report) {
    Sums sums = arms.computeIfAbsent(arm, a -> new Sums());
    sums.classes++;
    sums.tests += report.tests();
    sums.skipped += report.skipped();
    sums.seconds += report.seconds();
    for (Failure failure : report.failures()) {
      boolean isListed = mayFail.covers(arm, failure);
      sums.failed++;
      sums.listed += isListed ? 1 : 0;
      detail(arm, isListed ? "failed, as listed" : "FAILED", failure);
    }
    for (Failure failure : report.flaky()) {
      sums.flaky++;
      detail(arm, "failed once", failure);
    }
    mayFail.passed(arm, report)
      .forEach(test -> details.add("- " + arm + ", in may-fail, but not failed so: " + test));
  }

  private void detail(Arm arm, String what, Failure failure) {
    details.add("- " + arm + ", " + what + ": " + failure.test() + " " + failure.message());
  }

  /** Returns a table with a row for each arm, and below it what failed. */
  synchronized String summary() {
    List<String> lines = new ArrayList<>();
    lines.add("| features | jars | classes | tests | skipped | failed | of these listed "
      + "| failed once | minutes |");
    lines.add("|---|---|---|---|---|---|---|---|---|");
    arms.forEach((arm, sums) -> lines.add(String.format(Locale.ROOT,
      "| %s | %s | %d | %d | %d | %d | %d | %d | %.1f |", arm, stock ? "stock" : "Strata",
      sums.classes, sums.tests, sums.skipped, sums.failed, sums.listed, sums.flaky,
      sums.seconds / 60.0)));
    lines.add("");
    lines.addAll(details);
    return String.join("\n", lines);
  }

  /** Throws if tests of the patched jars failed that aren't listed. */
  synchronized void check() {
    int unexpected = arms.values().stream().mapToInt(sums -> sums.failed - sums.listed).sum();
    if (unexpected > 0 && !stock) {
      throw new IllegalStateException(unexpected + " of upstream's tests failed that may not; they "
        + "are marked FAILED above. If stock fails, too (-Dstock), list them in may-fail");
    }
  }
}
