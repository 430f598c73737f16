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
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;

/** Checks the inner structure of bucket caches at rest: no block waits, and nobody reads. */
public final class BucketCacheValidator {
  private BucketCacheValidator() {
  }

  /** Waits until the tier has written its queues and has made the room that this took. */
  public static void awaitWritten(BucketCache tier) throws InterruptedException {
    boolean rests = isAtRest(tier);
    for (int i = 0; i < 180_000 && !rests && hasWriters(tier); i++) {
      Thread.sleep(1);
      rests = isAtRest(tier);
    }
    assertTrue("blocks still wait to be written", rests || isAtRest(tier));
  }

  private static boolean hasWriters(BucketCache tier) {
    return Arrays.stream(tier.writerThreads).anyMatch(Thread::isAlive);
  }

  private static boolean isAtRest(BucketCache tier) {
    for (int i = 0; i < tier.writerThreads.length; i++) {
      Thread writer = tier.writerThreads[i];
      boolean waits =
        tier.writerQueues.get(i).isEmpty() && writer.getState() == Thread.State.WAITING;
      if (writer.isAlive() && !waits) {
        return false;
      }
    }
    return tier.ramCache.isEmpty();
  }

  /** Checks that allocator, map, sorted set and sizes agree, and that no references are left. */
  public static void validate(BucketCache tier) {
    long allocated = 0;
    long length = 0;
    Map<Integer, Integer> blocksByBucket = new HashMap<>();
    Set<Long> offsets = new TreeSet<>();
    BucketAllocator allocator = tier.getAllocator();
    for (Map.Entry<BlockCacheKey, BucketEntry> mapping : tier.getBackingMap().entrySet()) {
      BucketEntry entry = mapping.getValue();
      assertEquals(mapping.getKey() + " is referenced by the cache only", 1, entry.refCnt());
      assertTrue(mapping.getKey() + " has space of its own", offsets.add(entry.offset()));
      assertTrue(entry.getLength() <= allocator.sizeOfAllocation(entry.offset()));
      allocated += allocator.sizeOfAllocation(entry.offset());
      length += entry.getLength();
      blocksByBucket.merge(allocator.getBucketIndex(entry.offset()), 1, Integer::sum);
    }
    assertEquals("bytes allocated", allocated, allocator.getUsedSize());
    assertEquals("bytes of blocks", length, tier.getRealCacheSize());
    assertEquals("blocks", tier.getBackingMap().size(), tier.getBlockCount());
    assertEquals("keys by file", new HashMap<>(tier.getBackingMap()).keySet(),
      new HashSet<>(tier.blocksByHFile));
    for (BlockCacheKey key : tier.blocksByHFile) {
      assertNotNull(key + " has a type", key.getBlockType());
    }
    BucketAllocator.Bucket[] buckets = allocator.getBuckets();
    for (int i = 0; i < buckets.length; i++) {
      assertEquals("blocks of bucket " + i, (int) blocksByBucket.getOrDefault(i, 0),
        buckets[i].usedCount());
    }
  }
}
