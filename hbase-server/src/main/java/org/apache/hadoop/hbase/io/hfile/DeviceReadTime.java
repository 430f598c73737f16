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

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long each thread has waited for a device so far, to read blocks of a file of the block cache,
 * or of the file system. Short reads don't count: those were served from the system's page cache,
 * by this thread. The difference between two readings tells whether what a thread did in between
 * was served from memory (HBASE-23063). Reads are timed only while somebody in this process wants
 * to know. Thread-safe, but for what is said otherwise.
 */
@InterfaceAudience.Private
public final class DeviceReadTime {
  /** A read that takes less than this didn't wait: those of a flash device take more. */
  static final long SHORTEST_NANOS = 50_000;

  private static final ThreadLocal<DeviceReadTime> OF_THREAD =
    ThreadLocal.withInitial(DeviceReadTime::new);

  private static final long NOT_TIMED = 0;

  private static final AtomicInteger USERS = new AtomicInteger();

  private long nanos;

  private DeviceReadTime() {
  }

  /** Has reads timed, until as many calls of {@link #release}. */
  public static void want() {
    USERS.incrementAndGet();
  }

  /** Ends what one call of {@link #want} began. */
  public static void release() {
    USERS.decrementAndGet();
  }

  /** Returns What {@link #end} is to be told of a read that begins. */
  public static long begin() {
    return USERS.get() > 0 ? System.nanoTime() : NOT_TIMED;
  }

  /**
   * Adds a read of the calling thread that ends, if somebody wants to know.
   * @param begin when it began, from {@link #begin} or {@link System#nanoTime}
   */
  public static void end(long begin) {
    if (begin != NOT_TIMED && USERS.get() > 0) {
      add(System.nanoTime() - begin);
    }
  }

  /** Returns The calling thread's; to be asked by that thread alone. */
  public static DeviceReadTime ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Adds a read of the calling thread.
   * @param nanos how long it took
   */
  public static void add(long nanos) {
    if (nanos >= SHORTEST_NANOS) {
      ofThread().nanos += nanos;
    }
  }

  /** Returns Nanoseconds since the thread began. */
  public long getNanos() {
    return nanos;
  }
}
