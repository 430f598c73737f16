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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/*
 * A line of the list is `WHERE CLASS#METHOD FAILURE`, or without #METHOD if the class fails as a
 * whole:
 *
 *   stock   fails on upstream's jars, too: may fail in both arms
 *   forced  asserts what forcing features on changes: may fail in the arm `on`
 *   mended  asserts a defect that is mended: may fail in both arms, and doesn't on upstream's jars
 *
 * FAILURE is what the first line of the failure begins with; another failure is none that may be.
 */

/** The tests that may fail, and how. Immutable. */
final class MayFail {
  private static final Pattern LINE = Pattern.compile("(stock|forced|mended)\\s+(\\S+)\\s+(\\S.*)");

  /**
   * A line of the list.
   * @param failure what the failure begins with
   */
  private record Entry(boolean inBothArms, String test, String failure) {
    boolean isFor(Arm arm, String className) {
      return (inBothArms || arm == Arm.ON) && className.equals(test.replaceFirst("#.*", ""));
    }

    boolean covers(Arm arm, ClassReport.Failure found) {
      return isFor(arm, found.className()) && test.equals(found.test())
        && found.message().startsWith(failure);
    }
  }

  private final List<Entry> entries;

  private MayFail(List<Entry> entries) {
    this.entries = entries;
  }

  static MayFail read(Path file) throws IOException {
    return parse(Files.readAllLines(file));
  }

  static MayFail parse(List<String> lines) {
    List<Entry> entries = new ArrayList<>();
    for (String line : lines) {
      if (!line.isBlank() && !line.startsWith("#")) {
        Matcher parts = LINE.matcher(line.strip());
        if (!parts.matches()) {
          throw new IllegalArgumentException("\"" + line + "\" in the list of tests that may fail "
            + "must be: stock, forced or mended, class#method, and what the failure begins with");
        }
        entries.add(new Entry(!parts.group(1).equals("forced"), parts.group(2), parts.group(3)));
      }
    }
    return new MayFail(List.copyOf(entries));
  }

  /** Returns whether a failure in an arm is one that is listed. */
  boolean covers(Arm arm, ClassReport.Failure failure) {
    return entries.stream().anyMatch(entry -> entry.covers(arm, failure));
  }

  /** Returns the tests of a class that are listed for an arm and didn't fail as listed. */
  List<String> passed(Arm arm, ClassReport report) {
    return entries.stream().filter(entry -> entry.isFor(arm, report.className()))
      .filter(entry -> report.failures().stream().noneMatch(f -> entry.covers(arm, f)))
      .map(Entry::test).distinct().toList();
  }
}
