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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Decides which blocks move between the tiers of a {@link CompositeBucketCache}. It moves none
 * itself and knows nothing of how tiers store them.
 * <p>
 * Where a new block is placed is not decided here: blocks of indexes, bloom filters and other
 * metadata start in L1, data blocks in L2 (HBASE-23296).
 * <p>
 * Implementations are safe for use by many threads, and don't block.
 */
@InterfaceAudience.Private
public interface CachePlacementAdmissionPolicy {

  /** The plain split of HBASE-23296: a block stays in the tier that it was placed in. */
  CachePlacementAdmissionPolicy SPLIT = new CachePlacementAdmissionPolicy() {
    @Override
    public boolean movesBlocks() {
      return false;
    }

    @Override
    public int onRead(BlockCacheKey key, boolean inL1) {
      return 0;
    }

    @Override
    public boolean shouldPromoteData(int frequency) {
      return false;
    }

    @Override
    public boolean shouldDemote(BlockCacheKey key, boolean data) {
      return false;
    }

    @Override
    public int frequency(BlockCacheKey key) {
      return 0;
    }

    @Override
    public void onDataEvictedFromL1(int frequency) {
    }
  };

  /** Returns False if no block ever moves, so that a data block needn't be looked for in L1. */
  boolean movesBlocks();

  /**
   * A reader that caches what it reads asked for the data block {@code key}.
   * @param inL1 whether L1 had it
   * @return how often the block was read of late, this read included
   */
  int onRead(BlockCacheKey key, boolean inL1);

  /**
   * A data block was found in L2. Metadata that is found there is always promoted, if blocks move.
   * @param frequency how often it was read of late
   * @return true if L1 shall get a copy
   */
  boolean shouldPromoteData(int frequency);

  /**
   * A block is about to be evicted from L1, and L2 doesn't hold it.
   * @param data whether it is a data block
   * @return true if L2 shall get it
   */
  boolean shouldDemote(BlockCacheKey key, boolean data);

  /** Returns How often the data block was read of late; what has less is evicted first. */
  int frequency(BlockCacheKey key);

  /**
   * A data block was evicted from L1 to make room.
   * @param frequency what {@link #frequency} said of it
   */
  void onDataEvictedFromL1(int frequency);
}
