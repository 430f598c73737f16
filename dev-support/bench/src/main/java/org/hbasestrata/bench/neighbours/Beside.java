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
package org.hbasestrata.bench.neighbours;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.hbasestrata.bench.report.YcsbResult;
import org.hbasestrata.tools.ToolException;

/**
 * Gets of a set rate beside a neighbour, once. Latencies are in microseconds, from when a get was
 * due.
 * @param answered   gets a second; those that were due and not begun at the end count as latencies
 * @param failed     gets that failed
 * @param wrong      of the whole round: rows that weren't those that were loaded
 * @param serverCpu  processors that the region server used
 * @param busy       the share of all processors that was busy, from 0 to 1
 * @param work       what the neighbour did in a second, in its unit; 0 for nothing, and without one
 */
public record Beside(String arm, String neighbour, String what, String unit, double answered,
  long p50Micros, long p99Micros, long p999Micros, long maxMicros, long failed, long wrong,
  double serverCpu, double busy, double work) {
  /** The name of no neighbour. */
  static final String NOTHING = "nothing";
  private static final double MILLIS = 1e3;

  /**
   * When it was measured, and what was read from processes.
   * @param from       milliseconds since the epoch; likewise {@code to}
   * @param cpuSeconds of the region server
   */
  public record Time(String neighbour, String what, String unit, long from, long to,
    double cpuSeconds, double busy) {
    double seconds() {
      return (to - from) / MILLIS;
    }
  }

  /** @param folder has what client and neighbour wrote */
  public static Beside of(String arm, Path folder, Time time) {
    try {
      Histogram due = new Histogram(3);
      long answered = 0;
      long failed = 0;
      try (HistogramLogReader reader =
        new HistogramLogReader(folder.resolve("ycsb.hlog").toFile())) {
        while (reader.hasNext()) {
          EncodableHistogram interval = reader.nextIntervalHistogram();
          long middle = (interval.getStartTimeStamp() + interval.getEndTimeStamp()) / 2;
          if (middle >= time.from && middle < time.to) {
            if (interval.getTag().endsWith(YcsbResult.INTENDED_SUFFIX)) {
              due.add((Histogram) interval);
            } else if (interval.getTag().endsWith(YcsbResult.FAILED_SUFFIX)) {
              failed += ((Histogram) interval).getTotalCount();
            } else {
              answered += ((Histogram) interval).getTotalCount();
            }
          }
        }
      }
      YcsbResult.Verified verified = YcsbResult.verified(folder.resolve("ycsb.json"));
      return new Beside(arm, time.neighbour, time.what, time.unit,
        answered / time.seconds(), due.getValueAtPercentile(50),
        due.getValueAtPercentile(99), due.getValueAtPercentile(99.9), due.getMaxValue(), failed,
        verified.wrong() + verified.missing(), time.cpuSeconds / time.seconds(), time.busy,
        work(folder.resolve(time.neighbour + ".samples"), time));
    } catch (IOException e) {
      throw ToolException.failed("what the clients wrote to " + folder + " can't be read: "
        + ToolException.oneLine(e), e);
    }
  }

  /** What was counted between the first and the last line of the time, for each second. */
  static double work(Path samples, Time time) throws IOException {
    if (time.neighbour.equals(NOTHING) || time.unit.isEmpty()) {
      return 0;
    }
    List<long[]> within = Files.readAllLines(samples).stream().map(line -> line.split(" "))
      // The last line may have been cut.
      .filter(words -> words.length == 2)
      .map(words -> new long[] { Long.parseLong(words[0]), Long.parseLong(words[1]) })
      .filter(sample -> sample[0] >= time.from && sample[0] <= time.to).toList();
    if (within.size() < 2) {
      return 0;
    }
    long[] first = within.get(0);
    long[] last = within.get(within.size() - 1);
    return (last[1] - first[1]) / ((last[0] - first[0]) / MILLIS);
  }
}
