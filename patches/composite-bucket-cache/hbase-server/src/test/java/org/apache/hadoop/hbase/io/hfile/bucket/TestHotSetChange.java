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

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How L1 follows the hot set, with the real classes and small blocks. */
@Category({ IOTests.class, MediumTests.class })
public class TestHotSetChange {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHotSetChange.class);

  private static final Logger LOG = LoggerFactory.getLogger(TestHotSetChange.class);
  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final int SLOT_SIZE = 512;
  private static final int SIZE = 256;
  private static final int L1_MB = 4;
  private static final int L1_BLOCKS = (L1_MB << 20) / SLOT_SIZE;
  private static final int BLOCKS = 3 * L1_BLOCKS;
  /** Number of further blocks, which fit into L2. */
  private static final int SCANNED_BLOCKS = L1_BLOCKS * 3 / 4;
  /** Percentage of reads that aren't of hot blocks. */
  private static final int OTHER_READS = 10;
  /** Reads between two waits for the writers, since a busy machine may not run these. */
  private static final int BURST = 256;

  /** Always the same, since bounds of shares hold for most samples only. */
  private final Random random = new Random(1);
  private CompositeBucketCache cache;
  private int reads;

  @Before
  public void setUp() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setInt(BlockCacheFactory.BLOCKCACHE_BLOCKSIZE_KEY, SLOT_SIZE);
    for (String tier : new String[] { "l1", "l2" }) {
      String keys = "hbase.bucketcache." + tier + ".";
      conf.set(keys + "ioengine", "offheap");
      conf.setInt(keys + "size", tier.equals("l1") ? L1_MB : 4 * L1_MB);
    }
    conf.setInt("hbase.bucketcache.bucket.sizes", SLOT_SIZE);
    conf.setInt("hbase.bucketcache.writer.threads", 1);
    conf.setInt("hbase.bucketcache.writer.queuelength", BLOCKS);
    cache = CompositeBucketCache.create(conf);
    for (int i = 0; i < BLOCKS; i++) {
      cache.cacheBlock(data(i), block(data(i), SIZE));
    }
    TiersValidator.awaitWritten(cache);
  }

  @After
  public void tearDown() throws Exception {
    TiersValidator.validate(cache);
    cache.shutdown();
  }

  private static BlockCacheKey data(int number) {
    return key(FILE, number * 1_000L, BlockType.DATA);
  }

  /**
   * Reads blocks.
   * @param hot chooses a hot block by a random number
   * @return percentage of the hot reads that L1 served
   */
  private long read(int count, IntUnaryOperator hot) throws InterruptedException {
    int hotReads = 0;
    int served = 0;
    for (int i = 0; i < count; i++) {
      boolean isHot = random.nextInt(100) >= OTHER_READS;
      int number = isHot
        ? hot.applyAsInt(random.nextInt(Integer.MAX_VALUE))
        : random.nextInt(BLOCKS);
      long hits = TiersValidator.l1(cache).getStats().getHitCount();
      cache.getBlock(data(number), true, false, true).release();
      if (isHot) {
        hotReads++;
        served += TiersValidator.l1(cache).getStats().getHitCount() > hits ? 1 : 0;
      }
      if (++reads % BURST == 0) {
        BucketCacheValidator.awaitWritten(TiersValidator.l1(cache));
      }
    }
    return 100L * served / hotReads;
  }

  /** Returns a function that chooses all of these blocks equally often. */
  private static IntUnaryOperator alike(int from, int blocks) {
    return any -> from + any % blocks;
  }

  @Test
  public void afterATenthOfL1InReadsTheNewHotBlocksAreInL1() throws Exception {
    // More blocks than L1 holds are read equally often, until most counts reach the maximum.
    long before = read(16 * L1_BLOCKS, alike(0, L1_BLOCKS * 5 / 4));
    IntUnaryOperator hot = alike(2 * L1_BLOCKS, L1_BLOCKS / 100);
    long first = read(L1_BLOCKS / 10, hot);
    long after = read(L1_BLOCKS / 10, hot);
    LOG.info("Of 100 reads L1 served {}; after the change {}, then {}", before, first, after);
    assertTrue(before + " before", before > 50);
    assertTrue(after + " of 100 after a tenth of L1 in reads", after >= 95);
  }

  @Test
  public void ofAHotSetOfHalfL1ItIsATenthOfItsReadsBehindAnEmptyOne() throws Exception {
    long before = read(16 * L1_BLOCKS, alike(0, L1_BLOCKS * 3 / 4));
    IntUnaryOperator hot = alike(2 * L1_BLOCKS, L1_BLOCKS / 2);
    read(L1_BLOCKS / 10, hot);
    long order = random.nextLong(); // Both read the same blocks in the same order.
    random.setSeed(order);
    long[] changed = new long[4];
    for (int i = 0; i < changed.length; i++) {
      changed[i] = read(L1_BLOCKS / 2, hot);
    }
    TiersValidator.l1(cache).evictData();
    tearDown();
    setUp();
    random.setSeed(order);
    long[] empty = new long[changed.length];
    for (int i = 0; i < empty.length; i++) {
      empty[i] = read(L1_BLOCKS / 2, hot);
      LOG.info("Of 100 reads L1 served {} before; then {}, one that was empty {}", before,
        changed[i], empty[i]);
      assertTrue(changed[i] + " of 100, an empty one " + empty[i], changed[i] >= empty[i] - 2);
    }
  }

  /** Reads consecutive blocks like a scan, and caches those that are missed. */
  private void scan(int from, int count) throws InterruptedException {
    for (int i = from; i < from + count; i++) {
      BlockCacheKey key = data(BLOCKS + i % SCANNED_BLOCKS);
      Cacheable found = cache.getBlock(key, true, false, true);
      if (found == null) {
        cache.cacheBlock(key, block(key, SIZE));
      } else {
        found.release();
      }
    }
    TiersValidator.awaitWritten(cache);
  }

  @Test
  public void besideScansTheHotBlocksStayInL1() throws Exception {
    IntUnaryOperator hot = alike(0, L1_BLOCKS * 3 / 4);
    read(16 * L1_BLOCKS, hot);
    long before = read(L1_BLOCKS, hot);
    long promotions = cache.getStats().getPromotionCount();
    long worst = 100;
    for (int scanned = 0; scanned < 4 * SCANNED_BLOCKS; scanned += L1_BLOCKS / 4) {
      long served = 0;
      for (int i = 0; i < L1_BLOCKS / 4; i += BURST) {
        scan(scanned + i, BURST);
        served += read(BURST, hot);
      }
      worst = Math.min(worst, served / (L1_BLOCKS / 4 / BURST));
    }
    long moved = cache.getStats().getPromotionCount() - promotions;
    LOG.info("Of 100 reads L1 served {}; beside scans {} at least, and took {} blocks", before,
      worst, moved);
    assertTrue(worst + " of 100, without a scan " + before, worst >= before - 2);
    assertTrue(moved + " blocks", moved <= L1_BLOCKS / 20);
  }

  @Test
  public void whereAllBlocksAreReadAlikeFewMove() throws Exception {
    IntUnaryOperator alike = alike(0, 2 * L1_BLOCKS);
    read(16 * L1_BLOCKS, alike);
    long promotions = cache.getStats().getPromotionCount();
    long share = read(10 * L1_BLOCKS, alike);
    long moved = 100 * (cache.getStats().getPromotionCount() - promotions) / (10 * L1_BLOCKS);
    LOG.info("Of 100 reads L1 served {}, and took {} blocks", share, moved);
    assertTrue(moved + " of 100", moved <= 10);
    assertTrue(share + " of 100", share >= 35);
  }
}
