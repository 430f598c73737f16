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

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.io.hfile.bucket.FirstTierEngine;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngine;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies L1's metadata to a persistent L2 before a restart, which L1 doesn't survive. Waits for
 * L2's writers, which nothing else needs any more, but for a limited time, since the server is
 * stopping, and for a short one if they write nothing.
 */
@InterfaceAudience.Private
final class MetadataDrain {
  private static final Logger LOG = LoggerFactory.getLogger(MetadataDrain.class);
  private static final long TIMEOUT_MS = 30_000;
  /** How long a block waits for L2's writers. One that waited in vain is the last. */
  private static final long BLOCK_MS = 5_000;

  private final FirstTierEngine l1;
  private final TierEngine l2;
  private final TierMoves moves;
  private final BooleanSupplier abandoned;
  private final long start = System.nanoTime();

  /** @param abandoned whether the server doesn't wait for this any more */
  MetadataDrain(FirstTierEngine l1, TierEngine l2, TierMoves moves, BooleanSupplier abandoned) {
    this.l1 = l1;
    this.l2 = l2;
    this.moves = moves;
    this.abandoned = abandoned;
  }

  /**
   * Copies the metadata. Returns when L2 has written it, is disabled or hangs, after 30 seconds, or
   * when nobody waits for it.
   */
  void run() {
    if (abandoned.getAsBoolean()) {
      return;
    }
    List<BlockCacheKey> metadata = l1.getMetadataKeys();
    int lost = 0;
    boolean hangs = false;
    for (BlockCacheKey key : metadata) {
      boolean goesOn = !hangs && l2.isEnabled() && leftMs() > 0 && !abandoned.getAsBoolean()
        && !Thread.currentThread().isInterrupted();
      long before = leftMs();
      if (!goesOn || !moves.copyMetadataToL2(key, Math.min(before, BLOCK_MS))) {
        lost++;
        hangs |= before - leftMs() >= BLOCK_MS;
      }
    }
    if (!hangs && !abandoned.getAsBoolean()) {
      l2.awaitWritten(leftMs());
    }
    if (lost > 0) {
      LOG.warn("{} of {} blocks of indexes, bloom filters and other metadata won't be in L2 after a"
        + " restart: it didn't take them within {} ms", lost, metadata.size(), tookMs());
    } else {
      LOG.info("L2 has the {} metadata blocks of L1 after {} ms", metadata.size(), tookMs());
    }
  }

  private long leftMs() {
    return Math.max(0, TIMEOUT_MS - tookMs());
  }

  private long tookMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }
}
