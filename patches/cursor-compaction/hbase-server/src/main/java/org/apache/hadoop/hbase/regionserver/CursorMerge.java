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
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.CellCursor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The cells of several files or segments of a store in one order, that of {@link KeyValueHeap}. Not
 * thread-safe.
 * <p>
 * The cursors are sorted by their cells, and for each it is known what its cell has in common with
 * the one before it. So when a cursor has gone on, and what its new cell has in common with the old
 * one is known, its place among the others is found with few looks at their bytes: of two cells
 * behind a third, the one that has more in common with it comes first.
 */
@InterfaceAudience.Private
final class CursorMerge {
  /** What a cell has in common with the one before it: less than the row. */
  static final int NOTHING = 0;
  static final int ROW = 1;
  /** The row and the column. */
  static final int COLUMN = 2;
  /** All but the sequence id. */
  static final int KEY = 3;

  /** Up to so many cursors one is looked at after the other. */
  private static final int FEW = 8;

  private final CellCursor[] cursors;
  /** What is in common with the cursor before, at 0 with the last cell; never {@link #KEY}. */
  private final int[] shared;
  private int count;
  /** What the last two that were compared have in common. */
  private int compared;

  // The last cell, whose bytes stay until its cursor goes on twice.
  private byte[] bytes = HConstants.EMPTY_BYTE_ARRAY;
  private int rowOffset;
  private int rowLength;
  private int familyLength;
  private int qualifierOffset;
  private int qualifierLength;
  private long timestamp;
  private byte type;

  /**
   * Merges cursors.
   * @param cursors each has a cell
   */
  CursorMerge(List<CellCursor> cursors) {
    this.cursors = new CellCursor[cursors.size()];
    this.shared = new int[cursors.size()];
    for (CellCursor cursor : cursors) {
      int place = count;
      while (place > 0 && compare(cursor, this.cursors[place - 1], NOTHING) < 0) {
        this.cursors[place] = this.cursors[place - 1];
        place--;
      }
      this.cursors[place] = cursor;
      count++;
    }
    for (int i = 1; i < count; i++) {
      compare(this.cursors[i], this.cursors[i - 1], NOTHING);
      shared[i] = compared;
    }
  }

  /** Returns the cursor that has the least cell, or null if there is none any more. */
  CellCursor current() {
    return count == 0 ? null : cursors[0];
  }

  /** Returns what the current cell has in common with the last one. */
  int common() {
    int common = shared[0];
    return common == COLUMN && cursors[0].getTimestamp() == timestamp
      && cursors[0].getType() == type ? KEY : common;
  }

  /** Goes to the next cell. */
  void next() throws IOException {
    CellCursor first = cursors[0];
    bytes = first.getBytes();
    rowOffset = first.getRowOffset();
    rowLength = first.getRowLength();
    familyLength = first.getFamilyLength();
    qualifierOffset = first.getQualifierOffset();
    qualifierLength = first.getQualifierLength();
    timestamp = first.getTimestamp();
    type = first.getType();
    if (first.next()) {
      sort(first, compareWithLast(first));
    } else {
      count--;
      move(count);
      cursors[count] = null;
    }
  }

  /**
   * Moves the first cursor to its place.
   * @param common what its cell has in common with the last one
   */
  private void sort(CellCursor first, int common) {
    if (common == NOTHING && count > FEW) {
      sortByRow(first);
      return;
    }
    int place = 1;
    while (place < count) {
      if (shared[place] == common) {
        if (compare(first, cursors[place], common) < 0) {
          shared[place] = compared;
          break;
        }
        common = compared;
      } else if (shared[place] < common) {
        break;
      }
      place++;
    }
    place--;
    move(place);
    cursors[place] = first;
    shared[place] = common;
  }

