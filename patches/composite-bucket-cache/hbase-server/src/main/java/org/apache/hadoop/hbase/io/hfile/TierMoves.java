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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.io.hfile.bucket.FirstTierEngine;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngine;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Copies blocks between the tiers of a {@link CompositeBucketCache}. Callers decide which blocks,
 * and whether they leave the tier that they were in. Thread-safe.
 */
@InterfaceAudience.Private
final class TierMoves {
  private final FirstTierEngine l1;
  private final TierEngine l2;
  private final CompositeCacheStats stats;
  private final FileLocks locks;
  private final DemotionBackOff backOff = new DemotionBackOff();

  TierMoves(FirstTierEngine l1, TierEngine l2, CompositeCacheStats stats, FileLocks locks) {
    this.l1 = l1;
    this.l2 = l2;
    this.stats = stats;
    this.locks = locks;
  }

  /**
   * Copies a block from L2 to L1, if L2 still has it and L1 doesn't. Doesn't wait: if L1's writers
   * are behind, the block isn't copied.
   * @param key   key of the file, or of a reference to it
   * @param block what L2 served for the key
   */
  void promote(BlockCacheKey key, Cacheable block, boolean data) {
    BlockCacheKey resident = l2.residentKey(key);
    if (resident == null) {
      return;
    }
    Lock lock = locks.forMove(resident.getHfileName());
    if (!lock.tryLock()) {
      // The file, or one that shares its lock, is being evicted: not worth a reader's wait.
      return;
    }
    try {
      if (l2.holds(resident) && !l1.holds(resident) && l1.fits(block)) {
        // L2 ranks all metadata as in-memory, so its rank there matters for data only.
        l1.takeBlock(resident, block, data && l2.isInMemory(resident), 0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Copies a block from L1 to L2 and evicts it from L1, whether or not L2 took it in time.
   * @param evict evicts the block from L1
   * @return what {@code evict} returned, or false if it wasn't called
   */
  boolean demote(BlockCacheKey key, boolean data, BooleanSupplier evict) {
    Lock lock = locks.forMove(key.getHfileName());
    if (!lock.tryLock()) {
      // The file, or one that shares its lock, is being evicted: L1 finds another block.
      return false;
    }
    try {
      if (!l1.holds(key)) {
        return false;
      }
      long timeoutMs = l1.isEvictedByReaders() ? 0 : backOff.timeoutMs();
      long start = System.nanoTime();
      if (
        !copyToL2(key, data, timeoutMs)
          && System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(timeoutMs)
      ) {
        backOff.timedOut(timeoutMs);
      }
      return evict.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Copies a metadata block of L1 to L2, unless L2 holds it.
   * @param timeoutMs milliseconds to wait at most while L2's writers are behind
   * @return false if L1 has the block and L2 didn't take it
   */
  boolean copyMetadataToL2(BlockCacheKey key, long timeoutMs) {
    Lock lock = locks.forMove(key.getHfileName());
    lock.lock();
    try {
      return !l1.holds(key) || l2.holds(key) || copyToL2(key, false, timeoutMs);
    } finally {
      lock.unlock();
    }
  }

  /** The caller holds the file's lock. */
  private boolean copyToL2(BlockCacheKey key, boolean data, long timeoutMs) {
    Cacheable block = l1.getBlock(key, false, true, false);
    if (block == null) {
      return true;
    }
    boolean taken = false;
    try {
      // A copy, since L1 can't free a buffer that L2's queue refers to. L2 ranks metadata like
      // blocks of in-memory families, above data that was read once.
      Cacheable moved =
        l2.copiesAtOnce() ? block : HFileBlock.deepCloneOnHeap((HFileBlock) block);
      taken = l2.fits(block)
        && l2.takeBlock(key, moved, !data || l1.isInMemory(key), timeoutMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      block.release();
    }
    if (!taken) {
      stats.demotionFailed();
    }
    return taken;
  }
}
