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
package org.apache.hadoop.hbase.master.assignment;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Regions for which no plan was found. Each is queued again after {@link #RETRY_MS}, though regions
 * that are queued for the first time wait for less. For the thread that processes the queue alone.
 */
@InterfaceAudience.Private
final class FailedPlans<R> {
  /** The wait of the queue, and so between tries, if its key isn't set. */
  static final int RETRY_MS = 150;

  private final Queue<Failed<R>> failed = new ArrayDeque<>();

  private static final class Failed<R> {
    private final R region;
    private final long dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RETRY_MS);

    private Failed(R region) {
      this.region = region;
    }

    private long leftNanos() {
      return dueNanos - System.nanoTime();
    }
  }

  /**
   * Creates them if the queue doesn't wait long enough between tries itself.
   * @return null if it does
   */
  static <R> FailedPlans<R> create(int queueWaitMs) {
    return queueWaitMs < RETRY_MS ? new FailedPlans<>() : null;
  }

  void add(R region) {
    failed.add(new Failed<>(region));
  }

  /**
   * Adds to the queue those that are due. If the queue is empty and some are left, waits for them,
   * or until something else is added.
   * @param changed signalled when something is added, or the thread is to stop; its lock is held
   */
  void await(Collection<R> queue, Condition changed, BooleanSupplier isRunning)
    throws InterruptedException {
    addDue(queue);
    while (queue.isEmpty() && !failed.isEmpty() && isRunning.getAsBoolean()) {
      changed.awaitNanos(failed.peek().leftNanos());
      addDue(queue);
    }
  }

  private void addDue(Collection<R> queue) {
    while (!failed.isEmpty() && failed.peek().leftNanos() <= 0) {
      queue.add(failed.poll().region);
    }
  }
}
