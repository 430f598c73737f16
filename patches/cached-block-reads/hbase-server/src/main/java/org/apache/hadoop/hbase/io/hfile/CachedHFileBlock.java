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
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A block that came out of a cache off the heap. The buffer that a scanner takes of it is made with
 * the block, so that it needs no other one in between. Thread-safe.
 */
/*
 * Blocks with the same kind of checksum share their context, and types are told by their magic as a
 * number.
 */
@InterfaceAudience.Private
final class CachedHFileBlock extends SharedMemHFileBlock {
  private static final BlockType[] TYPES = BlockType.values();
  private static final long[] MAGIC =
    Arrays.stream(TYPES).mapToLong(CachedHFileBlock::magicOf).toArray();
  private static final HFileContext WITHOUT_CHECKSUM = context(false, ChecksumType.NULL, 0);

  /** Of the block that was made last, since mostly all have the same. Nothing changes it. */
  private static volatile HFileContext withChecksum = context(true, ChecksumType.NULL, 0);

  private static final AtomicReferenceFieldUpdater<CachedHFileBlock, ByteBuff> WITHOUT_HEADER =
    AtomicReferenceFieldUpdater.newUpdater(CachedHFileBlock.class, ByteBuff.class,
      "withoutHeader");

  /** For who asks first; null afterwards. */
  private volatile ByteBuff withoutHeader;

  private CachedHFileBlock(BlockType type, int onDisk, int uncompressed, long previous,
    ByteBuff buffer, long offset, int next, int data, HFileContext context,
    ByteBuffAllocator allocator) {
    super(type, onDisk, uncompressed, previous, buffer, false, offset, next, data, context,
      allocator);
    if (type != BlockType.BLOOM_CHUNK) { // Bloom filters are read with their header.
      buffer.position(headerSize());
      withoutHeader = buffer.slice();
      buffer.rewind();
    }
  }

  @Override
  public ByteBuff getBufferWithoutHeader() {
    ByteBuff first = withoutHeader == null ? null : WITHOUT_HEADER.getAndSet(this, null);
    return first != null ? first : super.getBufferWithoutHeader();
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
   * Returns the block of what a cache has of it.
   * @param buffer from its beginning on, header, data, and what {@link HFileBlock#getMetaData} has;
   *               the block has it from now on
   * @throws IOException if the header isn't a block's
   */
  static HFileBlock of(ByteBuff buffer, ByteBuffAllocator allocator) throws IOException {
    int end = buffer.limit() - HFileBlock.BLOCK_METADATA_SPACE;
    boolean usesChecksum = buffer.get(end) == 1;
    long offset = buffer.getLong(end + Byte.BYTES);
    int next = buffer.getInt(end + Byte.BYTES + Long.BYTES);
    buffer.limit(end);
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
      : new CachedHFileBlock(type, onDisk, uncompressed, previous, buffer, offset, next, data,
        context, allocator);
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
