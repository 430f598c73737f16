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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.SizeCachedNoTagsByteBufferKeyValue;
import org.apache.hadoop.hbase.SizeCachedNoTagsKeyValue;
import org.apache.hadoop.hbase.io.encoding.RowIndexSeekerV1;
import org.apache.hadoop.hbase.io.hfile.HFileReaderImpl.HFileScannerImpl;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.unsafe.HBasePlatformDependent;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.UnsafeAccess;
import org.apache.hadoop.io.WritableUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The cells of a scanner's block that has them as they are: without encoding, or with ROW_INDEX_V1.
 * It begins at the scanner's cell. What it can't read, such as a cell with tags, with lengths that
 * don't fit, or behind the block's end, it leaves to the scanner. Not thread-safe.
 */
@InterfaceAudience.Private
public final class BlockCells extends BlockSteps {
  /** Sequence ids are those in the file. */
  public static final long OF_CELLS = Long.MIN_VALUE;

  private static final int LENGTHS = KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE;
  private static final int ROW_AT = LENGTHS + Bytes.SIZEOF_SHORT;
  private static final int EMPTY_KEY = KeyValue.KEY_INFRASTRUCTURE_SIZE;
  private static final int TIME_AND_TYPE = KeyValue.TIMESTAMP_TYPE_SIZE;
  /** Of a number of variable length, a byte below this one is the length. */
  private static final int MIN_ONE_BYTE_NUMBER = -112;

  /** What a cell off the heap counts for beside its bytes. */
  private static final long DIRECT_CELL_BYTES =
    new SizeCachedNoTagsByteBufferKeyValue(ByteBuffer.allocateDirect(0), 0, 0, 0, 0, (short) 0)
      .heapSize();

  private static final int NOWHERE = -1;
  /** So many rows that are gone to are fetched from memory at a time. */
  private static final int FETCHED_ROWS = 8;
  /** Behind the begin of a cell, in or near the end of a short row. */
  private static final int FETCHED_AT = 32;

  // What is compared of a cell.
  private static final int NOTHING = 0;
  private static final int ROWS = 1;
  private static final int ALL = 2;

  private final HFileScannerImpl scanner;
  private final long readPoint;
  private final long fileSequenceId;
  /** Goes through blocks that tell themselves where their rows begin; null if they don't. */
  private final RowIndexSeekerV1 rowIndex;
  private final boolean mayHaveTags;
  private final boolean hasSequenceIds;
  private final boolean readsSequenceIds;

  /** Null if it wasn't asked. */
  private BlockRows rows;
  private boolean hasAskedForRows;
  /** The number of the row that was gone to last. */
  private int lastRow;
  /** The number of the first row that wasn't fetched. */
  private int rowToFetch;
  /** Where this was when the row index was asked last. */
  private int rowsFrom;
  /** The rows that it told of, from the block's first one on. */
  private int rowsPassed;
  /** Where the last one of these begins, or the block's end. */
  private int rowBehind;
  /** Is set so that what is read isn't left out by a compiler. */
  private int fetched;

  private ByteBuff block;
  private ByteBuffer bytes;
  /** The array that has the bytes; null if they are off the heap. */
  private Object base;
  /** Where they begin in it, or the address. */
  private long origin;
  private int limit;

  private int start = NOWHERE;
  private int end;
  private int keyLength;
  private int valueLength;
  private short rowLength;
  private long timestamp;
  private byte type;
  private long sequenceId;
  private int sequenceIdLength;

  private BlockCells(HFileScannerImpl scanner, long readPoint, long fileSequenceId) {
    this.scanner = scanner;
    this.readPoint = readPoint;
    this.fileSequenceId = fileSequenceId;
    rowIndex = scanner.getRowIndex();
    HFileInfo info = scanner.reader.getHFileInfo();
    mayHaveTags = scanner.reader.getFileContext().isIncludesTags();
    hasSequenceIds = info.shouldIncludeMemStoreTS();
    readsSequenceIds = info.isDecodeMemstoreTS();
  }

  /** Returns true if the blocks of a scanner have their cells as they are. */
  public static boolean reads(HFileScanner scanner) {
    return HBasePlatformDependent.unaligned() && scanner instanceof HFileScannerImpl
      && (scanner.getClass() == HFileScannerImpl.class
        || ((HFileScannerImpl) scanner).getRowIndex() != null);
  }

