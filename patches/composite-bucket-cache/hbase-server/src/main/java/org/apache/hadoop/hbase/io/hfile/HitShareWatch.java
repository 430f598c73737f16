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
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Detects when L1 serves a clearly smaller share than before of the data reads that are soon
 * repeated. Thread-safe and non-blocking.
 */
@InterfaceAudience.Private
final class HitShareWatch {
  /*
   * Only a read whose block is soon read again counts. Blocks that a scan reads aren't read again
   * before the next scan, so scans have no influence. When the later read comes, the earlier one is
   * counted as a hit or a miss, since the earlier one may have brought the block into L1. A table
   * holds the hashes of blocks, and whether L1 had them. A block has one place in the table, and
   * the next block with the same place replaces it.
   *
   * The share is compared with the best share of a window since the last drop, so a slow decline is
   * detected, too. A lower share than the best is expected, since L1 serves less while it makes
   * room, which by default takes 15 % of it. The hits that are missing from the expected number are
   * added up, and surplus hits are subtracted, so that random deviations cancel out. When many hits
   * are missing, the share has dropped.
   */
  /** Few places, so that a loop over as many blocks as fit into L1 has no influence. */
  private static final int L1_BLOCKS_PER_PLACE = 8;
  private static final int MIN_PLACES = 128;
  private static final int MAX_PLACES = 1 << 20;
  /** A window ends when its hits are this fraction of L1's blocks. */
  private static final int WINDOWS_PER_L1 = 32;
  /** With fewer hits in a window its share could be high by chance. */
  private static final int MIN_WINDOW = 512;
  /** Expected share, as a fraction of the best. */
  private static final double EXPECTED = 0.75;
  /** The share has dropped when more hits are missing than this fraction of L1's blocks. */
  private static final int MISSING_PART_OF_L1 = 512;
  private static final int MIN_MISSING = 32;
  /** Hits are added up once in this many reads, on average. */
  private static final int SAMPLE_RATE = 16;

  private final AtomicIntegerArray lastReads;
  private final long window;
  private final long toleratedMissing;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private long hitsBefore;
  private long readsBefore;
  private long windowHits;
  private long windowReads;
  private double best;
  private double missing;

  /** @param l1Blocks number of blocks that fit into L1 */
  HitShareWatch(long l1Blocks) {
    long places = Math.max(MIN_PLACES, Math.min(MAX_PLACES, l1Blocks / L1_BLOCKS_PER_PLACE));
    lastReads = new AtomicIntegerArray((int) Long.highestOneBit(places));
    window = Math.max(MIN_WINDOW, l1Blocks / WINDOWS_PER_L1);
    toleratedMissing = Math.max(MIN_MISSING, l1Blocks / MISSING_PART_OF_L1);
  }

  /**
   * Counts a read.
   * @param hash the block's hash, of any quality
   * @param hit  whether L1 served it
   * @return true if this read shows that the share has dropped
   */
  boolean hasDropped(int hash, boolean hit) {
    int spread = FrequencySketch.spread(hash);
    int place = spread & lastReads.length() - 1;
    int before = lastReads.get(place);
    int now = spread << 1 | (hit ? 1 : 0);
    if (now != before) {
      lastReads.lazySet(place, now);
    }
    if (now >>> 1 != before >>> 1) {
      return false;
    }
    ((before & 1) == 1 ? hits : misses).increment();
    if (ThreadLocalRandom.current().nextInt(SAMPLE_RATE) != 0 || !lock.tryLock()) {
      return false;
    }
    try {
      return addUp();
    } finally {
      lock.unlock();
    }
  }

  private boolean addUp() {
    long newHits = hits.sum() - hitsBefore;
    long newReads = hitsBefore + newHits + misses.sum() - readsBefore;
    hitsBefore += newHits;
    readsBefore += newReads;
    windowHits += newHits;
    windowReads += newReads;
    missing = Math.max(0, missing + EXPECTED * best * newReads - newHits);
    boolean dropped = missing > toleratedMissing;
    if (dropped) {
      best = 0;
      missing = 0;
    } else if (windowHits >= window) {
      best = Math.max(best, Math.min(1, (double) windowHits / windowReads));
    }
    if (dropped || windowHits >= window) {
      windowHits = 0;
      windowReads = 0;
    }
    return dropped;
  }
}
