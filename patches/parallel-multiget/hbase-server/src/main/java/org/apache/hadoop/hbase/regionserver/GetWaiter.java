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

import java.util.concurrent.locks.LockSupport;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Lets a handler wait for a get that a helper has begun. {@link #await} is for one thread at a
 * time, {@link #done} for any thread.
 */
@InterfaceAudience.Private
final class GetWaiter {
  /** How long to spin before sleeping: gets served from memory are done within this time. */
  private static final long SPIN_NANOS = 20_000;

  private volatile PlannedGet awaited;
  private volatile Thread waiter;

  /**
   * Waits until the get is done. An interrupt is kept for the next get, as it is without waiting.
   * @param spin whether the get is likely to be done sooner than this thread could wake up
   */
  void await(PlannedGet get, boolean spin) {
    if (spin) {
      long end = System.nanoTime() + SPIN_NANOS;
      while (!get.isDone() && System.nanoTime() < end) {
        // Looks again.
      }
    }
    if (get.isDone()) {
      return;
    }
    boolean interrupted = false;
    waiter = Thread.currentThread();
    awaited = get;
    while (!get.isDone()) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    awaited = null;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Marks the get, which the calling thread has run, as done, and wakes the waiting thread. */
  void done(PlannedGet get) {
    get.setDone();
    if (awaited == get) {
      LockSupport.unpark(waiter);
    }
  }
}
