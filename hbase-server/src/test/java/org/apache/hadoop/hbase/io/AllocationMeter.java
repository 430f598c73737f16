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
package org.apache.hadoop.hbase.io;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Measures the bytes of heap that an operation allocates, on the thread that calls and on others
 * that work for it. Direct memory isn't counted. Not thread-safe.
 * <p>
 * Of several rounds the least counts: the compiler removes allocations as the code warms up, and
 * whatever else a thread does can only add to a round.
 */
public final class AllocationMeter {
  /** What is measured. */
  @FunctionalInterface
  public interface Operation {
    void run() throws Exception;
  }

  private static final int WARM_UP_ROUNDS = 3;
  private static final int ROUNDS = 5;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Predicate<String> otherThreads;

  /** Measures the calling thread alone. */
  public AllocationMeter() {
    this(name -> false);
  }

  /**
   * @param otherThreads tells by its name if a thread is measured, too; one that ends within a
   *                     round is left out of it
   */
  public AllocationMeter(Predicate<String> otherThreads) {
    this.otherThreads = otherThreads;
    threads.setThreadAllocatedMemoryEnabled(true);
  }

  /**
   * Runs the operation in eight rounds, of which three are for warming up.
   * @param operations how often it is run in a round, enough that the meter's own few hundred bytes
   *                   don't matter
   * @param operation  has to wait for what it hands to other threads that are measured
   * @return bytes allocated by one operation, the least of the rounds
   */
  public long bytesPerOperation(int operations, Operation operation) throws Exception {
    long least = Long.MAX_VALUE;
    for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      long bytes = measure(operations, operation);
      if (round >= WARM_UP_ROUNDS) {
        least = Math.min(least, bytes);
      }
    }
    return least / operations;
  }

  private long measure(int operations, Operation operation) throws Exception {
    Map<Long, Long> before = allocatedByOthers();
    long ownBefore = allocatedByCaller();
    for (int i = 0; i < operations; i++) {
      operation.run();
    }
    long bytes = allocatedByCaller() - ownBefore;
    for (Map.Entry<Long, Long> thread : allocatedByOthers().entrySet()) {
      bytes += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
    }
    return bytes;
  }

  private long allocatedByCaller() {
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  /** Returns Bytes allocated so far, by thread. */
  private Map<Long, Long> allocatedByOthers() {
    Map<Long, Long> bytes = new HashMap<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread != Thread.currentThread() && otherThreads.test(thread.getName())) {
        bytes.put(thread.getId(), threads.getThreadAllocatedBytes(thread.getId()));
      }
    }
    return bytes;
  }
}
