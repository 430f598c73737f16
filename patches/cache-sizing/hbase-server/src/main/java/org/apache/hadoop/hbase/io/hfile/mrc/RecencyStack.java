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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Slots with weights in bytes, in the order of their last references, as in an LRU stack. Tells how
 * many bytes were referenced after a slot. Each operation takes logarithmic time. Used by one
 * thread at a time.
 */
@InterfaceAudience.Private
final class RecencyStack {
  /*
   * A Fenwick tree over positions, which are given in the order of references. When all positions
   * have been given, the slots that are left get new ones.
   */
  private static final int MIN_CAPACITY = 16;
  private static final int EMPTY = -1;

  /** The position of each slot. Shared with the stacks of other slots. */
  private final int[] positions;
  private long[] tree;
  private int[] slots;
  private long[] times;
  private int next;
  private int size;
  private long bytes;

  /** @param positions an element for each slot, which only the stack that has the slot uses */
  RecencyStack(int[] positions) {
    this.positions = positions;
    allocate(MIN_CAPACITY);
  }

  private void allocate(int capacity) {
    tree = new long[capacity + 1];
    slots = new int[capacity];
    times = new long[capacity];
    next = 0;
  }

  /**
   * Puts a slot on top that isn't in the stack.
   * @param weight bytes
   * @param time   not less than that of the slot below
   */
  void push(int slot, int weight, long time) {
    if (next == slots.length) {
      renumber();
    }
    slots[next] = slot;
    times[next] = time;
    positions[slot] = next;
    add(next++, weight);
    size++;
    bytes += weight;
  }

  /** @param weight bytes that the slot was pushed with */
  void remove(int slot, int weight) {
    int position = positions[slot];
    slots[position] = EMPTY;
    add(position, -weight);
    size--;
    bytes -= weight;
  }

  /** Returns the bytes of the slots above this one. */
  long bytesAbove(int slot) {
    return bytes - sum(positions[slot]);
  }

  /** Returns the bytes of the slots whose time is later. */
  long bytesAfter(long time) {
    int low = 0;
    int high = next;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[middle] > time) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low == 0 ? bytes : bytes - sum(low - 1);
  }

  /** Returns the time of the slot's last reference. */
  long timeOf(int slot) {
    return times[positions[slot]];
  }

  int size() {
    return size;
  }

  /** Returns the bytes of all slots. */
  long bytes() {
    return bytes;
  }

  /** Returns the bytes of heap that the stack takes. */
  long heapSize() {
    return (long) slots.length * (Long.BYTES + Integer.BYTES + Long.BYTES);
  }

  private void add(int position, long weight) {
    for (int i = position + 1; i < tree.length; i += i & -i) {
      tree[i] += weight;
    }
  }

  /** Returns the bytes up to a position, with it. */
  private long sum(int position) {
    long sum = 0;
    for (int i = position + 1; i > 0; i -= i & -i) {
      sum += tree[i];
    }
    return sum;
  }

  private void renumber() {
    int[] oldSlots = slots;
    long[] oldTimes = times;
    long[] oldTree = tree;
    toWeights(oldTree);
    allocate(Math.max(MIN_CAPACITY, 2 * size));
    for (int i = 0; i < oldSlots.length; i++) {
      if (oldSlots[i] != EMPTY) {
        slots[next] = oldSlots[i];
        times[next] = oldTimes[i];
        positions[oldSlots[i]] = next;
        tree[++next] = oldTree[i + 1];
      }
    }
    toSums(tree);
  }

  /** Makes a tree of the weights in an array that begins at index 1. */
  private static void toSums(long[] tree) {
    for (int i = 1; i < tree.length; i++) {
      int parent = i + (i & -i);
      if (parent < tree.length) {
        tree[parent] += tree[i];
      }
    }
  }

  private static void toWeights(long[] tree) {
    for (int i = tree.length - 1; i > 0; i--) {
      int parent = i + (i & -i);
      if (parent < tree.length) {
        tree[parent] -= tree[i];
      }
    }
  }
}
