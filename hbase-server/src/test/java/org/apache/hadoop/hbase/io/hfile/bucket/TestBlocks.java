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
package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;

/** Creates blocks whose content follows from their key, so that a wrong byte is detected. */
public final class TestBlocks {
  private static final HFileContext CONTEXT = new HFileContextBuilder().withHBaseCheckSum(false)
    .withCompression(Compression.Algorithm.NONE).withBytesPerCheckSum(0)
    .withChecksumType(ChecksumType.NULL).build();
  private static final int HEADER_SIZE = HFileBlock.headerSize(false);

  private static final byte[] NOISE = new byte[1 << 22];
  static {
    new Random(1).nextBytes(NOISE); // Any bytes do.
  }

  /** Size of the next block if the reader doesn't know it. */
  static final int UNKNOWN = -1;

  private TestBlocks() {
  }

  public static BlockCacheKey key(String file, long offset, BlockType type) {
    return new BlockCacheKey(file, offset, true, type);
  }

  /** Returns the key as a scan looks it up, without the type of the next block. */
  public static BlockCacheKey untyped(BlockCacheKey key) {
    return key(key.getHfileName(), key.getOffset(), null);
  }

  /**
   * Creates a block on the heap.
   * @param size bytes without the header
   */
  public static HFileBlock block(BlockCacheKey key, int size) {
    return block(key, size, UNKNOWN, ByteBuffAllocator.HEAP);
  }

  /** Like {@link #block(BlockCacheKey, int)}, in a buffer that the caller must release. */
  static HFileBlock block(BlockCacheKey key, int size, ByteBuffAllocator allocator) {
    return block(key, size, UNKNOWN, allocator);
  }

  /**
   * Like {@link #block(BlockCacheKey, int, ByteBuffAllocator)}.
   * @param nextSize bytes of the next block, or {@link #UNKNOWN}
   */
  static HFileBlock block(BlockCacheKey key, int size, int nextSize,
    ByteBuffAllocator allocator) {
    byte[] content = content(key.hashCode(), HEADER_SIZE + size);
    ByteBuff buffer = allocator.allocate(content.length);
    int from = 0;
    for (ByteBuffer part : buffer.nioByteBuffers()) {
      ByteBuffer to = part.duplicate();
      int bytes = to.remaining();
      to.put(content, from, bytes);
      from += bytes;
    }
    buffer.position(content.length);
    return new HFileBlock(key.getBlockType(), size, size, UNKNOWN, buffer, HFileBlock.FILL_HEADER,
      key.getOffset(), nextSize, content.length, CONTEXT, allocator);
  }

  /** Each byte depends on the hash code, but cutting it out is faster than making it anew. */
  private static byte[] content(int hash, int length) {
    byte[] content = new byte[length];
    int from = new SplittableRandom(hash).nextInt(NOISE.length - length);
    System.arraycopy(NOISE, from, content, 0, length);
    if (length >= HEADER_SIZE + Integer.BYTES) {
      Bytes.putInt(content, HEADER_SIZE, hash);
    }
    return content;
  }

  /** Asserts that this is the block. Doesn't release it. */
  public static void assertIsBlock(BlockCacheKey key, int size, Cacheable actual) {
    HFileBlock block = (HFileBlock) actual;
    assertEquals(key.getBlockType(), block.getBlockType());
    assertEquals(size, block.getUncompressedSizeWithoutHeader());
    ByteBuff expected = block(key, size).getBufferReadOnly();
    ByteBuff found = block.getBufferReadOnly();
    assertArrayEquals(key.toString(), expected.toBytes(0, expected.limit()),
      found.toBytes(0, found.limit()));
  }
}
