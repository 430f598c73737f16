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

import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.HeapSize;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockCacheUtil;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BlockCacheKeys;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A block cache in direct memory whose index is off the heap, too: no cached block has an object on
 * the heap. A block is in the cache when {@link #cacheBlock} returns; there are no
 * queues and no threads. Callers of {@link #getBlock} release the block, whose segment isn't used
 * for others until then. Thread-safe.
 */
@InterfaceAudience.Private
public final class SegmentCache implements BlockCache, HeapSize {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentCache.class);

  /** How often a block that was moved while it was looked up is looked up again. */
  private static final int LOOK_UPS = 4;
  /** Estimates in bytes. */
  private static final long HEAP_OF_SEGMENT = 600;
  private static final long HEAP_OF_FILE = 300;

  private final SegmentCacheSettings settings;
  private final SegmentIndex index;
  private final Occupancy occupancy;
  private final CacheStats stats;
  /** Null after shutdown, so that its memory is let go. */
  private volatile MemorySegments segments;

  /** Creates an empty cache, and takes its memory. */
  SegmentCache(SegmentCacheSettings settings, CacheStats stats) {
    this.settings = settings;
    this.stats = stats;
    occupancy = new Occupancy(settings.getSegments());
    index = new SegmentIndex(settings.getMaxIndexBytes(), occupancy);
    segments = new MemorySegments(settings.getSegments(), settings.getSegmentSize(), index,
      new GhostBlocks(settings.getExpectedBlocks()), stats);
  }

  /**
   * Creates the cache that the configuration asks for, and shows its metrics.
   * @throws IllegalArgumentException if a setting isn't allowed; the message names the key, the
   *                                  value and what is allowed
   */
  public static SegmentCache create(Configuration conf) {
    SegmentCacheSettings settings = new SegmentCacheSettings(conf);
    int periods = conf.getInt(BlockCacheFactory.BLOCKCACHE_STATS_PERIODS,
      BlockCacheFactory.DEFAULT_BLOCKCACHE_STATS_PERIODS);
    int minutes = conf.getInt(BlockCacheFactory.BLOCKCACHE_STATS_PERIOD_MINUTES_KEY,
      BlockCacheFactory.DEFAULT_BLOCKCACHE_STATS_PERIOD_MINUTES);
    SegmentCache cache =
      new SegmentCache(settings, new CacheStats("SegmentCache", periods, minutes));
    MetricsSegmentCache.show(cache);
    LOG.info("Started a block cache of {} segments of {} KB", settings.getSegments(),
      settings.getSegmentSize() >> 10);
    return cache;
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    cacheBlock(key, block, false);
  }

  /** Copies the block. Blocks that don't fit, and those that aren't of HFiles, aren't cached. */
  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    MemorySegments current = segments;
    if (current == null) {
      return;
    }
    if (!(block instanceof HFileBlock) || !current.fits((HFileBlock) block, key.getOffset())) {
      stats.failInsert();
      return;
    }
    FileTable file = index.get(key.getHfileName());
    boolean isThere = file != null && file.find(key.getOffset()) != EntryWord.NONE;
    if (isThere && !BlockCacheUtil.shouldReplaceExistingCacheBlock(this, key, block)) {
      return;
    }
    if (!current.write(key.getHfileName(), key.getOffset(), (HFileBlock) block, inMemory)) {
      stats.failInsert();
    }
    if (segments == null) {
      index.clear();
    }
  }

  @Override
  public Cacheable getBlock(BlockCacheKey key, boolean caching, boolean repeat,
    boolean updateCacheMetrics) {
    Cacheable block = read(key);
    if (block == null) {
      BlockCacheKey referred = BlockCacheKeys.referredKey(key);
      block = referred == key ? null : read(referred);
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

  private HFileBlock read(BlockCacheKey key) {
    MemorySegments current = segments;
    FileTable file = index.get(key.getHfileName());
    if (current == null || file == null) {
      return null;
    }
    HFileBlock block = null;
    for (int i = 0; i < LOOK_UPS && block == null; i++) {
      long word = file.findToRead(key.getOffset());
      if (word == EntryWord.NONE) {
        return null;
      }
      block = current.read(file, key.getOffset(), word);
    }
    return block;
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    FileTable file = index.get(key.getHfileName());
    if (file == null || file.remove(key.getOffset()) == EntryWord.NONE) {
      return false;
    }
    index.removeIfEmpty(file);
    return true;
  }

  @Override
  public int evictBlocksByHfileName(String hfileName) {
    return index.remove(hfileName);
  }

  @Override
  public int evictBlocksRangeByHfileName(String hfileName, long initOffset, long endOffset) {
    FileTable file = index.get(hfileName);
    if (file == null) {
      return 0;
    }
    int evicted = file.removeRange(initOffset, endOffset);
    index.removeIfEmpty(file);
    return evicted;
  }

  @Override
  public Optional<Boolean> isAlreadyCached(BlockCacheKey key) {
    return Optional.of(findSize(key) > 0);
  }

  @Override
  public Optional<Integer> getBlockSize(BlockCacheKey key) {
    int size = findSize(key);
    return size > 0 ? Optional.of(size) : Optional.empty();
  }

  /** Returns the bytes on disk of a block, 0 if it isn't cached. */
  private int findSize(BlockCacheKey key) {
    int size = findOwnSize(key);
    BlockCacheKey referred = size > 0 ? key : BlockCacheKeys.referredKey(key);
    return referred == key ? size : findOwnSize(referred);
  }

  private int findOwnSize(BlockCacheKey key) {
    FileTable file = index.get(key.getHfileName());
    return file == null ? 0 : file.findSize(key.getOffset());
  }

  @Override
  public Optional<Boolean> blockFitsIntoTheCache(HFileBlock block) {
    return Optional.of(getFreeSize() >= block.getSerializedLength());
  }

  /** Marks the file as fully cached, until a block of it is evicted, if its data is here. */
  @Override
  public void notifyFileCachingCompleted(Path file, int totalBlockCount, int dataBlockCount,
    long size) {
    FileTable table = index.get(file.getName());
    if (table != null) {
      table.setFullyCached(file.getParent().getParent().getName(), size, dataBlockCount);
    }
  }

  @Override
  public Optional<Map<String, Pair<String, Long>>> getFullyCachedFiles() {
    return Optional.of(Collections.unmodifiableMap(CachedFiles.fully(index)));
  }

  @Override
  public Optional<Map<String, Long>> getRegionCachedInfo() {
    return Optional.of(Collections.unmodifiableMap(CachedFiles.bytesByRegion(index)));
  }

  @Override
  public CacheStats getStats() {
    return stats;
  }

  /** Lets go of the memory; blocks that are in use keep theirs. */
  @Override
  public void shutdown() {
    MetricsSegmentCache.hide(this);
    segments = null;
    index.clear();
    occupancy.setOnRemoval(null);
  }

  @Override
  public long heapSize() {
    return settings.getSegments() * HEAP_OF_SEGMENT + index.tables().size() * HEAP_OF_FILE;
  }

  @Override
  public long size() {
    return getCurrentSize();
  }

  @Override
  public long getMaxSize() {
    return settings.getSize();
  }

  @Override
  public long getFreeSize() {
    return getMaxSize() - getCurrentSize();
  }

  @Override
  public long getCurrentSize() {
    return occupancy.getBytes();
  }

  @Override
  public long getCurrentDataSize() {
    return occupancy.getDataBytes();
  }

  @Override
  public long getBlockCount() {
    return occupancy.getBlocks();
  }

  @Override
  public long getDataBlockCount() {
    return occupancy.getDataBlocks();
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return CachedFiles.blocks(index).iterator();
  }

  @Override
  public BlockCache[] getBlockCaches() {
    return null;
  }

  /** Returns the bytes of direct memory of the index. */
  long getIndexBytes() {
    return index.getBytes();
  }

  /** Returns the number of HFiles that have blocks here. */
  int getFiles() {
    return index.tables().size();
  }
}