  /**
   * Makes one that is nowhere yet.
   * @param readPoint      cells with later sequence ids are left to the scanner
   * @param fileSequenceId what all cells of the file have, or {@link #OF_CELLS}
   */
  public static BlockCells of(HFileScanner scanner, long readPoint, long fileSequenceId) {
    return new BlockCells((HFileScannerImpl) scanner, readPoint, fileSequenceId);
  }

  /**
   * Begins where the scanner is.
   * @param cell what the scanner gave there
   * @return false if it can't
   */
  public boolean begin(Cell cell) {
    Class<?> type = cell.getClass();
    if (
      type != BlockCell.class && type != SizeCachedNoTagsByteBufferKeyValue.class
        && type != SizeCachedNoTagsKeyValue.class
    ) {
      return false;
    }
    // Without a block, the row index has the cells of the last one.
    ByteBuff cells = rowIndex == null || scanner.curBlock == null
      ? scanner.getCells()
      : rowIndex.getCells();
    if (cells == null) {
      return false;
    }
    if (cells != block) {
      if (!(cells instanceof SingleByteBuff)) {
        return false;
      }
      ByteBuffer buffer = cells.asSubByteBuffer(0);
      if (!buffer.hasArray() && !buffer.isDirect()) {
        return false;
      }
      block = cells;
      start = NOWHERE; // What was read is of another block.
      hasAskedForRows = false;
      rowsFrom = Integer.MAX_VALUE;
      bytes = buffer;
      limit = cells.limit();
      base = bytes.hasArray() ? bytes.array() : null;
      origin = bytes.hasArray()
        ? UnsafeAccess.BYTE_ARRAY_BASE_OFFSET + bytes.arrayOffset()
        : UnsafeAccess.directBufferAddress(bytes);
    }
    int position = rowIndex == null ? cells.position() : rowIndex.getPosition();
    return position == start || read(position, NOTHING) != STAYS;
  }

  @Override
  public int next() {
    return read(end, ALL);
  }

  /** As {@link #next} for who asks for the row alone: each cell in it is a {@link #COLUMN}. */
  public int nextInRow() {
    return read(end, ROWS);
  }

  /**
   * As {@link #nextInRow}, but goes to the next row at once if the block's seek index tells where
   * that begins, or if such indexes are on and the block tells itself.
   */
  @Override
  public int nextRow() {
    if (rowIndex != null) {
      int step = BlockSeekIndex.isEnabled() ? read(rowBehind(), ROWS) : STAYS;
      return step == STAYS ? nextInRow() : step;
    }
    if (!hasAskedForRows && BlockSeekIndex.isEnabled()) {
      rows = rows == null ? new BlockRows() : rows;
      rows.begin(scanner.reader, scanner.curBlock, block, scanner.cacheBlocks);
      hasAskedForRows = true;
      rowToFetch = 0;
      lastRow = -1;
    }
    int at = hasAskedForRows ? rows.next(start) : BlockRows.UNKNOWN;
    if (at != BlockRows.UNKNOWN) {
      int number = rows.getNumber();
      if (number >= rowToFetch && number == lastRow + 1) {
        fetchRows(number);
      }
      lastRow = number;
    }
    int step = at == BlockRows.UNKNOWN ? STAYS : read(at, ROWS);
    if (step == STAYS) {
      return nextInRow();
    }
    rows.jumped();
    return step;
  }

  /** Returns where the block says that the next row begins; its end if there is none. */
  private int rowBehind() {
    if (start < rowsFrom) {
      rowsPassed = 0;
      rowBehind = 0;
    }
    rowsFrom = start;
    while (rowBehind <= start) {
      rowBehind =
        rowsPassed < rowIndex.getRowCount() ? rowIndex.getRowPosition(rowsPassed++) : limit;
    }
    return rowBehind;
  }

  /**
   * Reads a byte or two of each of the next rows. Their reads wait for memory at the same time; as
   * each row is gone to, one would wait after the other.
   */
  private void fetchRows(int first) {
    rowToFetch = first + FETCHED_ROWS;
    int sum = 0;
    for (int i = first; i < rowToFetch; i++) {
      int at = rows.get(i);
      if (at >= 0 && at < limit - FETCHED_AT) {
        sum += getByte(at) + getByte(at + FETCHED_AT);
      }
    }
    fetched = sum;
  }

