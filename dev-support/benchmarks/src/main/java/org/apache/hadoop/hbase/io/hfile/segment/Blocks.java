/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io.hfile.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;

/** Data blocks full of zeros, by number. */
final class Blocks {
  private static final HFileContext CONTEXT = new HFileContextBuilder().withHBaseCheckSum(false)
    .withBytesPerCheckSum(0).withChecksumType(ChecksumType.NULL).build();
  /** Of one file; a few GB at 64 KB. */
  private static final int OF_FILE = 100_000;
  private static final long APART = 200_000;
  /** Of one file, of blocks that are nowhere. */
  static final int ENTRIES_OF_FILE = 10_000;
  private static final int ENTRY_APART = 64 * 1024;

  private Blocks() {
  }

  /** Adds entries of blocks that are nowhere. */
  static void addEntries(SegmentIndex index, int blocks) {
    for (int i = 0; i < blocks; i++) {
      index.getOrCreate(file(i / ENTRIES_OF_FILE)).put(
        (long) (i % ENTRIES_OF_FILE) * ENTRY_APART, ENTRY_APART,
        EntryWord.of(i >>> 10 & 0xFFFF, (i & 1023) * ENTRY_APART, ENTRY_APART, BlockClass.DATA,
          1));
    }
  }

  static BlockCacheKey key(long number) {
    return new BlockCacheKey(file(number / OF_FILE), number % OF_FILE * APART, true,
      BlockType.DATA);
  }

  static String file(long number) {
    return String.format("%032x", number);
  }

  /**
   * Offers a block to a cache.
   * @param bytes behind its header
   * @param waits as who writes or prefetches a file
   */
  static void cache(BlockCache cache, long number, int bytes, boolean waits) {
    cache(cache, key(number), ByteBuffer.allocate(HFileBlock.headerSize(false) + bytes), waits);
  }

  /** Offers a block of zeros to a cache, as who prefetches a file. */
  static void cache(BlockCache cache, String file, long offset, int bytes) {
    cache(cache, new BlockCacheKey(file, offset, true, BlockType.DATA),
      ByteBuffer.allocate(HFileBlock.headerSize(false) + bytes), true);
  }

  /** Offers a block with bytes of its own to a cache, as who prefetches a file. */
  static void cacheOwn(BlockCache cache, long number, int bytes) {
    cache(cache, key(number), content(number, bytes), true);
  }

  private static void cache(BlockCache cache, BlockCacheKey key, ByteBuffer content,
    boolean waits) {
    int header = HFileBlock.headerSize(false);
    int bytes = content.capacity() - header;
    HFileBlock block = new HFileBlock(BlockType.DATA, bytes, bytes, -1, ByteBuff.wrap(content),
      HFileBlock.FILL_HEADER, key.getOffset(), -1, content.capacity(), CONTEXT,
      ByteBuffAllocator.HEAP);
    cache.cacheBlock(key, block, false, waits);
    block.release();
  }

  private static ByteBuffer content(long number, int bytes) {
    ByteBuffer content = ByteBuffer.allocate(HFileBlock.headerSize(false) + bytes);
    SplittableRandom random = new SplittableRandom(number);
    content.position(HFileBlock.headerSize(false));
    while (content.remaining() >= Long.BYTES) {
      content.putLong(random.nextLong());
    }
    content.rewind();
    return content;
  }

  /**
   * Reads a block of {@link #cacheOwn}, and compares its bytes. Returns false if it is missed.
   * @param bytes behind its header
   */
  static boolean readOwn(BlockCache cache, long number, int bytes) {
    HFileBlock block = (HFileBlock) cache.getBlock(key(number), true, false, true);
    if (block == null) {
      return false;
    }
    int header = HFileBlock.headerSize(false);
    byte[] expected = content(number, bytes).array();
    byte[] found = new byte[expected.length];
    ByteBuff read = block.getBufferReadOnly();
    read.get(read.position() + header, found, header, bytes);
    block.release();
    if (!Arrays.equals(expected, header, header + bytes, found, header, header + bytes)) {
      throw new IllegalStateException("block " + number + " has other bytes");
    }
    return true;
  }

  /** Reads a block. Returns false if it is missed. */
  static boolean read(BlockCache cache, long number) {
    Cacheable block = cache.getBlock(key(number), true, false, true);
    if (block == null) {
      return false;
    }
    block.release();
    return true;
  }
}
