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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.RateLimiter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Decides which blocks are written to devices, so that these last: in a full cache a block that was
 * missed is written when it is missed again, and what is written in a second may be limited.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class DeviceAdmission {
  /** Blocks that are remembered at most, in 4 bytes each. */
  private static final long MOST_REMEMBERED = 1 << 22;

  /** How much was missed since doesn't matter, so it isn't counted. */
  private final GhostBlocks missed;
  /** Null for no limit. */
  private final RateLimiter limit;
  private final LongAdder missedOnce = new LongAdder();
  private final LongAdder overLimit = new LongAdder();

  /**
   * Creates an admission that has seen no block.
   * @param blocks            number of blocks that the cache holds
   * @param maxBytesPerSecond that may be written; 0 for no limit
   */
  DeviceAdmission(long blocks, long maxBytesPerSecond) {
    missed = new GhostBlocks(Math.min(MOST_REMEMBERED, blocks), 1);
    limit = maxBytesPerSecond == 0 ? null : RateLimiter.create(maxBytesPerSecond);
  }

  /**
   * Returns false for a block that was missed for the first time as far as is known; it is
   * remembered.
   */
  boolean isWorthIt(BlockRecord block, BlockOrigin origin) {
    boolean seldom = origin == BlockOrigin.MISSED
      && !BlockClass.isInMemory(block.getBlockClass()) && BlockClass.isData(block.getBlockClass())
      && missed.remove(block.getFile(), block.getOffset()) == GhostBlocks.NONE;
    if (seldom) {
      missed.add(block.getFile(), block.getOffset(), 0);
      missedOnce.increment();
    }
    return !seldom;
  }

  /**
   * Has some bytes count as written.
   * @param waitMs milliseconds to wait at most for the limit to allow them
   * @return false if it doesn't
   */
  boolean mayWrite(int bytes, long waitMs) {
    boolean allowed = limit == null || limit.tryAcquire(bytes, waitMs, TimeUnit.MILLISECONDS);
    if (!allowed) {
      overLimit.increment();
    }
    return allowed;
  }

  /** Returns how many blocks weren't written as they had been missed once. */
  long getMissedOnce() {
    return missedOnce.sum();
  }

  /** Returns how many blocks weren't written as too much was written. */
  long getOverLimit() {
    return overLimit.sum();
  }
}
