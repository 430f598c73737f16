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

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValue.Type;
import org.apache.hadoop.hbase.PrivateCellUtil;
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
 * A place among the cells of a file: those in the block, if it isn't encoded or only has an index
 * of rows behind its cells; else they are decoded to one of two arrays. Not thread-safe.
 */
@InterfaceAudience.Private
public final class FileCursor extends CellCursor {
  /** The number of rows, and the length of what is before the index. */
  private static final int ROW_INDEX_BYTES = 2 * Bytes.SIZEOF_INT;
  /** A bit for each type that a cell in a file can have, but {@link Type#Maximum}. */
  private static final int TYPES = 1 << Type.Put.getCode() | 1 << Type.Delete.getCode()
    | 1 << Type.DeleteFamilyVersion.getCode() | 1 << Type.DeleteColumn.getCode()
    | 1 << Type.DeleteFamily.getCode() | 1 << Type.Minimum.getCode();
  /** Sequence ids are those in the file; -1 is that of a bulk-loaded file without any. */
  public static final long OF_CELLS = Long.MIN_VALUE;

  private final HFileScannerImpl scanner;
  private final Runnable closer;
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
  private int next;
  private int end;

  private FileCursor(HFileScannerImpl scanner, Runnable closer, int age, long fileSequenceId) {
    super(age);
    this.scanner = scanner;
    this.closer = closer;
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
   * mustn't be used any more, has the blocks, and is to be closed if the cursor doesn't come to its
   * end.
   * @param closer         closes the scanner; may be run again
   * @param age            of cells that are equal otherwise, that of the higher age comes first
   * @param fileSequenceId what all cells of the file have, or {@link #OF_CELLS}
   */
  public static FileCursor of(HFileScanner scanner, Runnable closer, int age,
    long fileSequenceId) throws IOException {
    FileCursor cursor = new FileCursor((HFileScannerImpl) scanner, closer, age, fileSequenceId);
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
      new KeyValue.KeyOnlyKeyValue(getBytes(), getKeyOffset(), getKeyLength())) == 0;
  }

  @Override
  public boolean next() throws IOException {
    if (seeker != null) {
      if (!decodesNext() && !nextBlock()) {
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

  private boolean decodesNext() throws IOException {
    try {
      return seeker.next();
    } catch (RuntimeException e) {
      throw undecodable(e);
    }
  }

  /** Decoders don't look at lengths before they go by them. */
  private IOException undecodable(RuntimeException e) {
    return new CorruptHFileException("A block can't be decoded, " + getSource(), e);
  }

  private boolean nextBlock() throws IOException {
    HFileBlock block = scanner.readNextDataBlock();
    if (block == null) {
      close();
      return false;
    }
    if (seeker != null) {
      try {
        scanner.updateCurrentBlock(block);
      } catch (RuntimeException e) {
        throw undecodable(e);
      }
    } else {
      scanner.updateCurrBlockRef(block);
      setBlock(block);
    }
    scanner.shipped();
    return true;
  }

  /** A file that has been read has no blocks and no stream while others are read on. */
  private void close() {
    closer.run();
    copy = HConstants.EMPTY_BYTE_ARRAY;
    lastCopy = HConstants.EMPTY_BYTE_ARRAY;
    decoded = null;
    lastDecoded = null;
  }

  private void readDecoded() throws IOException {
    DecodedCell cell = lastDecoded;
    lastDecoded = decoded;
    decoded = cell;
    try {
      seeker.copyCell(cell, hasTags);
    } catch (RuntimeException e) {
      throw undecodable(e);
    }
    bytes = cell.getBytes();
    next = 0;
    end = cell.getLength();
    setSequenceId(cell.getSequenceId());
    read();
  }

  private void setBlock(HFileBlock block) throws IOException {
    ByteBuff data = block.getBufferWithoutHeader();
    int offset = hasRowIndex ? DataBlockEncoding.ID_SIZE : 0;
    int length = data.limit() - offset;
    if (hasRowIndex) {
      length = lengthBeforeRowIndex(block, data);
    } else if (block.getBlockType() != BlockType.DATA) {
      throw new IOException(block.getBlockType() + " in place of data, " + getSource());
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
        block.getBlockType() + " without an index of rows, " + getSource());
    }
    int all = block.getUncompressedSizeWithoutHeader() - DataBlockEncoding.ID_SIZE;
    int length = all < ROW_INDEX_BYTES ? -1
      : data.getInt(DataBlockEncoding.ID_SIZE + all - Bytes.SIZEOF_INT);
    if (length <= 0 || length > all - ROW_INDEX_BYTES) {
      throw new CorruptHFileException("An index of rows says that there are " + length + " of "
        + all + " bytes before it, " + getSource());
    }
    return length;
  }

  private void read() throws IOException {
    take(bytes, next, end, hasTags);
    byte type = getType();
    if (
      !isType(type) || type == Type.Minimum.getCode()
        && getKeyLength() == FIXED_KEY_BYTES + getRowLength()
    ) {
      throw damaged(end - next); // The last one is a key behind all of its row.
    }
    next = hasSequenceIds ? readSequenceId(getEndOfTags()) : getEndOfTags();
    if (fileSequenceId != OF_CELLS) {
      setSequenceId(fileSequenceId);
    }
  }

  private static boolean isType(byte type) {
    return type == Type.Maximum.getCode() || (type & ~31) == 0 && (TYPES >>> type & 1) != 0;
  }

  /** @param at where it begins */
  private int readSequenceId(int at) throws IOException {
    int left = end - at;
    int length = left < 1 ? 0 : readsSequenceIds ? WritableUtils.decodeVIntSize(bytes[at]) : 1;
    if (length == 0 || left < length) {
      throw damaged(end - getStart());
    }
    if (!readsSequenceIds) {
      setSequenceId(0);
    } else if (length == 1) {
      setSequenceId(bytes[at]);
    } else {
      long number = 0;
      for (int i = 1; i < length; i++) {
        number = number << Byte.SIZE | bytes[at + i] & 0xff;
      }
      setSequenceId(WritableUtils.isNegativeVInt(bytes[at]) ? ~number : number);
    }
    return at + length;
  }

  @Override
  int bytesAsWritten(boolean withSequenceIds, long id) {
    if (withSequenceIds != hasSequenceIds) {
      return super.bytesAsWritten(withSequenceIds, id);
    }
    boolean asItIs = !withSequenceIds
      || id == getSequenceId() && fileSequenceId == OF_CELLS && readsSequenceIds;
    return asItIs ? next - getStart() : 0;
  }

  @Override
  protected IOException damaged(String message) {
    return new CorruptHFileException(message);
  }

  @Override
  public String getSource() {
    HFileBlock block = scanner.getCurBlock();
    return "block offset " + block.getOffset() + ", " + block.getUncompressedSizeWithoutHeader()
      + " bytes, file " + scanner.reader.getPath();
  }
}
