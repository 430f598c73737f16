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
package org.hbasestrata.faults;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What became of a fault. Not thread-safe. */
final class Outcome {
  static final String FAILED = "FAILED";

  private final String name;
  private final String about;
  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private List<String> columns = List.of();
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Chart> charts = new ArrayList<>();
  private String skipped;
  private double seconds;

  Outcome(String name, String about) {
    this.name = name;
    this.about = about;
    for (String count : new String[] { "injected", "survived", "operations", "wrong", "lost",
      "errors" }) {
      counts.put(count, 0L);
    }
  }

  String name() {
    return name;
  }

  String about() {
    return about;
  }

  /** Adds to a count: injected, survived, operations, wrong, lost, errors or another. */
  void count(String what, long more) {
    counts.merge(what, more, Long::sum);
  }

  long count(String what) {
    return counts.getOrDefault(what, 0L);
  }

  Map<String, Long> counts() {
    return counts;
  }

  /** A line of the server's log that tells of it. */
  void logged(String line) {
    lines.add(line);
  }

  List<String> lines() {
    return lines;
  }

  void note(String text) {
    notes.add(text);
  }

  List<String> notes() {
    return notes;
  }

  /** The heads of a table of its parts. */
  void columns(List<String> heads) {
    columns = heads;
  }

  List<String> columns() {
    return columns;
  }

  /** A part of it, a cell for each column. */
  void row(List<String> cells) {
    rows.add(cells);
  }

  List<List<String>> rows() {
    return rows;
  }

  /**
   * Values over time.
   * @param unit  bytes, or empty for mere numbers
   * @param lines points of seconds and values, by what they are of
   */
  record Chart(String title, String unit, Map<String, List<double[]>> lines) {
  }

  void chart(Chart chart) {
    charts.add(chart);
  }

  List<Chart> charts() {
    return charts;
  }

  void fail(String text) {
    failures.add(text);
  }

  /** Fails unless it is so. */
  void expect(boolean so, String otherwise) {
    if (!so) {
      fail(otherwise);
    }
  }

  List<String> failures() {
    return failures;
  }

  void skip(String reason) {
    skipped = reason;
  }

  String skipped() {
    return skipped;
  }

  void took(double time) {
    seconds = time;
  }

  double seconds() {
    return seconds;
  }

  /** When it is over: what was counted is judged. */
  void judge() {
    expect(count("wrong") == 0, count("wrong") + " wrong rows");
    expect(count("lost") == 0, count("lost") + " lost writes or missing rows");
    expect(count("twice") == 0, count("twice") + " writes were done twice");
    expect(count("errors") == 0, count("errors") + " operations of clients failed");
    if (failures.isEmpty() && count("survived") == 0) {
      count("survived", count("injected"));
    }
  }

  boolean passed() {
    return skipped == null && failures.isEmpty();
  }

  String verdict() {
    return skipped != null ? "skipped" : passed() ? "passed" : FAILED;
  }
}
