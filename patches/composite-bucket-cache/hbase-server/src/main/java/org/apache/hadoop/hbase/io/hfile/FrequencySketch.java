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

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Estimates how often each block was read recently, in a few bytes per block. An estimate is at
 * most {@link #MAX_FREQUENCY}. All estimates are halved from time to time, so that blocks that are
 * no longer popular make way.
 * <p>
 * Thread-safe and non-blocking: an increment that loses a race is dropped, which makes an estimate
 * one too low.
 */
@InterfaceAudience.Private
final class FrequencySketch {
  /*
   * A count-min sketch with 4-bit counters and periodic halving, as in G. Einziger, R. Friedman and
   * B. Manes, "TinyLFU: A Highly Efficient Cache Admission Policy", ACM Transactions on Storage
   * 13(4), 2017.
   *
   * The table is divided into groups of 8 longs, a cache line. A hash selects one group and, in it,
   * one counter of each of the four pairs of longs; the smallest of the four is the estimate. So an
   * operation touches one cache line.
   *
   * A sample of the reads determines when to halve: one of SAMPLE_RATE reads, drawn at random,
   * counts for SAMPLE_RATE reads. This keeps a counter that all threads write to off the read path.
   * The table of a big cache has many megabytes, so the sampled reads halve it part by part. Until
   * its turn comes, a part is read as if it were halved, so that all estimates are halved at once.
   *
   * Forgetting changes the hashes. The old counts then are noise, like the counts of other blocks,
   * and age like them.
   */
  static final int MAX_FREQUENCY = 15;

  private static final int ROWS = 4;
  private static final int LONGS_PER_GROUP = 8;
  private static final int COUNTERS_PER_LONG = 16;
  private static final int BITS_PER_COUNTER = 4;
  private static final long HALF_MASK = 0x7777777777777777L;
  private static final int SAMPLE_RATE = 64;
  /** A few KB, so that no read takes long. */
  static final int LONGS_HALVED_AT_A_TIME = 512;
  private static final int MAX_TABLE_LONGS = 1 << 26;
  private static final int SALT_STEP = 0x9E3779B9;

  private final AtomicLongArray table;
  private final int groupMask;
  private final int incrementsPerAging;
  private final Runnable onAging;
  private final AtomicInteger increments = new AtomicInteger();
  /** Longs that the current aging has halved; at least the table's length if it is done. */
  private final AtomicInteger halved;
  private volatile int salt;

  /**
   * Creates a sketch without reads.
   * @param blocks        number of blocks to tell apart, more than 0
   * @param readsPerAging number of reads after which all estimates and the number of reads are
   *                      halved
   * @param onAging       called when they are halved, by the thread that reads
   */
  FrequencySketch(long blocks, long readsPerAging, Runnable onAging) {
    int longs = (int) Math.max(LONGS_PER_GROUP,
      Math.min(MAX_TABLE_LONGS, Long.highestOneBit(Math.max(1, blocks - 1)) * 2));
    table = new AtomicLongArray(longs);
    groupMask = longs / LONGS_PER_GROUP - 1;
    incrementsPerAging = (int) Math.min(Integer.MAX_VALUE / 2, readsPerAging);
    this.onAging = onAging;
    halved = new AtomicInteger(longs);
  }

  /**
   * Counts a read.
   * @param hash the block's hash, of any quality
   * @return how often the block was read recently, including this read
   */
  int increment(int hash) {
    int spread = spread(hash ^ salt);
    int rows = rehash(spread);
    int group = (spread & groupMask) * LONGS_PER_GROUP;
    int weight = weight(group);
    int frequency = MAX_FREQUENCY;
    for (int row = 0; row < ROWS; row++) {
      int index = index(group, rows, row);
      int shift = shift(rows, row);
      long counters = table.get(index);
      int before = (int) (counters >>> shift & MAX_FREQUENCY);
      int count = Math.min(MAX_FREQUENCY, before + weight);
      if (count > before) {
        table.lazySet(index, counters + ((long) (count - before) << shift));
      }
      frequency = Math.min(frequency, count);
    }
    if (ThreadLocalRandom.current().nextInt(SAMPLE_RATE) == 0) {
      age();
    }
    return frequency / weight;
  }

  /**
   * Returns how often the block was read recently, 0 to {@link #MAX_FREQUENCY}.
   * @param hash the block's hash, the same as for {@link #increment(int)}
   */
  int frequency(int hash) {
    int spread = spread(hash ^ salt);
    int rows = rehash(spread);
    int group = (spread & groupMask) * LONGS_PER_GROUP;
    int frequency = MAX_FREQUENCY;
    for (int row = 0; row < ROWS; row++) {
      long counters = table.get(index(group, rows, row));
      frequency = Math.min(frequency, (int) (counters >>> shift(rows, row) & MAX_FREQUENCY));
    }
    return frequency / weight(group);
  }

  /** Forgets all reads. */
  void forget() {
    salt += SALT_STEP;
  }

  /** Returns the number of longs that the current aging still has to halve, or 0. */
  int longsToHalve() {
    return Math.max(0, table.length() - halved.get());
  }

  /** Returns the size of the counters in bytes of Java heap. */
  long heapSize() {
    return (long) table.length() * Long.BYTES;
  }

  /** Returns what a read adds to a group's counters: 2 until the group has been halved. */
  private int weight(int group) {
    return group < halved.get() ? 1 : 2;
  }

  private void age() {
    int counted = increments.addAndGet(SAMPLE_RATE);
    if (halved.get() < table.length()) {
      halve(halved.getAndAdd(LONGS_HALVED_AT_A_TIME));
    } else if (
      counted >= incrementsPerAging && increments.compareAndSet(counted, counted / 2)
    ) {
      halved.set(0);
      onAging.run();
    }
  }

  private void halve(int from) {
    int to = Math.min(table.length(), from + LONGS_HALVED_AT_A_TIME);
    for (int i = from; i < to; i++) {
      table.lazySet(i, table.get(i) >>> 1 & HALF_MASK);
    }
  }

  /** Returns the index of the long with a row's counter. Each row has two longs of a group. */
  private static int index(int group, int rows, int row) {
    return group + 2 * row + (rows >>> row * Byte.SIZE & 1);
  }

  private static int shift(int rows, int row) {
    return (rows >>> row * Byte.SIZE + 1 & COUNTERS_PER_LONG - 1) * BITS_PER_COUNTER;
  }

  /** Multiplies by odd constants and folds, to separate keys that differ in few bits. */
  static int spread(int hash) {
    int x = (hash ^ hash >>> 17) * 0xED5AD4BB;
    x = (x ^ x >>> 11) * 0xAC4C1B51;
    return x ^ x >>> 15;
  }

  private static int rehash(int spread) {
    int x = spread * 0x31848BAB;
    return x ^ x >>> 14;
  }
}
