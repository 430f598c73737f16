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
import org.apache.hadoop.hbase.unsafe.HBasePlatformDependent;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A hash table with linear probing in pages of {@link IndexPages}. Its entries are two words: the
 * block's offset in the file (40 bits) with its size on disk (24), and an {@link EntryWord}. An
 * entry is published by its first word, which is written last and is 0 in an empty slot. One thread
 * at a time changes a table; what others read while entries are removed may be of another block.
 */
@InterfaceAudience.Private
final class Entries {
  /** Above all hashes. */
  static final long HASHES = 1L << Integer.SIZE;

  private static final int SIZE_BITS = 24;
  private static final int MAX_SIZE = (1 << SIZE_BITS) - 1;
  private static final long MAX_OFFSET = (1L << 40) - 1;
  /** The constant of Stafford's Mix13: offsets at even distances go to slots at uneven ones. */
  private static final long MIX = 0xBF58476D1CE4E5B9L;

  private Entries() {
  }

  /** Returns true if the index can have such a block. */
  static boolean isPossible(long offset, int size) {
    return offset >= 0 && offset <= MAX_OFFSET && size > 0 && size <= MAX_SIZE;
  }

  /** Returns the address of the entry; 0 if there is none. */
  static long find(long[] table, long offset) {
    int capacity = capacity(table);
    int slot = home(offset, capacity);
    for (int i = 0; i < capacity; i++) {
      long address = address(table, slot);
      long first = first(address);
      if (first == 0) {
        return 0;
      }
      if (offsetOf(first) == offset) {
        return address;
      }
      slot = next(slot, capacity);
    }
    return 0;
  }

  static int capacity(long[] table) {
    return table.length << IndexPages.ENTRIES_PER_PAGE_SHIFT;
  }

  private static int home(long offset, int capacity) {
    return home(hash(offset), (long) capacity);
  }

  /** Hashes that are next to each other have slots that are, whatever the capacity. */
  private static int home(long hash, long capacity) {
    return (int) (hash * capacity >>> Integer.SIZE);
  }

  private static long hash(long offset) {
    long hash = offset * MIX;
    hash = (hash ^ hash >>> Integer.SIZE) * MIX;
    return hash >>> Integer.SIZE;
  }

  private static int next(int slot, int capacity) {
    return slot + 1 == capacity ? 0 : slot + 1;
  }

  static long address(long[] table, int slot) {
    return table[slot >>> IndexPages.ENTRIES_PER_PAGE_SHIFT]
      + (long) (slot & IndexPages.ENTRIES_PER_PAGE - 1) * IndexPages.ENTRY_BYTES;
  }

  private static long first(long address) {
    return HBasePlatformDependent.getLongVolatile(null, address);
  }

  /** Returns the first word of a block's entry. */
  static long firstWord(long offset, int size) {
    return offset << SIZE_BITS | size;
  }

  /** Returns the offset in a first word. */
  static long offsetOf(long firstWord) {
    return firstWord >>> SIZE_BITS;
  }

  /** Returns the size in a first word. */
  static int sizeOf(long firstWord) {
    return (int) (firstWord & MAX_SIZE);
  }

  static boolean isEmpty(long address) {
    return first(address) == 0;
  }

  static long offset(long address) {
    return offsetOf(first(address));
  }

  static int size(long address) {
    return sizeOf(first(address));
  }

  static long word(long address) {
    return HBasePlatformDependent.getLongVolatile(null, address + Long.BYTES);
  }

  static void setWord(long address, long word) {
    HBasePlatformDependent.putLongVolatile(null, address + Long.BYTES, word);
  }

  static boolean compareAndSetWord(long address, long expected, long word) {
    return HBasePlatformDependent.compareAndSwapLong(null, address + Long.BYTES, expected, word);
  }

  private static void write(long address, long first, long second) {
    HBasePlatformDependent.putOrderedLong(null, address + Long.BYTES, second);
    HBasePlatformDependent.putOrderedLong(null, address, first);
  }

  /** Adds an entry that isn't there to a table with an empty slot. */
  static void insert(long[] table, long offset, int size, long word) {
    int capacity = capacity(table);
    int slot = home(offset, capacity);
    while (!isEmpty(address(table, slot))) {
      slot = next(slot, capacity);
    }
    write(address(table, slot), firstWord(offset, size), word);
  }

  /**
   * Removes an entry that is there, and moves those behind it into the gap, so that look-ups end at
   * the first empty slot.
   */
  static void remove(long[] table, long offset) {
    int capacity = capacity(table);
    int gap = home(offset, capacity);
    while (offset(address(table, gap)) != offset) {
      gap = next(gap, capacity);
    }
    int slot = next(gap, capacity);
    while (!isEmpty(address(table, slot))) {
      long address = address(table, slot);
      int home = home(offset(address), capacity);
      boolean isBehindGap = gap < home && home <= slot;
      if (gap > slot) {
        isBehindGap = gap < home || home <= slot;
      }
      if (!isBehindGap) {
        write(address(table, gap), first(address), word(address));
        gap = slot;
      }
      slot = next(slot, capacity);
    }
    write(address(table, gap), 0, 0);
  }

  /** Copies a table's entries to an empty table with enough slots. */
  static void copy(long[] table, long[] empty) {
    int capacity = capacity(table);
    for (int slot = 0; slot < capacity; slot++) {
      long address = address(table, slot);
      long first = first(address);
      if (first != 0) {
        insert(empty, offsetOf(first), sizeOf(first), word(address));
      }
    }
  }

  /**
   * Copies both words of those entries whose hashes are in a range.
   * @param from the least hash
   * @param to   above all hashes of the range, and not below {@code from}
   * @param into gets the words
   */
  static void copyRange(long[] table, long from, long to, Words into) {
    int capacity = capacity(table);
    int slot = home(from, (long) capacity);
    int left = home(to - 1, (long) capacity) - slot + 1;
    // Those of the last slots may be behind these, but before the next empty one.
    for (int i = 0; i < capacity && (left > 0 || !isEmpty(address(table, slot))); i++) {
      long address = address(table, slot);
      long first = first(address);
      if (first != 0) {
        long hash = hash(offsetOf(first));
        if (from <= hash && hash < to) {
          into.add(first, word(address));
        }
      }
      slot = next(slot, capacity);
      left--;
    }
  }

  /** The words of entries, in pairs. Not thread-safe. */
  static final class Words {
    private long[] words;
    private int count;

    /** @param entries that are expected */
    Words(int entries) {
      words = new long[2 * entries];
    }

    private void add(long first, long second) {
      if (count == words.length) {
        words = Arrays.copyOf(words, 2 * count);
      }
      words[count++] = first;
      words[count++] = second;
    }

    int entries() {
      return count / 2;
    }

    long first(int entry) {
      return words[2 * entry];
    }

    long second(int entry) {
      return words[2 * entry + 1];
    }

    void clear() {
      count = 0;
    }
  }

  /** Has a table's entries in other pages, some of which, or all, are the table's. */
  static void rearrange(long[] table, long[] pages) {
    int capacity = capacity(table);
    long[] words = new long[2 * capacity];
    int count = 0;
    for (int slot = 0; slot < capacity; slot++) {
      long address = address(table, slot);
      if (!isEmpty(address)) {
        words[count++] = first(address);
        words[count++] = word(address);
      }
    }
    IndexPages.clear(pages);
    for (int i = 0; i < count; i += 2) {
      insert(pages, offsetOf(words[i]), sizeOf(words[i]), words[i + 1]);
    }
  }
}
