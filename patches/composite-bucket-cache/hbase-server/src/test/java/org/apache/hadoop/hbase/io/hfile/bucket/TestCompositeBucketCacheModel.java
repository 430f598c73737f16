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
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector.Level;

/**
 * Whatever many threads do at once, the cache serves a block as it was cached or not at all, serves
 * no block of an evicted file, and gives all memory back.
 */
@RunWith(Parameterized.class)
@Category({ IOTests.class, MediumTests.class })
public class TestCompositeBucketCacheModel {
  /*
   * The model of the cache is a set of files. Each has one life. While it lives, readers look for
   * its blocks and cache those that they miss, under the read lock of the file. It dies when its
   * blocks are evicted under the write lock. From then on none of its blocks may be served. The
   * expected content of a block follows from its key.
   */

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCompositeBucketCacheModel.class);

  private static final Logger LOG = LoggerFactory.getLogger(TestCompositeBucketCacheModel.class);
  private static final double SECONDS =
    Double.parseDouble(System.getProperty("test.seconds", "0.5"));
  private static final long SECONDS_TO_FILL = 30;
  private static final long SECONDS_TO_END = 60;
  /** A RefCnt without a recycler isn't watched. */
  private static final ByteBuffAllocator.Recycler RECYCLER = () -> {
  };
  private static final int THREADS = 8;
  private static final int FILES = 8;
  /** These files are evicted often; the others live until L1 and L2 are full. */
  private static final int SHORT_LIVED_FILES = 2;
  private static final int DATA_BLOCKS = 80;
  private static final int BLOCKS = DATA_BLOCKS + 40;
  /** The first blocks of a file are read much more often than the others. */
  private static final int HOT_BLOCKS = 4;
  private static final int DEAD_FILES = 64;
  private static final int HELD_BLOCKS = 4;
  private static final long OFFSETS_APART = 10_000;
  private static final int[] SIZES = { 1, 4_000, 5_000, 8_192, 9_000, 9_150 };
  /** More than the biggest slot size. */
  private static final int OVERSIZE = 12_000;
  private static final BlockType[] METADATA = { BlockType.LEAF_INDEX, BlockType.BLOOM_CHUNK,
    BlockType.INTERMEDIATE_INDEX, BlockType.META };

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Rule
  public final RandomSeed seed = new RandomSeed();

  @Parameter(0)
  public String l2Engine;
  @Parameter(1)
  public boolean pooled;
  /** At PARANOID each buffer is watched. */
  @Parameter(2)
  public Level leakDetection;

  private final AtomicReferenceArray<FileLife> files = new AtomicReferenceArray<>(FILES);
  private final AtomicReferenceArray<FileLife> deadFiles = new AtomicReferenceArray<>(DEAD_FILES);
  private final AtomicInteger lives = new AtomicInteger();
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final Queue<String> leaks = new ConcurrentLinkedQueue<>();
  private final Level leakDetectionBefore = ResourceLeakDetector.getLevel();
  private final Configuration promotionOn = new Configuration(false);
  private Configuration promotionOff;
  private ByteBuffAllocator allocator = ByteBuffAllocator.HEAP;
  private CompositeBucketCache cache;
  private volatile boolean failed;

  @Parameters(name = "L2 {0}, pooled {1}, leak detection {2}")
  public static List<Object[]> variants() {
    List<Object[]> variants = new ArrayList<>();
    for (String engine : new String[] { "file", "direct", "offheap" }) {
      variants.add(new Object[] { engine, false, Level.SIMPLE });
      variants.add(new Object[] { engine, true, Level.SIMPLE });
      variants.add(new Object[] { engine, true, Level.PARANOID });
    }
    return variants;
  }

  /** The life of a file. */
  private final class FileLife {
    final String name = String.format("%032x", lives.incrementAndGet());
    final ReadWriteLock lock = new ReentrantReadWriteLock();
    volatile boolean dead;
  }

  @Before
  public void setUp() {
    ResourceLeakDetector.setLevel(leakDetection);
    RefCnt.detector.setLeakListener((type, records) -> leaks.add(records));
    promotionOn.set("hbase.bucketcache.l1.ioengine", "offheap");
    promotionOn.set("hbase.bucketcache.l1.size", "1");
    promotionOn.set("hbase.bucketcache.bucket.sizes", "5120,9216");
    // Blocks that writers write at once must fit, since BucketCache can't evict them.
    promotionOn.set("hbase.bucketcache.writer.queuelength", "16");
    promotionOn.set("hbase.bucketcache.l2.ioengine",
      l2Engine.equals("offheap") ? l2Engine : l2Engine + ":" + new File(folder.getRoot(), "l2"));
    // Few buffers, so that blocks are also read through the page cache.
    promotionOn.set("hbase.bucketcache.direct.pool.size", "1");
    promotionOn.set("hbase.bucketcache.l2.size", "4");
    promotionOff = new Configuration(promotionOn);
    promotionOff.setBoolean(CompositeBucketCacheSettings.PROMOTION.key(), false);
    if (pooled) {
      // Buffers are smaller than most blocks, and fewer than they need, so that all kinds of
      // buffers occur.
      Configuration pool = new Configuration(false);
      pool.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 4_096);
      pool.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 256);
      allocator = ByteBuffAllocator.create(pool, true);
    }
    cache = CompositeBucketCache.create(promotionOn);
    for (int i = 0; i < FILES; i++) {
      files.set(i, new FileLife());
    }
  }

  @After
  public void tearDown() {
    cache.shutdown();
    RefCnt.detector.setLeakListener(null);
    ResourceLeakDetector.setLevel(leakDetectionBefore);
  }

  @Test
  public void whatIsServedIsRightAndAllMemoryComesBack() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Void>> runs = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        SplittableRandom random = seed.newRandom(i);
        runs.add(threads.submit(() -> new User(random).run()));
      }
      for (Future<Void> run : runs) {
        run.get((long) SECONDS + SECONDS_TO_END, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals("hits", hits.sum(), cache.getStats().getHitCount());
    assertEquals("misses", misses.sum(), cache.getStats().getMissCount());
    assertTrue("promotions", cache.getStats().getPromotionCount() > 0);
    assertTrue("demotions", cache.getStats().getDemotionCount() > 0);
    TiersValidator.validate(cache);
    for (int i = 0; i < FILES; i++) {
      cache.evictBlocksByHfileName(files.get(i).name);
    }
    TiersValidator.validate(cache);
    assertThatItIsEmpty(TiersValidator.l1(cache));
    assertThatItIsEmpty(TiersValidator.l2(cache));
    assertEquals(0, cache.getBlockCount());
    assertEquals("pooled buffers that are free", allocator.getUsedBufferCount(),
      allocator.getFreeBufferCount());
    LOG.info("{} reads", hits.sum() + misses.sum());
    if (leakDetection == Level.PARANOID) {
      // The collector may report a leak after one that it found at the same time, but not after one
      // that it found later.
      leakOnPurpose("first");
      leakOnPurpose("second");
      assertEquals(Collections.emptyList(), new ArrayList<>(leaks));
    }
  }

  /** Leaks and waits for the report. Equal leaks are reported once, so the hints differ. */
  private void leakOnPurpose(String which) {
    String hint = which + " leak of " + l2Engine;
    RefCnt.create(RECYCLER).touch(hint);
    Waiter.waitFor(promotionOn, TimeUnit.SECONDS.toMillis(SECONDS_TO_END), 10, () -> {
      System.gc();
      // A leak is reported when the next RefCnt is created after the garbage collection.
      RefCnt.create(RECYCLER).release();
      return leaks.removeIf(leak -> leak.contains(hint));
    });
  }

  private static void assertThatItIsEmpty(TierBucketCache tier) {
    assertEquals(0, tier.getAllocator().getUsedSize());
    assertEquals(0, tier.getBlockCount());
    for (BlockCategory category : BlockCategory.values()) {
      assertEquals(0, tier.getBlockCount(category));
    }
  }

  /** The work of one thread. */
  private final class User {
    private final SplittableRandom random;
    private final Queue<Held> held = new ArrayDeque<>();

    User(SplittableRandom random) {
      this.random = random;
    }

    Void run() throws InterruptedException {
      long start = System.nanoTime();
      try {
        while (!failed && !isEnough(System.nanoTime() - start)) {
          step();
        }
        while (!held.isEmpty()) {
          held.remove().release();
        }
        return null;
      } catch (Throwable t) {
        failed = true;
        throw t;
      }
    }

    /** A slow machine takes longer to fill L1 and so to demote blocks. */
    private boolean isEnough(long nanos) {
      double seconds = nanos / 1e9;
      return seconds >= SECONDS
        && (cache.getStats().getDemotionCount() > 0 || seconds >= SECONDS + SECONDS_TO_FILL);
    }

    private void step() throws InterruptedException {
      FileLife file = files.get(random.nextInt(random.nextBoolean() ? FILES : SHORT_LIVED_FILES));
      int choice = random.nextInt(10_000);
      if (choice < 7_000) {
        read(file, anyBlock());
      } else if (choice < 8_000) {
        readReference(file, anyBlock());
      } else if (choice < 8_500) {
        cache(file, anyBlock());
      } else if (choice < 9_000) {
        evictBlock(file, anyBlock());
      } else if (choice < 9_946) {
        readDead(deadFiles.get(random.nextInt(DEAD_FILES)), anyBlock());
      } else if (choice < 9_996) {
        evictFile(random.nextInt(random.nextInt(20) == 0 ? FILES : SHORT_LIVED_FILES));
      } else {
        cache.onConfigurationChange(random.nextInt(4) == 0 ? promotionOff : promotionOn);
      }
    }

    private int anyBlock() {
      int number = random.nextInt(BLOCKS);
      return random.nextInt(3) == 0 ? number : number % HOT_BLOCKS;
    }

    /** Reads like a reader of the file, which caches what it misses. */
    private void read(FileLife file, int number) {
      BlockCacheKey key = keyOf(file.name, number);
      if (random.nextInt(10) == 0) {
        key.setBlockType(null);
      }
      Cacheable found = get(key, random.nextInt(10) != 0);
      if (found != null) {
        check(keyOf(file.name, number), number, found);
      } else if (random.nextInt(5) != 0) {
        cache(file, number);
      }
    }

    private void readReference(FileLife file, int number) {
      Cacheable found = get(keyOf(file.name + ".abcdef", number), true);
      if (found != null) {
        check(keyOf(file.name, number), number, found);
      }
    }

    private Cacheable get(BlockCacheKey key, boolean caching) {
      Cacheable found = cache.getBlock(key, caching, false, true);
      (found == null ? misses : hits).increment();
      return found;
    }

    /** Checks a block now, and again some reads later when it is released. */
    private void check(BlockCacheKey key, int number, Cacheable found) {
      assertIsBlock(key, size(number), found);
      held.add(new Held(key, size(number), found));
      if (held.size() > HELD_BLOCKS || random.nextInt(2) == 0) {
        held.remove().release();
      }
    }

    private void cache(FileLife file, int number) {
      file.lock.readLock().lock();
      try {
        if (!file.dead) {
          BlockCacheKey key = keyOf(file.name, number);
          // A block that knows the next one's size replaces one that doesn't.
          int nextSize = random.nextInt(4) == 0 ? size(number) : TestBlocks.UNKNOWN;
          HFileBlock block = TestBlocks.block(key, size(number), nextSize, allocator);
          cache.cacheBlock(key, block, random.nextInt(10) == 0, random.nextBoolean());
          block.release();
        }
      } finally {
        file.lock.readLock().unlock();
      }
    }

    private void evictBlock(FileLife file, int number) {
      file.lock.writeLock().lock();
      try {
        cache.evictBlock(keyOf(nameOrReference(file), number));
        assertIsGone(file, number);
      } finally {
        file.lock.writeLock().unlock();
      }
    }

    private void evictFile(int index) {
      FileLife file = files.get(index);
      file.lock.writeLock().lock();
      try {
        if (file.dead) {
          return;
        }
        if (random.nextBoolean()) {
          cache.evictBlocksByHfileName(file.name);
        } else {
          long middle = random.nextInt(BLOCKS) * OFFSETS_APART;
          cache.evictBlocksRangeByHfileName(file.name, 0, middle);
          cache.evictBlocksRangeByHfileName(file.name, middle + 1, Long.MAX_VALUE);
        }
        file.dead = true;
        for (int number = 0; number < BLOCKS; number++) {
          assertIsGone(file, number);
        }
      } finally {
        file.lock.writeLock().unlock();
      }
      files.set(index, new FileLife());
      deadFiles.set(random.nextInt(DEAD_FILES), file);
    }

    private void readDead(FileLife file, int number) {
      if (file != null) {
        assertIsGone(file, number);
      }
    }

    private void assertIsGone(FileLife file, int number) {
      BlockCacheKey key = keyOf(nameOrReference(file), number);
      assertNull(key + " of type " + key.getBlockType() + " was evicted", get(key, true));
    }

    private String nameOrReference(FileLife file) {
      return random.nextInt(10) == 0 ? file.name + ".abcdef" : file.name;
    }
  }

  /** A block that a reader holds for a while. */
  private static final class Held {
    private final BlockCacheKey key;
    private final int size;
    private final Cacheable block;

    Held(BlockCacheKey key, int size, Cacheable block) {
      this.key = key;
      this.size = size;
      this.block = block;
    }

    void release() {
      assertIsBlock(key, size, block);
      block.release();
    }
  }

  private static BlockCacheKey keyOf(String file, int number) {
    return key(file, number * OFFSETS_APART,
      number < DATA_BLOCKS ? BlockType.DATA : METADATA[number % METADATA.length]);
  }

  private static int size(int number) {
    return number % 20 == 19 ? OVERSIZE : SIZES[number % SIZES.length];
  }
}
