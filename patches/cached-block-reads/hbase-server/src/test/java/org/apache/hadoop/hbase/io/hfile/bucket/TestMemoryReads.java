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

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.assertIsBlock;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Blocks in memory are read without a lock, and stay what they are while they are referred to. */
@Category({ IOTests.class, MediumTests.class })
public class TestMemoryReads extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMemoryReads.class);

  private static final BlockCacheKey KEY = key(FILE, 0, BlockType.DATA);
  private static final int ROUNDS = 2_000;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  @Test
  public void aBlockThatIsReadOutlivesItsEviction() throws Exception {
    start("offheap", false);
    cacheBlock(KEY);
    long used = cache.getAllocator().getUsedSize();
    Cacheable held = cache.getBlock(KEY, true, false, true);
    assertTrue(cache.evictBlock(KEY));
    assertEquals(used, cache.getAllocator().getUsedSize());
    fill();
    assertIsBlock(KEY, SIZE, held);
    long full = cache.getAllocator().getUsedSize();
    held.release();
    assertEquals(full - used, cache.getAllocator().getUsedSize());
  }

  @Test
  public void anEntryWhoseSlotIsFreeIsNotRead() throws Exception {
    start("offheap", false);
    cacheBlock(KEY);
    BucketEntry entry = cache.getBackingMap().get(KEY);
    Cacheable block = MemoryReads.read(entry, cache.ioEngine);
    assertIsBlock(KEY, SIZE, block);
    block.release();
    assertTrue(cache.evictBlock(KEY));
    assertNull(MemoryReads.read(entry, cache.ioEngine));
    assertEquals(0, entry.refCnt());
  }

  @Test
  public void hitsAndMissesAreCountedOnce() throws Exception {
    start("offheap", false);
    cacheBlock(KEY);
    assertTrue(read(KEY));
    assertEquals(1, cache.getStats().getHitCount());
    assertFalse(read(key(FILE, 1, BlockType.DATA)));
    assertEquals(1, cache.getStats().getMissCount());
    Cacheable uncounted = cache.getBlock(KEY, true, true, false);
    assertNotNull(uncounted);
    uncounted.release();
    assertEquals(1, cache.getStats().getHitCount());
  }

  /** Readers find each block as it was cached, or miss it, while others take its slot. */
  @Test
  public void noReaderSeesAnotherBlocksBytes() throws Exception {
    start("offheap", false);
    fill();
    AtomicBoolean ended = new AtomicBoolean();
    CountDownLatch reading = new CountDownLatch(3);
    ExecutorService readers = Executors.newFixedThreadPool(3);
    try {
      List<Future<Integer>> served = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        SplittableRandom random = seed.newRandom(i);
        served.add(readers.submit(() -> {
          int hits = 0;
          while (!ended.get()) {
            if (read(keys.get(random.nextInt(keys.size()))) && hits++ == 0) {
              reading.countDown();
            }
          }
          return hits;
        }));
      }
      assertTrue(reading.await(60, TimeUnit.SECONDS));
      Random random = seed.newRandom();
      for (int i = 0; i < ROUNDS; i++) {
        BlockCacheKey key = keys.get(random.nextInt(keys.size()));
        cache.evictBlock(key);
        cache.cacheBlock(key, TestBlocks.block(key, SIZE));
      }
      ended.set(true);
      for (Future<Integer> hits : served) {
        assertTrue(hits.get(60, TimeUnit.SECONDS) > 0);
      }
    } finally {
      ended.set(true);
      readers.shutdownNow();
    }
    BucketCacheValidator.awaitWritten(cache);
    for (BlockCacheKey key : keys) {
      cache.evictBlock(key);
    }
    assertEquals(0, cache.getAllocator().getUsedSize());
  }
}
