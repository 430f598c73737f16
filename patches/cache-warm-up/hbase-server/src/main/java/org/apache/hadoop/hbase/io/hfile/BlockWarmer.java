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

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Extent;
import org.apache.hadoop.hbase.io.hfile.HFileBlockLayout.Blocks;
import org.apache.hadoop.hbase.io.hfile.bucket.BlockResidency;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngine;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads blocks of a file into the block cache. Skips blocks that the cache holds or is about to
 * write, and blocks that it has no room for. Opens a reader of its own for the first block that it
 * has to read. Not thread-safe.
 */
@InterfaceAudience.Private
final class BlockWarmer implements Closeable {
  /** Of all warm-ups of the process. */
  static final PrefetchThrottle THROTTLE = new PrefetchThrottle();

  private static final Logger LOG = LoggerFactory.getLogger(BlockWarmer.class);

  /** How long to offer a block to the cache while its queue is full. */
  private static final long OFFER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
  /** How long to wait for the cache to write the blocks in its queue. */
  private static final long WRITE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long POLL_MS = 5;
  /** A slot takes at most this many times its block's size, as slots have few sizes. */
  private static final int SLOT = 2;
  /** Number of blocks that may wait in the cache's queue before {@link #settle} is called. */
  private static final int MAX_WAITING = 10_000;
  /** Pause after a read while users' reads miss the cache, as a multiple of the read's duration. */
  private static final int REST = 3;
  private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ReaderContext context;
  private final HFileInfo info;
  private final CacheConfig family;
  private final Configuration conf;
  private final WarmupProgress progress;
  private final BlockCache cache;
  private final Path path;
  /** Blocks that wait in the cache's queue. */
  private final HFileBlockLayout waiting = new HFileBlockLayout(Extent.EVERYTHING);
  private final Set<BlockCategory> full = EnumSet.noneOf(BlockCategory.class);
  private HFile.Reader reader;
  private long missesSeen;

  BlockWarmer(ReaderContext context, HFileInfo info, CacheConfig family, Configuration conf,
    WarmupProgress progress) {
    this.context = context;
    this.info = info;
    this.family = family;
    this.conf = conf;
    this.progress = progress;
    cache = family.getBlockCache().get();
    path = context.getFilePath();
    missesSeen = cache.getStats().getMissCachingCount();
  }

  /** Returns true once the cache had no room for a block of this category. */
  boolean isFull(BlockCategory category) {
    return full.contains(category);
  }

  /** Caches a block, unless there is no room for it. */
  void warm(BlockCategory category, long offset, int size)
    throws IOException, InterruptedException {
    if (!isCached(category, offset, size) && hasRoom(category, size)) {
      read(category, offset, size).release();
    }
    if (waiting.of(category).count() >= MAX_WAITING) {
      settle(category);
    }
  }

  /** Returns an index block, from the cache if it is there. The caller releases it. */
  HFileBlock readIndex(long offset, int size) throws IOException, InterruptedException {
    return isCached(BlockCategory.INDEX, offset, size)
      ? reader().readBlock(offset, size, true, true, false, false, null, null)
      : read(BlockCategory.INDEX, offset, size);
  }

  /** Like {@link #readIndex}, for a block whose progress has been counted before. */
  HFileBlock readIndexAgain(long offset, int size) throws IOException, InterruptedException {
    if (residency(offset) == BlockResidency.ABSENT) {
      THROTTLE.acquire(size);
      progress.read(size);
    }
    return reader().readBlock(offset, size, true, true, false, false, null, null);
  }

  private boolean isCached(BlockCategory category, long offset, int size) {
    BlockResidency residency = residency(offset);
    if (residency == BlockResidency.ABSENT) {
      return false;
    }
    progress.cachedBefore();
    if (residency == BlockResidency.WAITING) {
      waiting.add(category, offset, size);
    }
    return true;
  }

  private BlockResidency residency(long offset) {
    return BlockResidency.of(cache, new BlockCacheKey(path.getName(), offset));
  }

  /**
   * Tells whether the cache has room for a block. Blocks of in-memory families may evict others.
   * Other blocks may not, and once the cache was full for a category it stays so: room that is
   * freed later belongs to the blocks that users read.
   */
  private boolean hasRoom(BlockCategory category, int size) {
    if (full.contains(category)) {
      return false;
    }
    BlockCache tier = tier(category);
    boolean room = BlockResidency.isPossible(tier)
      && (family.isInMemory() || hasRoom(tier, category, SLOT * cachedSize(category, size)));
    if (!room) {
      full.add(category);
    }
    return room;
  }

