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
 * Keeps metadata in L1 while it is used, and fills the room that it leaves with the data blocks
 * that are read most often. A data block is admitted if it was read at least twice of late and
 * clearly more often than those that were evicted last, as in TinyLFU; a scan reads its blocks
 * once and gets hardly any in. When L1 serves clearly less than it did of what is read repeatedly,
 * what is hot has changed: then all that was counted before is forgotten, so that L1 is filled
 * anew.
 */
@InterfaceAudience.Private
final class TinyLfuPlacementAdmissionPolicy implements CachePlacementAdmissionPolicy {
  /** Blocks told apart for each that fits L1: candidates, and blocks smaller than usual. */
  private static final int BLOCKS_COUNTED_PER_L1_BLOCK = 8;
  /**
   * What "of late" is: reads for each block that fits L1. Many, so that chance counts little; a
   * change of what is hot is found sooner.
   */
  private static final int READS_PER_L1_BLOCK = 32;
  /** The least that {@link #bar} can be: the read that brought the block in. */
  private static final int ONE_READ = 1;
  /**
   * Standard deviations of a count by which a block must exceed the evicted ones. Where all blocks
   * are read alike, moving them is work for nothing.
   */
  private static final int DEVIATIONS = 2;
  /**
   * Reads, on average, at which a block that is read as often as can be told displaces another such
   * block, which may be read no more. If both are read alike that is work for nothing, but little.
   */
  private static final int READS_TO_DISPLACE_ALIKE = 16;

  private final FrequencySketch sketch;
  private final HitShareWatch hitShare;
  /** What a data block's frequency must exceed. An update that a race loses is soon made again. */
  private volatile int bar = ONE_READ;

  /**
   * @param l1Blocks number of blocks that fit L1
   */
  TinyLfuPlacementAdmissionPolicy(long l1Blocks) {
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
      // Which of those is read more often can't be told.
      bar = FrequencySketch.MAX_FREQUENCY;
      return;
    }
    // Reads come by chance: the deviation of a count is its square root.
    int clearlyMore = frequency + (int) (DEVIATIONS * Math.sqrt(frequency));
    // One that is read as often as can be told may be read more often than that.
    bar = Math.max(ONE_READ, Math.min(clearlyMore, FrequencySketch.MAX_FREQUENCY - 1));
  }
}