  /**
   * Moves the first of many cursors, whose cell is of another row than the last one. Most of the
   * others are of other rows, too, so that each look is one at bytes.
   */
  private void sortByRow(CellCursor first) {
    int low = 1;
    int high = count;
    int before = NOTHING;
    int behind = NOTHING;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(first, cursors[middle], NOTHING) < 0) {
        high = middle;
        behind = compared;
      } else {
        low = middle + 1;
        before = compared;
      }
    }
    int place = low - 1;
    move(place);
    cursors[place] = first;
    shared[place] = place == 0 ? NOTHING : before;
    if (low < count) {
      shared[low] = behind;
    }
  }

  /** Moves the cursors behind the first, up to one, to the place before. */
  private void move(int end) {
    System.arraycopy(cursors, 1, cursors, 0, end);
    System.arraycopy(shared, 1, shared, 0, end);
  }

  /** Returns what the next cell of the cursor that had the last one has in common with that. */
  private int compareWithLast(CellCursor cell) throws IOException {
    byte[] b = cell.getBytes();
    int difference =
      compare(bytes, rowOffset, rowLength, b, cell.getRowOffset(), cell.getRowLength());
    int common = NOTHING;
    if (difference == 0) {
      common = ROW;
      difference = familyLength - cell.getFamilyLength();
      if (difference == 0) {
        difference = compare(bytes, qualifierOffset, qualifierLength, b, cell.getQualifierOffset(),
          cell.getQualifierLength());
        if (difference == 0) {
          common = COLUMN;
          difference = compareNumbers(timestamp, type, cell.getTimestamp(), cell.getType());
        }
      }
    }
    if (difference > 0) {
      throw new IOException("Cells aren't sorted: "
        + Bytes.toStringBinary(b, cell.getKeyOffset(), cell.getKeyLength()) + ", "
        + cell.getSource());
    }
    return common;
  }

  /**
   * Compares cells of which it is known what they have in common at least. In a store a family's
   * bytes are always the same, as InnerStoreCellComparator has it, too.
   */
  private int compare(CellCursor left, CellCursor right, int known) {
    byte[] l = left.getBytes();
    byte[] r = right.getBytes();
    compared = NOTHING;
    if (known == NOTHING) {
      int difference = compare(l, left.getRowOffset(), left.getRowLength(), r,
        right.getRowOffset(), right.getRowLength());
      if (difference != 0) {
        return difference;
      }
    }
    compared = ROW;
    if (known <= ROW) {
      int difference = left.getFamilyLength() - right.getFamilyLength();
      if (difference != 0) {
        return difference;
      }
      difference = compare(l, left.getQualifierOffset(), left.getQualifierLength(), r,
        right.getQualifierOffset(), right.getQualifierLength());
      if (difference != 0) {
        return difference;
      }
    }
    compared = COLUMN;
    int difference = compareNumbers(left.getTimestamp(), left.getType(), right.getTimestamp(),
      right.getType());
    if (difference != 0) {
      return difference;
    }
    difference = Long.compare(right.getSequenceId(), left.getSequenceId());
    return difference != 0 ? difference : right.getAge() - left.getAge();
  }

  private static int compareNumbers(long leftTimestamp, byte leftType, long rightTimestamp,
    byte rightType) {
    return leftTimestamp != rightTimestamp
      ? Long.compare(rightTimestamp, leftTimestamp)
      : (rightType & 0xff) - (leftType & 0xff);
  }

  /** Compares eight bytes at a time; behind rows and qualifiers there are as many in the array. */
  private static int compare(byte[] left, int leftOffset, int leftLength, byte[] right,
    int rightOffset, int rightLength) {
    int length = Math.min(leftLength, rightLength);
    for (int i = 0; i < length; i += Bytes.SIZEOF_LONG) {
      long l = Bytes.toLong(left, leftOffset + i);
      long r = Bytes.toLong(right, rightOffset + i);
      if (l != r) {
        int bitsBehind = Math.max(0, Bytes.SIZEOF_LONG - (length - i)) * Byte.SIZE;
        int difference = Long.compareUnsigned(l >>> bitsBehind, r >>> bitsBehind);
        if (difference != 0) {
          return difference;
        }
      }
    }
    return leftLength - rightLength;
  }
}
