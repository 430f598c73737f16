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
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.yetus.audience.InterfaceAudience;

/** A block that is being written to a segment. Not thread-safe. */
@InterfaceAudience.Private
abstract class BlockRecord {
  private final FileTable file;
  private final long offset;
  private final int sizeOnDisk;
  private final int length;
  private final int blockClass;

  private BlockRecord(FileTable file, long offset, int sizeOnDisk, int length, int blockClass) {
    this.file = file;
    this.offset = offset;
    this.sizeOnDisk = sizeOnDisk;
    this.length = length;
    this.blockClass = blockClass;
  }

  /** Returns the record of a block that the caller holds. */
  static BlockRecord of(FileTable file, HFileBlock block, long offset, boolean inMemory) {
    return new BlockRecord(file, offset, block.getOnDiskSizeWithHeader(),
      block.getSerializedLength(), BlockClass.of(block.getBlockType(), inMemory)) {
      @Override
      void copyTo(ByteBuffer target) {
        block.serialize(target, true);
      }
    };
  }

  /**
   * Returns a record that is written again.
   * @param block what {@link #copyTo} wrote, from position to limit; stays what it is until then
   */
  static BlockRecord of(FileTable file, long offset, int sizeOnDisk, int blockClass,
    ByteBuffer block) {
    return new BlockRecord(file, offset, sizeOnDisk, block.remaining(), blockClass) {
      @Override
      void copyTo(ByteBuffer target) {
        target.put(block.duplicate());
      }
    };
  }

  /** Writes the block, with what follows its content, to a buffer of just its length. */
  abstract void copyTo(ByteBuffer target);

  FileTable getFile() {
    return file;
  }

  /** Returns where the block is in the file. */
  long getOffset() {
    return offset;
  }

  /** Returns the bytes of the block in the file, with header and checksums. */
  int getSizeOnDisk() {
    return sizeOnDisk;
  }

  /** Returns the bytes that {@link #copyTo} writes. */
  int getLength() {
    return length;
  }

  int getBlockClass() {
    return blockClass;
  }
}
