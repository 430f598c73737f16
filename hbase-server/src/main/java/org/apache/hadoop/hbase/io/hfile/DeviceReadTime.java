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
 * The time that a thread has waited for devices so far, to read blocks from a file of the block
 * cache or from the file system. The difference of two readings tells whether the work in between
 * was served from memory (HBASE-23063). Short reads don't count: the page cache served them. Reads
 * are timed only while a user of this class in the process wants it. Thread-safe, except where
 * noted.
 */
@InterfaceAudience.Private
public final class DeviceReadTime {
  /** A shorter read was served from memory: a flash device takes longer. */
  static final long SHORTEST_NANOS = 50_000;

  private static final ThreadLocal<DeviceReadTime> OF_THREAD =
    ThreadLocal.withInitial(DeviceReadTime::new);

  private static final long NOT_TIMED = 0;

  private static final AtomicInteger USERS = new AtomicInteger();

  private long nanos;
  private boolean forbidden;

  private DeviceReadTime() {
  }

  /** Starts timing reads. Each call needs one of {@link #release}. */
  public static void want() {
    USERS.incrementAndGet();
  }

  /** Ends what one call of {@link #want} began. */
  public static void release() {
    USERS.decrementAndGet();
  }

  /** Has {@link #checkAllowed} refuse reads of the calling thread, until {@link #allow}. */
  static void forbid() {
    ofThread().forbidden = true;
  }

  /** Ends what {@link #forbid} began. */
  static void allow() {
    ofThread().forbidden = false;
  }

  /** Returns true if the calling thread must not wait. */
  public static boolean isForbidden() {
    return ofThread().forbidden;
  }

  /** @throws NotInMemoryError if the thread must not wait for devices */
  public static void checkAllowed() {
    if (ofThread().forbidden) {
      throw NotInMemoryError.get();
    }
  }

  /**
   * Begins a read of a device.
   * @return its start time, to be given to {@link #end}
   * @throws NotInMemoryError if the thread must not wait for devices
   */
  public static long begin() {
    checkAllowed();
    return USERS.get() > 0 ? System.nanoTime() : NOT_TIMED;
  }

  /**
   * Adds a read of the calling thread that has ended, if reads are timed.
   * @param begin when it began, from {@link #begin} or {@link System#nanoTime}
   */
  public static void end(long begin) {
    if (begin != NOT_TIMED && USERS.get() > 0) {
      add(System.nanoTime() - begin);
    }
  }

  /** Returns the instance of the calling thread, to be used by that thread only. */
  public static DeviceReadTime ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Adds a read of the calling thread.
   * @param nanos its duration
   */
  public static void add(long nanos) {
    if (nanos >= SHORTEST_NANOS) {
      ofThread().nanos += nanos;
    }
  }

  /** Returns the waiting time since the thread began, in nanoseconds. */
  public long getNanos() {
    return nanos;
  }
}
