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
import org.apache.hadoop.hbase.client.Increment;
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
  private final AtomicInteger late = new AtomicInteger();
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

  private static byte[] name(int row) {
    return new byte[] { (byte) row };
  }

  private void add(Mutation mutation, WriteEntry entry) {
    writes.add(new MiniBatchOperationInProgress<>(new Mutation[] { mutation }, null, null, 0, 1, 1),
      entry.getWriteNumber());
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
      add(new Put(name(row)), entry);
    } finally {
      rows[row].lock.readLock().unlock();
    }
    respondLate(entry);
  }

  private void respondLate(WriteEntry entry) throws InterruptedException {
    late.incrementAndGet();
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

  /** Likewise an increment, which reads others that can't be read yet. */
  @Operation
  public int increment(@Param(name = "row") int row) throws IOException, InterruptedException {
    WriteEntry entry;
    int value;
    rows[row].lock.writeLock().lock();
    try {
      await(row, true);
      value = rows[row].valueAt(Long.MAX_VALUE) + 1;
      entry = mvcc.begin();
      rows[row].values.put(entry.getWriteNumber(), value);
      add(new Increment(name(row)), entry);
    } finally {
      rows[row].lock.writeLock().unlock();
    }
    respondLate(entry);
    return value;
  }

  /** As what keeps its thread, and reads what others see. */
  @Operation
  public int incrementAndWait(@Param(name = "row") int row)
    throws IOException, InterruptedException {
    rows[row].lock.writeLock().lock();
    try {
      await(row, false);
      int value = rows[row].valueAt(mvcc.getReadPoint()) + 1;
      WriteEntry entry = mvcc.begin();
      rows[row].values.put(entry.getWriteNumber(), value);
      mvcc.completeAndWait(entry);
      return value;
    } finally {
      rows[row].lock.writeLock().unlock();
    }
  }

  private void await(int row, boolean exceptDeltas) throws IOException, InterruptedException {
    if (!writes.awaitRow(name(row), exceptDeltas, MOST_WAITED_MS)) {
      throw new AssertionError("a write can't be read for " + MOST_WAITED_MS + " ms");
    }
  }

  @Operation
  public int get(@Param(name = "row") int row) {
    return rows[row].valueAt(mvcc.getReadPoint());
  }

  @Validate
  public void eachWriteWasToldOnce() {
    if (readable.get() != late.get()) {
      throw new AssertionError(late + " writes, " + readable + " were told that they can be read");
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

    public int incrementAndWait(int row) {
      return increment(row);
    }

    public int get(int row) {
      return values.getOrDefault(row, 0);
    }
  }
}
