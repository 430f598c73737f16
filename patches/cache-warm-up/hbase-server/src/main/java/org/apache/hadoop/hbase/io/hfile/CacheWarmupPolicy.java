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

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.hfile.bucket.BlockResidency;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how much of a file is cached when it is written or opened (HBASE-23355, HBASE-23350).
 * Writers and openers of a store share a policy, so the opener needn't read what the writer has
 * cached. Immutable.
 */
@InterfaceAudience.Private
public final class CacheWarmupPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(CacheWarmupPolicy.class);
  /** How long to wait for a cache to find what it had before a restart. */
  private static final long RECOVERY_TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(5);
  /** Since when each tier that recovers is waited for. */
  private static final Map<BlockCache, Long> RECOVERY_AWAITED_SINCE =
    Collections.synchronizedMap(new WeakHashMap<>());

  /** Why a file appears. */
  public enum Reason {
    FLUSH,
    COMPACTION,
    BULK_LOAD,
    /** The region was opened on this server, at its start or after a move. */
    REGION_OPEN,
    /** The file refers to one half of a parent's file, after a split. It is compacted soon. */
    REFERENCE
  }

  /** How much of a file is cached. */
  public enum Extent {
    NOTHING,
    /** Index and bloom blocks. */
    METADATA,
    EVERYTHING
  }

  private final long openThreshold;

  CacheWarmupPolicy(CacheWarmupSettings settings) {
    openThreshold = settings.getOpenThreshold();
  }

  /**
   * Creates the policy of a store.
   * @param conf   the store's
   * @param family its column family, or null if there is none
   * @param cache  the server's, or null if there is none
   * @return the policy; null if warm-up is off, or the policy doesn't support this kind of cache
   */
  static CacheWarmupPolicy create(Configuration conf, ColumnFamilyDescriptor family,
    BlockCache cache) {
    if (!isKnown(cache)) {
      return null;
    }
    try {
      CacheWarmupSettings settings = new CacheWarmupSettings(conf);
      return settings.isEnabled() ? new CacheWarmupPolicy(settings) : null;
    } catch (IllegalArgumentException e) {
      // The server has validated its own keys, so this one is a table's. Its regions open anyway.
      LOG.error("Column family {} has no cache warm-up: {}",
        family == null ? "" : family.getNameAsString(), e.getMessage());
      return null;
    }
  }

  /** Returns false if data isn't cached, or is cached by another process. */
  private static boolean isKnown(BlockCache cache) {
    return cache != null && !(cache instanceof InclusiveCombinedBlockCache)
      && !(dataTier(cache) instanceof IndexOnlyLruBlockCache);
  }

  /**
   * Decides how much of a file is cached.
   * @param size   bytes of the file; for a file that isn't written yet, those of its source; -1 if
   *               unknown
   * @param family what the column family and the server's keys ask for
   */
  public Extent extent(Reason reason, long size, CacheConfig family) {
    Extent wanted = wanted(reason, size, family);
    if (wanted != Extent.EVERYTHING || family.isInMemory()) {
      return wanted;
    }
    return hasRoom(reason, size, family) ? Extent.EVERYTHING : Extent.METADATA;
  }

  private Extent wanted(Reason reason, long size, CacheConfig family) {
    boolean onOpen = family.shouldPrefetchOnOpen();
    switch (reason) {
      case FLUSH:
        // Caching blocks while they are written is cheaper than reading them back later.
        return extent(onOpen || family.shouldCacheDataOnWrite(),
          family.shouldCacheDataOnWrite() || isSmall(size));
      case COMPACTION:
        boolean onWrite = family.shouldCacheCompactedBlocksOnWrite();
        return extent(onOpen || onWrite,
          onWrite && size <= family.getCacheCompactedBlocksOnWriteThreshold()
            || onOpen && isSmall(size));
      case BULK_LOAD:
      case REGION_OPEN:
        return extent(onOpen, isSmall(size));
      case REFERENCE:
        return extent(onOpen, false);
      default:
        throw new IllegalArgumentException(reason.name());
    }
  }

  /** A flush counts as small, since its size isn't known. */
  private boolean isSmall(long size) {
    return size < 0 ? openThreshold > 0 : size <= openThreshold;
  }

  private static Extent extent(boolean any, boolean data) {
    return any ? data ? Extent.EVERYTHING : Extent.METADATA : Extent.NOTHING;
  }

  /**
   * Tells whether the data of a file may be cached. A file that was just written may evict other
   * blocks, since it replaces cached files or has the newest data. A file that is bigger than the
   * tier may not: it would flush the tier and still be cached by half.
   */
  private static boolean hasRoom(Reason reason, long size, CacheConfig family) {
    BlockCache tier = dataTier(family.getBlockCache().get());
    boolean written = reason == Reason.FLUSH || reason == Reason.COMPACTION;
    return size <= tier.getMaxSize() && (written || tier.isRecovering() || hasRoom(tier, 1));
  }

  /** Returns true if a tier takes this many more bytes without evicting blocks. */
  public static boolean hasRoom(BlockCache tier, long bytes) {
    Optional<Boolean> own = tier.hasRoom(false, bytes);
    if (own.isPresent()) {
      return own.get();
    }
    long evictsAt = tier.getMaxSize();
    if (tier instanceof BucketCache) {
      // The heap size of a BucketCache is that of the blocks that wait to be written.
      evictsAt = ((BucketCache) tier).acceptableSize() - ((BucketCache) tier).heapSize();
    } else if (tier instanceof LruBlockCache) {
      evictsAt = ((LruBlockCache) tier).acceptableSize();
    } else if (tier instanceof LruAdaptiveBlockCache) {
      evictsAt = ((LruAdaptiveBlockCache) tier).acceptableSize();
    }
    return tier.getCurrentSize() + bytes <= evictsAt;
  }

  /**
   * Tells whether to wait for a tier that looks for blocks of an earlier process: it doesn't know
   * yet what it lacks, and has no room. If its device hangs, all that wait for the tier go on five
   * minutes after the first asked.
   */
  public static boolean isRecoveryAwaited(BlockCache tier) {
    return isRecoveryAwaited(tier, RECOVERY_TIMEOUT_NANOS);
  }

  static boolean isRecoveryAwaited(BlockCache tier, long timeoutNanos) {
    return tier.isRecovering()
      && System.nanoTime() - RECOVERY_AWAITED_SINCE.computeIfAbsent(tier, t -> System.nanoTime())
          < timeoutNanos;
  }

  /** Returns the tier that caches data blocks; null for null. */
  public static BlockCache dataTier(BlockCache cache) {
    return cache instanceof CombinedBlockCache
      ? ((CombinedBlockCache) cache).getSecondLevelCache()
      : cache;
  }

  /** Returns the tier that caches index and bloom blocks first. */
  public static BlockCache metadataTier(BlockCache cache) {
    if (cache instanceof CombinedBlockCache) {
      BlockCache first = ((CombinedBlockCache) cache).getFirstLevelCache();
      if (BlockResidency.isPossible(first)) {
        return first;
      }
    }
    return dataTier(cache);
  }
}
