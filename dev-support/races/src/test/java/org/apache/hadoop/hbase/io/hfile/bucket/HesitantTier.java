/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io.hfile.bucket;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;

/**
 * A second tier without writer threads, whose callers now and then wait a little before and after
 * what they do, so that more often another thread comes between.
 */
final class HesitantTier extends TierBucketCache {
  private static final int ONE_IN = 2;
  private static final int MOST_SPINS = 1_000;
  /** What evicts a file waits as well, more than once. */
  private static final int MOST_SPINS_OF_DEMOTION = 10_000;

  HesitantTier(BucketCacheTierSettings settings, int blockSize) throws IOException {
    super(settings, blockSize);
  }

  private static void hesitate() {
    hesitate(MOST_SPINS);
  }

  private static void hesitate(int mostSpins) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (random.nextInt(ONE_IN) == 0) {
      for (int i = random.nextInt(mostSpins); i > 0; i--) {
        Thread.onSpinWait();
      }
    }
  }

  @Override
  protected void startWriterThreads() {
    // See TiersAtRest.
  }

  @Override
  public BlockCacheKey residentKey(BlockCacheKey key) {
    hesitate();
    BlockCacheKey resident = super.residentKey(key);
    hesitate();
    return resident;
  }

  @Override
  public Cacheable getBlock(BlockCacheKey key, boolean caching, boolean repeat,
    boolean updateCacheMetrics) {
    hesitate();
    return super.getBlock(key, caching, repeat, updateCacheMetrics);
  }

  @Override
  public boolean takeBlock(BlockCacheKey key, Cacheable block, boolean inMemory, long timeout)
    throws InterruptedException {
    hesitate(MOST_SPINS_OF_DEMOTION);
    return super.takeBlock(key, block, inMemory, timeout);
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    hesitate();
    return super.evictBlock(key);
  }

  @Override
  public int evictBlocksRangeByHfileName(String hfileName, long initOffset, long endOffset) {
    hesitate();
    return super.evictBlocksRangeByHfileName(hfileName, initOffset, endOffset);
  }

  @Override
  protected boolean removeFromRamCache(BlockCacheKey cacheKey) {
    boolean removed = super.removeFromRamCache(cacheKey);
    hesitate();
    return removed;
  }

  @Override
  protected void putIntoBackingMap(BlockCacheKey key, BucketEntry entry) {
    hesitate();
    super.putIntoBackingMap(key, entry);
    hesitate();
  }
}
