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

import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockCacheUtil;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.ReaderFile;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A block cache in direct memory, or in files on devices, whose index is off the heap: no cached
 * block has an object on the heap. A block is served as soon as {@link #cacheBlock} returns.
 * Callers of {@link #getBlock} release the block. Thread-safe.
 */
@InterfaceAudience.Private
public class SegmentCache extends IndexedCache {
  /** How often a block that was moved while it was looked up is looked up again. */
  private static final int LOOK_UPS = 4;
  /** Estimates in bytes. */
  private static final long HEAP_OF_SEGMENT = 600;
  private static final long HEAP_OF_FILE = 300;

  private final SegmentCacheSettings settings;
  private final SegmentIndex index;
  private final CacheStats stats;
  /** Null after shutdown, so that its memory is let go. */
  private volatile SegmentStore store;
  /** What is being closed. */
  private volatile SegmentStore closing;

  /**
   * Creates a cache, and takes its memory or its files, whose blocks it has from then on.
   * @throws IOException if a file can't be used; the message names it
   */
  SegmentCache(SegmentCacheSettings settings, CacheStats stats) throws IOException {
    this(settings.withSegmentsOfFiles(), stats,
      index -> new ReadAgainPolicy(settings.getSegments(), settings.getSegmentSize(), index,
        settings.getExpectedBlocks()));
  }

  /**
   * Like the other constructor.
   * @param policy what a cache in memory evicts
   */
  SegmentCache(SegmentCacheSettings settings, CacheStats stats,
    Function<SegmentIndex, MemoryPolicy> policy) throws IOException {
    super(new SegmentIndex(settings.getMaxIndexBytes(), new Occupancy(settings.getSegments()),
      settings.getKeys().isOfSecondTier()));
    this.settings = settings;
    this.stats = stats;
    index = getIndex();
    store = settings.isInMemory()
      ? new MemorySegments(settings.getSegments(), settings.getSegmentSize(), index,
        policy.apply(index), stats)
      : new DeviceSegments(settings, index, stats);
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    cacheBlock(key, block, false, false);
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    cacheBlock(key, block, inMemory, false);
  }

  /** Copies the block. Blocks that don't fit, and those that aren't of HFiles, aren't cached. */
  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory,
    boolean waitWhenCache) {
    if (store == null) {
      return;
    }
    FileTable file = index.get(key);
    boolean isThere = file != null && file.find(key.getOffset()) != EntryWord.NONE;
    if (isThere && !BlockCacheUtil.shouldReplaceExistingCacheBlock(this, key, block)) {
      return;
    }
    // Who writes or prefetches a file waits.
    WriteResult result = waitWhenCache
      ? write(key, block, BlockOrigin.WRITTEN, inMemory, settings.getWaitMs())
      : write(key, block, BlockOrigin.MISSED, inMemory, 0);
    if (result == WriteResult.REFUSED) {
      stats.failInsert();
    }
  }

  /** Writes a block, which is refused if it doesn't fit, or there is no room within a time. */
  WriteResult write(BlockCacheKey key, Cacheable block, BlockOrigin origin, boolean inMemory,
    long waitMs) {
    SegmentStore current = store;
    boolean fits = current != null && block instanceof HFileBlock
      && current.fits((HFileBlock) block, key.getOffset());
    WriteResult result = fits
      ? current.write(key.getHfileName(), key.getOffset(), (HFileBlock) block, origin, inMemory,
        waitMs)
      : WriteResult.REFUSED;
    if (store == null) {
      index.clear();
    }
    return result;
  }

  @Override
  public Cacheable getBlock(BlockCacheKey key, boolean caching, boolean repeat,
    boolean updateCacheMetrics) {
    Cacheable block = read(key, caching);
    if (block == null) {
      BlockCacheKey referred = ReaderFile.referredKey(key);
      block = referred == key ? null : read(referred, caching);
    }
    if (updateCacheMetrics) {
      if (block != null) {
        stats.hit(caching, key.isPrimary(), key.getBlockType());
      } else if (!repeat) {
        stats.miss(caching, key.isPrimary(), key.getBlockType());
      }
    }
    return block;
  }

  /** What reads without caching, such as a compaction, doesn't make a block stay. */
  private HFileBlock read(BlockCacheKey key, boolean caching) {
    SegmentStore current = store;
    FileTable file = index.get(key);
    if (current == null || file == null) {
      return null;
    }
    HFileBlock block = null;
    for (int i = 0; i < LOOK_UPS && block == null; i++) {
      long word =
        caching ? file.findToRead(key.getOffset()) : file.find(key.getOffset());
      if (word == EntryWord.NONE) {
        return null;
      }
      block = current.read(file, key.getOffset(), word);
    }
    return block;
  }

  @Override
  public Optional<Boolean> blockFitsIntoTheCache(HFileBlock block) {
    return hasRoom(false, block.getSerializedLength());
  }

  /** Tells whether this many bytes more are cached without others being evicted. */
  @Override
  public Optional<Boolean> hasRoom(boolean metadata, long bytes) {
    SegmentStore current = store;
    return Optional.of(current != null && bytes <= current.getFreeBytes());
  }

  @Override
  public CacheStats getStats() {
    return stats;
  }

  /** Lets go of the memory; blocks that are in use keep theirs. */
  @Override
  public void shutdown() {
    MetricsSegmentCache.hide(this);
    SegmentStore last = store;
    closing = last;
    store = null;
    if (last != null) {
      last.close();
    }
    closing = null;
    index.clear();
    endStats(stats);
  }

  @Override
  public boolean isInFiles() {
    return !settings.isInMemory();
  }

  @Override
  public boolean isRecovering() {
    SegmentStore current = store;
    return current != null && current.getPartsRecovering() > 0;
  }

  @Override
  public void abandon() {
    SegmentStore current = store;
    SegmentStore last = current == null ? closing : current;
    if (last != null) {
      last.abandon();
    }
  }

  /** Ends the thread of a cache's statistics, if there is one. */
  static void endStats(CacheStats stats) {
    if (stats.getMetricsRollerScheduler() != null) {
      stats.getMetricsRollerScheduler().shutdownNow();
    }
  }

  @Override
  public long heapSize() {
    return settings.getSegments() * HEAP_OF_SEGMENT + index.tables().size() * HEAP_OF_FILE;
  }

  @Override
  public long getMaxSize() {
    return settings.getSize();
  }

  @Override
  public boolean isCachePersistent() {
    return !settings.isInMemory();
  }

  @Override
  public BlockCache[] getBlockCaches() {
    return null;
  }

  /** Returns the settings, with the size and number of the segments that there are. */
  SegmentCacheSettings getSettings() {
    return settings;
  }

  /** Returns where the blocks are; null after shutdown. */
  SegmentStore getStore() {
    return store;
  }
}
