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

import static org.junit.Assert.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the heap bytes that an operation allocates, on the calling thread and on others that
 * work for it. Direct memory isn't counted. Not thread-safe.
 * <p>
 * The round with the least bytes counts: the compiler removes allocations as the code warms up, and
 * anything else that a thread does can only add to a round.
 */
public final class AllocationMeter {
  /** The operation to measure. */
  @FunctionalInterface
  public interface Operation {
    void run() throws Exception;
  }

  private static final Logger LOG = LoggerFactory.getLogger(AllocationMeter.class);
  private static final int WARM_UP_ROUNDS = 3;
  private static final int ROUNDS = 5;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Predicate<String> otherThreads;

  /** Measures only the calling thread. */
  public AllocationMeter() {
    this(name -> false);
  }

  /**
   * Measures other threads, too.
   * @param otherThreads tells by its name whether a thread is measured; a thread that ends within a
   *                     round isn't measured in it
   */
  public AllocationMeter(Predicate<String> otherThreads) {
    this.otherThreads = otherThreads;
    threads.setThreadAllocatedMemoryEnabled(true);
  }

  /**
   * Fails if an operation allocates more than it may, or if it would pass without pooling.
   * @param bytes    bytes of an operation with pooling
   * @param bound    bytes that the operation may allocate
   * @param unpooled bytes of an operation without pooling
   */
  public static void assertPooled(String path, long bytes, long bound, long unpooled) {
    LOG.info("{}: {} bytes, {} without pooling", path, bytes, unpooled);
    assertTrue(path + " allocates " + bytes + " bytes, which may be " + bound, bytes <= bound);
    assertTrue(path + " allocates " + unpooled + " bytes without pooling, and should more than "
      + bound, unpooled > bound);
  }

  /**
   * Measures an operation in eight rounds, of which three are for warming up.
   * @param operations number of operations in a round, enough that the few hundred bytes of the
   *                   meter itself don't matter
   * @param operation  has to wait for what it hands to other threads that are measured
   * @return bytes allocated by one operation, in the round with the least
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

  /** Returns the bytes allocated so far by each of the other threads, by thread id. */
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
