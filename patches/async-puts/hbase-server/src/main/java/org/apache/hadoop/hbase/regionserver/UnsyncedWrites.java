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

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The writes of a region that are in its memstore, and whose locks of rows are released, before
 * they are synced and can be read. A thread that waits for its sync holds these locks until then;
 * whoever relies on that waits here. Thread-safe.
 */
@InterfaceAudience.Private
final class UnsyncedWrites {
  private static final int STRIPES = 256;
  private static final int TURN_MS = 1000;

  private final MultiVersionConcurrencyControl mvcc;
  /** The last increment or append to each of the rows that have their hash in common. */
  private final AtomicLongArray lastDeltas = new AtomicLongArray(STRIPES);
  /** Likewise the last other write. */
  private final AtomicLongArray lastOthers = new AtomicLongArray(STRIPES);
  private final AtomicInteger count = new AtomicInteger();
  /** When there was a first one, or one ended, by {@link System#nanoTime}. */
  private volatile long progress;

  UnsyncedWrites(MultiVersionConcurrencyControl mvcc) {
    this.mvcc = mvcc;
  }

  /**
   * Adds a write.
   * @param batch  its mutations, whose rows the caller has locked
   * @param number its number
   */
  void add(MiniBatchOperationInProgress<Mutation> batch, long number) {
    if (count.get() == 0) {
      progress = System.nanoTime();
    }
    count.incrementAndGet();
    // Also those that failed: which is which makes no difference here.
    for (int i = 0; i < batch.size(); i++) {
      add(batch.getOperation(i), number);
      Mutation[] ofCoprocessors = batch.getOperationsFromCoprocessors(i);
      if (ofCoprocessors != null) {
        for (Mutation mutation : ofCoprocessors) {
          add(mutation, number);
        }
      }
    }
  }

  private void add(Mutation mutation, long number) {
    boolean delta = mutation instanceof Increment || mutation instanceof Append;
    (delta ? lastDeltas : lastOthers).accumulateAndGet(stripe(mutation.getRow()), number,
      Math::max);
  }

  /** Ends a write, which can be read now. */
  void end() {
    progress = System.nanoTime();
    count.decrementAndGet();
  }

  private static int stripe(byte[] row) {
    int hash = Arrays.hashCode(row);
    return (hash ^ hash >>> 16) & STRIPES - 1;
  }

  /**
   * Waits until the writes to a row can be read. The caller has the exclusive lock of the row.
   * @param exceptDeltas whether increments and appends aren't waited for
   * @param milliseconds the most that it waits
   * @return false if they can't by then
   * @throws IOException if one couldn't be synced
   */
  boolean awaitRow(byte[] row, boolean exceptDeltas, int milliseconds)
    throws IOException, InterruptedException {
    int stripe = stripe(row);
    long last = lastOthers.get(stripe);
    return mvcc.awaitRead(exceptDeltas ? last : Math.max(last, lastDeltas.get(stripe)),
      milliseconds);
  }

  /**
   * Waits until all can be read. The caller has a lock that none are added under.
   * @throws IOException if one couldn't be synced, or the thread was interrupted
   */
  void awaitAll() throws IOException {
    try {
      while (!mvcc.awaitRead(count.get() > 0 ? mvcc.getWritePoint() : 0, TURN_MS)) {
        // Whoever looks after the log ends the server if it stands for too long.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException().initCause(e);
    }
  }

  /** Ends all waiting for writes of a server's regions, since the server has been aborted. */
  static void onAbort(HRegionServer server) {
    for (HRegion region : server.getOnlineRegionsLocalContext()) {
      if (region.getUnsyncedWrites() != null) {
        region.getUnsyncedWrites().abort();
      }
    }
  }

  /** Ends all waiting for writes of this region. */
  void abort() {
    mvcc.fail(new IOException("The region server was aborted"));
  }

  /** Returns for how long none has ended, in milliseconds; 0 if there is none. */
  long getMillisWithoutProgress() {
    return count.get() == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - progress);
  }
}
