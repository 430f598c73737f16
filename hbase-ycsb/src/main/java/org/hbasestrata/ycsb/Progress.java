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
package org.hbasestrata.ycsb;

import java.io.Console;
import java.io.PrintStream;
import java.lang.reflect.Method;

/** The line that says how far it is: rewritten on a terminal, else a new one now and then. */
final class Progress {
  private static final int LINE_SECONDS = 10;

  private final PrintStream out;
  private final boolean terminal;
  private final String label;
  private final String unit;
  private final long total;
  private final long seconds;
  private int width;
  private double lastLine;

  /**
   * @param unit    what is counted, such as rows
   * @param total   how many there will be; 0 when only time ends it
   * @param seconds how long it may take; 0 for no bound
   */
  Progress(PrintStream out, boolean terminal, String label, String unit, long total,
    long seconds) {
    this.out = out;
    this.terminal = terminal;
    this.label = label;
    this.unit = unit;
    this.total = total;
    this.seconds = seconds;
  }

  /** Whether the process has a terminal to rewrite a line on. */
  static boolean onTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // JDK 22 and later give a Console without a terminal, and this method to tell.
      Method isTerminal = Console.class.getMethod("isTerminal");
      return (Boolean) isTerminal.invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  void show(double elapsed, long done, double rate, long errors) {
    if (!terminal && elapsed - lastLine < LINE_SECONDS) {
      return;
    }
    lastLine = elapsed;
    String line = line(elapsed, done, rate, errors);
    if (terminal) {
      out.print('\r' + line + " ".repeat(Math.max(0, width - line.length())));
      out.flush();
      width = line.length();
    } else {
      out.println(line);
    }
  }

  /**
   * Says how far it is towards what will end it first: the last operation or the time.
   * @param elapsed seconds so far
   * @param rate    recent rate, per second
   */
  String line(double elapsed, long done, double rate, long errors) {
    double shareOfTotal = total > 0 ? (double) done / total : 0;
    double shareOfTime = seconds > 0 ? Math.min(1, elapsed / seconds) : 0;
    boolean timeEndsIt = seconds > 0 && shareOfTime >= shareOfTotal;
    StringBuilder line = new StringBuilder(label).append(": ").append(Units.count(done));
    if (!timeEndsIt && total > 0) {
      line.append(" of ").append(Units.count(total));
    }
    line.append(' ').append(unit);
    double left = Double.POSITIVE_INFINITY;
    if (timeEndsIt) {
      left = Math.max(0, seconds - elapsed);
      line.append(", ").append(Units.duration(seconds - left)).append(" of ")
        .append(Units.duration(seconds));
    } else if (done > 0) {
      left = (total - done) * elapsed / done;
    }
    line.append(", ").append((int) (Math.max(shareOfTime, shareOfTotal) * 100)).append(" %, ")
      .append(Units.rate(rate)).append(' ').append(unit).append("/s");
    if (!Double.isInfinite(left)) {
      line.append(", ").append(Units.duration(left)).append(" left");
    }
    if (errors > 0) {
      line.append(", ").append(Units.count(errors)).append(" failed");
    }
    return line.toString();
  }

  /** Ends the line that was being rewritten. */
  void end() {
    if (terminal && width > 0) {
      out.print('\r' + " ".repeat(width) + '\r');
      out.flush();
    }
  }
}
