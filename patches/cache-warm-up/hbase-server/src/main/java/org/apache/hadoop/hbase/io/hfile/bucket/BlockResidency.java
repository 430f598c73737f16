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

import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.apache.yetus.audience.InterfaceAudience;

/** Whether a block cache has a block. Asking reads no block, and counts as neither hit nor miss. */
@InterfaceAudience.Private
public enum BlockResidency {
  /** The next look-up misses. */
  ABSENT,
  /** Served from the cache's queue. The cache has yet to write it, and drops it if that fails. */
  WAITING,
  CACHED;

  /**
   * Asks a cache of any topology.
   * @param key key of the file, or of a reference to it
   */
  public static BlockResidency of(BlockCache cache, BlockCacheKey key) {
    if (cache instanceof CombinedBlockCache) {
      CombinedBlockCache combined = (CombinedBlockCache) cache;
      BlockResidency inL1 = of(combined.getFirstLevelCache(), key);
      return inL1 == ABSENT ? of(combined.getSecondLevelCache(), key) : inL1;
    }
    if (cache instanceof BucketCache) {
      return ofBucketCache((BucketCache) cache, key);
    }
    boolean found = cache instanceof FirstLevelBlockCache
      ? ((FirstLevelBlockCache) cache).containsBlock(key)
      : cache.isAlreadyCached(key).orElse(false);
    return found ? CACHED : ABSENT;
  }

  /** Returns false if a tier is disabled, for example because its device fails. */
  public static boolean isPossible(BlockCache tier) {
    return tier instanceof TierEngine
      ? ((TierEngine) tier).isEnabled()
      : !(tier instanceof BucketCache) || ((BucketCache) tier).isCacheEnabled();
  }

  private static BlockResidency ofBucketCache(BucketCache cache, BlockCacheKey key) {
    if (!cache.isCacheEnabled()) {
      return ABSENT;
    }
    BlockResidency own = find(cache, key);
    if (own != ABSENT) {
      return own;
    }
    BlockCacheKey referred = BlockCacheKeys.referredKey(key);
    return referred == key ? ABSENT : find(cache, referred);
  }

  private static BlockResidency find(BucketCache cache, BlockCacheKey key) {
    // A block moves from ramCache to backingMap, so ramCache is asked first.
    if (cache.ramCache.containsKey(key)) {
      return WAITING;
    }
    return cache.backingMap.containsKey(key) ? CACHED : ABSENT;
  }
}
