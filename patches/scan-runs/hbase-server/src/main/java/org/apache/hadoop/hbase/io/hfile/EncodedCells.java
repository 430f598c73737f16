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
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValue.Type;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoder.EncodedSeeker;
import org.apache.hadoop.hbase.io.encoding.EncodedKey;
import org.apache.hadoop.hbase.io.hfile.HFileReaderImpl.HFileScannerImpl;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The cells of a scanner's encoded block, from the scanner's cell on. They go on together, so this
 * doesn't go back. Not thread-safe.
 */
@InterfaceAudience.Private
public final class EncodedCells extends BlockSteps {
  private static final int LENGTHS = KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE;
  private static final int TIME_AND_TYPE = KeyValue.TIMESTAMP_TYPE_SIZE;

  private final EncodedSeeker seeker;
  private final EncodedKey key;
  private final long fileSequenceId;
  private int steps;

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
  public boolean goBack(int position) {
    return position == steps;
  }

  @Override
  public void leave() {
  }

  @Override
  public Cell make() throws IOException {
    Cell cell = seeker.getCell();
    if (fileSequenceId != BlockCells.OF_CELLS) {
      PrivateCellUtil.setSequenceId(cell, fileSequenceId);
    }
    return cell;
  }

  @Override
  public long getHeapSize(Cell cell) {
    return cell.heapSize();
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
