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

import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The first tier of a {@code CompositeBucketCache}: holds metadata, and data that is read often in
 * the remaining room. Data never takes the room of metadata.
 */
@InterfaceAudience.Private
public interface FirstTierEngine extends TierEngine, FirstLevelBlockCache {

  /** Decides what happens to the blocks that leave the tier. */
  interface Evictions {
    /**
     * Evicts a block to make room, after it was copied to the next tier if it is to be kept.
     * @param evict evicts the block from this tier; returns false if another thread did that, or a
     *              reader holds the block
     * @return what {@code evict} returned, or false if it wasn't called
     */
    boolean evict(BlockCacheKey key, boolean data, BooleanSupplier evict);

    /** Returns how often a data block was read recently. */
    int frequency(BlockCacheKey key);

    /**
     * Takes note that a data block of this frequency was evicted to make room. Those with a lower
     * frequency have been evicted before.
     */
    void onDataEvicted(int frequency);

    /** Takes note that a block was evicted without a copy, as {@link #evict} came to nothing. */
    void onDropped();

    /** Takes note that an admitted data block was dropped, since metadata needs all room. */
    void onDataRejected();
  }

  /** Sets who decides on evictions. To be called once, before the first block is cached. */
  void setEvictions(Evictions evictions);

  /** Returns true if threads that read evict blocks; false if threads of the tier do. */
  default boolean isEvictedByReaders() {
    return false;
  }

  /** Returns false if metadata alone fills the tier. */
  boolean hasRoomForData();

  /** Returns the keys of the metadata blocks that the tier holds. */
  List<BlockCacheKey> getMetadataKeys();

  /** Evicts all data blocks. */
  void evictData();

  @Override
  default boolean containsBlock(BlockCacheKey key) {
    return holds(key);
  }

  /** Not supported: the size of the tier is fixed, and it takes no Java heap. */
  @Override
  default void setMaxSize(long size) {
    throw new UnsupportedOperationException("The size of a tier is fixed");
  }

  /** Not supported: the cache of both tiers moves blocks, not this tier. */
  @Override
  default void setVictimCache(BlockCache victimCache) {
    throw new UnsupportedOperationException("See setEvictions");
  }
}
