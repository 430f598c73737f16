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
import org.apache.hadoop.hbase.io.hfile.bucket.TierBucketCache;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The statistics of both tiers of a {@link CompositeBucketCache}, and of the moves between them.
 * Counts are since start. Safe for use by many threads.
 */
@InterfaceAudience.Private
public final class CompositeCacheStats extends CombinedBlockCache.CombinedCacheStats {
  /*
   * Each tier counts the look-ups it was asked for and those it could serve. What L1 hasn't L2 is
   * asked for, so a request counts once in the totals if they are the hits of both and the misses
   * of L2 alone. Likewise what L1 doesn't take is offered to L2.
   */
  private final TierBucketCache l1;
  private final TierBucketCache l2;
  private final LongAdder rejectedAdmissions = new LongAdder();
  private final LongAdder failedDemotions = new LongAdder();
  private final LongAdder failedInsertsIntoL1 = new LongAdder();

  CompositeCacheStats(TierBucketCache l1, TierBucketCache l2) {
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
    failedInsertsIntoL1.increment();
  }

  /** Returns Blocks of L2 that were written to L1, too. */
  public long getPromotionCount() {
    return l1.getMovedBlockCount();
  }

  /** Returns Blocks that L1 evicted and that were written to L2. */
  public long getDemotionCount() {
    return l2.getMovedBlockCount();
  }

  /** Returns Data blocks that were read from L2 and not let into L1. */
  public long getRejectedAdmissionCount() {
    return rejectedAdmissions.sum();
  }

  /**
   * Returns Blocks that L1 evicted and L2 didn't take in time, or couldn't write: they are cached
   * no more.
   */
  public long getFailedDemotionCount() {
    return failedDemotions.sum() + l2.getFailedMoveCount();
  }

  /** Returns New metadata blocks that L1's queue had no room for, and L2's neither. */
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
