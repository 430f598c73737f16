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
 * Estimates how many helpers the remaining gets of a request are worth, from the cost of the gets
 * so far. Created and used by the handler's thread.
 */
@InterfaceAudience.Private
final class HelperEstimator {
  /** After this many gets, gets that are served from memory get no more helpers. */
  private static final int MOST_TIMED_FOR_MEMORY = 4;

  /** Assumed minimum share of its time that a thread works, however long gets wait for a device. */
  private static final double LEAST_WORKING = 0.05;

  private final MultiGetPool pool;
  private final long handOverNanos;
  private final DeviceReadTime deviceReadTime = DeviceReadTime.ofThread();

  // Of the gets since the last reset.
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

  /** Forgets the costs so far, since other gets begin, which may cost less or more. */
  void reset() {
    timed = 0;
    timedNanos = 0;
    deviceNanos = 0;
  }

  /**
   * Returns the number of helpers wanted. To be called before the handler serves a get itself. It
   * starts the clock at the first get, and decides after 1, 2, 4, 8... gets, and after the first
   * one that waited for a device; otherwise it returns 0.
   * @param remaining number of gets that are left
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
   * Returns the number of helpers wanted, including those submitted; 0 if no get has waited for a
   * device.
   * @param remaining number of gets that are left
   */
  int estimateMoreHelpers(int remaining, int submitted) {
    return handOverNanos > 0 && remaining > 1 && deviceNanos > 0
      ? estimateHelpersForDevice(remaining, submitted)
      : 0;
  }

  /** Returns the number of threads that the expected waiting for a device keeps busy. */
  private int estimateHelpersForDevice(int remaining, int submitted) {
    int helpers = atMost(deviceNanos / timed * remaining / handOverNanos, remaining);
    if (helpers <= submitted) {
      return helpers;
    }
    double working = Math.max(LEAST_WORKING, 1 - (double) deviceNanos / timedNanos);
    return Math.min(helpers, submitted + pool.getSpareWaitingThreads(working));
  }

  /** Returns the number of idle processors that the expected work keeps busy. */
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

  /** Counts a get that the handler served itself. */
  void addTimed() {
    timed++;
  }

  /** Counts a get of the plan that is done. */
  void addTimed(PlannedGet get) {
    timed++;
    timedNanos += get.nanos;
    deviceNanos += get.deviceNanos;
  }

  /** Takes note that helpers have been submitted, though they may come too late. */
  void helpersSubmitted() {
    reason = Reason.LATE;
  }

  /** Returns true if gets are known to have waited for a device. */
  boolean isWaitingForDevice() {
    return deviceNanos > 0;
  }

  /** Returns the reason why no helper has served a get, if none has. */
  Reason getReason() {
    return reason;
  }
}
