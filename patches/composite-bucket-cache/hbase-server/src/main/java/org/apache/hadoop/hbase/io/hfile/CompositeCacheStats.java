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

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngine;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The statistics of both tiers of a {@link CompositeBucketCache} and of the moves between them.
 * Counts begin at the start of the process. Thread-safe.
 */
@InterfaceAudience.Private
public final class CompositeCacheStats extends CombinedBlockCache.CombinedCacheStats {
  /*
   * Each tier counts its own look-ups and hits. A block that isn't in L1 is looked up in L2. So
   * that a request counts once, the totals are the hits of both tiers and the misses of L2 alone.
   * For the same reason only L2's failed inserts count: it is offered what L1 doesn't take.
   */
  private final TierEngine l1;
  private final TierEngine l2;
  private final LongAdder rejectedAdmissions = new LongAdder();
  private final LongAdder failedDemotions = new LongAdder();
  private final LongAdder failedInsertsIntoL1 = new LongAdder();

  CompositeCacheStats(TierEngine l1, TierEngine l2) {
    super(l1.getStats(), l2.getStats());
    this.l1 = l1;
    this.l2 = l2;
  }

  void rejected() {
    rejectedAdmissions.increment();
  }

  void demotionFailed() {
    failedDemotions.increment();
  }

  void insertIntoL1Failed() {
    if (!RepeatedOffer.isMade()) {
      failedInsertsIntoL1.increment();
    }
  }

  /** Returns the number of blocks of L2 that were also written to L1. */
  public long getPromotionCount() {
    return l1.getMovedBlockCount();
  }

  /** Returns the number of blocks that L1 evicted and that were written to L2. */
  public long getDemotionCount() {
    return l2.getMovedBlockCount();
  }

  /** Returns how often a data block that L2 served wasn't admitted to L1. */
  public long getRejectedAdmissionCount() {
    return rejectedAdmissions.sum();
  }

  /**
   * Returns the number of blocks that L1 evicted and that were lost to the cache, since L2 didn't
   * take them in time or couldn't write them.
   */
  public long getFailedDemotionCount() {
    return failedDemotions.sum() + l2.getFailedMoveCount();
  }

  /** Returns the number of new metadata blocks that neither L1's nor L2's queue had room for. */
  public long getFailedInsertsIntoL1() {
    return failedInsertsIntoL1.sum();
  }

  @Override
  public long getDataMissCount() {
    return getBucketCacheStats().getDataMissCount();
  }

  @Override
  public long getLeafIndexMissCount() {
    return getBucketCacheStats().getLeafIndexMissCount();
  }

  @Override
  public long getBloomChunkMissCount() {
    return getBucketCacheStats().getBloomChunkMissCount();
  }

  @Override
  public long getMetaMissCount() {
    return getBucketCacheStats().getMetaMissCount();
  }

  @Override
  public long getRootIndexMissCount() {
    return getBucketCacheStats().getRootIndexMissCount();
  }

  @Override
  public long getIntermediateIndexMissCount() {
    return getBucketCacheStats().getIntermediateIndexMissCount();
  }

  @Override
  public long getFileInfoMissCount() {
    return getBucketCacheStats().getFileInfoMissCount();
  }

  @Override
  public long getGeneralBloomMetaMissCount() {
    return getBucketCacheStats().getGeneralBloomMetaMissCount();
  }

  @Override
  public long getDeleteFamilyBloomMissCount() {
    return getBucketCacheStats().getDeleteFamilyBloomMissCount();
  }

  @Override
  public long getTrailerMissCount() {
    return getBucketCacheStats().getTrailerMissCount();
  }

  @Override
  public long getMissCount() {
    return getBucketCacheStats().getMissCount();
  }

  @Override
  public long getPrimaryMissCount() {
    return getBucketCacheStats().getPrimaryMissCount();
  }

  @Override
  public long getMissCachingCount() {
    return getBucketCacheStats().getMissCachingCount();
  }

  @Override
  public long getRequestCount() {
    return getHitCount() + getMissCount();
  }

  @Override
  public long getRequestCachingCount() {
    return getHitCachingCount() + getMissCachingCount();
  }

  @Override
  public long getSumRequestCountsPastNPeriods() {
    return getLruCacheStats().getSumHitCountsPastNPeriods()
      + getBucketCacheStats().getSumRequestCountsPastNPeriods();
  }

  @Override
  public long getSumRequestCachingCountsPastNPeriods() {
    return getLruCacheStats().getSumHitCachingCountsPastNPeriods()
      + getBucketCacheStats().getSumRequestCachingCountsPastNPeriods();
  }

  @Override
  public long getFailedInserts() {
    return getBucketCacheStats().getFailedInserts();
  }

  @Override
  public String toString() {
    return super.toString() + ", promotionCount=" + getPromotionCount() + ", demotionCount="
      + getDemotionCount() + ", rejectedAdmissionCount=" + getRejectedAdmissionCount()
      + ", failedDemotionCount=" + getFailedDemotionCount();
  }
}
