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
 * Estimates how often each of many blocks was read of late, in a few bytes a block. The estimate is
 * at most {@link #MAX_FREQUENCY} and all estimates are halved from time to time, so that a block
 * that was popular once makes way.
 * <p>
 * Safe for use by many threads. They don't wait for each other: an increment that loses a race is
 * lost, which makes an estimate one too low.
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
   * Reads are sampled to find out when to halve: each SAMPLE_RATE-th, drawn at random, counts for
   * SAMPLE_RATE, which keeps a counter that all threads write to off the read path.
   */
  static final int MAX_FREQUENCY = 15;

  private static final int ROWS = 4;
  private static final int LONGS_PER_GROUP = 8;
  private static final int COUNTERS_PER_LONG = 16;
  private static final int BITS_PER_COUNTER = 4;
  private static final long HALF_MASK = 0x7777777777777777L;
  private static final int SAMPLE_RATE = 64;
  /** Few, so that a long scan doesn't raise all counters: on average to one. */
  private static final int INCREMENTS_PER_LONG = 4;
  private static final int MAX_TABLE_LONGS = 1 << 26;

  private final AtomicLongArray table;
  private final int groupMask;
  private final int incrementsPerAging;
  private final AtomicInteger increments = new AtomicInteger();

  /**
   * @param blocks number of blocks that shall be told apart, more than 0
   */
  FrequencySketch(long blocks) {
    int longs = (int) Math.max(LONGS_PER_GROUP,
      Math.min(MAX_TABLE_LONGS, Long.highestOneBit(Math.max(1, blocks - 1)) * 2));
    table = new AtomicLongArray(longs);
    groupMask = longs / LONGS_PER_GROUP - 1;
    incrementsPerAging = (int) Math.min(Integer.MAX_VALUE / 2,
      (long) longs * INCREMENTS_PER_LONG);
  }

  /**
   * Counts a read.
   * @param hash the block's hash, of any quality
   * @return true if this read made all estimates be halved
   */
  boolean increment(int hash) {
    int spread = spread(hash);
    int rows = rehash(spread);
    int group = (spread & groupMask) * LONGS_PER_GROUP;
    for (int row = 0; row < ROWS; row++) {
      int index = index(group, rows, row);
      int shift = shift(rows, row);
      long counters = table.get(index);
      if ((counters >>> shift & MAX_FREQUENCY) < MAX_FREQUENCY) {
        table.lazySet(index, counters + (1L << shift));
      }
    }
    return ThreadLocalRandom.current().nextInt(SAMPLE_RATE) == 0
      && increments.addAndGet(SAMPLE_RATE) >= incrementsPerAging && age();
  }

  /**
   * @param hash the block's hash, the same as for {@link #increment(int)}
   * @return how often the block was read of late, 0 to {@link #MAX_FREQUENCY}
   */
  int frequency(int hash) {
    int spread = spread(hash);
    int rows = rehash(spread);
    int group = (spread & groupMask) * LONGS_PER_GROUP;
    int frequency = MAX_FREQUENCY;
    for (int row = 0; row < ROWS; row++) {
      long counters = table.get(index(group, rows, row));
      frequency = Math.min(frequency, (int) (counters >>> shift(rows, row) & MAX_FREQUENCY));
    }
    return frequency;
  }

  /** Returns Bytes of Java heap that the counters take. */
  long heapSize() {
    return (long) table.length() * Long.BYTES;
  }

  private boolean age() {
    int counted = increments.get();
    if (counted < incrementsPerAging || !increments.compareAndSet(counted, counted / 2)) {
      return false;
    }
    for (int i = 0; i < table.length(); i++) {
      table.lazySet(i, table.get(i) >>> 1 & HALF_MASK);
    }
    return true;
  }

  /** Two longs of a group belong to each row. */
  private static int index(int group, int rows, int row) {
    return group + 2 * row + (rows >>> row * Byte.SIZE & 1);
  }

  private static int shift(int rows, int row) {
    return (rows >>> row * Byte.SIZE + 1 & COUNTERS_PER_LONG - 1) * BITS_PER_COUNTER;
  }

  /** Multiplies by odd constants and folds, so that keys which differ in few bits part ways. */
  private static int spread(int hash) {
    int x = (hash ^ hash >>> 17) * 0xED5AD4BB;
    x = (x ^ x >>> 11) * 0xAC4C1B51;
    return x ^ x >>> 15;
  }

  private static int rehash(int spread) {
    int x = spread * 0x31848BAB;
    return x ^ x >>> 14;
  }
}
