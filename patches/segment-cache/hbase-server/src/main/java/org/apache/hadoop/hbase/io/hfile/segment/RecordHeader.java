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
import java.nio.ByteOrder;
import org.apache.hadoop.hbase.io.hfile.SeekIndexOwner;
import org.apache.hadoop.hbase.unsafe.HBasePlatformDependent;
import org.apache.hadoop.hbase.util.UnsafeAccess;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The header of a record in a segment: what the segment is, which block follows, and how long it
 * is. It lets a reader see that it has the block that it looked for, and an eviction go through the
 * blocks of a segment.
 */
@InterfaceAudience.Private
final class RecordHeader {
  /** Bytes. */
  static final int SIZE = 40;

  private static final int GENERATION = 0;
  private static final int BLOCK_LENGTH = 4;
  private static final int FILE = 8;
  private static final int OFFSET = 16;
  private static final int SIZE_ON_DISK = 24;
  private static final int BLOCK_CLASS = 28;
  /** Where the handle of the block's seek index is, in the JVM's byte order. */
  static final int SEEK_INDEX = 32;

  private RecordHeader() {
  }

  /**
   * Returns the bytes from the start of a record to that of the next.
   * @param blockLength bytes of the block, with what follows its content
   */
  static int recordLength(int blockLength) {
    int unit = EntryWord.UNIT;
    return (SIZE + blockLength + unit - 1) / unit * unit;
  }

  /**
   * Writes a header of another generation, so that nobody takes the record for a whole one until
   * {@link #complete}.
   * @param memory of the segment; its position stays where it is
   */
  static void write(ByteBuffer memory, int position, int generation, BlockRecord block) {
    memory.putInt(position + GENERATION, ~generation);
    memory.putInt(position + BLOCK_LENGTH, block.getLength());
    memory.putLong(position + FILE, block.getFile().getId());
    memory.putLong(position + OFFSET, block.getOffset());
    memory.putInt(position + SIZE_ON_DISK, block.getSizeOnDisk());
    memory.putInt(position + BLOCK_CLASS, block.getBlockClass());
    memory.putLong(position + SEEK_INDEX, SeekIndexOwner.NOT_SOUGHT);
  }

  /** Writes the generation, after what was written to the record before. */
  static void complete(ByteBuffer memory, int position, int generation, int blockLength) {
    long first = (long) generation << Integer.SIZE | blockLength;
    HBasePlatformDependent.putOrderedLong(null,
      UnsafeAccess.directBufferAddress(memory) + position + GENERATION,
      ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? first : Long.reverseBytes(first));
  }

  /** Returns true if the record is of this block, and of the generation in its entry's word. */
  static boolean isOf(ByteBuffer memory, int position, long word, FileTable file, long offset) {
    return EntryWord.isOf(word, memory.getInt(position + GENERATION))
      && memory.getLong(position + FILE) == file.getId()
      && memory.getLong(position + OFFSET) == offset;
  }

  /** Returns the bytes of the block. */
  static int blockLength(ByteBuffer memory, int position) {
    return memory.getInt(position + BLOCK_LENGTH);
  }

  /** Returns what is needed to write the record again; its memory stays what it is until then. */
  static BlockRecord record(ByteBuffer memory, int position, FileTable file) {
    ByteBuffer block = memory.duplicate();
    block.limit(position + SIZE + blockLength(memory, position)).position(position + SIZE);
    return BlockRecord.of(file, offset(memory, position), memory.getInt(position + SIZE_ON_DISK),
      blockClass(memory, position), block);
  }

  /** Returns the number of the block's {@link FileTable}. */
  static long file(ByteBuffer memory, int position) {
    return memory.getLong(position + FILE);
  }

  static int blockClass(ByteBuffer memory, int position) {
    return memory.getInt(position + BLOCK_CLASS);
  }

  static long offset(ByteBuffer memory, int position) {
    return memory.getLong(position + OFFSET);
  }
}
