/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl.WriteEntry;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;

/** Operations of threads on two rows of a region, with the locks that a region takes for them. */
@Param(name = "row", gen = IntGen.class, conf = "0:1")
public class UnsyncedWritesRaces {
  private static final int MOST_WAITED_MS = 10_000;

  private final MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();
  private final UnsyncedWrites writes = new UnsyncedWrites(mvcc);
  private final Row[] rows = { new Row(), new Row() };
  private final AtomicInteger puts = new AtomicInteger();
  private final AtomicInteger readable = new AtomicInteger();

  private static final class Row {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    /** By the number of the write. */
    private final NavigableMap<Long, Integer> values = new ConcurrentSkipListMap<>();

    int valueAt(long readPoint) {
      Map.Entry<Long, Integer> last = values.floorEntry(readPoint);
      return last == null ? 0 : last.getValue();
    }
  }

  private static MiniBatchOperationInProgress<Mutation> batchOf(int row) {
    return new MiniBatchOperationInProgress<>(new Mutation[] { new Put(new byte[] { (byte) row }) },
      null, null, 0, 1, 1);
  }

  /** As {@link AsyncPut} writes; its response waits, in place of its thread. */
  @Operation
  public void put(@Param(name = "row") int row, @Param(name = "row") int value)
    throws InterruptedException {
    WriteEntry entry;
    rows[row].lock.readLock().lock();
    try {
      entry = mvcc.begin();
      rows[row].values.put(entry.getWriteNumber(), 10 * value);
      writes.add(batchOf(row), entry.getWriteNumber());
    } finally {
      rows[row].lock.readLock().unlock();
    }
    puts.incrementAndGet();
    CountDownLatch response = new CountDownLatch(1);
    Runnable end = () -> {
      readable.incrementAndGet();
      writes.end();
      response.countDown();
    };
    if (mvcc.complete(entry)) {
      end.run();
    } else {
      mvcc.whenRead(entry.getWriteNumber(), end);
    }
    response.await();
  }

  @Operation
  public int increment(@Param(name = "row") int row) throws IOException, InterruptedException {
    rows[row].lock.writeLock().lock();
    try {
      if (!writes.awaitRow(new byte[] { (byte) row }, MOST_WAITED_MS)) {
        throw new AssertionError("a put can't be read for " + MOST_WAITED_MS + " ms");
      }
      int value = rows[row].valueAt(mvcc.getReadPoint()) + 1;
      WriteEntry entry = mvcc.begin();
      rows[row].values.put(entry.getWriteNumber(), value);
      mvcc.completeAndWait(entry);
      return value;
    } finally {
      rows[row].lock.writeLock().unlock();
    }
  }

  @Operation
  public int get(@Param(name = "row") int row) {
    return rows[row].valueAt(mvcc.getReadPoint());
  }

  @Validate
  public void eachPutWasToldOnce() {
    if (readable.get() != puts.get()) {
      throw new AssertionError(puts + " puts, " + readable + " were told that they can be read");
    }
    if (mvcc.getReadPoint() != mvcc.getWritePoint()) {
      throw new AssertionError("a write hasn't ended: " + mvcc);
    }
  }

  /** The expected effects, one operation after the other. */
  public static class OneByOne {
    private final Map<Integer, Integer> values = new HashMap<>();

    public void put(int row, int value) {
      values.put(row, 10 * value);
    }

    public int increment(int row) {
      return values.merge(row, 1, Integer::sum);
    }

    public int get(int row) {
      return values.getOrDefault(row, 0);
    }
  }
}
