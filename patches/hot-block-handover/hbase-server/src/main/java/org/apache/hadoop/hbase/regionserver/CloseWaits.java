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

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long the closes of a server's regions may wait in vain, all together: for a time that passes
 * once for all that wait at once, and that comes back slowly while none waits. A wait in time costs
 * nothing. Times are those of {@link System#nanoTime}. Thread-safe.
 */
@InterfaceAudience.Private
final class CloseWaits {
  /** Time without waiting that gives back one part of it. */
  private static final int PARTS = 10;

  private final long mostNanos;
  private final long createdNanos;
  @GuardedBy("this")
  private final List<Long> begun = new ArrayList<>();
  @GuardedBy("this")
  private long leftNanos;
  /** What passed until then is taken from what is left. */
  @GuardedBy("this")
  private long chargedUntil;
  @GuardedBy("this")
  private long idleSince;

  CloseWaits(long mostNanos, long nowNanos) {
    this.mostNanos = mostNanos;
    createdNanos = nowNanos;
    leftNanos = mostNanos;
  }

  /** Begins a wait. Returns how long it may be. */
  synchronized long begin(long nowNanos) {
    long now = nowNanos - createdNanos;
    if (begun.isEmpty()) {
      leftNanos = Math.min(mostNanos, leftNanos + Math.max(0, now - idleSince) / PARTS);
    }
    begun.add(now);
    return Math.max(0, leftNanos - uncharged(Collections.min(begun), now));
  }

  /**
   * Ends a wait.
   * @param begunNanos when it began
   * @param inTime     whether what it waited for was done
   */
  synchronized void end(long begunNanos, long nowNanos, boolean inTime) {
    long now = nowNanos - createdNanos;
    Long start = begunNanos - createdNanos;
    begun.remove(start);
    if (!inTime) {
      leftNanos = Math.max(0, leftNanos - uncharged(start, now));
      chargedUntil = Math.max(chargedUntil, now);
    }
    idleSince = now;
  }

  @GuardedBy("this")
  private long uncharged(long start, long now) {
    return Math.max(0, now - Math.max(chargedUntil, start));
  }
}
