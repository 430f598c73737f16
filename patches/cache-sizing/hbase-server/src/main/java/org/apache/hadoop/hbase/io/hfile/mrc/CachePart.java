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
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.util.Arrays;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheState;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngine;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentCache;
import org.apache.yetus.audience.InterfaceAudience;

/** A tier of the block cache, as the estimates see it: bytes that blocks take. Thread-safe. */
@InterfaceAudience.Private
final class CachePart {
  /** Bytes that a cache on the heap takes for a block beside the block: key, entry, map node. */
  private static final int HEAP_OVERHEAD = 200;
  /** Bytes before a block in a file. */
  private static final int BUCKET_OVERHEAD = Long.BYTES;
  private static final int RECORD_OVERHEAD = 64;
  /** A BucketCache frees a tenth of its room at a time, so half of that is free on average. */
  private static final double BUCKET_FREE = 0.05;
  /** A heap cache fills up to 99 % and frees down to 95 %. */
  private static final double HEAP_USABLE = 0.97;

  private final BlockCache cache;
  /** The slot sizes of a BucketCache, ascending; null for another cache. */
  private final int[] slotSizes;

  CachePart(BlockCache cache) {
    this.cache = cache;
    slotSizes = cache instanceof BucketCache
      ? BucketCacheState.slotSizes(((BucketCache) cache).getAllocator())
      : null;
  }

  BlockCache getCache() {
    return cache;
  }

  /** Returns the bytes that a block takes, which is as it is cached. */
  int bytesOf(HFileBlock block) {
    if (slotSizes != null) {
      int bytes = block.getSerializedLength() + BUCKET_OVERHEAD;
      int slot = Arrays.binarySearch(slotSizes, bytes);
      slot = slot < 0 ? -slot - 1 : slot;
      return slot < slotSizes.length ? slotSizes[slot] : bytes;
    }
    return cache instanceof SegmentCache
      ? block.getSerializedLength() + RECORD_OVERHEAD
      : (int) block.heapSize() + HEAP_OVERHEAD;
  }

  /** Returns the bytes that the tier may take. */
  long getCapacity() {
    return cache.getMaxSize();
  }

  /** Returns the bytes that the tier takes. */
  long getUsed() {
    return cache.getCurrentSize();
  }

  /** Returns false if errors of its device have turned the tier off. */
  boolean isEnabled() {
    return cache instanceof TierEngine
      ? ((TierEngine) cache).isEnabled()
      : !(cache instanceof BucketCache) || BucketCacheState.isEnabled((BucketCache) cache);
  }

  /** Returns the part of the capacity that has blocks, on average, when the tier is full. */
  double usablePart() {
    if (cache instanceof BucketCache) {
      BucketCache buckets = (BucketCache) cache;
      return buckets.acceptableSize() / (double) buckets.getAllocator().getTotalSize()
        - BUCKET_FREE;
    }
    return cache instanceof SegmentCache ? 1 : HEAP_USABLE;
  }
}
