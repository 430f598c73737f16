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
package org.apache.hadoop.hbase.io.hfile.bucket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.Composites;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;

/**
 * A composite whose writer threads have ended: {@link #write} does their work on the caller's
 * thread. It has one file with one index block. Creating one takes long, so empty ones are reused.
 */
final class TiersAtRest {
  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final BlockCacheKey KEY =
    new BlockCacheKey(FILE, 10_000, true, BlockType.LEAF_INDEX);
  private static final int BYTES = 3_000;
  private static final HFileContext CONTEXT = new HFileContextBuilder().withHBaseCheckSum(false)
    .withBytesPerCheckSum(0).withChecksumType(ChecksumType.NULL).build();
  private static final byte[] CONTENT = new byte[HFileBlock.headerSize(false) + BYTES];
  static {
    // Any bytes do; the block's header is written over the first ones.
    new SplittableRandom(1).nextBytes(CONTENT);
  }

  private static final Queue<TiersAtRest> EMPTY = new ConcurrentLinkedQueue<>();

  private final ByteBuffAllocator buffers = createBuffers();
  private final CompositeBucketCache cache;

  private TiersAtRest() throws IOException, InterruptedException {
    Configuration conf = new Configuration(false);
    for (String tier : Arrays.asList("l1", "l2")) {
      String keys = "hbase.bucketcache." + tier + ".";
      conf.set(keys + "ioengine", "offheap");
      conf.set(keys + "size", "1");
    }
    conf.set("hbase.bucketcache.bucket.sizes", "5120");
    conf.set("hbase.bucketcache.writer.threads", "1");
    CompositeBucketCacheSettings settings = new CompositeBucketCacheSettings(conf);
    FirstTierBucketCache first =
      (FirstTierBucketCache) TierEngines.createFirst(settings.getL1(), BYTES);
    first.stopWriterThreads();
    cache = Composites.of(first,
      new HesitantTier((BucketCacheTierSettings) settings.getL2(), BYTES));
  }

  private static ByteBuffAllocator createBuffers() {
    Configuration conf = new Configuration(false);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 4_096);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 64);
    return ByteBuffAllocator.create(conf, true);
  }

  /** Returns empty tiers. */
  static TiersAtRest take() {
    try {
      TiersAtRest tiers = EMPTY.poll();
      return tiers == null ? new TiersAtRest() : tiers;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  FirstTierBucketCache first() {
    return (FirstTierBucketCache) cache.getFirstLevelCache();
  }

  TierBucketCache second() {
    return (TierBucketCache) cache.getSecondLevelCache();
  }

  /** Puts the block into a tier's queue. */
  void cacheIn(TierBucketCache tier) {
    HFileBlock block = createBlock();
    tier.cacheBlock(KEY, block);
    block.release();
  }

  private HFileBlock createBlock() {
    ByteBuff buffer = buffers.allocate(CONTENT.length);
    buffer.put(CONTENT, 0, CONTENT.length);
    return new HFileBlock(KEY.getBlockType(), BYTES, BYTES, -1, buffer, HFileBlock.FILL_HEADER,
      KEY.getOffset(), -1, CONTENT.length, CONTEXT, buffers);
  }

  /** Writes the blocks in a tier's queue. For one thread of each tier at a time. */
  void write(TierBucketCache tier) {
    List<BucketCache.RAMQueueEntry> taken = new ArrayList<>();
    tier.writerQueues.get(0).drainTo(taken);
    HeldBlocks.hold(taken, tier.ramCache);
    try {
      tier.doDrain(taken, ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      HeldBlocks.release(taken);
    }
  }

  /**
   * Reads the block.
   * @param caching whether the read may move the block
   * @return false if the block is missed
   * @throws IllegalStateException if it isn't what was cached
   */
  boolean read(boolean caching) {
    Cacheable found = cache.getBlock(KEY, caching, false, true);
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

  void evictBlock() {
    cache.evictBlock(KEY);
  }

  void evictFile() {
    cache.evictBlocksByHfileName(FILE);
  }

  /** Makes room in the first tier by evicting the block, as the tier's writers do. */
  void makeRoomInFirst() {
    first().evictBlockIfNoRpcReferenced(KEY);
  }

  /**
   * Evicts the file, and gives the tiers back for reuse.
   * @throws IllegalStateException if a block or buffer is left
   */
  void empty() {
    write(first());
    write(second());
    evictFile();
    checkThatItIsEmpty(first());
    checkThatItIsEmpty(second());
    if (buffers.getFreeBufferCount() != buffers.getUsedBufferCount()) {
      throw new IllegalStateException(buffers.getFreeBufferCount() + " of "
        + buffers.getUsedBufferCount() + " buffers came back");
    }
    EMPTY.add(this);
  }

  private static void checkThatItIsEmpty(TierBucketCache tier) {
    long used = tier.getAllocator().getUsedSize();
    if (
      used != 0 || !tier.backingMap.isEmpty() || !tier.ramCache.isEmpty()
        || !tier.blocksByHFile.isEmpty() || tier.getBlockCount() != 0
        || tier.getRealCacheSize() != 0 || tier.heapSize() != 0
    ) {
      throw new IllegalStateException(tier.getClass().getSimpleName() + " has " + used
        + " bytes, written " + tier.backingMap + ", waiting " + tier.ramCache.delegate
        + ", by file " + tier.blocksByHFile + ", sizes " + tier.getRealCacheSize() + " and "
        + tier.heapSize());
    }
  }
}
