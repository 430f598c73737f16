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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The second word of an index entry: where the block's record is, and what is known of the block.
 * From the highest bit: segment 17 bits, position in it 20 and length 15 (both in units of
 * {@link #UNIT} bytes), frequency 2, block class 3, generation of the segment 7. No entry has the
 * values {@link #NONE} and {@link #REFUSED}, as no record is empty, and none of the greatest length
 * fits behind the last position.
 */
@InterfaceAudience.Private
final class EntryWord {
  /** No entry. */
  static final long NONE = 0;
  /** Returned where an entry can't be added. */
  static final long REFUSED = -1;

  /** Bytes that positions and lengths of records are multiples of. */
  static final int UNIT = 64;
  static final int MAX_SEGMENTS = 1 << 17;
  /** Bytes of the biggest segment. */
  static final int MAX_SEGMENT_SIZE = 1 << 26;
  /** Bytes of the biggest record. */
  static final int MAX_LENGTH = ((1 << 15) - 1) * UNIT;
  static final int MAX_FREQUENCY = 3;

  private static final int SEGMENT_SHIFT = 47;
  private static final int POSITION_SHIFT = 27;
  private static final int LENGTH_SHIFT = 12;
  private static final int FREQUENCY_SHIFT = 10;
  private static final int CLASS_SHIFT = 7;
  private static final int POSITION_MASK = (1 << 20) - 1;
  private static final int LENGTH_MASK = (1 << 15) - 1;
  private static final int GENERATION_MASK = 0x7F;
  private static final long FREQUENCY_BITS = (long) MAX_FREQUENCY << FREQUENCY_SHIFT;

  private EntryWord() {
  }

  /**
   * Returns the word of a block that wasn't read yet.
   * @param position   bytes from the segment's start, a multiple of {@link #UNIT}
   * @param length     bytes of the record, a multiple of {@link #UNIT}, {@link #MAX_LENGTH} at most
   * @param blockClass see {@link BlockClass}
   * @param generation of the segment; the lowest 7 bits are kept
   */
  static long of(int segment, int position, int length, int blockClass, int generation) {
    return (long) segment << SEGMENT_SHIFT
      | (long) (position / UNIT) << POSITION_SHIFT
      | (long) (length / UNIT) << LENGTH_SHIFT
      | (long) blockClass << CLASS_SHIFT | generation & GENERATION_MASK;
  }

  static int segment(long word) {
    return (int) (word >>> SEGMENT_SHIFT);
  }

  /** Returns bytes from the segment's start. */
  static int position(long word) {
    return ((int) (word >>> POSITION_SHIFT) & POSITION_MASK) * UNIT;
  }

  /** Returns the bytes of the record. */
  static int length(long word) {
    return ((int) (word >>> LENGTH_SHIFT) & LENGTH_MASK) * UNIT;
  }

  /** Returns how often the block was read, up to {@link #MAX_FREQUENCY}. */
  static int frequency(long word) {
    return (int) (word >>> FREQUENCY_SHIFT) & MAX_FREQUENCY;
  }

  static long withFrequency(long word, int frequency) {
    return word & ~FREQUENCY_BITS | (long) frequency << FREQUENCY_SHIFT;
  }

  static int blockClass(long word) {
    return (int) (word >>> CLASS_SHIFT) & BlockClass.COUNT - 1;
  }

  /** Returns true if the entry is of this generation of its segment. */
  static boolean isOf(long word, int generation) {
    return ((word ^ generation) & GENERATION_MASK) == 0;
  }

  /** Returns true if both words are of one record, however often it was read. */
  static boolean isSameRecord(long word, long other) {
    return ((word ^ other) & ~FREQUENCY_BITS) == 0;
  }
}