  private boolean hasRoom(BlockCache tier, BlockCategory category, long bytes) {
    return cache.hasRoom(category != BlockCategory.DATA, bytes)
      .orElseGet(() -> CacheWarmupPolicy.hasRoom(tier, bytes));
  }

  /** Returns the tier that caches blocks of this category first. */
  private BlockCache tier(BlockCategory category) {
    return category == BlockCategory.DATA
      ? CacheWarmupPolicy.dataTier(cache)
      : CacheWarmupPolicy.metadataTier(cache);
  }

  /** Returns the estimated bytes of a block in the cache, which may hold it uncompressed. */
  private long cachedSize(BlockCategory category, int size) {
    if (category == BlockCategory.DATA && family.shouldCacheDataCompressed()) {
      return size;
    }
    return Math.max(size,
      size * info.getTrailer().getTotalUncompressedBytes() / context.getFileSize());
  }

  /** Reads a block from the file and caches it. The caller releases it. */
  private HFileBlock read(BlockCategory category, long offset, int size)
    throws IOException, InterruptedException {
    THROTTLE.acquire(size);
    long start = System.nanoTime();
    HFileBlock block = reader().readBlock(offset, size, true, category != BlockCategory.DATA, false,
      false, null, null, true);
    try {
      long nanos = System.nanoTime() - start;
      progress.read(size);
      if (isTaken(category, offset, block)) {
        progress.cached();
        if (residency(offset) == BlockResidency.WAITING) {
          waiting.add(category, offset, size);
        }
      }
      giveWay(nanos);
      return block;
    } catch (InterruptedException | RuntimeException e) {
      block.release();
      throw e;
    }
  }

  /**
   * Offers a block again while the cache's queue is full. After {@link #OFFER_TIMEOUT_NANOS} the
   * cache counts as full for the category.
   */
  private boolean isTaken(BlockCategory category, long offset, HFileBlock block)
    throws InterruptedException {
    long start = System.nanoTime();
    while (residency(offset) == BlockResidency.ABSENT) {
      BlockCache tier = tier(category);
      if (
        full.contains(category)
          || tier instanceof FirstLevelBlockCache && !(tier instanceof TierEngine)
          || !BlockResidency.isPossible(tier) || System.nanoTime() - start > OFFER_TIMEOUT_NANOS
      ) {
        full.add(category);
        return false;
      }
      Thread.sleep(POLL_MS);
      RepeatedOffer.cacheBlock(cache, new BlockCacheKey(path, offset,
        context.isPrimaryReplicaReader(), block.getBlockType()), block, family.isInMemory());
    }
    return true;
  }

  /** Pauses if users' reads missed the cache, since they wait for the same file system. */
  private void giveWay(long nanos) throws InterruptedException {
    long misses = cache.getStats().getMissCachingCount();
    if (misses != missesSeen) {
      missesSeen = misses;
      TimeUnit.NANOSECONDS.sleep(Math.min(REST * nanos, MAX_REST_NANOS));
    }
  }

  /** Waits for the cache to write its queue, and reads dropped blocks once more. */
  void settle(BlockCategory category) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Blocks blocks = waiting.of(category);
    int first = blocks.count();
    for (int i = 0; i < blocks.count(); i++) {
      while (
        residency(blocks.offset(i)) == BlockResidency.WAITING
          && System.nanoTime() - start < WRITE_TIMEOUT_NANOS
      ) {
        Thread.sleep(POLL_MS);
      }
      if (residency(blocks.offset(i)) == BlockResidency.ABSENT) {
        progress.dropped();
        if (i < first && hasRoom(category, blocks.size(i))) {
          read(category, blocks.offset(i), blocks.size(i)).release();
        }
      }
    }
    blocks.clear();
  }

  private HFile.Reader reader() throws IOException {
    if (reader == null) {
      Path source = context.getInputStreamWrapper().getReaderPath();
      FSDataInputStreamWrapper stream =
        new FSDataInputStreamWrapper(context.getFileSystem(), source);
      reader = new HFileStreamReader(ReaderContextBuilder.newBuilder(context)
        .withInputStreamWrapper(stream).withReaderType(ReaderContext.ReaderType.STREAM).build(),
        info, family, conf);
    }
    return reader;
  }

  @Override
  public void close() {
    if (reader != null) {
      try {
        reader.close(false);
      } catch (IOException e) {
        LOG.debug("Can't close {}", path, e);
      }
    }
  }
}
