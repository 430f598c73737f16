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
package org.apache.hadoop.hbase.io.hfile;

import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Limits how long L1's writers wait for room in L2's queue, so that a slow L2 doesn't stall L1.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class DemotionBackOff {
  private static final long TIMEOUT_MS = 100;
  /** How long nobody waits after a wait has timed out. */
  private static final long NO_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** In terms of System.nanoTime(). */
  private volatile long waitAgainAt = System.nanoTime();

  /** Returns how long to wait, in milliseconds; 0 to not wait. */
  long timeoutMs() {
    return System.nanoTime() - waitAgainAt >= 0 ? TIMEOUT_MS : 0;
  }

  /** Takes note that a wait of this many milliseconds was in vain. */
  void timedOut(long timeoutMs) {
    if (timeoutMs > 0) {
      waitAgainAt = System.nanoTime() + NO_WAIT_NANOS;
    }
  }
}
