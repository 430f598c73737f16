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

import java.util.concurrent.ThreadLocalRandom;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Keeps metadata in L1 while it is used, and fills the remaining room with the data blocks that are
 * read most often. As in TinyLFU, a data block is admitted if it was read at least twice recently,
 * and clearly more often than the blocks that were evicted last. A scan reads its blocks once, so
 * hardly any are admitted. When L1 serves a clearly smaller share of repeated reads than before,
 * the hot set has changed: all counts are forgotten, so that L1 fills with the new hot set.
 */
@InterfaceAudience.Private
final class TinyLfuTierMovePolicy implements TierMovePolicy {
  /** Blocks to tell apart per block that fits into L1: candidates, and smaller blocks. */
  private static final int BLOCKS_COUNTED_PER_L1_BLOCK = 8;
  /**
   * Reads per block that fits into L1 which count as recent. Many, so that chance has little
   * influence; a change of the hot set is detected sooner, by other means.
   */
  private static final int READS_PER_L1_BLOCK = 32;
  /** The least value of {@link #bar}: the read that brought the block into L2. */
  private static final int ONE_READ = 1;
  /**
   * By how many standard deviations of a count a block must exceed the evicted ones. If all blocks
   * are read equally often, moving them is useless work.
   */
  private static final int DEVIATIONS = 2;
  /**
   * Number of reads, on average, after which a block with the maximum frequency displaces another
   * one with that frequency, which may no longer be read. If both are read equally often this is
   * useless work, but little of it.
   */
  private static final int READS_TO_DISPLACE_ALIKE = 16;

  private final FrequencySketch sketch;
  private final HitShareWatch hitShare;
  /** A data block's frequency must exceed this. An update lost in a race is soon repeated. */
  private volatile int bar = ONE_READ;

  /** @param l1Blocks number of blocks that fit into L1 */
  TinyLfuTierMovePolicy(long l1Blocks) {
    sketch = new FrequencySketch(BLOCKS_COUNTED_PER_L1_BLOCK * l1Blocks,
      READS_PER_L1_BLOCK * l1Blocks, () -> bar = Math.max(ONE_READ, bar / 2));
    hitShare = new HitShareWatch(l1Blocks);
  }

  @Override
  public boolean movesBlocks() {
    return true;
  }

  @Override
  public int onRead(BlockCacheKey key, boolean inL1) {
    int hash = key.hashCode();
    if (hitShare.hasDropped(hash, inL1)) {
      sketch.forget();
      bar = ONE_READ;
    }
    return sketch.increment(hash);
  }

  @Override
  public boolean shouldPromoteData(int frequency) {
    return frequency > bar || frequency == FrequencySketch.MAX_FREQUENCY
      && ThreadLocalRandom.current().nextInt(READS_TO_DISPLACE_ALIKE) == 0;
  }

  @Override
  public boolean shouldDemote(BlockCacheKey key, boolean data) {
    return !data || frequency(key) > ONE_READ;
  }

  @Override
  public int frequency(BlockCacheKey key) {
    return sketch.frequency(key.hashCode());
  }

  @Override
  public void onDataEvictedFromL1(int frequency) {
    if (frequency >= FrequencySketch.MAX_FREQUENCY) {
      // It can't be told which of these blocks is read more often.
      bar = FrequencySketch.MAX_FREQUENCY;
      return;
    }
    // Reads are random, so the standard deviation of a count is its square root.
    int clearlyMore = frequency + (int) (DEVIATIONS * Math.sqrt(frequency));
    // A block with the maximum frequency may have been read more often than that.
    bar = Math.max(ONE_READ, Math.min(clearlyMore, FrequencySketch.MAX_FREQUENCY - 1));
  }
}
