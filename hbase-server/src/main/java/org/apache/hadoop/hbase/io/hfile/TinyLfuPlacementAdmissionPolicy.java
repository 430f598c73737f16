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
 * Keeps metadata in L1 while it is used, and fills the room that it leaves with the data blocks
 * that are read most often. A data block is admitted if it was read at least twice of late and
 * clearly more often than those that were evicted last, as in TinyLFU; a scan reads its blocks
 * once and gets hardly any in.
 */
@InterfaceAudience.Private
final class TinyLfuPlacementAdmissionPolicy implements CachePlacementAdmissionPolicy {
  /** Blocks told apart for each that fits L1: candidates, and blocks smaller than usual. */
  private static final int BLOCKS_COUNTED_PER_L1_BLOCK = 8;
  /** The least that {@link #bar} can be: the read that brought the block in. */
  private static final int ONE_READ = 1;
  /**
   * Standard deviations of a count by which a block must exceed the evicted ones. Where all blocks
   * are read alike, moving them is work for nothing.
   */
  private static final int DEVIATIONS = 2;

  private final FrequencySketch sketch;
  /** What a data block's frequency must exceed. An update that a race loses is soon made again. */
  private volatile int bar = ONE_READ;

  /**
   * @param l1Blocks number of blocks that fit L1
   */
  TinyLfuPlacementAdmissionPolicy(long l1Blocks) {
    sketch = new FrequencySketch(BLOCKS_COUNTED_PER_L1_BLOCK * l1Blocks);
  }

  @Override
  public boolean movesBlocks() {
    return true;
  }

  @Override
  public void onRead(BlockCacheKey key) {
    if (sketch.increment(key.hashCode())) {
      bar = Math.max(ONE_READ, bar / 2);
    }
  }

  @Override
  public boolean shouldPromote(BlockCacheKey key, boolean data) {
    return !data || frequency(key) > bar;
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
    // Reads come by chance: the deviation of a count is its square root.
    int clearlyMore = frequency + (int) (DEVIATIONS * Math.sqrt(frequency));
    bar = Math.max(ONE_READ, Math.min(clearlyMore, FrequencySketch.MAX_FREQUENCY));
  }
}
