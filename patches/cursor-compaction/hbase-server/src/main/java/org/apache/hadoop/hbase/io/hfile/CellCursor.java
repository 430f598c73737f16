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

import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValue.Type;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoder.EncodedSeeker;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.DecodedCell;
import org.apache.hadoop.hbase.io.hfile.HFileReaderImpl.EncodedScanner;
import org.apache.hadoop.hbase.io.hfile.HFileReaderImpl.HFileScannerImpl;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A place among the cells of a file. It goes from cell to cell, and gives the bytes of the key and
 * the numbers in it; nothing is made for a cell. They are those in the block, if it isn't encoded
 * or only has an index of rows behind its cells; else they are decoded to one of two arrays. Not
 * thread-safe.
 * <p>
 * The lengths of a cell are checked before its bytes are read. The bytes of a cell stay as they are
 * until {@link #next} has been called twice.
 */
@InterfaceAudience.Private
public final class CellCursor {
  /** Lengths of row and family, timestamp and type. */
  private static final int FIXED_KEY_BYTES = KeyValue.KEY_INFRASTRUCTURE_SIZE;
  private static final int TIME_AND_TYPE_BYTES = KeyValue.TIMESTAMP_TYPE_SIZE;
  private static final int LENGTHS_BYTES = KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE;
  private static final int TAGS_LENGTH_BYTES = KeyValue.TAGS_LENGTH_SIZE;
  /** The number of rows, and the length of what is before the index. */
  private static final int ROW_INDEX_BYTES = 2 * Bytes.SIZEOF_INT;
  private static final int TAG_HEAD_BYTES = Bytes.SIZEOF_SHORT + Bytes.SIZEOF_BYTE;
  /** A bit for each type that a cell in a file can have, but {@link Type#Maximum}. */
  private static final int TYPES = 1 << Type.Put.getCode() | 1 << Type.Delete.getCode()
    | 1 << Type.DeleteFamilyVersion.getCode() | 1 << Type.DeleteColumn.getCode()
    | 1 << Type.DeleteFamily.getCode() | 1 << Type.Minimum.getCode();
  /** Sequence ids are those in the file; -1 is that of a bulk-loaded file without any. */
  public static final long OF_CELLS = Long.MIN_VALUE;

  private final HFileScannerImpl scanner;
  private final int age;
  private final long fileSequenceId;
  private final boolean hasTags;
  private final boolean hasSequenceIds;
  private final boolean readsSequenceIds;
  private final boolean hasRowIndex;
  /** What decodes blocks; null if they have each cell as it is. */
  private final EncodedSeeker seeker;
  private DecodedCell decoded = new DecodedCell();
  private DecodedCell lastDecoded = new DecodedCell();

  private byte[] bytes;
  /** Where the next block is copied to, if it isn't in an array that stays; and of the last one. */
  private byte[] copy = HConstants.EMPTY_BYTE_ARRAY;
  private byte[] lastCopy = HConstants.EMPTY_BYTE_ARRAY;
  private int end;

  private int start;
  private int next;
  private int keyLength;
  private int valueLength;
  private int rowLength;
  private int familyLength;
  private int tagsLength;
  private long timestamp;
  private byte type;
  private long sequenceId;

  private CellCursor(HFileScannerImpl scanner, int age, long fileSequenceId) {
    this.scanner = scanner;
    this.age = age;
    this.fileSequenceId = fileSequenceId;
    HFileInfo info = scanner.reader.getHFileInfo();
    this.hasTags = scanner.reader.getFileContext().isIncludesTags();
    this.hasRowIndex = scanner instanceof EncodedScanner && hasRowIndex(scanner.reader);
    this.seeker =
      scanner instanceof EncodedScanner && !hasRowIndex ? ((EncodedScanner) scanner).getSeeker()
        : null;
    this.hasSequenceIds = seeker == null && info.shouldIncludeMemStoreTS();
    this.readsSequenceIds = info.isDecodeMemstoreTS();
  }

  /** Returns true if a cursor can go on where a scanner is. */
  public static boolean reads(HFileScanner scanner) {
    if (scanner == null || scanner.getClass() != EncodedScanner.class) {
      return scanner != null && scanner.getClass() == HFileScannerImpl.class;
    }
    return hasRowIndex(scanner.getReader())
      || ((EncodedScanner) scanner).getSeeker().copiesCells();
  }

  private static boolean hasRowIndex(HFile.Reader reader) {
    return reader.getDataBlockEncoding() == DataBlockEncoding.ROW_INDEX_V1;
  }

  /**
   * Makes a cursor that goes on where a scanner is, at the first cell of a file. The scanner, which
   * mustn't be used any more, has the blocks, and is to be closed.
   * @param age            of cells that are equal otherwise, that of the higher age comes first
   * @param fileSequenceId what all cells of the file have, or {@link #OF_CELLS}
   */
  public static CellCursor of(HFileScanner scanner, int age, long fileSequenceId)
    throws IOException {
    CellCursor cursor = new CellCursor((HFileScannerImpl) scanner, age, fileSequenceId);
    if (cursor.seeker != null) {
      cursor.readDecoded();
    } else {
      cursor.setBlock(cursor.scanner.getCurBlock());
      cursor.read();
    }
    return cursor;
  }

  /** Returns true if the cell has the key of another one. */
  public boolean isAt(Cell cell) {
    return PrivateCellUtil.compareKeyIgnoresMvcc(scanner.reader.getComparator(), cell,
      new KeyValue.KeyOnlyKeyValue(bytes, getKeyOffset(), keyLength)) == 0;
  }

  /** Goes to the next cell, and returns whether there is one. */
  public boolean next() throws IOException {
    if (seeker != null) {
      if (!seeker.next() && !nextBlock()) {
        return false;
      }
      readDecoded();
      return true;
    }
    if (next >= end && !nextBlock()) {
      return false;
    }
    read();
    return true;
  }

  private boolean nextBlock() throws IOException {
    HFileBlock block = scanner.readNextDataBlock();
    if (block == null) {
      return false;
    }
    if (seeker != null) {
      scanner.updateCurrentBlock(block);
    } else {
      scanner.updateCurrBlockRef(block);
      setBlock(block);
    }
    scanner.shipped();
    return true;
  }

  private void readDecoded() throws IOException {
    DecodedCell cell = lastDecoded;
    lastDecoded = decoded;
    decoded = cell;
    seeker.copyCell(cell, hasTags);
    bytes = cell.getBytes();
    next = 0;
    end = cell.getLength();
    sequenceId = cell.getSequenceId();
    read();
  }

  private void setBlock(HFileBlock block) throws IOException {
    ByteBuff data = block.getBufferWithoutHeader();
    int offset = hasRowIndex ? DataBlockEncoding.ID_SIZE : 0;
    int length = data.limit() - offset;
    if (hasRowIndex) {
      length = lengthBeforeRowIndex(block, data);
    } else if (block.getBlockType() != BlockType.DATA) {
      throw new IOException(block.getBlockType() + " in place of data, file " + getPath());
    }
    if (!block.isSharedMem() && data.hasArray()) {
      bytes = data.array();
      next = data.arrayOffset() + offset;
      end = next + length;
      return;
    }
    byte[] target = lastCopy;
    if (target.length < length) {
      target = new byte[length + length / 8];
    }
    data.get(offset, target, 0, length);
    lastCopy = copy;
    copy = target;
    bytes = target;
    next = 0;
    end = length;
  }

  /** Behind the index are the bytes of cells before it. */
  private int lengthBeforeRowIndex(HFileBlock block, ByteBuff data) throws IOException {
    if (
      block.getBlockType() != BlockType.ENCODED_DATA
        || block.getDataBlockEncodingId() != DataBlockEncoding.ROW_INDEX_V1.getId()
    ) {
      throw new CorruptHFileException(
        block.getBlockType() + " without an index of rows, file " + getPath());
    }
    int all = block.getUncompressedSizeWithoutHeader() - DataBlockEncoding.ID_SIZE;
    int length = all < ROW_INDEX_BYTES ? -1
      : data.getInt(DataBlockEncoding.ID_SIZE + all - Bytes.SIZEOF_INT);
    if (length <= 0 || length > all - ROW_INDEX_BYTES) {
      throw new CorruptHFileException("An index of rows says that there are " + length + " of "
        + all + " bytes before it, file " + getPath());
    }
    return length;
  }

  private void read() throws IOException {
    byte[] b = bytes;
    int at = next;
    long left = end - at - LENGTHS_BYTES;
    if (left < FIXED_KEY_BYTES) {
      throw damaged(at);
    }
    long lengths = Bytes.toLong(b, at);
    int key = (int) (lengths >> Integer.SIZE);
    int value = (int) lengths;
    int row = Bytes.toShort(b, at + LENGTHS_BYTES);
    left -= (long) key + value;
    if (key < FIXED_KEY_BYTES || value < 0 || left < 0 || row < 0 || row > key - FIXED_KEY_BYTES) {
      throw damaged(at);
    }
    int family = b[at + LENGTHS_BYTES + Bytes.SIZEOF_SHORT + row];
    if (family < 0 || family > key - FIXED_KEY_BYTES - row) {
      throw damaged(at);
    }
    start = at;
    keyLength = key;
    valueLength = value;
    rowLength = row;
    familyLength = family;
    int endOfKey = at + LENGTHS_BYTES + key;
    timestamp = Bytes.toLong(b, endOfKey - TIME_AND_TYPE_BYTES);
    type = b[endOfKey - 1];
    if (!isType(type) || type == Type.Minimum.getCode() && key == FIXED_KEY_BYTES + row) {
      throw damaged(at); // The last one is a key behind all of its row.
    }
    int behind = endOfKey + value;
    if (hasTags) {
      left -= TAGS_LENGTH_BYTES;
      int tags = left < 0 ? -1 : Bytes.toShort(b, behind) & 0xffff;
      left -= tags;
      if (tags < 0 || left < 0) {
        throw damaged(at);
      }
      tagsLength = tags;
      behind += TAGS_LENGTH_BYTES + tags;
    }
    next = hasSequenceIds ? readSequenceId(behind, left) : behind;
    if (fileSequenceId != OF_CELLS) {
      sequenceId = fileSequenceId;
    }
  }

  private static boolean isType(byte type) {
    return type == Type.Maximum.getCode() || (type & ~31) == 0 && (TYPES >>> type & 1) != 0;
  }

  private int readSequenceId(int at, long left) throws IOException {
    int length = left < 1 ? 0 : readsSequenceIds ? WritableUtils.decodeVIntSize(bytes[at]) : 1;
    if (length == 0 || left < length) {
      throw damaged(start);
    }
    if (!readsSequenceIds) {
      sequenceId = 0;
    } else if (length == 1) {
      sequenceId = bytes[at];
    } else {
      long number = 0;
      for (int i = 1; i < length; i++) {
        number = number << Byte.SIZE | bytes[at + i] & 0xff;
      }
      sequenceId = WritableUtils.isNegativeVInt(bytes[at]) ? ~number : number;
    }
    return at + length;
  }

  private CorruptHFileException damaged(int at) {
    HFileBlock block = scanner.getCurBlock();
    return new CorruptHFileException("A cell has lengths that don't fit its block, or no type: "
      + "block offset " + block.getOffset() + ", " + block.getUncompressedSizeWithoutHeader()
      + " bytes, cell with " + (end - at) + " bytes left, file " + getPath());
  }

  /**
   * Writes the cell as a block without encoding has it.
   * @param withTags        whether the block has tags
   * @param withSequenceIds whether the block has sequence ids
   * @param id              the sequence id that is written
   * @param data            writes to {@code out}
   * @return bytes that were written
   */
  int write(ByteArrayOutputStream out, DataOutputStream data, boolean withTags,
    boolean withSequenceIds, long id) throws IOException {
    int before = out.size();
    if (
      withTags == hasTags && withSequenceIds == hasSequenceIds
        && (!withSequenceIds || id == sequenceId && fileSequenceId == OF_CELLS && readsSequenceIds)
    ) {
      out.write(bytes, start, next - start);
      return next - start;
    }
    int length = LENGTHS_BYTES + keyLength + valueLength;
    if (withTags && hasTags) {
      length += TAGS_LENGTH_BYTES + tagsLength;
    }
    out.write(bytes, start, length);
    if (withTags && !hasTags) {
      out.write(0);
      out.write(0);
    }
    if (withSequenceIds) {
      WritableUtils.writeVLong(data, id);
    }
    return out.size() - before;
  }

  /** Copies the cell to another place, in the format of {@link KeyValue}. */
  void copy(CopiedCell to, long id) {
    to.set(bytes, start, getSize(), id);
  }

  /** Returns true if a tag of the cell says that it has expired. */
  public boolean isExpiredByTag(long now) throws IOException {
    int at = start + LENGTHS_BYTES + keyLength + valueLength + TAGS_LENGTH_BYTES;
    int endOfTags = at + tagsLength;
    while (at < endOfTags) {
      int length = endOfTags - at < TAG_HEAD_BYTES ? 0 : Bytes.toShort(bytes, at) & 0xffff;
      if (length < Bytes.SIZEOF_BYTE || at + Bytes.SIZEOF_SHORT + length > endOfTags) {
        throw damaged(start);
      }
      if (bytes[at + Bytes.SIZEOF_SHORT] == TagType.TTL_TAG_TYPE) {
        if (length != Bytes.SIZEOF_BYTE + Bytes.SIZEOF_LONG) {
          throw damaged(start);
        }
        return timestamp + Bytes.toLong(bytes, at + TAG_HEAD_BYTES) < now;
      }
      at += Bytes.SIZEOF_SHORT + length;
    }
    return false;
  }

  /** Returns true if the cell has tags. */
  public boolean hasTags() {
    return hasTags && tagsLength > 0;
  }

  /** Returns bytes of the cell with its lengths and tags, without the sequence id. */
  public int getSize() {
    int size = LENGTHS_BYTES + keyLength + valueLength;
    return hasTags() ? size + TAGS_LENGTH_BYTES + tagsLength : size;
  }

  public Path getPath() {
    return scanner.reader.getPath();
  }

  /** Returns the array that has the cell. */
  public byte[] getBytes() {
    return bytes;
  }

  /** Returns where the key begins in the array. */
  public int getKeyOffset() {
    return start + LENGTHS_BYTES;
  }

  public int getKeyLength() {
    return keyLength;
  }

  public int getValueLength() {
    return valueLength;
  }

  public int getTagsLength() {
    return hasTags ? tagsLength : 0;
  }

  public int getRowOffset() {
    return start + LENGTHS_BYTES + Bytes.SIZEOF_SHORT;
  }

  public int getRowLength() {
    return rowLength;
  }

  public int getFamilyLength() {
    return familyLength;
  }

  public int getQualifierOffset() {
    return getRowOffset() + rowLength + Bytes.SIZEOF_BYTE + familyLength;
  }

  public int getQualifierLength() {
    return keyLength - FIXED_KEY_BYTES - rowLength - familyLength;
  }

  public long getTimestamp() {
    return timestamp;
  }

  public byte getType() {
    return type;
  }

  public long getSequenceId() {
    return sequenceId;
  }

  public int getAge() {
    return age;
  }
}
