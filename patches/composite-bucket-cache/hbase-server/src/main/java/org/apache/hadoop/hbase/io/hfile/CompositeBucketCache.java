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
import java.nio.file.FileSystemException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.bucket.BlockCacheKeys;
import org.apache.hadoop.hbase.io.hfile.bucket.FirstTierEngine;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngine;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngines;
import org.apache.hadoop.hbase.io.hfile.bucket.TierSettings;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A block cache of two tiers, without blocks on the Java heap (HBASE-23296): L1 in memory,
 * for metadata and the hottest data; L2 on SSD, for the rest. It is on if
 * {@link TierSettings#L1_IOENGINE} is set. As thread-safe as BucketCache.
 * Callers of {@link #getBlock} release the block.
 */
@InterfaceAudience.Private
public class CompositeBucketCache extends CombinedBlockCache {
  /*
   * This class finds, places and evicts blocks. The tiers store them, the policy decides which ones
   * move, and TierMoves moves them.
   *
   * A promoted block stays in L2, so most blocks that L1 evicts needn't be written again. A block
   * that moves is copied to the new tier before it leaves the old one, so a reader that looks in L1
   * and then in L2 finds it.
   */
  private static final Logger LOG = LoggerFactory.getLogger(CompositeBucketCache.class);

  private static final long PREFETCH_DRAIN_MS = 10_000;

  private final FirstTierEngine l1;
  private final TierEngine l2;
  private final CompositeCacheStats stats;
  private final long l1Blocks;
  private final FileLocks locks = new FileLocks();
  private final TierMoves moves;
  private volatile TierMovePolicy policy;
  private volatile boolean abandoned;

  private CompositeBucketCache(FirstTierEngine l1, TierEngine l2, long l1Blocks,
    boolean promotion) {
    super(l1, l2);
    this.l1 = l1;
    this.l2 = l2;
    this.l1Blocks = l1Blocks;
    stats = new CompositeCacheStats(l1, l2);
    moves = new TierMoves(l1, l2, stats, locks);
    policy = createPolicy(promotion);
  }

  /**
   * Combines two tiers that have cached nothing yet.
   * @param l1Blocks number of blocks that fit into L1
   */
  static CompositeBucketCache of(FirstTierEngine l1, TierEngine l2, long l1Blocks,
    boolean promotion) {
    CompositeBucketCache cache = new CompositeBucketCache(l1, l2, l1Blocks, promotion);
    l1.setEvictions(cache.new L1Evictions());
    return cache;
  }

  /**
   * Creates the cache that the configuration asks for.
   * @throws IllegalArgumentException if a setting isn't allowed; the message names the key, the
   *                                  value and what is allowed
   * @throws IllegalStateException    if the engine of a tier can't be started; the message names
   *                                  its key
   */
  public static CompositeBucketCache create(Configuration conf) {
    CompositeBucketCacheSettings settings = new CompositeBucketCacheSettings(conf);
    int blockSize =
      conf.getInt(BlockCacheFactory.BLOCKCACHE_BLOCKSIZE_KEY, HConstants.DEFAULT_BLOCKSIZE);
    FirstTierEngine l1;
    try {
      l1 = TierEngines.createFirst(settings.getL1(), blockSize);
    } catch (IOException | RuntimeException e) {
      throw cantStart(settings.getL1(), e);
    }
    try {
      TierEngine l2 = TierEngines.create(settings.getL2(), blockSize);
      CompositeBucketCache cache =
        of(l1, l2, settings.getL1().getSize() / blockSize, settings.isPromotion());
      MetricsCompositeBucketCache.show(cache.stats, l1, l2);
      return cache;
    } catch (IOException | RuntimeException e) {
      l1.shutdown();
      throw cantStart(settings.getL2(), e);
    }
  }

  private static IllegalStateException cantStart(TierSettings tier, Exception cause) {
    if (
      cause instanceof FileSystemException
        && ((FileSystemException) cause).getFile().equals(tier.getPersistentPath())
    ) {
      return new IllegalStateException("Can't start the block cache tier, whose "
        + tier.key(TierSettings.PERSISTENT_PATH) + " is " + cause.getMessage(), cause);
    }
    return new IllegalStateException("Can't start the block cache tier that "
      + tier.key(TierSettings.IOENGINE) + " = " + tier.getIoEngine() + " and "
      + tier.key(TierSettings.SIZE) + " = " + tier.getSize() + " bytes ask for: "
      + cause.getMessage(), cause);
  }

  private TierMovePolicy createPolicy(boolean promotion) {
    return promotion ? new TinyLfuTierMovePolicy(l1Blocks) : TierMovePolicy.SPLIT;
  }

  /** Returns true if blocks move between the tiers. */
  public boolean movesBlocks() {
    return policy.movesBlocks();
  }

  @Override
  public FirstTierEngine getFirstLevelCache() {
    return l1;
  }

  @Override
  public TierEngine getSecondLevelCache() {
    return l2;
  }

  @Override
  public CompositeCacheStats getStats() {
    return stats;
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory,
    boolean waitWhenCache) {
    boolean refused = false;
    if (isMetaBlock(block.getBlockType())) {
      // The type of a key that was created without one is DATA.
      key.setBlockType(block.getBlockType());
      if (l1.fits(block)) {
        l1.cacheBlock(key, block, inMemory, waitWhenCache);
        if (l1.holds(key)) {
          return;
        }
        // L1's queue is full, or L1 is disabled.
        refused = l1.isEnabled();
      }
    }
    l2.cacheBlock(key, block, inMemory, waitWhenCache);
    if (refused && !l2.holds(key)) {
      stats.insertIntoL1Failed();
    }
  }

  @Override
  public Cacheable getBlock(BlockCacheKey key, boolean caching, boolean repeat,
    boolean updateCacheMetrics) {
    TierMovePolicy currentPolicy = policy;
    BlockCacheKey referred = BlockCacheKeys.referredKey(key);
    Cacheable block = null;
    boolean data = isData(key.getBlockType());
    boolean asksL1 = !data || currentPolicy.movesBlocks();
    if (asksL1) {
      block = getBlock(l1, key, referred, caching, updateCacheMetrics);
    }
    boolean inL1 = block != null;
    if (!inL1) {
      block = getBlock(l2, key, referred, caching, updateCacheMetrics);
      if (updateCacheMetrics && !repeat) {
        if (asksL1) {
          countMiss(l1, key, caching);
        }
        if (block == null) {
          countMiss(l2, key, caching);
        }
      }
    }
    if (caching && currentPolicy.movesBlocks()) {
      data = block == null ? data : isData(block.getBlockType());
      int frequency =
        data ? countRead(currentPolicy, referred, inL1, !repeat && updateCacheMetrics) : 0;
      if (block != null && !inL1) {
        if (!data || currentPolicy.shouldPromoteData(frequency) && l1.hasRoomForData()) {
          promote(key, block, data);
        } else {
          stats.rejected();
        }
      }
    }
    return block;
  }

  private void promote(BlockCacheKey key, Cacheable block, boolean data) {
    boolean done = false;
    try {
      moves.promote(key, block, data);
      done = true;
    } finally {
      if (!done) {
        block.release();
      }
    }
  }

  private static int countRead(TierMovePolicy policy, BlockCacheKey key, boolean inL1,
    boolean counts) {
    return counts ? policy.onRead(key, inL1) : policy.frequency(key);
  }

  /** Counts a miss, once both tiers were asked: L2 may refuse a read that would wait. */
  private static void countMiss(TierEngine tier, BlockCacheKey key, boolean caching) {
    tier.getStats().miss(caching, key.isPrimary(), key.getBlockType());
  }

  /**
   * Looks a block up in one tier. Counts a hit, but no miss.
   * @param referred for a reference file, the key in the file that it refers to; otherwise
   *                 {@code key}
   */
  private static Cacheable getBlock(TierEngine tier, BlockCacheKey key, BlockCacheKey referred,
    boolean caching, boolean updateCacheMetrics) {
    // The look-up is marked as a repeated one, so that the tier doesn't count its miss: it would
    // count one for each of the two keys, and none while it is disabled.
    Cacheable block = tier.getBlock(key, caching, true, updateCacheMetrics);
    if (block == null && referred != key && !tier.followsReferences()) {
      block = tier.getBlock(referred, caching, true, updateCacheMetrics);
    }
    return block;
  }

  private static boolean isData(BlockType type) {
    return type != null && type.getCategory() == BlockCategory.DATA;
  }

  /** What L1 asks when it makes room. Called by L1's writer threads. */
  private final class L1Evictions implements FirstTierEngine.Evictions {
    @Override
    public boolean evict(BlockCacheKey key, boolean data, BooleanSupplier evict) {
      return l2.holds(key) || !policy.shouldDemote(BlockCacheKeys.referredKey(key), data)
        ? evict.getAsBoolean()
        : moves.demote(key, data, evict);
    }

    @Override
    public int frequency(BlockCacheKey key) {
      return policy.frequency(BlockCacheKeys.referredKey(key));
    }

    @Override
    public void onDataEvicted(int frequency) {
      policy.onDataEvictedFromL1(frequency);
    }

    @Override
    public void onDropped() {
      stats.demotionFailed();
    }

    @Override
    public void onDataRejected() {
      stats.rejected();
    }
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    BlockCacheKey referred = BlockCacheKeys.referredKey(key);
    return evictFromTiers(key) | (referred != key && evictFromTiers(referred));
  }

  private boolean evictFromTiers(BlockCacheKey key) {
    Lock lock = locks.forEviction(key.getHfileName());
    lock.lock();
    try {
      return l1.evictBlock(key) | l2.evictBlock(key);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int evictBlocksByHfileName(String hfileName) {
    return evictBlocksRangeByHfileName(hfileName, 0, Long.MAX_VALUE);
  }

  @Override
  public int evictBlocksRangeByHfileName(String hfileName, long initOffset, long endOffset) {
    Lock lock = locks.forEviction(hfileName);
    lock.lock();
    try {
      return super.evictBlocksRangeByHfileName(hfileName, initOffset, endOffset);
    } finally {
      lock.unlock();
    }
  }

  /** Returns true if a tier has written the block; one that waits to be written doesn't count. */
  @Override
  public Optional<Boolean> isAlreadyCached(BlockCacheKey key) {
    return Optional
      .of(l1.isAlreadyCached(key).orElse(false) || l2.isAlreadyCached(key).orElse(false));
  }

  @Override
  public Optional<Boolean> blockFitsIntoTheCache(HFileBlock block) {
    return hasRoom(isMetaBlock(block.getBlockType()), block.getOnDiskSizeWithHeader());
  }

  /**
   * Tells whether a block fits. Metadata does if L1 has room beside its other metadata, or if L2
   * has room for what L1 demotes.
   */
  @Override
  public Optional<Boolean> hasRoom(boolean metadata, long bytes) {
    boolean inL2 = l2.hasRoom(metadata, bytes).orElse(true);
    return Optional.of(metadata
      ? l1.hasRoom(true, bytes).orElse(true) || inL2 && policy.movesBlocks()
      : inL2);
  }

  /**
   * Marks a file as fully cached in L2 if all its blocks are in the tiers. Counts the data blocks
   * itself, since the caller counts each block that was cached before as data.
   */
  @Override
  public void notifyFileCachingCompleted(Path fileName, int totalBlockCount, int dataBlockCount,
    long size) {
    String name = fileName.getName();
    l1.awaitWritten(name, PREFETCH_DRAIN_MS);
    l2.awaitWritten(name, PREFETCH_DRAIN_MS);
    String holder = l2.getOffsets(name, size, true).isEmpty()
      ? BlockCacheKeys.referredKey(new BlockCacheKey(name, 0)).getHfileName()
      : name;
    int data = l2.getOffsets(holder, size, true).size();
    Set<Long> metadata = new HashSet<>(l1.getOffsets(holder, size, false));
    metadata.addAll(l2.getOffsets(holder, size, false));
    boolean complete = data + metadata.size() == totalBlockCount;
    l2.notifyFileCachingCompleted(fileName, totalBlockCount, complete ? data : dataBlockCount,
      size);
  }

  @Override
  public int getRpcRefCount(BlockCacheKey key) {
    return l1.getRpcRefCount(key) + l2.getRpcRefCount(key);
  }

  /** Not supported: the sizes of the tiers are fixed. */
  @Override
  public void setMaxSize(long size) {
    throw new UnsupportedOperationException("The sizes of the tiers are fixed");
  }

  /** Applies changed eviction factors and the promotion switch; none if one isn't allowed. */
  @Override
  public void onConfigurationChange(Configuration conf) {
    CompositeBucketCacheSettings settings;
    try {
      settings = new CompositeBucketCacheSettings(conf);
    } catch (IllegalArgumentException e) {
      LOG.error("The block cache keeps its settings, since the new ones aren't allowed: {}",
        e.getMessage());
      return;
    }
    l1.onConfigurationChange(settings.getL1().toCacheConfiguration());
    l2.onConfigurationChange(settings.getL2().toCacheConfiguration());
    if (settings.isPromotion() != policy.movesBlocks()) {
      policy = createPolicy(settings.isPromotion());
      if (!settings.isPromotion()) {
        l1.evictData();
      }
      LOG.info("{} is now {}", CompositeBucketCacheSettings.PROMOTION, settings.isPromotion());
    }
  }

  /** Moves L1's metadata to L2, if L2 is persistent, before it shuts the tiers down. */
  @Override
  public void shutdown() {
    MetricsCompositeBucketCache.hide(stats);
    if (policy.movesBlocks() && l2.isCachePersistent()) {
      new MetadataDrain(l1, l2, moves, () -> abandoned).run();
    }
    super.shutdown();
  }

  @Override
  public void abandon() {
    abandoned = true;
    super.abandon();
  }

  @Override
  public boolean keepsBlocksOnHeap() {
    return false;
  }
}
