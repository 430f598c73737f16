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
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferKeyOnlyKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.SizeCachedNoTagsByteBufferKeyValue;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ClassSize;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A cell without tags of a block off the heap, in the place of one cell after another: it is valid
 * until it is set to the next one, and as long as the block is held. {@link #keep()} makes a cell
 * that stays. Not thread-safe.
 */
@InterfaceAudience.Private
public final class BlockCell extends ByteBufferKeyOnlyKeyValue {
  private static final int FIXED_BYTES =
    ByteBufferKeyOnlyKeyValue.FIXED_OVERHEAD + 2 * Bytes.SIZEOF_INT + Bytes.SIZEOF_LONG;

  private int keyLength;
  private int valueLength;
  private byte familyLength;
  private long sequenceId;

  /**
   * Sets this to a cell.
   * @param offset where the cell begins in the buffer, with its lengths
   * @return this
   */
  public BlockCell set(ByteBuffer buffer, int offset) {
    return set(buffer, offset, 0);
  }

  BlockCell set(ByteBuffer buffer, int offset, long sequence) {
    int lengthOfKey = buffer.getInt(offset);
    int lengthOfValue = buffer.getInt(offset + Bytes.SIZEOF_INT);
    short lengthOfRow = buffer.getShort(offset + KeyValue.ROW_OFFSET);
    return set(buffer, offset, lengthOfKey, lengthOfValue, lengthOfRow, sequence);
  }

  BlockCell set(ByteBuffer buffer, int offset, int lengthOfKey, int lengthOfValue,
    short lengthOfRow, long sequence) {
    setKey(buffer, offset + KeyValue.ROW_OFFSET, lengthOfKey, lengthOfRow);
    keyLength = lengthOfKey;
    valueLength = lengthOfValue;
    familyLength = buffer.get(getFamilyPosition() - 1);
    sequenceId = sequence;
    return this;
  }

  /** Sets this to what another one is. */
  public void set(BlockCell other) {
    set(other.getBuffer(), other.getOffset(), other.keyLength, other.valueLength,
      other.getRowLength(), other.sequenceId);
  }

  /** Returns the buffer that the cell is in. */
  public ByteBuffer getBuffer() {
    return getRowByteBuffer();
  }

  /** Returns where the cell begins in the buffer, with its lengths. */
  public int getOffset() {
    return getRowPosition() - KeyValue.ROW_KEY_OFFSET;
  }

  /** Returns a cell of the same bytes that nothing else is put in the place of. */
  public Cell keep() {
    return new SizeCachedNoTagsByteBufferKeyValue(getBuffer(), getOffset(), getSerializedSize(),
      sequenceId, keyLength, getRowLength());
  }

  @Override
  public int getFamilyPosition() {
    return getRowPosition() + getRowLength() + 1;
  }

  @Override
  public byte getFamilyLength() {
    return familyLength;
  }

  @Override
  public int getQualifierPosition() {
    return getFamilyPosition() + familyLength;
  }

  @Override
  public int getQualifierLength() {
    return keyLength - KeyValue.KEY_INFRASTRUCTURE_SIZE - getRowLength() - familyLength;
  }

  @Override
  public long getSequenceId() {
    return sequenceId;
  }

  @Override
  public void setSequenceId(long sequence) {
    sequenceId = sequence;
  }

  @Override
  public byte[] getValueArray() {
    return CellUtil.cloneValue(this);
  }

  @Override
  public ByteBuffer getValueByteBuffer() {
    return getBuffer();
  }

  @Override
  public int getValuePosition() {
    return getOffset() + KeyValue.ROW_OFFSET + keyLength;
  }

  @Override
  public int getValueLength() {
    return valueLength;
  }

  @Override
  public byte[] getTagsArray() {
    return HConstants.EMPTY_BYTE_ARRAY;
  }

  @Override
  public ByteBuffer getTagsByteBuffer() {
    return getBuffer();
  }

  @Override
  public int getTagsPosition() {
    return getValuePosition() + valueLength;
  }

  @Override
  public int getSerializedSize() {
    return KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + keyLength + valueLength;
  }

  @Override
  public int getSerializedSize(boolean withTags) {
    return getSerializedSize();
  }

  @Override
  public int write(OutputStream out, boolean withTags) throws IOException {
    int bytes = getSerializedSize();
    if (out instanceof ByteBufferWriter) {
      ((ByteBufferWriter) out).write(getBuffer(), getOffset(), bytes);
    } else {
      ByteBuffer cell = getBuffer().duplicate();
      cell.position(getOffset());
      byte[] copy = new byte[bytes];
      cell.get(copy);
      out.write(copy);
    }
    return bytes;
  }

  @Override
  public long heapSize() {
    return ClassSize.align(FIXED_BYTES) + getSerializedSize();
  }
}
