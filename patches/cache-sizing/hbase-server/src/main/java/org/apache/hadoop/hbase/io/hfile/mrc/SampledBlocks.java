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
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The blocks of a sample, found by their hashes. A block has a slot as long as it is in the sample.
 * Used by one thread at a time.
 */
@InterfaceAudience.Private
final class SampledBlocks {
  static final int NONE = -1;

  private final long[] hashes;
  private final int[] bytes;
  private final int[] files;
  private final int[] tables;
  /** Slot plus 1, by hash; open addressing with linear probing. */
  private final int[] index;
  private final int[] free;
  private int freeCount;

  SampledBlocks(int capacity) {
    hashes = new long[capacity];
    bytes = new int[capacity];
    files = new int[capacity];
    tables = new int[capacity];
    index = new int[Integer.highestOneBit(capacity) * 4];
    free = new int[capacity];
    Arrays.fill(tables, NONE);
    freeCount = free.length;
    for (int i = 0; i < freeCount; i++) {
      free[i] = freeCount - 1 - i;
    }
  }

  /** Returns the block's slot, or {@link #NONE}. */
  int find(long hash) {
    for (int i = home(hash);; i = i + 1 & index.length - 1) {
      int slot = index[i] - 1;
      if (slot < 0 || hashes[slot] == hash) {
        return slot;
      }
    }
  }

  /**
   * Adds a block that isn't in the sample, which isn't full.
   * @return its slot
   */
  int add(long hash, int size, int file, int table) {
    int slot = free[--freeCount];
    hashes[slot] = hash;
    bytes[slot] = size;
    files[slot] = file;
    tables[slot] = table;
    int i = home(hash);
    while (index[i] != 0) {
      i = i + 1 & index.length - 1;
    }
    index[i] = slot + 1;
    return slot;
  }

  void remove(int slot) {
    int gap = home(hashes[slot]);
    while (index[gap] != slot + 1) {
      gap = gap + 1 & index.length - 1;
    }
    index[gap] = 0;
    for (int i = gap + 1 & index.length - 1; index[i] != 0; i = i + 1 & index.length - 1) {
      int home = home(hashes[index[i] - 1]);
      if ((i - home & index.length - 1) >= (i - gap & index.length - 1)) {
        index[gap] = index[i];
        index[i] = 0;
        gap = i;
      }
    }
    tables[slot] = NONE;
    free[freeCount++] = slot;
  }

  /** Calls with the slot of each block that is wanted; it may remove that block. */
  void forEach(IntPredicate wanted, IntConsumer action) {
    for (int slot = 0; slot < tables.length; slot++) {
      if (tables[slot] != NONE && wanted.test(slot)) {
        action.accept(slot);
      }
    }
  }

  /** Returns true if {@link #add} has no slot left. */
  boolean isFull() {
    return freeCount == 0;
  }

  int size() {
    return free.length - freeCount;
  }

  int capacity() {
    return free.length;
  }

  long hash(int slot) {
    return hashes[slot];
  }

  int bytes(int slot) {
    return bytes[slot];
  }

  void setBytes(int slot, int size) {
    bytes[slot] = size;
  }

  int file(int slot) {
    return files[slot];
  }

  int table(int slot) {
    return tables[slot];
  }

  /** Returns the bytes of heap that the arrays take. */
  long heapSize() {
    return (long) hashes.length * (Long.BYTES + 4 * Integer.BYTES)
      + (long) index.length * Integer.BYTES;
  }

  private int home(long hash) {
    // The upper bits are alike in a sample, which has the blocks with small hashes.
    return (int) hash & index.length - 1;
  }
}
