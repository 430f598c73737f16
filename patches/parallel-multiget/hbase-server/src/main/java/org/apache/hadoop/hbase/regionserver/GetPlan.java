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
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Gets of a request that its handler and helpers serve in any order: each thread claims one at a
 * time. A helper in the queue refers to its plan, so a closed plan doesn't refer to the request.
 * Thread-safe, except for methods for the handler.
 */
@InterfaceAudience.Private
final class GetPlan {
  private final int size;
  private final long gatherLimit;
  private final AtomicInteger claims = new AtomicInteger();
  private final AtomicInteger submitted = new AtomicInteger();
  private final AtomicLong gatheredBytes;

  // Written by the handler: at the end, when all claimed gets are done.
  private PlannedGet[] gets;
  private volatile Consumer<GetPlan> runner;
  private volatile int wantedHelpers;

  /**
   * Creates a plan.
   * @param runner        serves gets on a thread of the pool until none is left
   * @param gets          owned by the plan from now on
   * @param gatheredBytes bytes that the response has already
   * @param gatherLimit   bytes beyond which no more gets are served ahead
   */
  GetPlan(Consumer<GetPlan> runner, PlannedGet[] gets, long gatheredBytes, long gatherLimit) {
    this.runner = runner;
    this.gets = gets;
    this.gatheredBytes = new AtomicLong(gatheredBytes);
    this.gatherLimit = gatherLimit;
    size = gets.length;
  }

  int size() {
    return size;
  }

  /** Returns a get, or null once it is {@link #remove removed}. For the handler. */
  PlannedGet get(int index) {
    return gets[index];
  }

  /** Forgets a get that is done. For the handler. */
  void remove(int index) {
    gets[index] = null;
  }

  /** Claims this get if it is the next one. Returns false if another thread has claimed it. */
  boolean claim(int index) {
    return claims.compareAndSet(index, index + 1);
  }

  /** Claims the next get. Returns null if none is left. */
  PlannedGet claimNext() {
    int claimed = claims.getAndIncrement();
    return claimed < size ? gets[claimed] : null;
  }

  /** Ends claiming, and returns the number of gets that have been claimed. */
  int endClaims() {
    return Math.min(claims.getAndSet(size), size);
  }

  /** Adds the bytes that a get adds to the response. */
  void addGathered(long bytes) {
    gatheredBytes.addAndGet(bytes);
  }

  boolean isBeyondLimit() {
    return gatheredBytes.get() > gatherLimit;
  }

  /** Raises the number of helpers wanted to this, if it is lower. For the handler. */
  void wantHelpers(int count) {
    if (count > wantedHelpers) {
      wantedHelpers = count;
    }
  }

  /**
   * Submits a helper if more are wanted, gets are left, and the pool has room.
   * @param pool takes a helper of the plan; false if it has no room
   */
  void submitHelper(Predicate<GetPlan> pool) {
    int count = submitted.get();
    boolean wanted = count < wantedHelpers && claims.get() < size;
    if (wanted && submitted.compareAndSet(count, count + 1) && !pool.test(this)) {
      submitted.decrementAndGet();
    }
  }

  /** Returns the number of helpers that have been submitted to the pool. */
  int countSubmitted() {
    return submitted.get();
  }

  /** Serves gets on this thread of the pool until none is left. */
  void runOnHelper() {
    Consumer<GetPlan> current = runner;
    if (current != null && claims.get() < size) {
      current.accept(this);
    }
  }

  /** Closes the plan when no get is left, so that queued helpers keep nothing. For the handler. */
  void close() {
    runner = null;
    gets = null;
  }
}
