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
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.io.encoding.DecodedCell;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A place among cells that are sorted. It goes from cell to cell, and gives the bytes of the key
 * and the numbers in it; nothing is made for a cell, whose bytes are in an array. Not thread-safe.
 * <p>
 * The lengths of a cell are checked before its bytes are read. The bytes of a cell stay as they are
 * until {@link #next} has been called twice.
 */
@InterfaceAudience.Private
public abstract class CellCursor {
  /** Lengths of row and family, timestamp and type. */
  static final int FIXED_KEY_BYTES = KeyValue.KEY_INFRASTRUCTURE_SIZE;
  private static final int TIME_AND_TYPE_BYTES = KeyValue.TIMESTAMP_TYPE_SIZE;
  static final int LENGTHS_BYTES = KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE;
  private static final int TAGS_LENGTH_BYTES = KeyValue.TAGS_LENGTH_SIZE;
  private static final int TAG_HEAD_BYTES = Bytes.SIZEOF_SHORT + Bytes.SIZEOF_BYTE;

  private final int age;

  // Of the cell.
  private byte[] bytes;
  private int start;
  private int endOfTags;
  private int keyLength;
  private int valueLength;
  private int rowLength;
  private int familyLength;
  private boolean hasTags;
  private int tagsLength;
  private long timestamp;
  private byte type;
  private long sequenceId;

  /** @param age of cells that are equal otherwise, that of the higher age comes first */
  protected CellCursor(int age) {
    this.age = age;
  }

  /** Goes to the next cell, and returns whether there is one. */
  public abstract boolean next() throws IOException;

  /** Says where the cells are from, for messages. */
  public abstract String getSource();

  /**
   * Takes the numbers of a cell.
   * @param array stays as it is until the cell after the next one has been taken
   * @param at    where the cell begins in the array
   * @param end   of what the array has
   * @param tags  whether there are the length of tags and tags behind the value
   */
  protected final void take(byte[] array, int at, int end, boolean tags) throws IOException {
    long left = end - at - LENGTHS_BYTES;
    if (left < FIXED_KEY_BYTES) {
      throw damaged(end - at);
    }
    long lengths = Bytes.toLong(array, at);
    int key = (int) (lengths >> Integer.SIZE);
    int value = (int) lengths;
    int row = Bytes.toShort(array, at + LENGTHS_BYTES);
    left -= (long) key + value;
    if (key < FIXED_KEY_BYTES || value < 0 || left < 0 || row < 0 || row > key - FIXED_KEY_BYTES) {
      throw damaged(end - at);
    }
    int family = array[at + LENGTHS_BYTES + Bytes.SIZEOF_SHORT + row];
    if (family < 0 || family > key - FIXED_KEY_BYTES - row) {
      throw damaged(end - at);
    }
    bytes = array;
    start = at;
    keyLength = key;
    valueLength = value;
    rowLength = row;
    familyLength = family;
    int endOfKey = at + LENGTHS_BYTES + key;
    timestamp = Bytes.toLong(array, endOfKey - TIME_AND_TYPE_BYTES);
    type = array[endOfKey - 1];
    endOfTags = endOfKey + value;
    hasTags = tags;
    if (tags) {
      left -= TAGS_LENGTH_BYTES;
      tagsLength = left < 0 ? -1 : Bytes.toShort(array, endOfTags) & 0xffff;
      if (tagsLength < 0 || left < tagsLength) {
        throw damaged(end - at);
      }
      endOfTags += TAGS_LENGTH_BYTES + tagsLength;
    }
  }

  /** Sets the sequence id of the cell. */
  protected final void setSequenceId(long id) {
    sequenceId = id;
  }

  /** Returns where the cell begins in its array. */
  final int getStart() {
    return start;
  }

  /** Returns where the value and the tags end in the array. */
  final int getEndOfTags() {
    return endOfTags;
  }

  /**
   * Returns the exception that the lengths of a cell are wrong.
   * @param left bytes from where the cell begins
   */
  protected final IOException damaged(int left) {
    return damaged("A cell has lengths that don't fit where it is, or no type: " + left
      + " bytes left, " + getSource());
  }

  /** Returns the exception for wrong bytes. */
  protected IOException damaged(String message) {
    return new IOException(message);
  }

  /** Returns how big an array for a cell of so many bytes is made. */
  protected static int capacityFor(int size) {
    return DecodedCell.capacityFor(size);
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
    int asItIs = withTags == hasTags ? bytesAsWritten(withSequenceIds, id) : 0;
    if (asItIs > 0) {
      out.write(bytes, start, asItIs);
      return asItIs;
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

  /**
   * Returns how many bytes of the array are what a block without encoding has of the cell, or 0 if
   * its sequence id isn't written as it is there.
   * @param withSequenceIds whether the block has sequence ids
   * @param id              the sequence id that is written
   */
  int bytesAsWritten(boolean withSequenceIds, long id) {
    return withSequenceIds ? 0 : endOfTags - start;
  }

  /** Copies the cell to another place, in the format of {@link KeyValue}. */
  void copy(CopiedCell to, long id) {
    to.set(bytes, start, getSize(), id);
  }

  /**
   * Returns true if a tag of the cell says that it has expired. Tags whose lengths can't be right
   * end the search, since a file with them must be readable.
   */
  public final boolean isExpiredByTag(long now) {
    int at = endOfTags - tagsLength;
    while (at + TAG_HEAD_BYTES <= endOfTags) {
      int length = Bytes.toShort(bytes, at) & 0xffff;
      if (bytes[at + Bytes.SIZEOF_SHORT] == TagType.TTL_TAG_TYPE) {
        boolean isTtl = length == Bytes.SIZEOF_BYTE + Bytes.SIZEOF_LONG
          && at + TAG_HEAD_BYTES + Bytes.SIZEOF_LONG <= endOfTags;
        return isTtl && timestamp + Bytes.toLong(bytes, at + TAG_HEAD_BYTES) < now;
      }
      at += Bytes.SIZEOF_SHORT + length;
    }
    return false;
  }

  /** Returns true if the cell has tags. */
  public final boolean hasTags() {
    return hasTags && tagsLength > 0;
  }

  /** Returns bytes of the cell with its lengths and tags, without the sequence id. */
  public final int getSize() {
    int size = LENGTHS_BYTES + keyLength + valueLength;
    return hasTags() ? size + TAGS_LENGTH_BYTES + tagsLength : size;
  }

  /** Returns the array that has the cell. */
  public final byte[] getBytes() {
    return bytes;
  }

  /** Returns where the key begins in the array. */
  public final int getKeyOffset() {
    return start + LENGTHS_BYTES;
  }

  public final int getKeyLength() {
    return keyLength;
  }

  public final int getValueLength() {
    return valueLength;
  }

  public final int getTagsLength() {
    return hasTags ? tagsLength : 0;
  }

  public final int getRowOffset() {
    return start + LENGTHS_BYTES + Bytes.SIZEOF_SHORT;
  }

  public final int getRowLength() {
    return rowLength;
  }

  public final int getFamilyLength() {
    return familyLength;
  }

  public final int getQualifierOffset() {
    return getRowOffset() + rowLength + Bytes.SIZEOF_BYTE + familyLength;
  }

  public final int getQualifierLength() {
    return keyLength - FIXED_KEY_BYTES - rowLength - familyLength;
  }

  public final long getTimestamp() {
    return timestamp;
  }

  public final byte getType() {
    return type;
  }

  public final long getSequenceId() {
    return sequenceId;
  }

  public final int getAge() {
    return age;
  }
}
