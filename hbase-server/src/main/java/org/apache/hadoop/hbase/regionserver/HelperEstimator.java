/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.hbase.io.hfile.DeviceReadTime;
import org.apache.hadoop.hbase.regionserver.MetricsParallelMultiGet.Reason;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Estimates, from what gets of a request cost so far, how many helpers those that are left are
 * worth. Of the handler's thread, which makes it.
 */
@InterfaceAudience.Private
final class HelperEstimator {
  /** After so many gets it isn't asked any more whether those served from memory get help. */
  private static final int MOST_TIMED_FOR_MEMORY = 4;

  /** Share of its time that a thread works at least, however much a get waits for a device. */
  private static final double LEAST_WORKING = 0.05;

  private final MultiGetPool pool;
  private final long handOverNanos;
  private final DeviceReadTime deviceReadTime = DeviceReadTime.ofThread();

  // Of gets since the reset.
  private int timed;
  private long timedNanos;
  private long deviceNanos;
  private long startNanos;
  private long startDeviceNanos;

  private Reason reason = Reason.SYSTEM_TABLE;

  HelperEstimator(MultiGetPool pool) {
    this.pool = pool;
    handOverNanos = pool.getSettings().getHandOverNanos();
  }

  /** Other gets begin, which may cost less or more. */
  void reset() {
    timed = 0;
    timedNanos = 0;
    deviceNanos = 0;
  }

  /**
   * Returns How many helpers are wanted, before the handler serves a get itself. Asks the clock
   * before the first get, and decides after the first, the second, the fourth and so on, and after
   * the first that waited for a device; in between 0.
   * @param remaining gets that are left
   */
  int estimateHelpers(int remaining) {
    if (handOverNanos == 0) {
      return atMost(Long.MAX_VALUE, remaining);
    }
    if (timed == 0) {
      startNanos = System.nanoTime();
      startDeviceNanos = deviceReadTime.getNanos();
      deviceNanos = 0;
      reason = Reason.CHEAP;
      return 0;
    }
    long before = deviceNanos;
    deviceNanos = deviceReadTime.getNanos() - startDeviceNanos;
    if (Integer.bitCount(timed) != 1 && (before > 0 || deviceNanos == 0)) {
      return 0;
    }
    timedNanos = System.nanoTime() - startNanos;
    int helpers = estimateHelpersForDevice(remaining, 0);
    if (helpers == 0 && timed <= MOST_TIMED_FOR_MEMORY) {
      helpers = estimateHelpersForMemory(remaining);
    }
    if (helpers > 0) {
      reason = Reason.QUEUE_FULL;
    }
    return helpers;
  }

  /**
   * Returns How many helpers are wanted in all, now that some have been called in; 0 if no get has
   * waited for a device.
   * @param remaining gets that are left
   */
  int estimateMoreHelpers(int remaining, int submitted) {
    return handOverNanos > 0 && remaining > 1 && deviceNanos > 0
      ? estimateHelpersForDevice(remaining, submitted)
      : 0;
  }

  /** Returns How many threads the waiting for a device fills that is to be expected. */
  private int estimateHelpersForDevice(int remaining, int submitted) {
    int helpers = atMost(deviceNanos / timed * remaining / handOverNanos, remaining);
    if (helpers <= submitted) {
      return helpers;
    }
    double working = Math.max(LEAST_WORKING, 1 - (double) deviceNanos / timedNanos);
    return Math.min(helpers, submitted + pool.getSpareWaitingThreads(working));
  }

  /** Returns How many idle processors the work fills that is to be expected. */
  private int estimateHelpersForMemory(int remaining) {
    int helpers = atMost(timedNanos / timed * remaining / (2 * handOverNanos), remaining);
    if (helpers == 0) {
      reason = Reason.CHEAP;
      return 0;
    }
    helpers = Math.min(helpers, pool.getIdleCpus());
    if (helpers <= 0) {
      reason = Reason.NO_IDLE_CPU;
      return 0;
    }
    return helpers;
  }

  private int atMost(long worthwhile, int remaining) {
    return (int) Math.min(worthwhile,
      Math.min(pool.getSettings().getMaxPerRequest(), remaining - 1));
  }

  /** The handler serves a get itself. */
  void addTimed() {
    timed++;
  }

  /** A get of the plan is done. */
  void addTimed(PlannedGet get) {
    timed++;
    timedNanos += get.nanos;
    deviceNanos += get.deviceNanos;
  }

  /** There are helpers, though they may come too late. */
  void helpersSubmitted() {
    reason = Reason.LATE;
  }

  /** Returns Whether gets have waited for a device, as far as is known. */
  boolean isWaitingForDevice() {
    return deviceNanos > 0;
  }

  /** Returns Why no helper has served a get, if none has. */
  Reason getReason() {
    return reason;
  }
}
