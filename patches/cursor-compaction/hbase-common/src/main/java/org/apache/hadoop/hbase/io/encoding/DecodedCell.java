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
package org.apache.hadoop.hbase.io.encoding;

import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bytes of a cell that was decoded, as a block without encoding has them but for its sequence
 * id; in the place of one cell after another. Not thread-safe.
 */
@InterfaceAudience.Private
public final class DecodedCell {
  private static final int BIG_BYTES = 64 * 1024;

  private byte[] bytes = HConstants.EMPTY_BYTE_ARRAY;
  private int length;
  private long sequenceId;

  /** Returns how big an array for a cell is made: for a big one, not more than it needs. */
  public static int capacityFor(int size) {
    return size < BIG_BYTES ? size * 2 : size;
  }

  /** Begins with the key, which is at the start of an array. */
  void start(byte[] key, int keyLength, int valueLength, int tagsLength, long id) {
    long all = (long) KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + KeyValue.TAGS_LENGTH_SIZE + keyLength
      + valueLength + tagsLength;
    if (keyLength < 0 || valueLength < 0 || tagsLength < 0 || all > Integer.MAX_VALUE / 2) {
      throw new IllegalStateException("A cell was decoded with lengths of " + keyLength + ", "
        + valueLength + " and " + tagsLength);
    }
    if (bytes.length < all) {
      bytes = new byte[capacityFor((int) all)];
    }
    length = Bytes.putInt(bytes, 0, keyLength);
    length = Bytes.putInt(bytes, length, valueLength);
    System.arraycopy(key, 0, bytes, length, keyLength);
    length += keyLength;
    sequenceId = id;
  }

  /** Goes on with bytes of a block. */
  void add(ByteBuff block, int offset, int count) {
    block.get(offset, bytes, length, count);
    length += count;
  }

  /** Goes on with bytes of the start of an array. */
  void add(byte[] from, int count) {
    System.arraycopy(from, 0, bytes, length, count);
    length += count;
  }

  /** Goes on with the length of the tags. */
  void addTagsLength(int tagsLength) {
    length = Bytes.putAsShort(bytes, length, tagsLength);
  }

  /** Returns the array that has the cell at its start. */
  public byte[] getBytes() {
    return bytes;
  }

  /** Returns how many bytes of the array are the cell. */
  public int getLength() {
    return length;
  }

  public long getSequenceId() {
    return sequenceId;
  }
}
