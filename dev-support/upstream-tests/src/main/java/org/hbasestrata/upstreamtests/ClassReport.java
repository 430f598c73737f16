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
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of a class.
 * @param className the class
 * @param tests     how many of its tests were run
 * @param skipped   how many of these didn't want to
 * @param seconds   how long it took
 * @param failures  tests that failed, and failed again in another JVM
 * @param flaky     failures that weren't seen again
 */
public record ClassReport(String className, int tests, int skipped, long seconds,
  List<Failure> failures, List<Failure> flaky) {

  /**
   * A test that failed.
   * @param className its class
   * @param method    its method without parameters; empty if the class failed as a whole
   * @param message   the first line of the failure, and where in Hadoop's or our classes it is from
   */
  public record Failure(String className, String method, String message) {
    /** Returns the test as lists have it. */
    String test() {
      return method.isEmpty() ? className : className + "#" + method;
    }
  }

  /** Returns the report of a class that couldn't tell. */
  static ClassReport ofNone(String className, String message, long seconds) {
    return new ClassReport(className, 0, 0, seconds, List.of(new Failure(className, "", message)),
      List.of());
  }

  /** Returns this report of a second run, with failures that the first alone had as flaky. */
  ClassReport after(ClassReport first) {
    List<Failure> flaky = first.failures.stream().filter(f -> !failures.contains(f)).toList();
    return new ClassReport(className, tests, skipped, seconds, failures, flaky);
  }

  /**
   * Writes a report of a first run: what a test's JVM tells the one that started it. The file is
   * there when it is whole.
   */
  public void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(tests + "\t" + skipped + "\t" + seconds);
    failures.forEach(f -> lines.add(f.method() + "\t" + f.message()));
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.write(part, lines);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  static ClassReport read(Path file, String className) throws IOException {
    List<String> lines = Files.readAllLines(file);
    String[] numbers = lines.get(0).split("\t");
    List<Failure> failures = lines.stream().skip(1).map(line -> line.split("\t", 2))
      .map(parts -> new Failure(className, parts[0], parts[1])).toList();
    return new ClassReport(className, Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]),
      Long.parseLong(numbers[2]), failures, List.of());
  }
}
