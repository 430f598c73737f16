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

import java.io.File;
import java.io.IOException;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.ScanResistance;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/**
 * What was read again stays in a BucketCache while a scan that is three times as big goes through
 * it. In 2.6.4 none of the 768 blocks stayed.
 */
@Category({ IOTests.class, SmallTests.class })
public class TestScannedBlocks {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestScannedBlocks.class);

  private static final int MB = 1 << 20;
  private static final int CAPACITY_MB = ScanResistance.CACHE_MB;
  private static final int BLOCK_SIZE = ScanResistance.BLOCK_SIZE;
  private static final int BIG_BLOCK_SIZE = 250 * 1024;
  /** More than a bucket has slots for. */
  private static final int BIG_BLOCKS = 20;
  private static final int HOT_BLOCKS = 12 * MB / BLOCK_SIZE;
  private static final int SCANNED_BLOCKS = 150 * MB / BLOCK_SIZE;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = HBaseConfiguration.create();
  private BucketCache cache;

  /** @param sizes of slots; null for those by default, of which each keeps a bucket of 2 MB */
  private void start(String engine, String list, int[] sizes) throws IOException {
    cache = new BucketCache(engine, (long) CAPACITY_MB * MB, 64 * 1024, sizes,
      BucketCache.DEFAULT_WRITER_THREADS, BucketCache.DEFAULT_WRITER_QUEUE_ITEMS, list,
      BucketCache.DEFAULT_ERROR_TOLERATION_DURATION, conf);
  }

  @After
  public void tearDown() throws Exception {
    BucketCacheValidator.awaitWritten(cache);
    BucketCacheValidator.validate(cache);
    cache.shutdown();
  }

  private static BlockCacheKey key(String file, int block) {
    return TestBlocks.key(file, (long) block * BLOCK_SIZE, BlockType.DATA);
  }

  private ScanResistance scans() {
    return new ScanResistance(cache, () -> BucketCacheValidator.awaitWritten(cache));
  }

  private int read(String file, int blocks) throws Exception {
    return scans().read(file, blocks);
  }

  private long count(BlockPriority priority) {
    return StreamSupport.stream(cache.spliterator(), false)
      .filter(block -> block.getBlockPriority() == priority).count();
  }

  @Test
  public void aBlockThatWasReadAgainOutlivesAScan() throws Exception {
    start("offheap", null, null);
    assertEquals(HOT_BLOCKS, read("hot", HOT_BLOCKS));
    assertEquals(HOT_BLOCKS, count(BlockPriority.SINGLE));
    assertEquals(0, read("hot", HOT_BLOCKS));
    assertEquals(HOT_BLOCKS, count(BlockPriority.MULTI));
    for (int scan = 0; scan < 2; scan++) {
      assertEquals(SCANNED_BLOCKS, read("scan " + scan, SCANNED_BLOCKS));
      assertEquals("lost to scan " + scan, 0, read("hot", HOT_BLOCKS));
    }
  }

  @Test
  public void aBlockInAFileThatWasReadAgainOutlivesAScan() throws Exception {
    start("file:" + new File(folder.getRoot(), "cache"), null, null);
    scans().assertHotBlocksStay();
  }

  @Test
  public void aBlockThatWasReadAgainOutlivesScansThatAreRepeated() throws Exception {
    start("offheap", null, null);
    scans().assertHotBlocksStayWhileScansAreRepeated(60, 150);
  }

  @Test
  public void whatIsReadAgainButNoLongerGivesWay() throws Exception {
    start("offheap", null, new int[] { BLOCK_SIZE + 1024, 4 * BLOCK_SIZE });
    int last = 15;
    // Far fewer than the share of the cache from which blocks that were read once give way.
    int blocks = HOT_BLOCKS / 2;
    for (int i = 0; i <= last; i++) {
      read("hot " + i, blocks);
      read("hot " + i, blocks);
    }
    assertEquals("the latest", 0, read("hot " + last, blocks));
    assertEquals("the first", blocks, read("hot 0", blocks));
  }

  @Test
  public void moreThanHalfOfTheCacheOutlivesAScan() throws Exception {
    start("offheap", null, new int[] { BLOCK_SIZE + 1024, 4 * BLOCK_SIZE });
    int most = CAPACITY_MB * MB * 6 / 10 / BLOCK_SIZE;
    read("hot", most);
    read("hot", most);
    read("scan", SCANNED_BLOCKS);
    assertEquals(0, read("hot", most));
  }

  @Test
  public void blocksOfASizeWhoseBucketsAreFullGetAnother() throws Exception {
    start("offheap", null, null);
    read("hot", HOT_BLOCKS);
    read("hot", HOT_BLOCKS);
    read("scan", SCANNED_BLOCKS);
    for (int i = 0; i < BIG_BLOCKS; i++) {
      BlockCacheKey big = key("big", i);
      cache.cacheBlock(big, TestBlocks.block(big, BIG_BLOCK_SIZE));
      BucketCacheValidator.awaitWritten(cache);
      Cacheable found = cache.getBlock(big, true, false, true);
      assertNotNull("big block " + i, found);
      TestBlocks.assertIsBlock(big, BIG_BLOCK_SIZE, found);
      found.release();
    }
    // Buckets are evicted as a whole for them, but not more than they need.
    int lost = read("hot", HOT_BLOCKS);
    assertTrue(lost + " lost", lost < HOT_BLOCKS / 2);
  }

  @Test
  public void whatWasReadAgainIsKnownAfterARestart() throws Exception {
    String engine = "file:" + new File(folder.getRoot(), "cache");
    String list = new File(folder.getRoot(), "list").toString();
    start(engine, list, null);
    read("hot", HOT_BLOCKS);
    read("hot", HOT_BLOCKS / 2);
    cache.shutdown();
    start(engine, list, null);
    assertEquals(HOT_BLOCKS / 2, count(BlockPriority.MULTI));
    assertEquals(HOT_BLOCKS / 2, count(BlockPriority.SINGLE));
  }

  @Test
  public void sizesOfWhichABlockFoundNoSlotAreCountedUntilThereIsOne() throws Exception {
    start("offheap", null, null);
    int[] sizes = { 8 * 1024, 64 * 1024 };
    BucketAllocator allocator = new BucketAllocator(4L * sizes[1] * 4, sizes);
    assertEquals(0, allocator.countRefusedSizes());
    long last = fill(allocator, sizes[0]);
    assertEquals("a small one", 1, allocator.countRefusedSizes());
    assertEquals("is counted once", 0, allocator.countRefusedSizes());
    fill(allocator, sizes[0]);
    fill(allocator, sizes[1]);
    allocator.freeBlock(last, sizes[0]);
    assertEquals("a big one, as a small one has a slot", 1, allocator.countRefusedSizes());
  }

  /** Returns the last slot of an allocator that has no more of this size. */
  private static long fill(BucketAllocator allocator, int size) throws Exception {
    long last = -1;
    while (true) {
      try {
        last = allocator.allocateBlock(size);
      } catch (CacheFullException e) {
        return last;
      }
    }
  }
}
