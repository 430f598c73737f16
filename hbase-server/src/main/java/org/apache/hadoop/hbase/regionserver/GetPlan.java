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

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Gets of a request that its handler and helpers run in any order: each claims one at a time. A
 * helper that waits for a thread has the plan, which keeps nothing of the request once closed.
 * Thread-safe, but for what is said to be the handler's.
 */
@InterfaceAudience.Private
final class GetPlan {
  private final int size;
  private final long gatherLimit;
  private final AtomicInteger claims = new AtomicInteger();
  private final AtomicInteger submitted = new AtomicInteger();
  private final AtomicLong gatheredBytes;

  // Written by the handler, at the end when all that were claimed are done.
  private PlannedGet[] gets;
  private volatile GetRunner runner;
  private volatile int wantedHelpers;

  /**
   * @param gets          the plan's from now on
   * @param gatheredBytes bytes that the answer has already
   * @param gatherLimit   bytes from which on no more gets are served ahead
   */
  GetPlan(GetRunner runner, PlannedGet[] gets, long gatheredBytes, long gatherLimit) {
    this.runner = runner;
    this.gets = gets;
    this.gatheredBytes = new AtomicLong(gatheredBytes);
    this.gatherLimit = gatherLimit;
    size = gets.length;
  }

  int size() {
    return size;
  }

  /** Returns Null once {@link #remove removed}; for the handler. */
  PlannedGet get(int index) {
    return gets[index];
  }

  /** Forgets a get that is done; for the handler. */
  void remove(int index) {
    gets[index] = null;
  }

  /** Claims this get if it is the next; returns false if another thread has it. */
  boolean claim(int index) {
    return claims.compareAndSet(index, index + 1);
  }

  /** Claims the next get; returns null if none is left. */
  PlannedGet claimNext() {
    int claimed = claims.getAndIncrement();
    return claimed < size ? gets[claimed] : null;
  }

  /** Returns How many have been claimed; no more will be. */
  int endClaims() {
    return Math.min(claims.getAndSet(size), size);
  }

  /** Adds what a get adds to the answer. */
  void addGathered(long bytes) {
    gatheredBytes.addAndGet(bytes);
  }

  boolean isBeyondLimit() {
    return gatheredBytes.get() > gatherLimit;
  }

  /** Wants this many helpers, if it didn't want more; for the handler. */
  void wantHelpers(int count) {
    if (count > wantedHelpers) {
      wantedHelpers = count;
    }
  }

  /** Submits a helper if more are wanted, something is left to do, and the pool has room. */
  void submitHelper(MultiGetPool pool) {
    int count = submitted.get();
    boolean wanted = count < wantedHelpers && claims.get() < size;
    if (wanted && submitted.compareAndSet(count, count + 1) && !pool.submit(this)) {
      submitted.decrementAndGet();
    }
  }

  /** Returns How many helpers have been submitted to the pool. */
  int countSubmitted() {
    return submitted.get();
  }

  /** Runs gets on this thread of the pool until none is left. */
  void runOnHelper() {
    GetRunner current = runner;
    if (current != null && claims.get() < size) {
      current.runOnHelper(this);
    }
  }

  /** Nothing is left to do: a helper that still waits keeps nothing; for the handler. */
  void close() {
    runner = null;
    gets = null;
  }
}
