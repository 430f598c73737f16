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

import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.yetus.audience.InterfaceAudience;

/** Takes the samples of which a block's index is made, and searches them. Not thread-safe. */
/*
 * The index of a block has up to 64 of its cells, one of each so many that follow each other:
 * offsets, and of each key five bytes that tell it from the others. It is one that ends a row, if
 * there is such a cell among them, since a seek to the next row needn't go far from there; else it
 * is the first one. Keys of a block mostly begin alike, so these are the bytes
 * behind the longest prefix of all its rows; of qualifiers, if the block has one row. They only
 * speed up the search. The cell that was found is compared with the key as blockSeek does it.
 */
@InterfaceAudience.Private
final class BlockSamples {
  /** Blocks with fewer cells get no index. */
  private static final int MIN_CELLS = 4;

  // A sample is part of a key, then offset of the cell; both unsigned.
  private static final int OFFSET_BITS = 24;
  private static final int MAX_OFFSET = (1 << OFFSET_BITS) - 1;
  private static final int PART_BYTES = Long.BYTES - OFFSET_BITS / Byte.SIZE;
  /** In place of a key's part: it comes before, or after, each sample. */
  private static final long BELOW = -1;
  private static final long ABOVE = 1L << PART_BYTES * Byte.SIZE;
  /** In place of a key's part: only a comparison of keys can tell. */
  private static final long UNKNOWN = ABOVE + 1;

  // A header is the block's bytes, length of the prefix, cells from one sample to the next, what
  // the parts are of, whether there are rows, and the number of samples.
  private static final int COUNT_BITS = 7;
  private static final int ROWS_BITS = 2;
  private static final int KIND_BITS = 2;
  private static final int DISTANCE_BITS = 15;
  private static final int PREFIX_BITS = 14;
  private static final int MAX_PREFIX = (1 << PREFIX_BITS) - 1;
  private static final int MAX_DISTANCE = (1 << DISTANCE_BITS) - 1;

  /** What samples have parts of. */
  private static final int OF_NOTHING = 0;
  private static final int OF_ROW = 1;
  private static final int OF_QUALIFIER = 2;

  /** Where rows begin wasn't asked for. */
  static final int ROWS_UNKNOWN = 0;
  /** It isn't kept: too many rows, too few cells a row, or one row. */
  static final int WITHOUT_ROWS = 1;
  /** It is behind the samples: see {@link RowOffsets}. */
  static final int WITH_ROWS = 2;

  private final BlockWalk walk;
  private long header;
  private int cellsBefore;

  /** @param walk whose block is indexed, and whose seek searches */
  BlockSamples(BlockWalk walk) {
    this.walk = walk;
  }

  /** Returns how many cells the last sample found let the seek leave out, at least. */
  int cellsBefore() {
    return cellsBefore;
  }

  /** Returns the header of the index that was taken. */
  long header() {
    return header;
  }

  /** Returns how many samples an index has. */
  static int count(long header) {
    return (int) header & (1 << COUNT_BITS) - 1;
  }

  /** Returns the bytes of an index's block. */
  static int blockBytes(long header) {
    return (int) (header >>> COUNT_BITS + ROWS_BITS + KIND_BITS + DISTANCE_BITS + PREFIX_BITS);
  }

  /** Returns whether an index tells where rows begin. */
  static int rows(long header) {
    return (int) (header >>> COUNT_BITS) & (1 << ROWS_BITS) - 1;
  }

  /**
   * Takes the index of the block.
   * @param words    gets the samples, and then where rows begin
   * @param withRows whether that is wanted
   * @return number of words; 0 if the block is to have no index
   */
  int take(long[] words, boolean withRows) {
    int limit = walk.limit();
    int max = limit > MAX_OFFSET ? 0 : SeekIndexStore.maxSamples(limit);
    int cells = max == 0 ? 0 : walk.countCells();
    if (cells < MIN_CELLS) {
      return 0;
    }
    int distance = (cells + max) / (max + 1);
    if (distance > MAX_DISTANCE) {
      return 0;
    }
    int count = takeOffsets(words, cells, distance);
    if (count == 0) {
      return 0;
    }
    int rowWords = withRows ? RowOffsets.take(walk, cells, words, count) : 0;
    int rows = !withRows ? ROWS_UNKNOWN : rowWords == 0 ? WITHOUT_ROWS : WITH_ROWS;
    header = addParts(words, count, distance, rows);
    return count + rowWords;
  }

  /** Takes one of each so many cells, but of the first ones; returns how many it took. */
  private int takeOffsets(long[] samples, int cells, int distance) {
    int count = 0;
    int at = 0;
    boolean endsRow = false;
    for (int i = 0; i < cells; i++) {
      walk.read(at);
      int next = walk.next();
      if (i > 0 && i % distance == 0) {
        samples[count++] = at;
        endsRow = false;
      }
      if (count > 0 && !endsRow && i + 1 < cells && !walk.haveSameRow(at, next)) {
        samples[count - 1] = at;
        endsRow = true;
      }
      at = next;
    }
    return count;
  }

