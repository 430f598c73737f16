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

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Limits the bytes per second that several threads read together. A new rate takes effect at once,
 * also for threads that wait. Thread-safe.
 */
@InterfaceAudience.Private
public final class PrefetchThrottle {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  @GuardedBy("this")
  private long bytesPerSecond;
  /** When the rate allows the next read, in terms of System.nanoTime(). */
  @GuardedBy("this")
  private long paidAt = System.nanoTime();

  /** @param bytesPerSecond 0 for no limit */
  public synchronized void setRate(long bytesPerSecond) {
    if (this.bytesPerSecond != bytesPerSecond) {
      this.bytesPerSecond = bytesPerSecond;
      paidAt = System.nanoTime();
      notifyAll();
    }
  }

  /** Waits until the rate allows a read, then lets this many bytes through. */
  public synchronized void acquire(long bytes) throws InterruptedException {
    while (bytesPerSecond > 0) {
      long wait = paidAt - System.nanoTime();
      if (wait <= 0) {
        paidAt = System.nanoTime() + (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
        return;
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.max(wait, TimeUnit.MILLISECONDS.toNanos(1)));
    }
  }
}
