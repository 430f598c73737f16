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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long the closes of a server's regions may wait, all together: for a time that passes once for
 * all that wait at once, and that comes back slowly while none waits. Times are those of
 * {@link System#nanoTime}. Thread-safe.
 */
@InterfaceAudience.Private
final class CloseWaits {
  /** Time without waiting that gives back one part of it. */
  private static final int PARTS = 10;

  private final long mostNanos;
  private long leftNanos;
  private long lastNanos;
  private int waiting;

  CloseWaits(long mostNanos, long nowNanos) {
    this.mostNanos = mostNanos;
    leftNanos = mostNanos;
    lastNanos = nowNanos;
  }

  /** Begins a wait. Returns how long it may be. */
  synchronized long begin(long nowNanos) {
    pass(nowNanos);
    waiting++;
    return leftNanos;
  }

  synchronized void end(long nowNanos) {
    pass(nowNanos);
    waiting--;
  }

  private void pass(long nowNanos) {
    long passed = Math.max(0, nowNanos - lastNanos);
    lastNanos += passed;
    leftNanos = waiting > 0
      ? Math.max(0, leftNanos - passed)
      : Math.min(mostNanos, leftNanos + passed / PARTS);
  }
}
