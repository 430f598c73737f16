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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.hfile.bucket.Crc32c;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A block in a segment on a device: a header, the block, and what follows its content. The header
 * says by which filling of the segment the record was written, of which block it is and how long
 * that is, and has a CRC32C of all that. So what was read is the block that was asked for, or it
 * shows that it isn't.
 */
@InterfaceAudience.Private
final class DeviceRecord {
  /** Bytes of the header. */
  static final int HEADER = 48;

  private static final int MAGIC = 0x53454731;
  private static final int BLOCK_LENGTH = 4;
  private static final int SEQUENCE = 8;
  private static final int FILE = 16;
  private static final int OFFSET = 24;
  private static final int SIZE_ON_DISK = 32;
  private static final int BLOCK_CLASS = 36;
  private static final int CRC = 40;

  private DeviceRecord() {
  }

  /**
   * Returns the bytes from the start of a record to that of the next.
   * @param blockLength bytes of the block, with what follows its content
   */
  static int length(int blockLength) {
    int unit = EntryWord.UNIT;
    return (HEADER + blockLength + unit - 1) / unit * unit;
  }

  /**
   * Writes a record at the buffer's position, which is then behind it.
   * @param sequence of the segment's filling
   */
  static void write(ByteBuffer target, long sequence, BlockRecord block) {
    int start = target.position();
    ByteBuffer content = target.duplicate();
    content.limit(start + HEADER + block.getLength()).position(start + HEADER);
    block.copyTo(content.slice());
    target.putInt(start, MAGIC);
    target.putInt(start + BLOCK_LENGTH, block.getLength());
    target.putLong(start + SEQUENCE, sequence);
    target.putLong(start + FILE, block.getFile().getHash());
    target.putLong(start + OFFSET, block.getOffset());
    target.putInt(start + SIZE_ON_DISK, block.getSizeOnDisk());
    target.putInt(start + BLOCK_CLASS, block.getBlockClass());
    target.putLong(start + CRC, crc(target, start, block.getLength()));
    target.position(start + length(block.getLength()));
  }

  private static int crc(ByteBuffer record, int start, int blockLength) {
    Crc32c crc = new Crc32c();
    crc.update(record, start, start + CRC);
    crc.update(record, start + HEADER, start + HEADER + blockLength);
    return crc.get();
  }

  /**
   * Returns true if there is this block's record.
   * @param most bytes behind start that are there
   */
  static boolean isOf(ByteBuffer buffer, int start, int most, long sequence, FileTable file,
    long offset) {
    if (
      most < HEADER || buffer.getInt(start) != MAGIC
        || buffer.getLong(start + SEQUENCE) != sequence
        || buffer.getLong(start + FILE) != file.getHash()
        || buffer.getLong(start + OFFSET) != offset
    ) {
      return false;
    }
    int blockLength = blockLength(buffer, start);
    return blockLength > 0 && blockLength <= most - HEADER
      && buffer.getLong(start + CRC) == crc(buffer, start, blockLength);
  }

  /** Returns the bytes of the block. */
  static int blockLength(ByteBuffer buffer, int start) {
    return buffer.getInt(start + BLOCK_LENGTH);
  }

  static int sizeOnDisk(ByteBuffer buffer, int start) {
    return buffer.getInt(start + SIZE_ON_DISK);
  }

  static int blockClass(ByteBuffer buffer, int start) {
    return buffer.getInt(start + BLOCK_CLASS);
  }
}
