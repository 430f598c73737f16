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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;

/** What is in the cache, in total and by segment, by its index entries. Thread-safe. */
@InterfaceAudience.Private
final class Occupancy {
  private static final LongConsumer NOTHING = word -> {
  };
  /** Reads of a segment that is open count, too, if nothing has come to it for so long. */
  private static final long IDLE_MILLIS = 1000;

  /** By class of block. */
  private final LongAdder[] blocks = newAdders();
  private final LongAdder[] bytes = newAdders();
  /** Bytes of records in the index, by segment. */
  private final AtomicIntegerArray live;
  /** By segment. Who sees a change late counts a read too many, or too few. */
  private final boolean[] readsCount;
  /** When the last entry of the segment was added, in milliseconds. Seen late like the others. */
  private final long[] added;
  /** When the segment was begun, by System.nanoTime. Who sees a change late tells another age. */
  private final long[] begun;

  private volatile LongConsumer onRemoval = NOTHING;
  private volatile boolean idleReadsCount;

  Occupancy(int segments) {
    live = new AtomicIntegerArray(segments);
    readsCount = new boolean[segments];
    added = new long[segments];
    begun = new long[segments];
  }

  private static LongAdder[] newAdders() {
    return Stream.generate(LongAdder::new).limit(BlockClass.COUNT).toArray(LongAdder[]::new);
  }

  /** Takes note that a segment gets its first block. Reads of its blocks don't count yet. */
  void begin(int segment) {
    begun[segment] = System.nanoTime();
    readsCount[segment] = false;
  }

  /** Has reads of a segment's blocks count from now on. */
  void countReads(int segment) {
    readsCount[segment] = true;
  }

  /** Has reads of an open segment count, too, while nothing comes to it. */
  void countIdleReads() {
    idleReadsCount = true;
  }

  /** Returns when a block's segment was begun, by System.nanoTime. */
  long getBegun(long word) {
    return begun[EntryWord.segment(word)];
  }

  /** Returns true if a read of the block makes it one that is read often. */
  boolean countsRead(long word) {
    int segment = EntryWord.segment(word);
    return readsCount[segment] || idleReadsCount
      && EnvironmentEdgeManager.currentTime() - added[segment] > IDLE_MILLIS;
  }

  /**
   * Has each entry's word be told just before the entry is removed, with its table locked.
   * @param onRemoval null to have nothing told
   */
  void setOnRemoval(LongConsumer onRemoval) {
    this.onRemoval = onRemoval == null ? NOTHING : onRemoval;
  }

  /** Counts an entry that was added. */
  void added(long word) {
    added[EntryWord.segment(word)] = EnvironmentEdgeManager.currentTime();
    count(word, 1);
  }

  /** Counts an entry that is about to be removed. */
  void removed(long word) {
    onRemoval.accept(word);
    count(word, -1);
  }

  private void count(long word, int sign) {
    int length = sign * EntryWord.length(word);
    int blockClass = EntryWord.blockClass(word);
    live.addAndGet(EntryWord.segment(word), length);
    blocks[blockClass].add(sign);
    bytes[blockClass].add(length);
  }

  /** Entries of one segment that are added together. Used by one thread, once. */
  final class Sum {
    private final int[] blocksOfClass = new int[BlockClass.COUNT];
    private final long[] bytesOfClass = new long[BlockClass.COUNT];
    private long last;

    void add(long word) {
      int blockClass = EntryWord.blockClass(word);
      blocksOfClass[blockClass]++;
      bytesOfClass[blockClass] += EntryWord.length(word);
      last = word;
    }

    /** Counts the entries. Returns how many are of data. */
    int count() {
      int data = 0;
      int all = 0;
      for (int i = 0; i < BlockClass.COUNT; i++) {
        if (blocksOfClass[i] > 0) {
          blocks[i].add(blocksOfClass[i]);
          bytes[i].add(bytesOfClass[i]);
          all += bytesOfClass[i];
          data += BlockClass.isData(i) ? blocksOfClass[i] : 0;
        }
      }
      if (all > 0) {
        live.addAndGet(EntryWord.segment(last), all);
      }
      return data;
    }

    /** Returns the number of entries. */
    int getBlocks() {
      return Arrays.stream(blocksOfClass).sum();
    }
  }

  Sum newSum() {
    return new Sum();
  }

  private static long sum(LongAdder[] adders, IntPredicate classes) {
    long sum = 0;
    for (int i = 0; i < BlockClass.COUNT; i++) {
      sum += classes.test(i) ? adders[i].sum() : 0;
    }
    return sum;
  }

  long getBlocks() {
    return sum(blocks, blockClass -> true);
  }

  long getBlocks(BlockCategory category) {
    return sum(blocks, blockClass -> BlockClass.category(blockClass) == category);
  }

  /** Returns the bytes of records of all blocks. */
  long getBytes() {
    return sum(bytes, blockClass -> true);
  }

  long getBytes(BlockCategory category) {
    return sum(bytes, blockClass -> BlockClass.category(blockClass) == category);
  }

  long getInMemoryBytes() {
    return sum(bytes, BlockClass::isInMemory);
  }

  /** Returns the bytes of a segment's records that are in the index. */
  int getLiveBytes(int segment) {
    return live.get(segment);
  }

  /**
   * Returns about how many bytes can be added before blocks are evicted.
   * @param free   bytes of segments that have no blocks
   * @param usable bytes of all segments that blocks can be in
   */
  long getRoom(long free, long usable) {
    // Full segments have dead bytes, too: above nine tenths those of live blocks are made free.
    return free > 0 ? free : Math.max(0, usable / 10 * 9 - getBytes());
  }
}
