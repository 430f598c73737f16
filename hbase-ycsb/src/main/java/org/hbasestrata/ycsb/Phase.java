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

import java.util.List;
import java.util.Map;

/**
 * What a load, a run or a reading back did.
 * @param name        load, run or verify
 * @param startMillis when it began, since the epoch
 * @param seconds     how long it took
 * @param operations  operations done, failed ones too; in load and verify: rows
 * @param latencies   sampled up to the end
 * @param perSecond   what happened second by second
 * @param interrupted whether Ctrl-C ended it before its time
 * @param timedOut    whether the time set for it ended it
 * @param unfinished  whether operations still ran when it was given up
 */
record Phase(String name, long startMillis, double seconds, long operations, Latencies latencies,
  List<Second> perSecond, boolean interrupted, boolean timedOut, boolean unfinished) {

  /**
   * About a second.
   * @param seconds    the time since the start at which it ended
   * @param operations operations done in it, failed ones too; in load and verify: rows
   * @param series     per series its count and latencies
   */
  record Second(double seconds, long operations, Map<String, Interval> series) {
  }

  /** A series in one second. */
  record Interval(long count, double meanMicros, long p50Micros, long p99Micros, long maxMicros) {
  }

  double operationsPerSecond() {
    return operations / seconds;
  }

  boolean succeeded() {
    return latencies.failures() == 0 && !unfinished;
  }
}
