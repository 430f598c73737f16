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
 * itself, and doesn't know how tiers store them.
 * <p>
 * It doesn't decide where a new block is placed: blocks of indexes, bloom filters and other
 * metadata start in L1, data blocks in L2 (HBASE-23296).
 * <p>
 * Implementations are thread-safe and don't block.
 */
@InterfaceAudience.Private
public interface TierMovePolicy {

  /** The plain split of HBASE-23296: each block stays in the tier that it was placed in. */
  TierMovePolicy SPLIT = new TierMovePolicy() {
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

  /** Returns false if no block ever moves, so that data blocks needn't be looked up in L1. */
  boolean movesBlocks();

  /**
   * Counts a read of a data block by a reader that caches what it reads.
   * @param inL1 whether L1 served it
   * @return how often the block was read recently, including this read
   */
  int onRead(BlockCacheKey key, boolean inL1);

  /**
   * Decides whether a data block that was found in L2 is copied to L1. If blocks move at all,
   * metadata that is found in L2 is always promoted.
   * @param frequency how often the block was read recently
   * @return true to copy it to L1
   */
  boolean shouldPromoteData(int frequency);

  /**
   * Decides whether a block that is about to be evicted from L1, and isn't in L2, is moved to L2.
   * @param data whether it is a data block
   * @return true to move it to L2
   */
  boolean shouldDemote(BlockCacheKey key, boolean data);

  /** Returns how often a data block was read recently. L1 evicts the lowest frequency first. */
  int frequency(BlockCacheKey key);

  /**
   * Takes note that a data block was evicted from L1 to make room.
   * @param frequency its frequency, from {@link #frequency}
   */
  void onDataEvictedFromL1(int frequency);
}
