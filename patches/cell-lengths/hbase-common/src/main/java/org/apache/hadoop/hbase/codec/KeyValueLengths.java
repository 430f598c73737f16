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
package org.apache.hadoop.hbase.codec;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Checks the lengths in a serialized cell that another process sent. A cell's parts are copied by
 * these lengths, and nothing compares them with the end of the cell. A wrong length would read
 * memory behind the cell and overwrite memory behind its copy, which at best crashes the JVM.
 */
@InterfaceAudience.Private
final class KeyValueLengths {
  /** The smallest key: the lengths of row and family, the timestamp and the type. */
  private static final int LEAST_KEY = KeyValue.KEY_INFRASTRUCTURE_SIZE;

  private KeyValueLengths() {
  }

  /**
   * Checks the length of a cell.
   * @param remaining bytes that are left of the cell block
   * @throws CodecException if the length is less than that of the smallest cell, or more than
   *                        {@code remaining}
   */
  static void check(int length, int remaining) throws CodecException {
    if (length < KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + LEAST_KEY || length > remaining) {
      throw new CodecException(
        "A cell's length is " + length + ", with " + remaining + " bytes left of its cell block");
    }
  }

  /**
   * Checks the lengths of a cell's parts.
   * @param bytes  the cell begins at its position, which doesn't change
   * @param length length of the cell, which has been checked
   * @throws CodecException if the parts don't fit into the cell
   */
  static void check(ByteBuffer bytes, int length) throws CodecException {
    int start = bytes.position();
    int key = bytes.getInt(start);
    int value = bytes.getInt(start + KeyValue.KEY_LENGTH_SIZE);
    int row = bytes.getShort(start + KeyValue.ROW_OFFSET);
    // Each condition makes the next one safe: it excludes an overflow and a read beyond the cell.
    boolean fits = key >= LEAST_KEY && value >= 0
      && (long) KeyValue.ROW_OFFSET + key + value <= length && row >= 0
      && LEAST_KEY + row <= key
      && familyFits(bytes.get(start + KeyValue.ROW_KEY_OFFSET + row), key - LEAST_KEY - row)
      && tagsFit(bytes, start + KeyValue.ROW_OFFSET + key + value,
        length - KeyValue.ROW_OFFSET - key - value);
    if (!fits) {
      throw new CodecException("The parts of a cell of " + length
        + " bytes don't fit in it: its key's length is " + key + ", its value's " + value
        + ", its row's " + row);
    }
  }

  private static boolean familyFits(int family, int room) {
    return family >= 0 && family <= room;
  }

  /**
   * Tells whether the tags fill their part of the cell exactly. Each has a length, a type and a
   * value. Readers of a write-ahead log take a tag's length as a signed short, and the log also
   * contains the tags of cells that are said to have none.
   */
  private static boolean tagsFit(ByteBuffer bytes, int start, int length) {
    if (length == 0) {
      return true;
    }
    int end = start + length;
    int tag = start + KeyValue.TAGS_LENGTH_SIZE;
    if (tag > end || tag + bytes.getShort(start) != end) {
      return false;
    }
    while (tag + Tag.INFRASTRUCTURE_SIZE <= end) {
      int size = bytes.getShort(tag);
      if (size < Tag.TYPE_LENGTH_SIZE) {
        return false;
      }
      tag += Tag.TAG_LENGTH_SIZE + size;
    }
    return tag == end;
  }
}
