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

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.ByteBufferKeyOnlyKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.InnerStoreCellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ObjectIntPair;
import org.apache.hadoop.io.WritableUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Goes from cell to cell of a block without encoding, and compares them with the key of a seek. Not
 * thread-safe.
 */
/*
 * It takes less time for a cell than blockSeek, which asks the buffer's reference count for each
 * number that it reads, and reads all of a cell's MVCC version. Rows are compared eight bytes at a
 * time; only if that doesn't tell, keys are.
 */
@InterfaceAudience.Private
final class BlockWalk {
  /** Returned if no cell is before the key. */
  static final int NONE = -1;

  private static final int LENGTHS = KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE;
  /** Bytes of a key with empty row, family and qualifier. */
  private static final int EMPTY_KEY = KeyValue.KEY_INFRASTRUCTURE_SIZE;
  /** The first words of the key's row that are kept, in number. */
  private static final int MAX_ROW_WORDS = 8;

  private final ObjectIntPair<ByteBuffer> pair = new ObjectIntPair<>();
  private final ByteBufferKeyOnlyKeyValue cell = new ByteBufferKeyOnlyKeyValue();

  // The file, while a seek goes on.
  private CellComparator comparator;
  /** Whether rows are in the order of their bytes, as those of meta aren't. */
  private boolean hasPlainRows;
  private boolean hasTags;
  private boolean hasMvcc;
  private boolean hasMvccBytes;
  // The block, while a seek goes on.
  private ByteBuff block;
  /** The block's bytes from its first cell on; null if they are in several buffers. */
  private ByteBuffer single;
  private int limit;
  // The key, while a seek goes on.
  private final long[] rowWords = new long[MAX_ROW_WORDS];
  private int rowWordCount;
  private int keyRowLength;
  /** The last eight bytes of the key's row; only if all before them are in rowWords. */
  private long lastRowWord;
  private boolean hasLastRowWord;
  // The cell that was read last.
  private int keyLength;
  private short rowLength;
  private int end;

  /**
   * Begins in a block.
   * @param reader of the block's file
   * @param buffer the block from its first cell on, which stays where it is; held by the caller
   */
  void begin(HFile.Reader reader, ByteBuff buffer) {
    comparator = reader.getComparator();
    hasPlainRows = comparator.getClass() == CellComparatorImpl.class
      || comparator.getClass() == InnerStoreCellComparator.class;
    hasTags = reader.getFileContext().isIncludesTags();
    hasMvcc = reader.getHFileInfo().shouldIncludeMemStoreTS();
    hasMvccBytes = reader.getHFileInfo().isDecodeMemstoreTS();
    block = buffer;
    limit = buffer.limit();
    single = buffer instanceof SingleByteBuff ? buffer.asSubByteBuffer(limit) : null;
  }

  /** Begins in a block to seek a key in it. */
  void begin(HFile.Reader reader, ByteBuff buffer, Cell key) {
    begin(reader, buffer);
    takeRowWords(key);
  }

  /** Nothing of the block is kept. */
  void end() {
    cell.clear();
    pair.setFirst(null);
    block = null;
    single = null;
  }

  CellComparator comparator() {
    return comparator;
  }

  boolean hasPlainRows() {
    return hasPlainRows;
  }

  /** Returns where the cells of the block end. */
  int limit() {
    return limit;
  }

  /** Returns where the cell that was read last ends. */
  int next() {
    return end;
  }

  /** Returns the cell there, which was read last; it may be another one after any other call. */
  Cell cellAt(int at) {
    point(cell, at);
    return cell;
  }

  /** Like {@link #cellAt}, of a cell that stays as it is. */
  Cell newCellAt(int at) {
    ByteBufferKeyOnlyKeyValue own = new ByteBufferKeyOnlyKeyValue();
    point(own, at);
    return own;
  }

  /** Returns the last cell from that one on that is before the key; NONE if that one isn't. */
  int walk(int from, Cell key) {
    int before = NONE;
    for (int at = from; at < limit && isBefore(at, key); at = end) {
      before = at;
    }
    return before;
  }

