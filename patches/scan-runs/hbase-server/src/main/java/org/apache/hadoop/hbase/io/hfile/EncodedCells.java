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
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValue.Type;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoder.EncodedSeeker;
import org.apache.hadoop.hbase.io.encoding.EncodedKey;
import org.apache.hadoop.hbase.io.hfile.HFileReaderImpl.HFileScannerImpl;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The cells of a scanner's encoded block, from the scanner's cell on. They go on together, so this
 * goes back to a mark alone. Not thread-safe.
 */
@InterfaceAudience.Private
public final class EncodedCells extends BlockSteps {
  private static final int LENGTHS = KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE;
  private static final int TIME_AND_TYPE = KeyValue.TIMESTAMP_TYPE_SIZE;
  private static final int NOWHERE = -1;

  private final EncodedSeeker seeker;
  private final EncodedKey key;
  private final long fileSequenceId;
  private int steps;
  private int marked = NOWHERE;
  private ByteBuff block;
  /** The block, if that is one buffer off the heap; else null. */
  private ByteBuffer bytes;
  /** What a cell off the heap counts for; 0 if that isn't known yet. */
  private long directCellBytes;

  private EncodedCells(EncodedSeeker seeker, long fileSequenceId) {
    this.seeker = seeker;
    key = (EncodedKey) seeker;
    this.fileSequenceId = fileSequenceId;
  }

  /**
   * Returns those of a scanner; null if its blocks aren't encoded, or its keys aren't known.
   * @param fileSequenceId what all cells of the file have, or {@link BlockCells#OF_CELLS}
   */
  public static EncodedCells of(HFileScanner scanner, long fileSequenceId) {
    EncodedSeeker seeker =
      scanner instanceof HFileScannerImpl ? ((HFileScannerImpl) scanner).getEncodedSeeker() : null;
    return seeker instanceof EncodedKey ? new EncodedCells(seeker, fileSequenceId) : null;
  }

  /** Returns false if a scanner has made up the cell, in place of one of its file. */
  @SuppressWarnings("deprecation") // Cell.getTypeByte
  public static boolean isOfFile(Cell cell) {
    byte type = cell.getTypeByte();
    return type != Type.Minimum.getCode() && type != Type.Maximum.getCode();
  }

  @Override
  public int next() {
    int length = key.getKeyLength();
    if (!seeker.next()) {
      return STAYS;
    }
    steps++;
    int common = key.getCommonPrefix();
    if (common < Bytes.SIZEOF_SHORT + getRowLength()) {
      return ROW;
    }
    return length == key.getKeyLength() && common >= length - TIME_AND_TYPE ? VERSION : COLUMN;
  }

  @Override
  public int nextRow() {
    int step = next();
    return step == VERSION ? COLUMN : step;
  }

  @Override
  public int getPosition() {
    return steps;
  }

  @Override
  public int mark() {
    key.mark();
    marked = steps;
    return marked;
  }

  @Override
  public boolean goBack(int position) {
    if (position != steps) {
      if (position != marked) {
        return false;
      }
      key.goBack();
      steps = marked;
    }
    marked = NOWHERE; // The scanner may go on by itself.
    return true;
  }

  @Override
  public void leave() {
    marked = NOWHERE;
  }

  @Override
  public Cell make() throws IOException {
    Cell cell = seeker.getCell();
    if (fileSequenceId != BlockCells.OF_CELLS) {
      PrivateCellUtil.setSequenceId(cell, fileSequenceId);
    }
    return cell;
  }

  /**
   * {@inheritDoc}
   * @param cell an object of it; may be null if {@link #isDirect()}
   */
  @Override
  public long getHeapSize(Cell cell) {
    return cell == null ? directCellBytes : cell.heapSize();
  }

  @Override
  public int getSize() {
    return LENGTHS + key.getKeyLength() + key.getValueLength();
  }

  @Override
  public long getTimestamp() {
    return Bytes.toLong(key.getKeyBytes(), key.getKeyLength() - TIME_AND_TYPE);
  }

  @Override
  public byte getType() {
    return key.getKeyBytes()[key.getKeyLength() - 1];
  }

  @Override
  public boolean hasTags() {
    return key.getTagsLength() > 0;
  }

  @Override
  public boolean isDirect() throws IOException {
    ByteBuff cells = key.getBlock();
    if (cells != block) {
      block = cells;
      ByteBuffer buffer = cells instanceof SingleByteBuff ? cells.asSubByteBuffer(0) : null;
      bytes = buffer != null && buffer.isDirect() && key.canGoBack() ? buffer : null;
    }
    if (bytes != null && directCellBytes == 0) {
      directCellBytes = make().heapSize();
    }
    return bytes != null;
  }

  /** Returns bytes of the cell with its lengths, but without tags and value. */
  public int getKeySize() {
    return LENGTHS + key.getKeyLength();
  }

  /**
   * Writes the cell of a block that {@link #isDirect} with its lengths, but without tags.
   * @param keyOnly whether it is written without its value
   */
  @SuppressWarnings("deprecation") // ByteBufferUtils is deprecated for others than HBase.
  public void copyTo(ByteBuffer out, int position, boolean keyOnly) {
    int keyBytes = key.getKeyLength();
    int valueBytes = keyOnly ? 0 : key.getValueLength();
    out.putInt(position, keyBytes);
    out.putInt(position + Bytes.SIZEOF_INT, valueBytes);
    int at = position + LENGTHS;
    org.apache.hadoop.hbase.util.ByteBufferUtils.copyFromArrayToBuffer(out, at, key.getKeyBytes(),
      0, keyBytes);
    org.apache.hadoop.hbase.util.ByteBufferUtils.copyFromBufferToBuffer(bytes, out,
      key.getValueOffset(), at + keyBytes, valueBytes);
  }

  private short getRowLength() {
    return Bytes.toShort(key.getKeyBytes(), 0);
  }

  @Override
  public boolean isBeforeColumn(byte[] qualifier, long word) {
    byte[] bytes = key.getKeyBytes();
    int familyAt = Bytes.SIZEOF_SHORT + getRowLength();
    int at = familyAt + 1 + bytes[familyAt];
    int length = key.getKeyLength() - TIME_AND_TYPE - at;
    return Bytes.compareTo(bytes, at, length, qualifier, 0, qualifier.length) < 0;
  }
}
