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
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells when L1 serves a clearly smaller share of the data reads than it did. Safe for use by many
 * threads, which don't wait for each other.
 */
@InterfaceAudience.Private
final class HitShareWatch {
  /*
   * Reads are taken in windows of a small part of L1's blocks. The share of each is compared with
   * the best since the last drop: so a slow decline is told, too. The share of a window varies by
   * chance, as many throws of a coin do, and falls when L1 makes room, which takes 15 % of it by
   * default; a drop must exceed both.
   */
  /** A change is told after two windows at most, so after a sixteenth of L1's blocks in reads. */
  private static final int WINDOWS_PER_L1 = 32;
  /** With fewer reads chance could take too much. */
  private static final int MIN_WINDOW = 512;
  /** Every so many reads, on average, it is looked whether the window is over. */
  private static final int SAMPLE_RATE = 16;
  /** A drop is by more than this part of the best share. */
  private static final double TOLERATED = 0.25;
  /** And by so many standard deviations. */
  private static final int DEVIATIONS = 4;

  private final long window;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final ReentrantLock lock = new ReentrantLock();
  private long hitsBefore;
  private long readsBefore;
  private double best;

  /**
   * @param l1Blocks number of blocks that fit L1
   */
  HitShareWatch(long l1Blocks) {
    window = Math.max(MIN_WINDOW, l1Blocks / WINDOWS_PER_L1);
  }

  /**
   * Counts a read.
   * @param hit whether L1 served it
   * @return true if with this read it shows that the share has dropped
   */
  boolean hasDropped(boolean hit) {
    (hit ? hits : misses).increment();
    if (ThreadLocalRandom.current().nextInt(SAMPLE_RATE) != 0 || !lock.tryLock()) {
      return false;
    }
    try {
      return endsLow();
    } finally {
      lock.unlock();
    }
  }

  private boolean endsLow() {
    long hitsNow = hits.sum();
    long readsNow = hitsNow + misses.sum();
    long reads = readsNow - readsBefore;
    if (reads < window) {
      return false;
    }
    double share = (double) (hitsNow - hitsBefore) / reads;
    hitsBefore = hitsNow;
    readsBefore = readsNow;
    double deviation = Math.sqrt(best * (1 - best) / reads);
    boolean low = best - share > TOLERATED * best + DEVIATIONS * deviation;
    best = low ? 0 : Math.max(best, Math.min(1, share));
    return low;
  }
}
