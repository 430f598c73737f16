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

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.assertIsBlock;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.FirstTierEngine;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Two tiers of segments, the first in memory and the second on a device. */
@Category({ IOTests.class, MediumTests.class })
public class TestSegmentTiers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSegmentTiers.class);

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER_FILE = "fedcba9876543210fedcba9876543210";
  private static final int SIZE = 4 * 1024;
  private static final int L1_MB = 4;
  /** Blocks of SIZE that fill L1; it has 32 segments of 31. */
  private static final int L1_FULL = 32 * 31;
  private static final int TIMEOUT_MS = 60_000;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private CompositeBucketCache cache;
  private FirstSegmentTier l1;
  private SegmentTier l2;

  private void open(boolean promotion) {
    conf.set("hbase.bucketcache.l1.ioengine", "segments");
    conf.setIfUnset("hbase.bucketcache.l1.size", String.valueOf(L1_MB));
    conf.set("hbase.bucketcache.l2.ioengine", "segments:" + new File(folder.getRoot(), "l2"));
    conf.set("hbase.bucketcache.l2.size", "64m");
    conf.setInt("hbase.blockcache.minblocksize", SIZE);
    conf.setBoolean(CompositeBucketCacheSettings.PROMOTION.key(), promotion);
    // Nothing is dropped, however slow the disk is.
    conf.setInt("hbase.bucketcache.queue.addition.waittime", TIMEOUT_MS);
    BlockCache created = BlockCacheFactory.createBlockCache(conf);
    cache = (CompositeBucketCache) created;
    l1 = (FirstSegmentTier) cache.getFirstLevelCache();
    l2 = (SegmentTier) cache.getSecondLevelCache();
  }

  @After
  public void tearDown() {
    if (cache != null) {
      SegmentValidator.validate(l1);
      SegmentValidator.validate(l2);
      cache.shutdown();
    }
  }

  private static BlockCacheKey data(String file, int number) {
    return key(file, number * 10_000L, BlockType.DATA);
  }

  private static BlockCacheKey index(String file, int number) {
    return key(file, number * 10_000L + 5_000, BlockType.LEAF_INDEX);
  }

  private void cache(BlockCacheKey key) {
    cache.cacheBlock(key, block(key, SIZE), false, true);
  }

  private void cacheData(int from, int to) {
    for (int i = from; i < to; i++) {
      cache(data(FILE, i));
    }
  }

  private void cacheIndex(int from, int to) {
    for (int i = from; i < to; i++) {
      cache(index(OTHER_FILE, i));
    }
  }

  private boolean read(BlockCacheKey key) {
    Cacheable found = cache.getBlock(key, true, false, true);
    if (found == null) {
      return false;
    }
    assertIsBlock(key, SIZE, found);
    assertTrue(found.release());
    return true;
  }

  private int readIndex(int from, int to) {
    int served = 0;
    for (int i = from; i < to; i++) {
      served += read(index(OTHER_FILE, i)) ? 1 : 0;
    }
    return served;
  }

  @Test
  public void theTiersAreWhatTheKeysSay() {
    open(true);
    assertSame(FirstSegmentTier.class, l1.getClass());
    assertSame(SegmentTier.class, l2.getClass());
    assertEquals(L1_MB << 20, l1.getMaxSize());
    assertEquals(64 << 20, l2.getMaxSize());
    assertTrue(l2.isCachePersistent());
    assertFalse(l1.isCachePersistent());
    assertFalse(cache.keepsBlocksOnHeap());
  }

  @Test
  public void metadataIsInL1AndDataInL2AndEachIsCounted() {
    open(true);
    cacheData(0, 20);
    cacheIndex(0, 10);
    cache(key(FILE, 999, BlockType.BLOOM_CHUNK));
    assertEquals(10, l1.getBlockCount(BlockCategory.INDEX));
    assertEquals(1, l1.getBlockCount(BlockCategory.BLOOM));
    assertEquals(0, l1.getBlockCount(BlockCategory.DATA));
    assertEquals(20, l2.getBlockCount(BlockCategory.DATA));
    assertEquals(0, l2.getBlockCount(BlockCategory.INDEX));
    assertTrue(l1.getSize(BlockCategory.INDEX) >= 10 * SIZE);
    assertEquals(31, cache.getBlockCount());
    assertEquals(20, cache.getDataBlockCount());
  }

  @Test
  public void dataThatIsReadOftenIsInBothTiersAndAScanLeavesItThere() {
    open(true);
    int hot = L1_FULL / 2;
    cacheData(0, 6 * L1_FULL);
    for (int round = 0; round < 6; round++) {
      for (int i = 0; i < hot; i++) {
        assertTrue(read(data(FILE, i)));
      }
    }
    assertTrue(l1.getBlockCount() + " of " + hot, l1.getBlockCount() >= hot * 9 / 10);
    for (int i = hot; i < 6 * L1_FULL; i++) {
      assertTrue(read(data(FILE, i)));
    }
    long hits = l1.getStats().getHitCount();
    for (int i = 0; i < hot; i++) {
      assertTrue(read(data(FILE, i)));
    }
    long served = l1.getStats().getHitCount() - hits;
    assertTrue(served + " of " + hot, served >= hot * 9 / 10);
    assertTrue(cache.getStats().getPromotionCount() >= hot * 9 / 10);
  }

  @Test
  public void whatIsReadMostStaysInL1() {
    open(true);
    Random random = seed.newRandom();
    int all = 3 * L1_FULL;
    cacheData(0, all);
    for (int i = 0; i < 30 * L1_FULL; i++) {
      // Half of the reads are of a tenth of the blocks.
      assertTrue(read(data(FILE, random.nextInt(random.nextBoolean() ? all : all / 10))));
    }
    int served = 0;
    for (int i = 0; i < all / 10; i++) {
      served += l1.holds(data(FILE, i)) ? 1 : 0;
    }
    assertTrue(served + " of " + all / 10, served > all / 10 * 9 / 10);
  }

  @Test
  public void dataNeverTakesTheRoomOfMetadata() {
    open(true);
    int metadata = L1_FULL * 3 / 4;
    cacheIndex(0, metadata);
    cacheData(0, 4 * L1_FULL);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 4 * L1_FULL; i++) {
        assertTrue(read(data(FILE, i)));
      }
    }
    assertEquals(metadata, l1.getBlockCount(BlockCategory.INDEX));
    assertTrue(l1.getBlockCount(BlockCategory.DATA) > 0);
    cacheIndex(metadata, L1_FULL * 15 / 16);
    assertEquals("it takes that of data", L1_FULL * 15 / 16,
      l1.getBlockCount(BlockCategory.INDEX) + l2.getBlockCount(BlockCategory.INDEX));
    assertTrue(l2.getBlockCount(BlockCategory.INDEX) < L1_FULL / 16);
  }

  @Test
  public void metadataThatL1HasNoRoomForMovesToL2AndBack() {
    open(true);
    int all = 2 * L1_FULL;
    cacheIndex(0, all);
    assertEquals(all, readIndex(0, all));
    assertTrue(cache.getStats().getDemotionCount() >= all - L1_FULL);
    assertEquals(0, cache.getStats().getFailedDemotionCount());
    assertTrue(cache.getStats().getPromotionCount() > 0);
    assertTrue(l1.holds(index(OTHER_FILE, all - 1)));
    assertFalse(l1.hasRoomForData());
    assertEquals(true, cache.hasRoom(true, SIZE).get());
  }

  @Test
  public void withoutPromotionNothingMoves() {
    open(false);
    cacheIndex(0, 2 * L1_FULL);
    assertTrue(readIndex(0, 2 * L1_FULL) <= L1_FULL);
    assertEquals(0, l2.getBlockCount());
    cacheData(0, 10);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 10; i++) {
        assertTrue(read(data(FILE, i)));
      }
    }
    assertEquals(0, l1.getBlockCount(BlockCategory.DATA));
  }

  @Test
  public void promotionCanBeSwitchedOffWhileTheServerRuns() {
    open(true);
    cacheIndex(0, 10);
    cacheData(0, 10);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 10; i++) {
        assertTrue(read(data(FILE, i)));
      }
    }
    assertEquals(10, l1.getBlockCount(BlockCategory.DATA));
    conf.setBoolean(CompositeBucketCacheSettings.PROMOTION.key(), false);
    cache.onConfigurationChange(conf);
    assertFalse(cache.movesBlocks());
    assertEquals(0, l1.getBlockCount(BlockCategory.DATA));
    assertEquals(10, l1.getBlockCount(BlockCategory.INDEX));
  }

  /** Never evicts a block, as if another thread was evicting its file. */
  private static class IdleEvictions implements FirstTierEngine.Evictions {
    private final AtomicInteger dropped = new AtomicInteger();

    @Override
    public boolean evict(BlockCacheKey key, boolean data, BooleanSupplier evict) {
      return false;
    }

    @Override
    public int frequency(BlockCacheKey key) {
      return 0;
    }

    @Override
    public void onDataEvicted(int frequency) {
      // Nobody asks.
    }

    @Override
    public void onDropped() {
      dropped.incrementAndGet();
    }

    @Override
    public void onDataRejected() {
      // Nobody asks.
    }
  }

  @Test
  public void blocksThatGoWithoutACopyAreCounted() {
    open(true);
    IdleEvictions evictions = new IdleEvictions();
    l1.setEvictions(evictions);
    cacheIndex(0, 2 * L1_FULL);
    assertTrue(evictions.dropped.get() + " dropped", evictions.dropped.get() > L1_FULL / 2);
    assertEquals(2 * L1_FULL, evictions.dropped.get() + l1.getBlockCount());
  }

  /** Lets the first eviction of a block wait. */
  private static final class SlowEvictions extends IdleEvictions {
    private final CountDownLatch evicting = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public boolean evict(BlockCacheKey key, boolean data, BooleanSupplier evict) {
      evicting.countDown();
      try {
        assertTrue(goOn.await(TIMEOUT_MS, TimeUnit.MILLISECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return evict.getAsBoolean();
    }
  }

  @Test
  public void aReaderThatCopiesABlockToL1DoesNotWaitForAnEviction() throws Exception {
    open(true);
    SlowEvictions evictions = new SlowEvictions();
    l1.setEvictions(evictions);
    ExecutorService pool = Executors.newFixedThreadPool(1);
    try {
      Future<?> writer = pool.submit(() -> cacheIndex(0, 2 * L1_FULL));
      assertTrue(evictions.evicting.await(TIMEOUT_MS, TimeUnit.MILLISECONDS));
      boolean refused = false;
      for (int i = 0; i < L1_FULL && !refused; i++) {
        // Until the open segment is full.
        BlockCacheKey key = data(FILE, i);
        refused = !l1.takeBlock(key, block(key, SIZE), false, 0);
      }
      assertTrue(refused);
      assertFalse("the eviction still waits", writer.isDone());
      evictions.goOn.countDown();
      writer.get();
    } finally {
      evictions.goOn.countDown();
      pool.shutdownNow();
    }
  }

  @Test
  public void aBlockThatIsCopiedTwiceIsKeptOnce() {
    open(true);
    BlockCacheKey key = data(FILE, 1);
    assertTrue(l1.takeBlock(key, block(key, SIZE), false, 0));
    long word = l1.getIndex().get(FILE).find(key.getOffset());
    assertTrue(l1.takeBlock(key, block(key, SIZE), false, 0));
    assertEquals("the first one stays", word, l1.getIndex().get(FILE).find(key.getOffset()));
    assertEquals(1, l1.getBlockCount());
  }

  @Test
  public void shutdownLetsTheMemoryOfL1Go() throws Exception {
    conf.setInt("hbase.bucketcache.l1.size", 64);
    open(true);
    cacheIndex(0, 10);
    long with = directMemory();
    cache.shutdown();
    // The server keeps the cache, as this test does.
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> {
      System.gc();
      return directMemory() < with - (60 << 20);
    });
    assertEquals(0, l1.getBlockCount());
    cache = null;
  }

  private static long directMemory() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
      .filter(pool -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed)
      .sum();
  }

  @Test
  public void anAbortWritesNeitherMetadataNorFooters() throws Exception {
    open(true);
    cacheIndex(0, L1_FULL / 2);
    cacheData(0, 10);
    assertTrue(cache.isInFiles());
    cache.abandon();
    cache.shutdown();
    open(true);
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> l2.getStore().getPartsRecovering() == 0);
    assertEquals(0, l2.getBlockCount());
  }

  @Test
  public void aCleanStopLosesNeitherDataNorMetadata() throws Exception {
    open(true);
    cacheIndex(0, L1_FULL / 2);
    cacheData(0, L1_FULL);
    cache.shutdown();
    open(true);
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> l2.getStore().getPartsRecovering() == 0);
    assertEquals(0, l1.getBlockCount());
    assertEquals(L1_FULL / 2, readIndex(0, L1_FULL / 2));
    for (int i = 0; i < L1_FULL; i++) {
      assertTrue(read(data(FILE, i)));
    }
    assertEquals(L1_FULL / 2, l1.getBlockCount(BlockCategory.INDEX));
  }

  @Test
  public void aFileWhoseBlocksAreInBothTiersIsFullyCached() {
    open(true);
    for (int i = 0; i < 10; i++) {
      cache(data(FILE, i));
      cache(index(FILE, i));
    }
    Path path = new Path("/hbase/data/default/t/region/f/" + FILE);
    cache.notifyFileCachingCompleted(path, 21, 20, 200_000);
    assertTrue("a block is missing", cache.getFullyCachedFiles().get().isEmpty());
    cache.notifyFileCachingCompleted(path, 20, 20, 200_000);
    assertEquals(200_000, (long) cache.getFullyCachedFiles().get().get(FILE).getSecond());
    assertEquals(20, cache.evictBlocksByHfileName(FILE));
    assertTrue(cache.getFullyCachedFiles().get().isEmpty());
  }

  /** Readers verify each block while blocks move, and others cache, evict and remove files. */
  @Test
  public void noReaderGetsAnotherBlock() throws Exception {
    open(true);
    int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> results = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        SplittableRandom random = seed.newRandom(thread);
        results.add(pool.submit(() -> useCache(random)));
      }
      for (Future<Integer> result : results) {
        assertTrue("hits: " + result.get(), result.get() > 1_000);
      }
    } finally {
      pool.shutdownNow();
    }
    assertEquals(0, l2.getStore().getCorrupt());
    for (int file = 0; file < 4; file++) {
      cache.evictBlocksByHfileName(FILE + file);
    }
    assertEquals(0, cache.getBlockCount());
  }

  private int useCache(SplittableRandom random) {
    int hits = 0;
    for (int round = 0; round < 10_000; round++) {
      int number = random.nextInt(1 + random.nextInt(L1_FULL));
      String file = FILE + random.nextInt(4);
      BlockCacheKey key = random.nextInt(3) == 0 ? index(file, number) : data(file, number);
      if (random.nextInt(2_000) == 0) {
        cache.evictBlocksByHfileName(file);
      } else if (random.nextInt(50) == 0) {
        cache.evictBlock(key);
      } else if (read(key)) {
        hits++;
      } else {
        cache(key);
      }
    }
    return hits;
  }
}
