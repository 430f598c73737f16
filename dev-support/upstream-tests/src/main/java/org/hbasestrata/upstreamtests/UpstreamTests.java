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
import java.time.Duration;
import java.util.List;

/*
 * What Maven calls around Surefire's runs of upstream's tests.
 *
 * `select` reads the list of classes and writes, for each arm, a file of those that Surefire shall
 * run. `judge` reads Surefire's reports, prints a table, and fails the build if a test failed that
 * isn't listed as one that may. Surefire itself is told to ignore failures, since it knows of no
 * tests that may fail.
 */

/** Entry points for the module's pom; see docs/upstream-tests.md. */
public final class UpstreamTests {
  private UpstreamTests() {
  }

  /**
   * Runs a command.
   * @param args the command and its arguments
   * @throws IllegalArgumentException if an argument isn't allowed
   * @throws IllegalStateException    if tests failed that may not
   */
  public static void main(String[] args) throws IOException {
    switch (args[0]) {
      case "select" -> select(Path.of(args[1]), Path.of(args[2]),
        new Choice(args[3], args[4], args[5], args[6]), args[7]);
      case "judge" -> judge(Path.of(args[1]), Path.of(args[2]), Boolean.parseBoolean(args[3]));
      default -> throw new IllegalArgumentException("No such command: " + args[0]);
    }
  }

  private static void select(Path list, Path folder, Choice choice, String minutes)
    throws IOException {
    Files.createDirectories(folder);
    List<ListedTest> tests = ListedTest.read(list);
    for (Arm arm : Arm.values()) {
      Files.write(arm.selection(folder), choice.of(tests, arm));
      Report.deleteAll(arm.reports(folder));
    }
    Deadline.write(folder, Duration.ofMinutes(Choice.positive("minutes", minutes)));
  }

  private static void judge(Path mayFail, Path folder, boolean stock) throws IOException {
    Verdict verdict = new Verdict(MayFail.read(mayFail), stock);
    for (Arm arm : Arm.values()) {
      List<String> selected = Files.readAllLines(arm.selection(folder));
      verdict.add(arm, selected, Report.readAll(arm.reports(folder)));
    }
    String summary = verdict.summary();
    Files.writeString(folder.resolve("summary.md"), summary);
    System.out.println(summary);
    verdict.check();
  }
}
