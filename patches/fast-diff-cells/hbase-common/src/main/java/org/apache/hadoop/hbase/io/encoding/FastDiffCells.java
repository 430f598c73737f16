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

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.encoding.FastDiffDeltaEncoder.FastDiffSeekerState;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** Decodes cells of FAST_DIFF from a buffer; {@link FastDiffDeltaEncoder} tells of the format. */
@InterfaceAudience.Private
final class FastDiffCells {
  private static final int TIME_AND_TYPE = KeyValue.TIMESTAMP_TYPE_SIZE;

  private FastDiffCells() {
  }

  /**
   * Decodes the next cell of a block without tags.
   * @param cell  the one before, which becomes the next one
   * @param block is at its begin, and then at its end
   */
  static void decode(FastDiffSeekerState cell, ByteBuffer block, boolean hasSequenceIds) {
    int flags = block.get();
    // What follows the key's changed part may be that of the key before, at another place.
    byte[] moved = null;
    if (isUnset(flags, FastDiffDeltaEncoder.FLAG_SAME_KEY_LENGTH)) {
      moved = cell.getLastTimeAndType();
      System.arraycopy(cell.keyBuffer, cell.keyLength - TIME_AND_TYPE, moved, 0, TIME_AND_TYPE);
      cell.keyLength = readLength(block);
    }
    if (isUnset(flags, FastDiffDeltaEncoder.FLAG_SAME_VALUE_LENGTH)) {
      cell.valueLength = readLength(block);
    }
    cell.lastCommonPrefix = readLength(block);
    cell.ensureSpaceForKey();
    int timeAt = cell.keyLength - TIME_AND_TYPE;
    readRowAndColumn(cell, block, timeAt);
    readTimeAndType(cell.keyBuffer, timeAt, moved, flags, block);
    if (isUnset(flags, FastDiffDeltaEncoder.FLAG_SAME_VALUE)) {
      cell.valueOffset = block.position();
      block.position(cell.valueOffset + cell.valueLength);
    }
    cell.memstoreTS = hasSequenceIds ? readSequenceId(block) : 0;
    cell.nextKvOffset = block.position();
  }

  private static boolean isUnset(int flags, int flag) {
    return (flags & flag) == 0;
  }

  /** Reads what comes before the timestamp, but for its begin that is as before. */
  private static void readRowAndColumn(FastDiffSeekerState cell, ByteBuffer block, int timeAt) {
    byte[] key = cell.keyBuffer;
    int same = cell.lastCommonPrefix;
    int rowEnd = cell.getRowEnd();
    if (same >= rowEnd) {
      read(block, key, same, timeAt);
      return;
    }
    if (same < Bytes.SIZEOF_SHORT) {
      read(block, key, same, Bytes.SIZEOF_SHORT);
      int end = Bytes.SIZEOF_SHORT + Bytes.toShort(key);
      System.arraycopy(key, rowEnd, key, end, cell.getFamilySize());
      cell.setRowEnd(end);
      rowEnd = end;
      same = Bytes.SIZEOF_SHORT;
    }
    read(block, key, same, rowEnd);
    // The family isn't written again.
    read(block, key, rowEnd + cell.getFamilySize(), timeAt);
  }

  /** @param moved those of the key before, if they were at another place; else null */
  private static void readTimeAndType(byte[] key, int timeAt, byte[] moved, int flags,
    ByteBuffer block) {
    int same = (flags & FastDiffDeltaEncoder.MASK_TIMESTAMP_LENGTH)
      >>> FastDiffDeltaEncoder.SHIFT_TIMESTAMP_LENGTH;
    int typeAt = timeAt + Bytes.SIZEOF_LONG;
    if (moved != null) {
      System.arraycopy(moved, 0, key, timeAt, same);
      key[typeAt] = moved[Bytes.SIZEOF_LONG];
    }
    read(block, key, timeAt + same, typeAt);
    if (isUnset(flags, FastDiffDeltaEncoder.FLAG_SAME_TYPE)) {
      key[typeAt] = block.get();
    }
  }

  private static void read(ByteBuffer block, byte[] key, int from, int to) {
    int at = from;
    for (; to - at >= Long.BYTES; at += Long.BYTES) {
      Bytes.putLong(key, at, block.getLong());
    }
    for (; at < to; at++) {
      key[at] = block.get();
    }
  }

  @SuppressWarnings("deprecation") // ByteBufferUtils is deprecated for others than HBase.
  private static int readLength(ByteBuffer block) {
    return org.apache.hadoop.hbase.util.ByteBufferUtils.readCompressedInt(block);
  }

  @SuppressWarnings("deprecation") // ByteBufferUtils is deprecated for others than HBase.
  private static long readSequenceId(ByteBuffer block) {
    return org.apache.hadoop.hbase.util.ByteBufferUtils.readVLong(block);
  }
}
