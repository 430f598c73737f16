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
package org.hbasestrata.bench.harness;

import java.io.PrintWriter;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Says what is being done, and how long all of it will take yet. Thread-safe. */
final class Progress {
  private static final DateTimeFormatter TIME =
    DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

  private final PrintWriter out;
  private final int runs;
  private final double expectedRunSeconds;
  private int done;
  private double doneSeconds;
  private long runStart;
  private String run = "";

  /** @param expectedRunSeconds a guess at the time for a run, until one is done */
  Progress(PrintWriter out, int runs, double expectedRunSeconds) {
    this.out = out;
    this.runs = runs;
    this.expectedRunSeconds = expectedRunSeconds;
  }

  synchronized void beginRun(String name) {
    run = name + ": ";
    runStart = System.nanoTime();
  }

  synchronized void endRun() {
    done++;
    doneSeconds += secondsOfRun();
    run = "";
  }

  private double secondsOfRun() {
    return (System.nanoTime() - runStart) / 1e9;
  }

  synchronized void stage(String what) {
    double perRun = done == 0 ? expectedRunSeconds : doneSeconds / done;
    double left = perRun * (runs - done);
    if (!run.isEmpty()) {
      left -= Math.min(perRun, secondsOfRun());
    }
    out.println(LocalTime.now().format(TIME) + ' ' + run + what + " (about " + duration(left)
      + " left)");
  }

  /** No more runs will be: what is done now is the end. */
  synchronized void end(String what) {
    out.println(LocalTime.now().format(TIME) + ' ' + what);
  }

  /** A line of a stage. */
  synchronized void detail(String line) {
    out.println("         " + line);
  }

  static String duration(double seconds) {
    long rounded = Math.max(1, Math.round(seconds));
    return rounded < 120 ? rounded + " s" : Math.round(rounded / 60.0) + " min";
  }
}