  /** Puts parts of keys in front of the offsets; returns the header. */
  private long addParts(long[] samples, int count, int distance, int rows) {
    walk.read(0);
    Cell first = walk.newCellAt(0);
    Cell last = cellAt((int) samples[count - 1]);
    int kind = OF_NOTHING;
    int prefix = 0;
    if (walk.hasPlainRows()) {
      kind = OF_ROW;
      prefix = commonPrefix(first, last, kind);
      if (prefix == first.getRowLength() && prefix == last.getRowLength()) {
        kind = OF_QUALIFIER;
        prefix = commonPrefix(first, last, kind);
      }
    }
    for (int i = 0; i < count && kind != OF_NOTHING; i++) {
      samples[i] |= part(cellAt((int) samples[i]), kind, prefix) << OFFSET_BITS;
    }
    long bits = walk.limit();
    bits = bits << PREFIX_BITS | prefix;
    bits = bits << DISTANCE_BITS | distance;
    bits = bits << KIND_BITS | kind;
    bits = bits << ROWS_BITS | rows;
    return bits << COUNT_BITS | count;
  }

  private Cell cellAt(int sample) {
    walk.read(sample);
    return walk.cellAt(sample);
  }

  private static int commonPrefix(Cell one, Cell other, int kind) {
    int most = Math.min(MAX_PREFIX, Math.min(length(one, kind), length(other, kind)));
    int prefix = 0;
    while (prefix < most && byteOf(one, kind, prefix) == byteOf(other, kind, prefix)) {
      prefix++;
    }
    return prefix;
  }

  private static int length(Cell cell, int kind) {
    return kind == OF_ROW ? cell.getRowLength() : cell.getQualifierLength();
  }

  private static byte byteOf(Cell cell, int kind, int index) {
    if (cell instanceof ByteBufferExtendedCell) {
      ByteBufferExtendedCell inBuffer = (ByteBufferExtendedCell) cell;
      return kind == OF_ROW
        ? inBuffer.getRowByteBuffer().get(inBuffer.getRowPosition() + index)
        : inBuffer.getQualifierByteBuffer().get(inBuffer.getQualifierPosition() + index);
    }
    return kind == OF_ROW
      ? cell.getRowArray()[cell.getRowOffset() + index]
      : cell.getQualifierArray()[cell.getQualifierOffset() + index];
  }

  /** Returns the bytes behind the prefix as a number, as if zeros followed. */
  private static long part(Cell cell, int kind, int prefix) {
    int length = length(cell, kind);
    long part = 0;
    for (int i = prefix; i < prefix + PART_BYTES; i++) {
      part = part << Byte.SIZE | (i < length ? byteOf(cell, kind, i) & 0xff : 0);
    }
    return part;
  }

  /**
   * Finds the last sample behind the position that is before the key of the seek.
   * @param index of the block, open
   * @return where its cell is; {@link BlockWalk#NONE} if there is none
   */
  int search(SeekIndexStore.View index, int position, Cell key) {
    long bits = index.header();
    int count = count(bits);
    bits >>>= COUNT_BITS + ROWS_BITS;
    int kind = (int) bits & (1 << KIND_BITS) - 1;
    bits >>>= KIND_BITS;
    int distance = (int) bits & MAX_DISTANCE;
    bits >>>= DISTANCE_BITS;
    int prefix = (int) bits & MAX_PREFIX;
    bits >>>= PREFIX_BITS;
    if (!index.isValid() || bits != walk.limit()) {
      return BlockWalk.NONE;
    }
    long part = kind == OF_NOTHING ? UNKNOWN : partOfKey(key, kind, prefix);
    int first = position == 0 ? 0 : firstBehind(index, position, count);
    if (first == count || !isSampleBefore(index, first, part, key)) {
      return BlockWalk.NONE;
    }
    int low = first;
    for (int high = count; high - low > 1;) {
      int middle = low + high >>> 1;
      if (isSampleBefore(index, middle, part, key)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    int offset = (int) index.word(low) & MAX_OFFSET;
    if (!index.isValid()) {
      return BlockWalk.NONE;
    }
    // Where the scanner is within the cells before the first of these samples isn't known.
    cellsBefore = position == 0 ? (low + 1) * distance : Math.max(0, low - first - 1) * distance;
    return offset;
  }

  /** Returns the first sample that is behind the position. */
  private static int firstBehind(SeekIndexStore.View index, int position, int count) {
    int low = -1;
    int high = count;
    while (high - low > 1) {
      int middle = low + high >>> 1;
      if (((int) index.word(middle) & MAX_OFFSET) > position) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private boolean isSampleBefore(SeekIndexStore.View index, int number, long part,
    Cell key) {
    long sample = index.word(number);
    long partOfSample = sample >>> OFFSET_BITS;
    if (part != UNKNOWN && part != partOfSample) {
      return partOfSample < part;
    }
    return index.isValid() && walk.isBefore((int) sample & MAX_OFFSET, key);
  }

  /** Returns the key's bytes where samples have parts, or how it compares with all of them. */
  private long partOfKey(Cell key, int kind, int prefix) {
    if (!walk.read(0)) {
      return UNKNOWN;
    }
    Cell first = walk.cellAt(0);
    if (kind == OF_QUALIFIER) {
      int compared = walk.comparator().compareRows(key, first);
      if (compared != 0) {
        return compared < 0 ? BELOW : ABOVE;
      }
      // A key without qualifier may stand for the begin or end of its row.
      if (key.getQualifierLength() == 0 || walk.comparator().compareFamilies(key, first) != 0) {
        return UNKNOWN;
      }
    }
    int length = length(key, kind);
    for (int i = 0; i < prefix; i++) {
      int compared =
        i < length ? (byteOf(key, kind, i) & 0xff) - (byteOf(first, kind, i) & 0xff) : -1;
      if (compared != 0) {
        return compared < 0 ? BELOW : ABOVE;
      }
    }
    return part(key, kind, prefix);
  }
}
