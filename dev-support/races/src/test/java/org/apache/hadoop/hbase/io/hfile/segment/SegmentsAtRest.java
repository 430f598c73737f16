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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;

/**
 * A small cache of segments in memory. What threads do with one block of it is looked at, while
 * others may make it evict. Creating one takes long, so empty ones are reused.
 */
final class SegmentsAtRest {
  static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER_FILE = "fedcba9876543210fedcba9876543210";
  private static final long OFFSET = 10_000;
  private static final int BYTES = 30_000;
  /** Other blocks that are more than a segment takes. */
  private static final int BLOCKS_OF_SEGMENT = 5;
  private static final HFileContext CONTEXT = new HFileContextBuilder().withHBaseCheckSum(false)
    .withBytesPerCheckSum(0).withChecksumType(ChecksumType.NULL).build();

  private static final byte[] CONTENT = content(1);
  private static final byte[] OTHER_CONTENT = content(2);

  private static final Queue<SegmentsAtRest> EMPTY = new ConcurrentLinkedQueue<>();

  private final SegmentCache cache;
  /** Of other blocks. */
  private long lastOffset;

  private SegmentsAtRest() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("hbase.bucketcache.ioengine", "segments");
    conf.set("hbase.bucketcache.size", "1");
    cache = new SegmentCache(new SegmentCacheSettings(conf), new CacheStats("races"));
  }

  /** Returns an empty cache. */
  static SegmentsAtRest take() {
    try {
      SegmentsAtRest cache = EMPTY.poll();
      return cache == null ? new SegmentsAtRest() : cache;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static BlockCacheKey key(String file, long offset) {
    return new BlockCacheKey(file, offset, true, BlockType.DATA);
  }

  /** Returns what a block has behind its header. */
  private static byte[] content(long seed) {
    byte[] content = new byte[HFileBlock.headerSize(false) + BYTES];
    new SplittableRandom(seed).nextBytes(content);
    return content;
  }

  private void cache(String file, long offset, byte[] content) {
    // The header is written over the first bytes.
    HFileBlock block = new HFileBlock(BlockType.DATA, BYTES, BYTES, -1,
      ByteBuff.wrap(ByteBuffer.wrap(content.clone())), HFileBlock.FILL_HEADER, offset, -1,
      content.length, CONTEXT, ByteBuffAllocator.HEAP);
    cache.cacheBlock(key(file, offset), block);
    block.release();
  }

  /** Caches the block. */
  void cacheBlock() {
    cache(FILE, OFFSET, CONTENT);
  }

  /** Has the cache take as many other blocks as a segment has, for one thread at a time. */
  void fillASegment() {
    for (int i = 0; i < BLOCKS_OF_SEGMENT; i++) {
      lastOffset += 2 * BYTES;
      cache(OTHER_FILE, lastOffset, OTHER_CONTENT);
    }
  }

  /**
   * Reads the block.
   * @return false if the block is missed
   * @throws IllegalStateException if it isn't what was cached
   */
  boolean read() {
    Cacheable found = cache.getBlock(key(FILE, OFFSET), true, false, true);
    if (found == null) {
      return false;
    }
    ByteBuff buffer = ((HFileBlock) found).getBufferReadOnly();
    byte[] bytes = buffer.toBytes(0, buffer.limit());
    found.release();
    int header = HFileBlock.headerSize(false);
    if (!Arrays.equals(bytes, header, bytes.length, CONTENT, header, CONTENT.length)) {
      throw new IllegalStateException("Wrong bytes");
    }
    return true;
  }

  boolean evictBlock() {
    return cache.evictBlock(key(FILE, OFFSET));
  }

  int evictFile() {
    return cache.evictBlocksByHfileName(FILE);
  }

  /** Returns the number of blocks in the file's table. */
  int countOfFile() {
    FileTable table = cache.getIndex().get(FILE);
    return table == null ? 0 : table.getEntries();
  }

  /**
   * Evicts all, and gives the cache back for reuse.
   * @throws IllegalStateException if something is left
   */
  void empty() {
    evictFile();
    cache.evictBlocksByHfileName(OTHER_FILE);
    Occupancy counts = cache.getOccupancy();
    if (
      counts.getBlocks() != 0 || counts.getBytes() != 0 || !cache.getIndex().tables().isEmpty()
        || cache.getIndex().getUsedBytes() != 0 || counts.getInMemoryBytes() != 0
    ) {
      throw new IllegalStateException(counts.getBlocks() + " blocks of " + counts.getBytes()
        + " bytes are left, in tables of " + cache.getIndex().getUsedBytes() + " bytes: "
        + cache.getIndex().tables().size());
    }
    for (int segment = 0; segment < cache.getMaxSize() / (1 << 17); segment++) {
      if (counts.getLiveBytes(segment) != 0) {
        throw new IllegalStateException(
          "segment " + segment + " has " + counts.getLiveBytes(segment) + " bytes");
      }
    }
    if (((MemorySegments) cache.getStore()).isPinned()) {
      throw new IllegalStateException("a segment is pinned");
    }
    EMPTY.add(this);
  }
}
