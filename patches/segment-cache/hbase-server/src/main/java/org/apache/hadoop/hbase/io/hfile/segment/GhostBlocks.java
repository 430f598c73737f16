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

import java.util.concurrent.atomic.AtomicLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Remembers blocks that were evicted before they were read again, by fingerprints of 21 bits. A
 * later one takes the place of an earlier one with the same slot, so that on average as many are
 * remembered as there are slots. How much was added after one is known, give or take a 32nd of the
 * cache. A wrong answer does no harm. Thread-safe: races lose fingerprints.
 */
@InterfaceAudience.Private
final class GhostBlocks {
  /** For a block that isn't remembered. */
  static final long NONE = Long.MAX_VALUE;

  private static final int MIN_SLOTS = 1 << 8;
  private static final int MAX_SLOTS = 1 << 26;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** Steps in which as much is added as the cache has. */
  private static final int STEPS = 32;
  /** Of the steps that are told apart. */
  private static final int STEP_MASK = (1 << 10) - 1;

  /** Of each block its fingerprint, and in the lowest bits the step in which it was added. */
  private final int[] fingerprints;
  private final long stepBytes;
  private final AtomicLong added = new AtomicLong();

  /**
   * Creates the memory of this many blocks, rounded up to a power of two.
   * @param blocks   number of blocks that the cache holds
   * @param capacity bytes of the cache
   */
  GhostBlocks(long blocks, long capacity) {
    stepBytes = Math.max(1, capacity / STEPS);
    long slots = Math.max(MIN_SLOTS, Math.min(MAX_SLOTS, blocks));
    fingerprints = new int[Integer.highestOneBit((int) (2 * slots - 1))];
  }

  /** Remembers a block of some bytes. */
  void add(FileTable file, long offset, int length) {
    long hash = hash(file, offset);
    fingerprints[slot(hash)] = fingerprint(hash) | step(added.addAndGet(length));
  }

  /**
   * Forgets a block.
   * @return bytes that were added since it was; {@link #NONE} if it wasn't remembered
   */
  long remove(FileTable file, long offset) {
    long hash = hash(file, offset);
    int slot = slot(hash);
    int found = fingerprints[slot];
    if ((found & ~STEP_MASK) != fingerprint(hash)) {
      return NONE;
    }
    fingerprints[slot] = 0;
    return (step(added.get()) - found & STEP_MASK) * stepBytes;
  }

  /** Returns about how many blocks are remembered. */
  int getSlots() {
    return fingerprints.length;
  }

  private static long hash(FileTable file, long offset) {
    long hash = (file.getName().hashCode() * GOLDEN ^ offset) * GOLDEN;
    return (hash ^ hash >>> Integer.SIZE) * GOLDEN;
  }

  private int slot(long hash) {
    return (int) (hash >>> Integer.SIZE) & fingerprints.length - 1;
  }

  /** Never 0, which is an empty slot. */
  private static int fingerprint(long hash) {
    return (int) hash & ~STEP_MASK | STEP_MASK + 1;
  }

  private int step(long bytes) {
    return (int) (bytes / stepBytes) & STEP_MASK;
  }
}
