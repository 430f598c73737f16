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
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.HeapSize;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockCacheUtil;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BlockCacheKeys;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A block cache in direct memory, or in files on devices, whose index is off the heap: no cached
 * block has an object on the heap. A block is served as soon as {@link #cacheBlock} returns.
 * Callers of {@link #getBlock} release the block. Thread-safe.
 */
@InterfaceAudience.Private
public class SegmentCache implements BlockCache, HeapSize {
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
  private volatile SegmentStore store;

  /**
   * Creates a cache, and takes its memory or its files, whose blocks it has from then on.
   * @throws IOException if a file can't be used; the message names it
   */
  SegmentCache(SegmentCacheSettings settings, CacheStats stats) throws IOException {
    this(settings, stats,
      index -> new ReadAgainPolicy(settings.getSegments(), settings.getSegmentSize(), index,
        new GhostBlocks(settings.getExpectedBlocks())));
  }

  /**
   * Like the other constructor.
   * @param policy what a cache in memory evicts
   */
  SegmentCache(SegmentCacheSettings settings, CacheStats stats,
    Function<SegmentIndex, MemoryPolicy> policy) throws IOException {
    this.settings = settings;
    this.stats = stats;
    occupancy = new Occupancy(settings.getSegments());
    index = new SegmentIndex(settings.getMaxIndexBytes(), occupancy);
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
    FileTable file = index.get(key.getHfileName());
    boolean isThere = file != null && file.find(key.getOffset()) != EntryWord.NONE;
    if (isThere && !BlockCacheUtil.shouldReplaceExistingCacheBlock(this, key, block)) {
      return;
    }
    if (!write(key, block, inMemory, waitWhenCache ? settings.getWaitMs() : 0)) {
      stats.failInsert();
    }
  }

  /** Writes a block. Returns false if it doesn't fit, or there is no room within a time. */
  boolean write(BlockCacheKey key, Cacheable block, boolean inMemory, long waitMs) {
    SegmentStore current = store;
    boolean fits = current != null && block instanceof HFileBlock
      && current.fits((HFileBlock) block, key.getOffset());
    boolean written = fits && current.write(key.getHfileName(), key.getOffset(),
      (HFileBlock) block, inMemory, waitMs);
    if (store == null) {
      index.clear();
    }
    return written;
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
    SegmentStore current = store;
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
    return index.removeRange(hfileName, initOffset, endOffset);
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
    return hasRoom(false, block.getSerializedLength());
  }

  /** Tells whether this many bytes more are cached without others being evicted. */
  @Override
  public Optional<Boolean> hasRoom(boolean metadata, long bytes) {
    SegmentStore current = store;
    return Optional.of(current != null && bytes <= current.getFreeBytes());
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
    SegmentStore last = store;
    store = null;
    if (last != null) {
      last.close();
    }
    index.clear();
    endStats(stats);
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
    return occupancy.getBytes(BlockCategory.DATA);
  }

  @Override
  public long getBlockCount() {
    return occupancy.getBlocks();
  }

  @Override
  public long getDataBlockCount() {
    return occupancy.getBlocks(BlockCategory.DATA);
  }

  /** Is told what a file has in the cache. */
  public interface FileVisitor {
    /** @param bytes of the blocks' records */
    void visit(String file, long blocks, long bytes);
  }

  /** Visits all files with blocks, and makes no object for a block. */
  public void forEachFile(FileVisitor visitor) {
    long[] sums = new long[2];
    for (FileTable table : index.tables()) {
      Arrays.fill(sums, 0);
      table.visit((offset, size, word) -> {
        sums[0]++;
        sums[1] += EntryWord.length(word);
      });
      if (sums[0] > 0) {
        visitor.visit(table.getName(), sums[0], sums[1]);
      }
    }
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return CachedFiles.blocks(index).iterator();
  }

  @Override
  public BlockCache[] getBlockCaches() {
    return null;
  }

  Occupancy getOccupancy() {
    return occupancy;
  }

  SegmentIndex getIndex() {
    return index;
  }

  /** Returns where the blocks are; null after shutdown. */
  SegmentStore getStore() {
    return store;
  }
}
