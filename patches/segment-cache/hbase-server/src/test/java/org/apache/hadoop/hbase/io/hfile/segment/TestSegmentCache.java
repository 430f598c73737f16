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
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, MediumTests.class })
public class TestSegmentCache {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSegmentCache.class);

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER_FILE = "fedcba9876543210fedcba9876543210";
  private static final int SIZE = 4 * 1024;
  private static final int MB = 8;
  /** Blocks of SIZE that fill the cache; it has 64 segments of 31. */
  private static final int FULL = 64 * 31;
  /** After so many in a row have changed nothing, there is no memory that waits to be freed. */
  private static final int COLLECTIONS = 5;
  /** Collections of a large heap take seconds each on a busy machine. */
  private static final int COLLECTIONS_MILLIS = 300_000;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final Configuration conf = new Configuration(false);
  private SegmentCache cache;

  @Before
  public void setUp() throws IOException {
    cache = create(MB);
  }

  private SegmentCache create(int megabytes) throws IOException {
    conf.set("hbase.bucketcache.ioengine", "segments");
    conf.setInt("hbase.bucketcache.size", megabytes);
    conf.setInt("hbase.blockcache.minblocksize", SIZE);
    return new SegmentCache(new SegmentCacheSettings(conf), new CacheStats("test"));
  }

  @After
  public void tearDown() {
    cache.shutdown();
  }

  private static BlockCacheKey data(String file, int number) {
    return key(file, number * 10_000L, BlockType.DATA);
  }

  private void cache(String file, int from, int to) {
    for (int i = from; i < to; i++) {
      cache.cacheBlock(data(file, i), block(data(file, i), SIZE));
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

  private int countServed(String file, int from, int to) {
    int served = 0;
    for (int i = from; i < to; i++) {
      served += read(data(file, i)) ? 1 : 0;
    }
    return served;
  }

  @Test
  public void filesAreSummedAsTheirBlocksAreListed() {
    cache(FILE, 0, 100);
    cache(OTHER_FILE, 0, 30);
    assertTrue(cache.evictBlock(data(OTHER_FILE, 3)));
    Map<String, Long> blocks = new HashMap<>();
    Map<String, Long> bytes = new HashMap<>();
    cache.forEach(block -> {
      blocks.merge(block.getFilename(), 1L, Long::sum);
      bytes.merge(block.getFilename(), block.getSize(), Long::sum);
    });
    assertEquals(29, (long) blocks.get(OTHER_FILE));
    cache.forEachFile((file, count, size) -> {
      assertEquals(blocks.remove(file), (Long) count);
      assertEquals(bytes.remove(file), (Long) size);
    });
    assertTrue(blocks.toString(), blocks.isEmpty());
  }

  @Test
  public void theCacheIsFilledToItsSize() {
    cache(FILE, 0, FULL / 64 * 62);
    assertEquals(0, cache.getStats().getEvictionCount());
    assertEquals(FULL / 64 * 62, countServed(FILE, 0, FULL));
    cache(FILE, FULL, 3 * FULL);
    int served = countServed(FILE, 0, 3 * FULL);
    assertTrue(served + " of " + FULL, served >= FULL * 15 / 16 && served <= FULL);
    assertEquals(served, cache.getBlockCount());
    assertTrue(cache.getCurrentSize() <= cache.getMaxSize());
    assertTrue(cache.getStats().getEvictedCount() > FULL);
  }

  @Test
  public void whatIsReadAgainOutlivesWhatIsScanned() {
    int hot = FULL / 4;
    cache(FILE, 0, hot);
    cache(OTHER_FILE, 0, FULL / 2);
    countServed(FILE, 0, hot);
    for (int round = 1; round <= 8; round++) {
      cache(OTHER_FILE, round * FULL / 2, (round + 1) * FULL / 2);
      int served = countServed(FILE, 0, hot);
      assertTrue("in round " + round + " " + served + " of " + hot, served >= hot * 9 / 10);
    }
  }

  @Test
  public void aBlockThatComesBackSoonStays() {
    cache(OTHER_FILE, 0, 1);
    cache(FILE, 0, FULL * 17 / 16);
    assertFalse("it was evicted unread", read(data(OTHER_FILE, 0)));
    cache(OTHER_FILE, 0, 1);
    cache(FILE, 2 * FULL, 4 * FULL);
    assertTrue("it came back", read(data(OTHER_FILE, 0)));
  }

  @Test
  public void theSpaceOfRemovedBlocksIsUsedBeforeOthersAreEvicted() {
    // The blocks of the file fill whole segments.
    cache(FILE, 0, FULL / 2);
    cache(OTHER_FILE, 0, FULL / 64 * 30);
    assertEquals(FULL / 2, cache.evictBlocksByHfileName(FILE));
    cache(OTHER_FILE, FULL, FULL + FULL / 64 * 30);
    assertEquals(FULL / 64 * 30, countServed(OTHER_FILE, 0, FULL));
  }

  @Test
  public void aHeldBlockStaysWhatItIsWhileTheCacheTurnsOver() {
    List<Cacheable> held = new ArrayList<>();
    List<BlockCacheKey> keys = new ArrayList<>();
    for (int i = 0; i < 2 * FULL; i++) {
      BlockCacheKey key = data(FILE, i);
      cache.cacheBlock(key, block(key, SIZE));
      if (i % 200 == 0) {
        held.add(cache.getBlock(key, true, false, true));
        keys.add(key);
      }
    }
    cache(OTHER_FILE, 0, 2 * FULL);
    for (int i = 0; i < held.size(); i++) {
      assertIsBlock(keys.get(i), SIZE, held.get(i));
      held.get(i).release();
    }
  }

  @Test
  public void withAllSegmentsInUseNothingMoreIsCachedUntilOneIsReleased() {
    List<Cacheable> held = new ArrayList<>();
    int i = 0;
    while (cache.getStats().getFailedInserts() == 0) {
      BlockCacheKey key = data(FILE, i++);
      cache.cacheBlock(key, block(key, SIZE));
      Cacheable found = cache.getBlock(key, true, false, false);
      if (found != null) {
        held.add(found);
      }
    }
    assertTrue(held.size() + " held", held.size() >= FULL * 15 / 16);
    held.forEach(Cacheable::release);
    cache(OTHER_FILE, 0, FULL);
    assertTrue(countServed(OTHER_FILE, 0, FULL) > FULL * 9 / 10);
  }

  @Test
  public void segmentsThatAreInUseKeepTheirBlocksButForATwentieth() {
    List<Cacheable> held = new ArrayList<>();
    cache(FILE, 0, FULL / 2);
    for (int i = 0; i < FULL / 2; i += FULL / 64) {
      held.add(cache.getBlock(data(FILE, i), false, false, false));
    }
    cache(OTHER_FILE, 0, 4 * FULL);
    int served = countServed(FILE, 0, FULL / 2);
    int most = FULL / 2 - 64 / 20 * (FULL / 64);
    assertTrue(served + " of " + most, served >= most);
    assertEquals(0, cache.getStats().getFailedInserts());
    held.forEach(Cacheable::release);
  }

  @Test
  public void aBlockIsAsOldAsItsSegment() {
    long before = System.nanoTime();
    cache(FILE, 0, FULL / 64);
    long between = System.nanoTime();
    cache(FILE, FULL / 64, FULL / 32);
    long after = System.nanoTime();
    int[] blocks = new int[2];
    cache.forEach(block -> {
      boolean second = block.getOffset() >= data(FILE, FULL / 64).getOffset();
      long age = after - block.getCachedTime();
      assertTrue(age + " ns", age >= 0 && age <= after - (second ? between : before));
      blocks[second ? 1 : 0]++;
    });
    assertArrayEquals(new int[] { FULL / 64, FULL / 64 }, blocks);
  }

  @Test
  public void blocksThatAreTooBigAreNotCached() {
    BlockCacheKey key = data(FILE, 0);
    cache.cacheBlock(key, block(key, 128 * 1024));
    assertNull(cache.getBlock(key, true, false, true));
    assertEquals(1, cache.getStats().getFailedInserts());
    BlockCacheKey far = key(FILE, 1L << 40, BlockType.DATA);
    cache.cacheBlock(far, block(far, SIZE));
    assertNull(cache.getBlock(far, true, false, true));
    assertEquals(2, cache.getStats().getFailedInserts());
    assertEquals(0, cache.getBlockCount());
    assertEquals(0, cache.getIndex().tables().size());
  }

  @Test
  public void aFileIsFullyCachedUntilABlockOfItIsEvicted() {
    Path path = new Path("/hbase/data/default/t/region/f/" + FILE);
    cache(FILE, 0, 10);
    cache.notifyFileCachingCompleted(path, 12, 11, 1000);
    assertEquals("a block is missing", Collections.emptyMap(), cache.getFullyCachedFiles().get());
    cache.notifyFileCachingCompleted(path, 12, 10, 1000);
    assertEquals(Collections.singletonMap(FILE, new Pair<>("region", 1000L)),
      cache.getFullyCachedFiles().get());
    assertEquals(Collections.singletonMap("region", 1000L), cache.getRegionCachedInfo().get());
    cache.evictBlock(data(FILE, 3));
    assertEquals(Collections.emptyMap(), cache.getFullyCachedFiles().get());
    assertEquals(Collections.emptyMap(), cache.getRegionCachedInfo().get());
  }

  @Test
  public void theSizeOnDiskOfABlockIsKnown() {
    BlockCacheKey key = data(FILE, 5);
    assertEquals(false, cache.isAlreadyCached(key).get());
    assertFalse(cache.getBlockSize(key).isPresent());
    cache(FILE, 5, 6);
    assertEquals(true, cache.isAlreadyCached(key).get());
    assertEquals(block(key, SIZE).getOnDiskSizeWithHeader(), (int) cache.getBlockSize(key).get());
    BlockCacheKey reference = data(FILE + "." + OTHER_FILE, 5);
    assertEquals(true, cache.isAlreadyCached(reference).get());
    assertEquals(cache.getBlockSize(key), cache.getBlockSize(reference));
    assertEquals("asking is no hit", 0, cache.getStats().getRequestCount());
  }

  @Test
  public void namesOfFilesThatAreGoneAreForgotten() {
    for (int i = 0; i < 50; i++) {
      cache(FILE + i, 0, 100);
    }
    cache(OTHER_FILE, 0, 3 * FULL);
    assertEquals(1, cache.getIndex().tables().size());
  }

  /** Readers verify each block while others cache, evict and remove files. */
  @Test
  public void noReaderGetsAnotherBlock() throws Exception {
    int threads = 4;
    int rounds = 20_000;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> results = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        SplittableRandom random = seed.newRandom(thread);
        results.add(pool.submit(() -> useCache(random, rounds)));
      }
      for (Future<Integer> result : results) {
        assertTrue("hits: " + result.get(), result.get() > rounds / 50);
      }
    } finally {
      pool.shutdownNow();
    }
    assertEquals("only what is too much in use isn't cached", 0,
      cache.getStats().getFailedInserts());
    for (int file = 0; file < 4; file++) {
      cache.evictBlocksByHfileName(FILE + file);
    }
    assertEquals(0, cache.getBlockCount());
    assertEquals(0, cache.getCurrentSize());
  }

  private int useCache(SplittableRandom random, int rounds) {
    int hits = 0;
    for (int round = 0; round < rounds; round++) {
      // Some blocks are read often.
      int number = random.nextInt(1 + random.nextInt(2 * FULL / 4));
      BlockCacheKey key = data(FILE + random.nextInt(4), number);
      if (random.nextInt(2_000) == 0) {
        cache.evictBlocksByHfileName(key.getHfileName());
      } else if (random.nextInt(50) == 0) {
        cache.evictBlock(key);
      } else if (read(key)) {
        hits++;
      } else {
        cache.cacheBlock(key, block(key, SIZE));
      }
    }
    return hits;
  }

  /** An eviction in another thread comes while the entries of a file are removed. */
  @Test
  public void aRecordStaysUntilItsEntryIsRemoved() throws Exception {
    cache(FILE, 0, 100);
    FileTable table = cache.getIndex().get(FILE);
    Map<Long, Long> offsets = new HashMap<>();
    table.visit((offset, size, word) -> offsets.put(word, offset));
    Thread evicting = new Thread(() -> {
      for (int i = 0; i < 3 * FULL; i++) {
        BlockCacheKey key = data(OTHER_FILE, i);
        cache.cacheBlock(key, block(key, varied(i)));
      }
    });
    AtomicInteger removed = new AtomicInteger();
    cache.getIndex().getOccupancy().setOnRemoval(word -> {
      if (Thread.currentThread() == evicting) {
        return;
      }
      if (removed.getAndIncrement() == 0) {
        evicting.start();
        Waiter.waitFor(conf, 60_000, 1, () -> evicting.getState() == Thread.State.BLOCKED
          || evicting.getState() == Thread.State.TERMINATED);
      }
      Long offset = offsets.get(word);
      if (offset != null) { // Else it was moved.
        HFileBlock block = cache.getStore().read(table, offset, word);
        assertNotNull("its memory was used again", block);
        block.release();
      }
    });
    // The other thread may evict some once it gets the table between two of its parts.
    int evicted = cache.evictBlocksByHfileName(FILE);
    cache.getIndex().getOccupancy().setOnRemoval(null);
    evicting.join();
    assertTrue("evicted: " + evicted, evicted > 0 && evicted <= 100);
    assertEquals(evicted, removed.get());
    int served = 0;
    for (int i = 0; i < 3 * FULL; i++) {
      Cacheable found = cache.getBlock(data(OTHER_FILE, i), true, false, true);
      if (found != null) {
        assertIsBlock(data(OTHER_FILE, i), varied(i), found);
        found.release();
        served++;
      }
    }
    assertTrue(served + " of " + FULL, served >= FULL * 15 / 16);
  }

  private static int varied(int number) {
    return SIZE - number % 7 * 100;
  }

  @Test
  public void aFullIndexHasTheOldestBlocksEvicted() throws IOException {
    cache.shutdown();
    // The index has 1 MB, the least, which is less than the cache's blocks need.
    cache = create(64);
    int size = 256;
    int most = 64 * 1024 * 1024 / 320;
    int refused = 0;
    for (int file = 0; file < 8; file++) {
      for (int i = 0; i < most / 4; i++) {
        BlockCacheKey key = data(FILE + file, i);
        cache.cacheBlock(key, block(key, size));
        refused += cache.isAlreadyCached(key).get() ? 0 : 1;
      }
    }
    // What a block may evict doesn't always give its table a page.
    assertTrue(refused + " of " + 2 * most, refused < most / 100);
    assertEquals(refused, cache.getStats().getFailedInserts());
    assertTrue(cache.getBlockCount() + " blocks", cache.getBlockCount() > 25_000);
  }

  @Test
  public void aBlockEvictsFewOthersWhereTheIndexIsFull() throws IOException {
    cache.shutdown();
    cache = create(16);
    int size = 64;
    int blocks = 0;
    while (cache.getStats().getEvictionCount() == 0) {
      cacheSmall(FILE, blocks++, size);
    }
    // Two halves of segments, however big the cache is.
    long most = (16 << 20) / 64 / size;
    long files = 0;
    long evicted = 0;
    for (int i = 0; i < 1000; i++) {
      long before = cache.getBlockCount();
      String file = String.format("%032x", i);
      cacheSmall(file, 0, size);
      evicted = Math.max(evicted, before - cache.getBlockCount());
      files += cache.isAlreadyCached(data(file, 0)).get() ? 1 : 0;
    }
    assertTrue(evicted + " of " + most, evicted <= most);
    assertTrue(files + " of 1000 files", files > 500);
  }

  private void cacheSmall(String file, int number, int size) {
    BlockCacheKey key = data(file, number);
    cache.cacheBlock(key, block(key, size));
  }

  @Test
  public void aFullCacheHasNoRoomForBlocksThatNobodyReads() {
    BlockCacheKey key = data(FILE, 0);
    assertEquals(true, cache.blockFitsIntoTheCache(block(key, SIZE)).get());
    cache(FILE, 0, FULL * 3 / 4);
    assertEquals(true, cache.blockFitsIntoTheCache(block(key, SIZE)).get());
    assertTrue(cache.hasRoom(false, SIZE).get());
    cache(FILE, FULL * 3 / 4, 2 * FULL);
    assertEquals(false, cache.blockFitsIntoTheCache(block(key, SIZE)).get());
    assertFalse(cache.hasRoom(false, SIZE).get());
    cache.evictBlocksByHfileName(FILE);
    assertEquals(true, cache.blockFitsIntoTheCache(block(key, SIZE)).get());
  }

  @Test
  public void theBufferPoolLeavesTheMemoryThatTheCacheTakes() {
    long index = new SegmentCacheSettings(conf).getMaxIndexBytes();
    SegmentCacheFactory.registerDemand();
    assertEquals((MB << 20) + index, demand());
    assertEquals("it has no queues", 0,
      DirectMemoryDemand.of(conf).get(DirectMemoryDemand.BLOCK_CACHE).getBuffers());
    conf.setBoolean("hbase.blockcache.use.external", true);
    assertEquals("there is no such cache", 0, demand());
    conf.setBoolean("hbase.blockcache.use.external", false);
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, -1);
    assertEquals("there is no cache", 0, demand());
    conf.unset(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY);
    conf.set("hbase.bucketcache.ioengine", "offheap");
    assertEquals(MB << 20, demand());
  }

  private long demand() {
    return DirectMemoryDemand.of(conf).values().stream().mapToLong(DirectMemoryDemand::getBytes)
      .sum();
  }

  @Test
  public void shutdownEndsTheThreadOfTheStatistics() throws IOException {
    CacheStats stats = new CacheStats("test", 2, 1);
    assertFalse(stats.getMetricsRollerScheduler().isShutdown());
    new SegmentCache(new SegmentCacheSettings(conf), stats).shutdown();
    assertTrue(stats.getMetricsRollerScheduler().isShutdown());
  }

  @Test
  public void shutdownLetsTheMemoryGo() throws Exception {
    // What caches of other tests had is collected now and not meanwhile.
    AtomicLong last = new AtomicLong();
    AtomicInteger equal = new AtomicInteger();
    Waiter.waitFor(conf, COLLECTIONS_MILLIS, 20, () -> {
      System.gc();
      long now = directMemory();
      equal.set(last.getAndSet(now) == now ? equal.get() + 1 : 0);
      return equal.get() == COLLECTIONS;
    });
    long before = last.get();
    SegmentCache big = create(64);
    BlockCacheKey key = data(FILE, 0);
    big.cacheBlock(key, block(key, SIZE));
    Cacheable held = big.getBlock(key, true, false, true);
    assertNotNull(held);
    assertTrue(directMemory() >= before + (64 << 20));
    big.shutdown();
    assertIsBlock(key, SIZE, held);
    held.release();
    assertNull(big.getBlock(key, true, false, true));
    Waiter.waitFor(conf, COLLECTIONS_MILLIS, 10, () -> {
      System.gc();
      return directMemory() < before + (16 << 20);
    });
    assertEquals("it is still there", 0, big.getBlockCount());
  }

  private static long directMemory() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
      .filter(pool -> pool.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed)
      .sum();
  }
}