  /** Returns true if there is a valid cell, and it is before the key. */
  boolean isBefore(int at, Cell key) {
    if (!read(at)) {
      return false;
    }
    int compared = rowWordCount > 0 ? compareRowWords(at) : 0;
    if (compared != 0) {
      return compared > 0;
    }
    point(cell, at);
    return PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, cell) > 0;
  }

  private void takeRowWords(Cell key) {
    keyRowLength = key.getRowLength();
    int words = hasPlainRows && single != null ? keyRowLength / Long.BYTES : 0;
    rowWordCount = Math.min(words, MAX_ROW_WORDS);
    hasLastRowWord = words > 0 && words <= MAX_ROW_WORDS && keyRowLength % Long.BYTES != 0;
    for (int i = 0; i < rowWordCount; i++) {
      rowWords[i] = rowWord(key, i * Long.BYTES);
    }
    if (hasLastRowWord) {
      lastRowWord = rowWord(key, keyRowLength - Long.BYTES);
    }
  }

  private static long rowWord(Cell key, int index) {
    if (key instanceof ByteBufferExtendedCell) {
      ByteBufferExtendedCell inBuffer = (ByteBufferExtendedCell) key;
      return inBuffer.getRowByteBuffer().getLong(inBuffer.getRowPosition() + index);
    }
    return Bytes.toLong(key.getRowArray(), key.getRowOffset() + index);
  }

  /**
   * Compares the row of the key with that of the cell that was read last, as far as words go.
   * @return above 0 if the cell's row is before the key's, below 0 if it is behind; 0 if words
   *         can't tell
   */
  private int compareRowWords(int at) {
    int row = at + LENGTHS + Bytes.SIZEOF_SHORT;
    int words = Math.min(rowWordCount, rowLength / Long.BYTES);
    for (int i = 0; i < words; i++) {
      long word = single.getLong(row + i * Long.BYTES);
      if (word != rowWords[i]) {
        return Long.compareUnsigned(rowWords[i], word);
      }
    }
    return hasLastRowWord && rowLength == keyRowLength
      ? Long.compareUnsigned(lastRowWord, single.getLong(row + rowLength - Long.BYTES))
      : 0;
  }

  private void point(ByteBufferKeyOnlyKeyValue pointed, int at) {
    if (single != null) {
      pointed.setKey(single, at + LENGTHS, keyLength, rowLength);
    } else {
      block.asSubByteBuffer(at + LENGTHS, keyLength, pair);
      pointed.setKey(pair.getFirst(), pair.getSecond(), keyLength, rowLength);
    }
  }

  /** Reads a cell's lengths; returns false if they aren't valid. */
  boolean read(int at) {
    if (at < 0 || limit - at < LENGTHS + EMPTY_KEY) {
      return false;
    }
    long lengths = single != null ? single.getLong(at) : block.getLong(at);
    keyLength = (int) (lengths >> Integer.SIZE);
    int valueLength = (int) lengths;
    if (keyLength < EMPTY_KEY || valueLength < 0) {
      return false;
    }
    long next = (long) at + LENGTHS + keyLength + valueLength;
    if (next > limit) {
      return false;
    }
    rowLength = shortAt(at + LENGTHS);
    if (rowLength < 0 || rowLength + EMPTY_KEY > keyLength) {
      return false;
    }
    int familyLength = byteAt(at + LENGTHS + Bytes.SIZEOF_SHORT + rowLength);
    if (familyLength < 0 || rowLength + familyLength + EMPTY_KEY > keyLength) {
      return false;
    }
    if (hasTags) {
      if (limit - next < Bytes.SIZEOF_SHORT) {
        return false;
      }
      next += Bytes.SIZEOF_SHORT + (shortAt((int) next) & 0xffff);
    }
    if (hasMvcc && hasMvccBytes) {
      if (next >= limit) {
        return false;
      }
      next += WritableUtils.decodeVIntSize(byteAt((int) next));
    } else if (hasMvcc) {
      next++;
    }
    end = (int) next;
    return next <= limit;
  }

  /** Returns true if the cells there, which are valid, are of one row. */
  boolean haveSameRow(int one, int other) {
    short length = shortAt(one + LENGTHS);
    if (shortAt(other + LENGTHS) != length) {
      return false;
    }
    for (int i = LENGTHS + Bytes.SIZEOF_SHORT + length; --i >= LENGTHS + Bytes.SIZEOF_SHORT;) {
      if (byteAt(one + i) != byteAt(other + i)) {
        return false;
      }
    }
    return true;
  }

  private short shortAt(int at) {
    return single != null ? single.getShort(at) : block.getShort(at);
  }

  private byte byteAt(int at) {
    return single != null ? single.get(at) : block.get(at);
  }

  /** Returns the number of cells; 0 if one isn't valid. */
  int countCells() {
    int cells = 0;
    for (int at = 0; at < limit; at = end) {
      if (!read(at)) {
        return 0;
      }
      cells++;
    }
    return cells;
  }
}
