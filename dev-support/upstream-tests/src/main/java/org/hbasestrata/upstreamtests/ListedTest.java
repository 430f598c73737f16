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
import java.util.Set;

/**
 * A line of the list of upstream's test classes.
 * @param className the class, with its package
 * @param marks     {@code core-off}, {@code core-on}: the arms that a usual build runs it in
 */
record ListedTest(String className, Set<String> marks) {
  private static final Set<String> MARKS = Set.of("core-off", "core-on");

  /** Returns whether a usual build runs it in an arm */
  boolean isCore(Arm arm) {
    return marks.contains("core-" + arm);
  }

  /** Reads a list; lines that begin with # are comments. */
  static List<ListedTest> read(Path file) throws IOException {
    List<ListedTest> tests = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        tests.add(parse(line));
      }
    }
    return tests;
  }

  private static ListedTest parse(String line) {
    List<String> words = List.of(line.trim().split("\\s+"));
    Set<String> marks = Set.copyOf(words.subList(1, words.size()));
    if (!MARKS.containsAll(marks)) {
      throw new IllegalArgumentException("\"" + line + "\" in the list of tests: behind a class "
        + "only core-off and core-on are allowed");
    }
    return new ListedTest(words.get(0), marks);
  }
}