  /** Lets go of the block's index. */
  public void close() {
    if (rows != null) {
      rows.end();
    }
  }

  @Override
  public int getPosition() {
    return start;
  }

  @Override
  public int mark() {
    return start;
  }

  @Override
  public boolean goBack(int position) {
    read(position, NOTHING);
    return true;
  }

  /** Reads a cell, and compares it with the one before. */
  private int read(int at, int compared) {
    long left = limit - at - LENGTHS;
    if (left < EMPTY_KEY) {
      return STAYS;
    }
    long lengths = getLong(at);
    int key = (int) (lengths >> Integer.SIZE);
    int value = (int) lengths;
    left -= (long) key + value;
    if (key < EMPTY_KEY || value < 0 || left < 0) {
      return STAYS;
    }
    int behind = at + LENGTHS + key + value;
    if (mayHaveTags) {
      left -= KeyValue.TAGS_LENGTH_SIZE;
      if (left < 0 || getShort(behind) != 0) {
        return STAYS;
      }
      behind += KeyValue.TAGS_LENGTH_SIZE;
    }
    long sequence = 0;
    int sequenceLength = 0;
    if (hasSequenceIds) {
      if (left < 1) {
        return STAYS;
      }
      sequenceLength = 1;
      if (readsSequenceIds) {
        byte first = getByte(behind);
        sequence = first;
        if (first < MIN_ONE_BYTE_NUMBER) {
          sequenceLength = lengthOfSequenceId(first);
          if (left < sequenceLength) {
            return STAYS;
          }
          sequence = readSequenceId(behind, sequenceLength);
        }
      }
      behind += sequenceLength;
    }
    if (fileSequenceId != OF_CELLS) {
      sequence = fileSequenceId;
    }
    short row = getShort(at + LENGTHS);
    if (sequence > readPoint || row < 0 || row > key - EMPTY_KEY) {
      return STAYS;
    }
    int difference = compared == ALL ? compare(at, key, row)
      : compared == ROWS ? compareRow(at, row)
      : ROW;
    if (difference == STAYS) {
      return STAYS;
    }
    start = at;
    end = behind;
    keyLength = key;
    valueLength = value;
    rowLength = row;
    int timeAt = at + LENGTHS + key - TIME_AND_TYPE;
    timestamp = getLong(timeAt);
    type = getByte(timeAt + Long.BYTES);
    sequenceId = sequence;
    sequenceIdLength = sequenceLength;
    return difference;
  }

  /** Returns how many bytes a sequence id behind a cell has, by its first byte. */
  public static int lengthOfSequenceId(byte first) {
    return first < MIN_ONE_BYTE_NUMBER ? WritableUtils.decodeVIntSize(first) : 1;
  }

  /** Returns true if there are sequence ids behind cells. */
  public boolean hasSequenceIds() {
    return hasSequenceIds;
  }

  /** Returns true if a length of tags follows each cell; of cells that this reads it is 0. */
  public boolean hasTagsLengths() {
    return mayHaveTags;
  }

  private long readSequenceId(int at, int length) {
    long number = 0;
    if (limit - at > Long.BYTES) {
      number = getLong(at + 1) >>> Long.SIZE - (length - 1) * Byte.SIZE;
    } else {
      for (int i = 1; i < length; i++) {
        number = number << Byte.SIZE | getByte(at + i) & 0xff;
      }
    }
    return WritableUtils.isNegativeVInt(getByte(at)) ? ~number : number;
  }

  private long getLong(int at) {
    return UnsafeAccess.toLong(base, origin + at);
  }

  private short getShort(int at) {
    return UnsafeAccess.toShort(base, origin + at);
  }

  private byte getByte(int at) {
    return UnsafeAccess.toByte(base, origin + at);
  }

  private int compareRow(int at, int row) {
    return row == rowLength
      && mismatch(start + ROW_AT, at + ROW_AT, row) == row ? COLUMN : ROW;
  }

