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
import java.util.Arrays;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.encoding.DecodedCell;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Appends cells to a file without an object of each. What the writer of the file knows of its cells
 * at the end of a block, and after {@link #finish}, is the same as if it had been given them. Cells
 * mustn't be appended to the writer meanwhile. Not thread-safe.
 */
@InterfaceAudience.Private
public final class CellBytesWriter {
  private static final int LENGTH_BYTES = Bytes.SIZEOF_INT;

  /** The key that was appended last, in the place of one key after another. */
  static final class LastKey extends KeyValue.KeyOnlyKeyValue {
    private byte[] buffer = HConstants.EMPTY_BYTE_ARRAY;

    private void set(byte[] key, int offset, int length) {
      if (buffer.length < length) {
        buffer = new byte[DecodedCell.capacityFor(length)];
      }
      System.arraycopy(key, offset, buffer, 0, length);
      setKey(buffer, 0, length);
    }
  }

  private final HFileWriterImpl writer;
  private final HFileBlock.Writer block;
  private final ByteArrayOutputStream out;
  private final DataOutputStream data;
  private final boolean withTags;
  private final boolean withSequenceIds;
  private final boolean isEncoded;
  private final LastKey last = new LastKey();
  /** What an encoder is given, and what it was given before, which it compares. */
  private CopiedCell cellToEncode = new CopiedCell();
  private CopiedCell lastEncoded = new CopiedCell();

  private long biggest;
  private long cells;
  private long keyBytes;
  private long valueBytes;
  private long maxSequenceId;
  private int maxTags;
  private long minTime = Long.MAX_VALUE;
  private long maxTime = Long.MIN_VALUE;
  private long earliestPut = Long.MAX_VALUE;

  /** Begins to append. */
  public CellBytesWriter(HFileWriterImpl writer) {
    this.writer = writer;
    this.block = writer.blockWriter;
    this.out = block.getPlainBytes();
    this.data = new DataOutputStream(out);
    HFileContext context = writer.getFileContext();
    this.withTags = context.isIncludesTags();
    this.withSequenceIds = context.isIncludesMvcc();
    this.isEncoded = context.getDataBlockEncoding() != DataBlockEncoding.NONE;
    this.biggest = writer.lenOfBiggestCell;
    writer.bytesWriter = this;
  }

  /** Returns true if cells can be appended to the writer without objects. */
  public static boolean writes(HFile.Writer writer) {
    return writer.getClass() == HFileWriterImpl.class
      && ((HFileWriterImpl) writer).lastCell == null;
  }

  /**
   * Appends the cell of a cursor. It mustn't be less than the last.
   * @param sequenceId what is written as its sequence id
   * @param sameKey    whether it has the key of the last one
   */
  public void append(CellCursor cell, long sequenceId, boolean sameKey) throws IOException {
    if (!sameKey) {
      writer.checkBlockBoundary();
    }
    if (!block.isWriting()) {
      writer.newBlock();
    }
    if (isEncoded) {
      encode(cell, sequenceId);
    } else {
      int size = cell.write(out, data, withTags, withSequenceIds, sequenceId);
      block.getEncodingState().postCellEncode(size, size);
    }

    int keyLength = cell.getKeyLength();
    last.set(cell.getBytes(), cell.getKeyOffset(), keyLength);
    cells++;
    keyBytes += keyLength;
    valueBytes += cell.getValueLength();
    int withLength = cell.getSize() + LENGTH_BYTES;
    if (withLength > biggest) {
      biggest = withLength;
      writer.lenOfBiggestCell = withLength;
      writer.keyOfBiggestCell = Arrays.copyOf(last.getRowArray(), keyLength);
    }
    if (writer.firstCellInBlock == null) {
      writer.firstCellInBlock = KeyValueUtil.toNewKeyCell(last);
    }
    if (sequenceId > maxSequenceId) {
      maxSequenceId = sequenceId;
    }
    if (cell.getTagsLength() > maxTags) {
      maxTags = cell.getTagsLength();
    }
    track(cell.getTimestamp(), cell.getType());
  }

  private void encode(CellCursor cell, long sequenceId) throws IOException {
    CopiedCell encoded = cellToEncode;
    cell.copy(encoded, sequenceId);
    block.write(encoded);
    cellToEncode = lastEncoded;
    lastEncoded = encoded;
  }

  private void track(long timestamp, byte type) {
    if (timestamp < minTime) {
      minTime = timestamp;
    }
    if (timestamp > maxTime) {
      maxTime = timestamp;
    }
    if (type == KeyValue.Type.Put.getCode()) {
      if (timestamp < earliestPut) {
        earliestPut = timestamp;
      }
    } else if (
      type == KeyValue.Type.DeleteColumn.getCode() || type == KeyValue.Type.DeleteFamily.getCode()
    ) {
      minTime = Math.min(minTime, 0);
      maxTime = Math.max(maxTime, 0);
    }
  }

  /** Tells the writer of the cells since the last time. */
  void tell() {
    if (cells == 0) {
      return;
    }
    writer.lastCell = KeyValueUtil.toNewKeyCell(last);
    writer.entryCount += cells;
    writer.totalKeyLength += keyBytes;
    writer.totalValueLength += valueBytes;
    writer.maxMemstoreTS = Math.max(writer.maxMemstoreTS, maxSequenceId);
    writer.include(minTime, maxTime, earliestPut, maxTags);
    cells = 0;
    keyBytes = 0;
    valueBytes = 0;
  }

  /**
   * Returns the key that was appended last, which changes with the next; null if there is none. It
   * may be given to who keeps a cell until {@link #finish}.
   */
  public KeyValue.KeyOnlyKeyValue getLast() {
    return last.getRowArray() == null ? null : last;
  }

  /** Has the writer know all cells. */
  public void finish() {
    tell();
    writer.bytesWriter = null;
  }
}
