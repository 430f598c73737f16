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

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;

/** Checks the inner structure of a composite's tiers at rest. */
public final class TiersValidator {
  private TiersValidator() {
  }

  /** Waits until both tiers have written their queues, then checks them. */
  public static void validate(CompositeBucketCache cache) throws InterruptedException {
    awaitWritten(cache);
    validate(l1(cache));
    validate(l2(cache));
  }

  /** Checks a tier that has written its queue. */
  static void validate(TierBucketCache tier) {
    BucketCacheValidator.validate(tier);
    validateCounts(tier);
  }

  /** Returns a first tier that is a BucketCache. */
  public static FirstTierBucketCache l1(CompositeBucketCache cache) {
    return (FirstTierBucketCache) cache.getFirstLevelCache();
  }

  /** Returns a second tier that is a BucketCache. */
  public static TierBucketCache l2(CompositeBucketCache cache) {
    return (TierBucketCache) cache.getSecondLevelCache();
  }

  public static void awaitWritten(CompositeBucketCache cache) throws InterruptedException {
    BucketCacheValidator.awaitWritten(l1(cache));
    BucketCacheValidator.awaitWritten(l2(cache));
  }

  private static void validateCounts(TierBucketCache tier) {
    for (BlockCategory category : Arrays.asList(BlockCategory.DATA, BlockCategory.INDEX,
      BlockCategory.BLOOM, BlockCategory.META)) {
      long blocks = 0;
      long bytes = 0;
      for (Map.Entry<BlockCacheKey, BucketEntry> mapping : tier.getBackingMap().entrySet()) {
        if (mapping.getKey().getBlockType().getCategory() == category) {
          blocks++;
          bytes += mapping.getValue().getLength();
        }
      }
      assertEquals(category + " blocks", blocks, tier.getBlockCount(category));
      assertEquals(category + " bytes", bytes, tier.getSize(category));
    }
  }
}
