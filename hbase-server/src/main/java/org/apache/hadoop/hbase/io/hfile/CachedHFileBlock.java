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
import java.util.Arrays;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Makes blocks of what is cached. Blocks with the same kind of checksum share their context, and
 * types are told by their magic as a number. Thread-safe.
 */
@InterfaceAudience.Private
final class CachedHFileBlock {
  private static final BlockType[] TYPES = BlockType.values();
  private static final long[] MAGIC =
    Arrays.stream(TYPES).mapToLong(CachedHFileBlock::magicOf).toArray();
  private static final HFileContext WITHOUT_CHECKSUM = context(false, ChecksumType.NULL, 0);

  /** Of the block that was made last, since mostly all have the same. Nothing changes it. */
  private static volatile HFileContext withChecksum = context(true, ChecksumType.NULL, 0);

  private CachedHFileBlock() {
  }

  private static long magicOf(BlockType type) {
    byte[] magic = new byte[BlockType.MAGIC_LENGTH];
    type.put(magic, 0);
    return Bytes.toLong(magic);
  }

  private static HFileContext context(boolean usesChecksum, ChecksumType type, int bytes) {
    return new HFileContextBuilder().withHBaseCheckSum(usesChecksum).withChecksumType(type)
      .withBytesPerCheckSum(bytes).build();
  }

  /**
   * Returns the block of a buffer.
   * @param buffer       header and data; the block has it from now on
   * @param usesChecksum whether the header tells of checksums
   * @param offset       of the block in its file
   * @param next         on-disk size of the next block with header; -1 if it isn't known
   * @throws IOException if the header isn't a block's
   */
  static HFileBlock of(ByteBuff buffer, boolean usesChecksum, long offset, int next,
    ByteBuffAllocator allocator) throws IOException {
    BlockType type = typeOf(buffer);
    int onDisk = buffer.getInt(HFileBlock.Header.ON_DISK_SIZE_WITHOUT_HEADER_INDEX);
    int uncompressed = buffer.getInt(HFileBlock.Header.UNCOMPRESSED_SIZE_WITHOUT_HEADER_INDEX);
    long previous = buffer.getLong(HFileBlock.Header.PREV_BLOCK_OFFSET_INDEX);
    int data = usesChecksum
      ? buffer.getInt(HFileBlock.Header.ON_DISK_DATA_SIZE_WITH_HEADER_INDEX)
      : onDisk + HFileBlock.headerSize(false);
    HFileContext context = usesChecksum ? contextOf(buffer) : WITHOUT_CHECKSUM;
    return buffer.hasArray()
      ? new ExclusiveMemHFileBlock(type, onDisk, uncompressed, previous, buffer, false, offset,
        next, data, context, allocator)
      : new SharedMemHFileBlock(type, onDisk, uncompressed, previous, buffer, false, offset, next,
        data, context, allocator);
  }

  private static BlockType typeOf(ByteBuff buffer) throws IOException {
    buffer.rewind();
    if (buffer.remaining() >= Long.BYTES) {
      long magic = buffer.getLong(0);
      for (int i = 0; i < MAGIC.length; i++) {
        if (MAGIC[i] == magic) {
          return TYPES[i];
        }
      }
    }
    return BlockType.read(buffer); // It says what is wrong.
  }

  private static HFileContext contextOf(ByteBuff buffer) throws IOException {
    ChecksumType type =
      ChecksumType.codeToType(buffer.get(HFileBlock.Header.CHECKSUM_TYPE_INDEX));
    int bytes = buffer.getInt(HFileBlock.Header.BYTES_PER_CHECKSUM_INDEX);
    HFileContext context = withChecksum;
    if (context.getChecksumType() != type || context.getBytesPerChecksum() != bytes) {
      context = context(true, type, bytes);
      withChecksum = context;
    }
    return context;
  }
}