  /** Compares row, family and qualifier of the next cell with those of this one. */
  private int compare(int at, int key, int row) {
    if (row != rowLength) {
      return ROW;
    }
    int length = Math.min(key, keyLength) - TIME_AND_TYPE;
    int equal = mismatch(start + LENGTHS, at + LENGTHS, length);
    int behindRow = Bytes.SIZEOF_SHORT + row;
    if (equal < behindRow) {
      return ROW;
    }
    if (equal == length) {
      return key == keyLength ? VERSION : key > keyLength ? COLUMN : STAYS;
    }
    int qualifier = behindRow + 1 + getByte(at + LENGTHS + behindRow);
    if (equal < qualifier) {
      return STAYS; // Of another family.
    }
    int before = getByte(start + LENGTHS + equal) & 0xff;
    return (getByte(at + LENGTHS + equal) & 0xff) > before ? COLUMN : STAYS;
  }

  /** Returns how many bytes are equal. Before each of the two places there are eight bytes. */
  private int mismatch(int one, int other, int length) {
    int at = 0;
    for (; at <= length - Long.BYTES; at += Long.BYTES) {
      long differences = getLong(one + at) ^ getLong(other + at);
      if (differences != 0) {
        return at + Long.numberOfLeadingZeros(differences) / Byte.SIZE;
      }
    }
    int left = length - at;
    if (left == 0) {
      return length;
    }
    int from = length - Long.BYTES;
    long differences = (getLong(one + from) ^ getLong(other + from))
        << Long.SIZE - left * Byte.SIZE;
    return differences == 0
      ? length
      : at + Long.numberOfLeadingZeros(differences) / Byte.SIZE;
  }

  /** Returns the first eight bytes of a qualifier as a number, as if zeros followed. */
  public static long firstWord(byte[] qualifier) {
    long word = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      word = word << Byte.SIZE | (i < qualifier.length ? qualifier[i] & 0xff : 0);
    }
    return word;
  }

  @Override
  public boolean isBeforeColumn(byte[] qualifier, long word) {
    int familyAt = start + ROW_AT + rowLength;
    int family = getByte(familyAt);
    int at = familyAt + 1 + family;
    int length = start + LENGTHS + keyLength - TIME_AND_TYPE - at;
    if (family < 0 || length < 0) {
      return false;
    }
    long first = getLong(at); // There are nine bytes behind the qualifier.
    if (length < Long.BYTES) {
      first = length == 0 ? 0 : first & -1L << Long.SIZE - length * Byte.SIZE;
    }
    return first == word
      ? isBefore(at, length, qualifier)
      : Long.compareUnsigned(first, word) < 0;
  }

  private boolean isBefore(int at, int length, byte[] other) {
    int least = Math.min(length, other.length);
    for (int i = 0; i < least; i++) {
      int difference = (getByte(at + i) & 0xff) - (other[i] & 0xff);
      if (difference != 0) {
        return difference < 0;
      }
    }
    return length < other.length;
  }

  @Override
  public void leave() {
    if (rowIndex == null) {
      scanner.goTo(start, keyLength, valueLength, rowLength, sequenceId, sequenceIdLength);
    } else {
      rowIndex.goTo(start);
    }
  }

  /**
   * Returns the cell.
   * @param one is set to it if it is off the heap, and returned
   */
  public Cell get(BlockCell one) {
    return base == null
      ? one.set(bytes, start, keyLength, valueLength, rowLength, sequenceId)
      : make();
  }

  @Override
  public Cell make() {
    return base == null
      ? new SizeCachedNoTagsByteBufferKeyValue(bytes, start, getSize(), sequenceId, keyLength,
        rowLength)
      : new SizeCachedNoTagsKeyValue((byte[]) base, bytes.arrayOffset() + start, getSize(),
        sequenceId, keyLength, rowLength);
  }

  @Override
  public boolean isDirect() {
    return base == null;
  }

  /** Returns the buffer that the cells are in. */
  public ByteBuffer getBuffer() {
    return bytes;
  }

  /** Returns where the cell begins in the buffer, with its lengths. */
  public int getOffset() {
    return start;
  }

  @Override
  public long getHeapSize(Cell cell) {
    return base == null ? DIRECT_CELL_BYTES + getSize() : cell.heapSize();
  }

  @Override
  public int getSize() {
    return LENGTHS + keyLength + valueLength;
  }

  @Override
  public long getTimestamp() {
    return timestamp;
  }

  @Override
  public byte getType() {
    return type;
  }

  /** Returns false: a cell with tags is left to the scanner. */
  @Override
  public boolean hasTags() {
    return false;
  }
}
