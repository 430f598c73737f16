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
  private final TierBucketCache l1;
  private final TierBucketCache l2;
  private final LongAdder rejectedAdmissions = new LongAdder();
  private final LongAdder failedDemotions = new LongAdder();

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

  /** Returns Blocks that L1 evicted and L2 didn't take in time: they are cached no more. */
  public long getFailedDemotionCount() {
    return failedDemotions.sum();
  }

  @Override
  public String toString() {
    return super.toString() + ", promotionCount=" + getPromotionCount() + ", demotionCount="
      + getDemotionCount() + ", rejectedAdmissionCount=" + getRejectedAdmissionCount()
      + ", failedDemotionCount=" + getFailedDemotionCount();
  }
}
