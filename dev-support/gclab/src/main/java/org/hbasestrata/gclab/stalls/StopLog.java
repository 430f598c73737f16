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
package org.hbasestrata.gclab.stalls;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/*
 * A stop's length is that of its safepoint: the line of a pause tells less, since the lines behind
 * it are written in the same stop. So what is read are the lines of -Xlog:gc*,safepoint of JDK 17
 * and later: the collector's CPU time, and after it the safepoint that this was in. GCToolKit reads
 * safepoints of JDK 11 and 12 only.
 */

/** Reads stops from a GC log. */
final class StopLog {
  private static final Pattern CPU =
    Pattern.compile("User=([0-9.]+)s Sys=([0-9.]+)s Real=[0-9.]+s");
  private static final Pattern SAFEPOINT =
    Pattern.compile("\\[([0-9.]+)s].*Safepoint \"[^\"]*\",.* Total: +(\\d+) ns");
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  private StopLog() {
  }

  static List<Stop> read(List<String> lines) {
    List<Stop> stops = new ArrayList<>();
    double cpuMillis = 0;
    for (String line : lines) {
      Matcher cpu = CPU.matcher(line);
      Matcher safepoint = SAFEPOINT.matcher(line);
      if (cpu.find()) {
        cpuMillis += (Double.parseDouble(cpu.group(1)) + Double.parseDouble(cpu.group(2)))
          * MILLIS_PER_SECOND;
      } else if (safepoint.find()) {
        double millis = Long.parseLong(safepoint.group(2)) / NANOS_PER_MILLI;
        // It is logged when it has ended.
        stops.add(new Stop(Double.parseDouble(safepoint.group(1)) - millis / MILLIS_PER_SECOND,
          millis, cpuMillis));
        cpuMillis = 0;
      }
    }
    return stops;
  }
}
