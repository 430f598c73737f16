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
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Where blocks are, what moves them, and what is counted. */
@Category({ IOTests.class, MediumTests.class })
public class TestCompositeBucketCache {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCompositeBucketCache.class);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final int SIZE = 8 * 1024;
  /** A bit less than the number of 8 KB blocks that fit into 1 MB. */
  private static final int L1_BLOCKS = 96;

  /** Thrice what L1's writers wait for L2. */
  private static final long LONG_WAIT_MS = 300;

  private final Configuration conf = new Configuration(false);
  private CompositeBucketCache cache;
  private FirstTierBucketCache l1;
  private TierBucketCache l2;

  @Before
  public void setUp() throws Exception {
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "1");
    conf.set("hbase.bucketcache.bucket.sizes", "5120,9216");
    conf.set("hbase.bucketcache.l2.ioengine", "file:" + new File(folder.getRoot(), "l2"));
    conf.set("hbase.bucketcache.l2.size", "16");
    conf.set("hbase.bucketcache.writer.queuelength", "1000");
    start();
  }

  private void start() {
    cache = CompositeBucketCache.create(conf);
    l1 = TiersValidator.l1(cache);
    l2 = TiersValidator.l2(cache);
  }

  @After
  public void tearDown() throws Exception {
    if (l1.isEnabled() && l2.isEnabled()) {
      TiersValidator.validate(cache);
    }
    cache.shutdown();
  }

  private BlockCacheKey index(int number) {
    return key(FILE, number * 10_000L, BlockType.LEAF_INDEX);
  }

  private BlockCacheKey data(int number) {
    return key(FILE, 100_000_000L + number * 10_000L, BlockType.DATA);
  }

  private void cache(BlockCacheKey key, int size) throws InterruptedException {
    cache.cacheBlock(key, block(key, size));
    TiersValidator.awaitWritten(cache);
  }

  private void cacheIndex(int from, int to) throws InterruptedException {
    for (int i = from; i < to; i++) {
      cache(index(i), SIZE);
    }
  }

  /** Returns false if the cache doesn't have the block. */
  private boolean read(BlockCacheKey key, int size) throws InterruptedException {
    Cacheable found = cache.getBlock(key, true, false, true);
    if (found == null) {
      return false;
    }
    assertIsBlock(key, size, found);
    found.release();
    TiersValidator.awaitWritten(cache);
    return true;
  }

  private void makeHot(BlockCacheKey key) throws InterruptedException {
    cache(key, SIZE);
    for (int i = 0; i < 5; i++) {
      assertTrue(read(key, SIZE));
    }
  }

  @Test
  public void metadataIsPlacedInL1AndDataInL2() throws Exception {
    BlockType[] types = { BlockType.LEAF_INDEX, BlockType.BLOOM_CHUNK, BlockType.META,
      BlockType.INTERMEDIATE_INDEX, BlockType.ROOT_INDEX };
    for (int i = 0; i < types.length; i++) {
      BlockCacheKey key = key(FILE, i, types[i]);
      cache(key, SIZE);
      assertTrue(l1.holds(key) && !l2.holds(key));
      assertTrue(read(key, SIZE));
    }
    cache(data(1), SIZE);
    assertTrue(l2.holds(data(1)) && !l1.holds(data(1)));
    assertEquals(3, l1.getBlockCount(BlockCategory.INDEX));
    assertEquals(1, l1.getBlockCount(BlockCategory.BLOOM));
    assertEquals(1, l1.getBlockCount(BlockCategory.META));
    assertEquals(1, l2.getBlockCount(BlockCategory.DATA));
    assertEquals(6, cache.getBlockCount());
  }

  @Test
  public void metadataThatL1HasNoRoomForIsServedFromL2AndComesBack() throws Exception {
    cacheIndex(0, 3 * L1_BLOCKS);
    assertTrue(cache.getStats().getDemotionCount() >= L1_BLOCKS);
    assertEquals(0, cache.getStats().getFailedDemotionCount());
    int inL2 = 0;
    for (int i = 0; i < 3 * L1_BLOCKS; i++) {
      assertTrue(index(i) + " is lost", l1.holds(index(i)) || l2.holds(index(i)));
      if (!l1.holds(index(i))) {
        inL2++;
        assertTrue(read(index(i), SIZE));
        assertTrue("is back in L1", l1.holds(index(i)));
      }
    }
    assertTrue(inL2 >= L1_BLOCKS);
    assertTrue(cache.getStats().getPromotionCount() >= inL2);
  }

  @Test
  public void metadataThatComesBackIsNotWrittenToL2Again() throws Exception {
    cacheIndex(0, 3 * L1_BLOCKS);
    for (int i = 0; i < 3 * L1_BLOCKS; i++) {
      read(index(i), SIZE);
    }
    long demotions = cache.getStats().getDemotionCount();
    for (int i = 0; i < 3 * L1_BLOCKS; i++) {
      read(index(i), SIZE);
    }
    assertEquals(demotions, cache.getStats().getDemotionCount(), L1_BLOCKS);
  }

  @Test
  public void dataThatIsReadAgainIsCopiedToL1() throws Exception {
    cache(data(1), SIZE);
    assertTrue(read(data(1), SIZE));
    assertFalse("one read shows no reuse", l1.holds(data(1)));
    assertTrue(read(data(1), SIZE));
    assertTrue(l1.holds(data(1)) && l2.holds(data(1)));
    assertEquals(1, cache.getStats().getPromotionCount());
    assertTrue(read(data(1), SIZE));
    assertEquals("served by L1", 1, l1.getStats().getHitCount());
  }

  @Test
  public void readsThatDontCacheShowNoReuse() throws Exception {
    cache(data(1), SIZE);
    for (int i = 0; i < 10; i++) {
      cache.getBlock(data(1), false, false, true).release();
    }
    TiersValidator.awaitWritten(cache);
    assertFalse(l1.holds(data(1)));
  }

  @Test
  public void lookUpsThatDontCountShowNoReuse() throws Exception {
    cache(data(1), SIZE);
    for (int i = 0; i < 10; i++) {
      cache.getBlock(data(1), true, false, false).release();
    }
    TiersValidator.awaitWritten(cache);
    assertFalse(l1.holds(data(1)));
  }

  @Test
  public void aScanDisplacesNeitherMetadataNorHotData() throws Exception {
    cacheIndex(0, L1_BLOCKS / 4);
    for (int i = 0; i < L1_BLOCKS / 4; i++) {
      makeHot(data(i));
    }
    for (int i = 1_000; i < 2_000; i++) {
      cache(data(i), SIZE);
      read(data(i), SIZE);
      read(data(i % (L1_BLOCKS / 4)), SIZE);
    }
    for (int i = 0; i < L1_BLOCKS / 4; i++) {
      assertTrue(l1.holds(index(i)));
      assertTrue(l1.holds(data(i)));
    }
    int admitted = 0;
    for (int i = 1_000; i < 2_000; i++) {
      admitted += l1.holds(data(i)) ? 1 : 0;
    }
    assertTrue(admitted + " of 1000 are taken for hot", admitted < 100);
  }

  @Test
  public void dataNeverTakesTheRoomOfMetadata() throws Exception {
    int metadata = L1_BLOCKS * 3 / 4;
    cacheIndex(0, metadata);
    for (int i = 0; i < 3 * L1_BLOCKS; i++) {
      makeHot(data(i));
    }
    assertTrue("there was room for some", cache.getStats().getPromotionCount() > 0);
    for (int i = 0; i < metadata; i++) {
      assertTrue(index(i) + " was displaced", l1.holds(index(i)));
    }
    cacheIndex(metadata, 2 * L1_BLOCKS);
    assertTrue("metadata takes it all", cache.getStats().getDemotionCount() > 0);
    long demotions = cache.getStats().getDemotionCount();
    for (int i = 0; i < 3 * L1_BLOCKS; i++) {
      makeHot(data(i));
    }
    assertEquals("no metadata had to go", demotions, cache.getStats().getDemotionCount());
    assertTrue(cache.getStats().getRejectedAdmissionCount() > 0);
  }

  @Test
  public void aWriterGoesOnWhenABlockItHasIsEvictedMeanwhile() throws Exception {
    // A pool serves no request of less than a sixth of a buffer.
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 2 * SIZE);
    ByteBuffAllocator pool = ByteBuffAllocator.create(conf, true);
    for (int round = 0; round < 50; round++) {
      String file = String.format("%032x", round);
      for (int i = 0; i < 20; i++) {
        BlockCacheKey key = key(file, i * 10_000L, i % 2 == 0 ? BlockType.LEAF_INDEX
          : BlockType.DATA);
        HFileBlock pooled = TestBlocks.block(key, SIZE, pool);
        cache.cacheBlock(key, pooled);
        pooled.release();
      }
      cache.evictBlocksByHfileName(file);
    }
    // Evicted blocks stay in the queues until a writer removes them.
    TiersValidator.awaitWritten(cache);
    cache(index(1), SIZE);
    cache(data(1), SIZE);
    TiersValidator.awaitWritten(cache);
    assertEquals(1, l1.getBackingMap().size());
    assertEquals(1, l2.getBackingMap().size());
    assertTrue("blocks were in pooled buffers", pool.getUsedBufferCount() > 0);
    assertEquals("buffers are back in the pool", pool.getUsedBufferCount(),
      pool.getFreeBufferCount());
  }

  @Test
  public void metadataTakesTheRoomOfData() throws Exception {
    for (int i = 0; i < 2 * L1_BLOCKS; i++) {
      makeHot(data(i));
    }
    assertTrue(l1.getBlockCount(BlockCategory.DATA) > L1_BLOCKS / 2);
    cacheIndex(0, L1_BLOCKS / 2);
    for (int i = 0; i < L1_BLOCKS / 2; i++) {
      assertTrue(l1.holds(index(i)));
    }
    assertEquals("no metadata had to go", 0, l2.getBlockCount(BlockCategory.INDEX));
  }

  @Test
  public void metadataOfAnotherSizeTakesTheRoomOfData() throws Exception {
    for (int i = 0; i < 2 * L1_BLOCKS; i++) {
      makeHot(data(i));
    }
    for (int i = 0; i < L1_BLOCKS / 2; i++) {
      cache(index(i), SIZE / 2);
    }
    for (int i = 0; i < L1_BLOCKS / 2; i++) {
      assertTrue(l1.holds(index(i)));
    }
    assertEquals("no metadata had to go", 0, l2.getBlockCount(BlockCategory.INDEX));
  }

  @Test
  public void aMissCountsInEachTierThatWasAskedAndOnceInTheTotals() {
    assertNull(cache.getBlock(data(1), true, false, true));
    assertNull(cache.getBlock(index(1), true, false, true));
    assertNull(cache.getBlock(key(FILE, 7, null), true, false, true));
    assertNull(cache.getBlock(data(1), false, false, true));
    for (CacheStats stats : Arrays.asList(l1.getStats(), l2.getStats(), cache.getStats())) {
      assertEquals(4, stats.getMissCount());
      assertEquals(3, stats.getMissCachingCount());
      assertEquals(4, stats.getPrimaryMissCount());
      assertEquals(2, stats.getDataMissCount());
      assertEquals(1, stats.getLeafIndexMissCount());
      assertEquals(4, stats.getRequestCount());
      assertEquals(3, stats.getRequestCachingCount());
      assertEquals(0, stats.getHitCount());
    }
    assertNull(cache.getBlock(data(1), true, false, false));
    assertNull("a repeated one", cache.getBlock(data(1), true, true, true));
    assertEquals(4, cache.getStats().getMissCount());
    assertEquals(4, l1.getStats().getMissCount());
  }

  @Test
  public void aHitCountsInTheTierThatServedItAndAMissInTheOneThatHadNot() throws Exception {
    cache(data(1), SIZE);
    cache(index(1), SIZE);
    read(data(1), SIZE);
    read(index(1), SIZE);
    assertEquals(1, l2.getStats().getDataHitCount());
    assertEquals(1, l1.getStats().getDataMissCount());
    assertEquals(0.5, l1.getStats().getHitRatio(), 0);
    assertEquals(1, l1.getStats().getLeafIndexHitCount());
    assertEquals("wasn't asked", 0, l2.getStats().getLeafIndexMissCount());
    assertEquals(1, l2.getStats().getHitRatio(), 0);
    assertEquals(2, cache.getStats().getHitCount());
    assertEquals(0, cache.getStats().getMissCount());
    assertEquals(2, cache.getStats().getRequestCount());
    assertEquals(1, cache.getStats().getHitRatio(), 0);
    cache.getStats().rollMetricsPeriod();
    assertEquals(2, cache.getStats().getSumRequestCountsPastNPeriods());
    assertEquals(2, cache.getStats().getSumRequestCachingCountsPastNPeriods());
    assertEquals(1, cache.getStats().getHitRatioPastNPeriods(), 0);
  }

  private static boolean hasTimedHits(TierBucketCache tier) {
    return !Double.isNaN(((BucketCacheStats) tier.getStats()).getIOTimePerHit());
  }

  @Test
  public void theTimeOfHitsCountsInTheTierThatServedThem() throws Exception {
    cache(data(1), SIZE);
    cache(index(1), SIZE);
    assertFalse(hasTimedHits(l1) || hasTimedHits(l2));
    read(index(1), SIZE);
    assertTrue(hasTimedHits(l1) && !hasTimedHits(l2));
    read(data(1), SIZE);
    assertTrue(hasTimedHits(l2));
  }

  /** A key that counts look-ups: each one, in a map or in the sketch, takes its hash code. */
  private static final class CountedKey extends BlockCacheKey {
    private static final long serialVersionUID = 1L;

    private int lookUps;

    CountedKey(BlockCacheKey key) {
      super(key.getHfileName(), key.getOffset(), key.isPrimary(), key.getBlockType());
    }

    @Override
    public int hashCode() {
      lookUps++;
      return super.hashCode();
    }
  }

  private int countLookUps(BlockCacheKey key) {
    CountedKey counted = new CountedKey(key);
    Cacheable found = cache.getBlock(counted, true, false, true);
    if (found != null) {
      found.release();
    }
    return counted.lookUps;
  }

  @Test
  public void aReadLooksOnceIntoEachMap() throws Exception {
    cache(index(1), SIZE);
    cache(data(1), SIZE);
    makeHot(data(2));
    assertTrue(l1.holds(index(1)) && l1.holds(data(2)) && !l1.holds(data(1)));
    // A tier has a map of blocks that wait to be written, and one of written blocks.
    int tier = 2;
    int sketch = 1;
    assertEquals("metadata of L1", tier, countLookUps(index(1)));
    assertEquals("data of L1", tier + sketch, countLookUps(data(2)));
    assertEquals("data of L2", tier + tier + sketch, countLookUps(data(1)));
    assertEquals("metadata that is missed", tier + tier, countLookUps(index(9)));
    assertEquals("data that is missed", tier + tier + sketch, countLookUps(data(9)));
    conf.setBoolean(CompositeBucketCacheSettings.PROMOTION.key(), false);
    cache.onConfigurationChange(conf);
    assertEquals("if nothing moves, data of L2", tier, countLookUps(data(1)));
    assertEquals("and metadata of L1", tier, countLookUps(index(1)));
  }

  @Test
  public void anL1ThatIsTooSmallForItsMetadataShowsMisses() throws Exception {
    cacheIndex(0, 3 * L1_BLOCKS);
    for (int i = 0; i < 3 * L1_BLOCKS; i++) {
      read(index(i), SIZE);
    }
    assertTrue("L1 missed " + l1.getStats().getLeafIndexMissCount(),
      l1.getStats().getLeafIndexMissCount() >= L1_BLOCKS);
    assertEquals("L2 had them", 0, cache.getStats().getLeafIndexMissCount());
    assertEquals(3 * L1_BLOCKS, cache.getStats().getLeafIndexHitCount());
  }

  @Test
  public void dataThatL1IsNotAskedForCountsInL2Alone() throws Exception {
    conf.setBoolean(CompositeBucketCacheSettings.PROMOTION.key(), false);
    cache.onConfigurationChange(conf);
    assertNull(cache.getBlock(data(1), true, false, true));
    assertEquals(0, l1.getStats().getRequestCount());
    assertEquals(1, l2.getStats().getMissCount());
    assertEquals(1, cache.getStats().getMissCount());
  }

  @Test
  public void withoutPromotionABlockStaysWhereItWasPlaced() throws Exception {
    conf.setBoolean(CompositeBucketCacheSettings.PROMOTION.key(), false);
    cache.onConfigurationChange(conf);
    for (int i = 0; i < 10; i++) {
      makeHot(data(i));
    }
    cacheIndex(0, 3 * L1_BLOCKS);
    assertEquals(0, l1.getBlockCount(BlockCategory.DATA));
    assertEquals(0, l2.getBlockCount(BlockCategory.INDEX));
    assertEquals(0, cache.getStats().getPromotionCount());
    assertEquals(0, cache.getStats().getDemotionCount());
    conf.setBoolean(CompositeBucketCacheSettings.PROMOTION.key(), true);
    cache.onConfigurationChange(conf);
    cache.evictBlocksByHfileName(FILE);
    makeHot(data(11));
    assertTrue("promotion can be switched on again", l1.holds(data(11)));
  }

  @Test
  public void whatIsNotAllowedDoesNotChangeARunningCache() throws Exception {
    conf.set("hbase.bucketcache.minfactor", "7");
    conf.setBoolean(CompositeBucketCacheSettings.PROMOTION.key(), false);
    cache.onConfigurationChange(conf);
    assertEquals(0.85f, l1.getMinFactor(), 0);
    makeHot(data(1));
    assertTrue("promotion is still on", l1.holds(data(1)));
    conf.set("hbase.bucketcache.minfactor", "0.7");
    cache.onConfigurationChange(conf);
    assertEquals(0.7f, l1.getMinFactor(), 0);
    assertEquals(0.7f, l2.getMinFactor(), 0);
  }

  @Test
  public void evictingAFileLeavesNothingOfItInAnyTier() throws Exception {
    cacheIndex(0, 2 * L1_BLOCKS);
    for (int i = 0; i < 10; i++) {
      makeHot(data(i));
    }
    BlockCacheKey other = key("fedcba", 0, BlockType.DATA);
    cache(other, SIZE);
    assertTrue(cache.evictBlocksByHfileName(FILE) > 0);
    assertEquals(0, l1.getBackingMap().size());
    assertEquals(1, l2.getBackingMap().size());
    assertNull(cache.getBlock(data(1), true, false, true));
    assertNull(cache.getBlock(index(1), true, false, true));
    assertTrue(read(other, SIZE));
  }

  @Test
  public void evictingAFileEvictsWhatWaitsToBeWritten() throws Exception {
    l1.stopWriterThreads();
    l2.stopWriterThreads();
    cache.cacheBlock(index(1), block(index(1), SIZE));
    cache.cacheBlock(data(1), block(data(1), SIZE));
    assertTrue(l1.holds(index(1)) && l2.holds(data(1)));
    assertEquals(2, cache.evictBlocksByHfileName(FILE));
    assertFalse(l1.holds(index(1)) || l2.holds(data(1)));
  }

  @Test
  public void evictingARangeLeavesTheRest() throws Exception {
    cacheIndex(0, 10);
    assertEquals(5, cache.evictBlocksRangeByHfileName(FILE, 0, 40_000));
    for (int i = 0; i < 10; i++) {
      assertEquals(i >= 5, l1.holds(index(i)));
    }
  }

  @Test
  public void evictingABlockEvictsBothCopies() throws Exception {
    makeHot(data(1));
    assertTrue(l1.holds(data(1)) && l2.holds(data(1)));
    assertTrue(cache.evictBlock(data(1)));
    assertFalse(l1.holds(data(1)) || l2.holds(data(1)));
    assertFalse(cache.evictBlock(data(1)));
  }

  @Test
  public void aReaderKeepsItsBlockWhenItIsEvicted() throws Exception {
    cache(index(1), SIZE);
    Cacheable held = cache.getBlock(index(1), true, false, true);
    assertEquals(1, cache.getRpcRefCount(index(1)));
    assertTrue(cache.evictBlock(index(1)));
    cacheIndex(2, 2 * L1_BLOCKS);
    assertIsBlock(index(1), SIZE, held);
    held.release();
  }

  @Test
  public void blocksOfAReferenceAreFoundInTheFileItRefersTo() throws Exception {
    cache(index(1), SIZE);
    cache(data(1), SIZE);
    String reference = FILE + "." + "abcdefabcdefabcdefabcdefabcdef00";
    for (int i = 0; i < 3; i++) {
      for (BlockCacheKey key : new BlockCacheKey[] { index(1), data(1) }) {
        Cacheable found = cache.getBlock(
          key(reference, key.getOffset(), key.getBlockType()), true, false, true);
        assertIsBlock(key, SIZE, found);
        found.release();
      }
      TiersValidator.awaitWritten(cache);
    }
    assertTrue("is promoted as the file's own", l1.getBackingMap().containsKey(data(1)));
    cache.evictBlocksByHfileName(FILE);
    assertNull(
      cache.getBlock(key(reference, data(1).getOffset(), BlockType.DATA), true, false, true));
  }

  @Test
  public void dataOfAnInMemoryFamilyKeepsItsPriorityInL1() throws Exception {
    cache.cacheBlock(data(1), block(data(1), SIZE), true);
    TiersValidator.awaitWritten(cache);
    read(data(1), SIZE);
    read(data(1), SIZE);
    assertEquals(BlockPriority.MEMORY, l1.getBackingMap().get(data(1)).getPriority());
  }

  @Test
  public void prefetchIsToldWhatIsCachedAndWhatFits() throws Exception {
    cache(index(1), SIZE);
    cache(data(1), SIZE);
    assertTrue(cache.isAlreadyCached(new BlockCacheKey(FILE, index(1).getOffset())).get());
    assertTrue(cache.isAlreadyCached(data(1)).get());
    assertFalse(cache.isAlreadyCached(data(2)).get());
    int withHeader = block(data(1), SIZE).getOnDiskSizeWithHeader();
    assertEquals(withHeader, (int) cache.getBlockSize(data(1)).get());
    assertEquals(withHeader, (int) cache.getBlockSize(index(1)).get());
    assertTrue(cache.blockFitsIntoTheCache(block(index(2), SIZE)).get());
    for (int i = 0; i < 2 * L1_BLOCKS; i++) {
      makeHot(data(i));
    }
    assertTrue("data makes room", cache.blockFitsIntoTheCache(block(index(2), SIZE)).get());
  }

  @Test
  public void aFileIsFullyCachedWhenAllItsBlocksAreInTheTiers() throws Exception {
    cacheIndex(0, 3);
    cache(data(1), SIZE);
    cache(data(2), SIZE);
    Path path = new Path("/hbase/data/default/t/region/f/" + FILE);
    cache.notifyFileCachingCompleted(path, 6, 3, Long.MAX_VALUE);
    assertFalse(cache.getFullyCachedFiles().get().containsKey(FILE));
    // The caller counts metadata that was cached before as data.
    cache.notifyFileCachingCompleted(path, 5, 4, Long.MAX_VALUE);
    assertTrue(cache.getFullyCachedFiles().get().containsKey(FILE));
  }

  @Test
  public void iterationShowsBothTiers() throws Exception {
    cache(index(1), SIZE);
    cache(data(1), SIZE);
    int blocks = 0;
    for (Object ignored : cache) {
      blocks++;
    }
    assertEquals(2, blocks);
    BlockCache[] tiers = cache.getBlockCaches();
    assertSame(l1, tiers[0]);
    assertSame(l2, tiers[1]);
  }

  @Test
  public void metadataOutlivesACleanRestartInL2() throws Exception {
    cache.shutdown();
    conf.set("hbase.bucketcache.l2.persistent.path",
      new File(folder.getRoot(), "list").toString());
    start();
    cacheIndex(0, 20);
    cache(data(1), SIZE);
    cache.shutdown();
    start();
    for (int i = 0; i < 20; i++) {
      assertFalse(l1.holds(index(i)));
      assertTrue(read(index(i), SIZE));
      assertTrue(l1.holds(index(i)));
    }
    assertTrue(read(data(1), SIZE));
    assertEquals(20, l2.getBlockCount(BlockCategory.INDEX));
  }

  @Test
  public void allMetadataOutlivesACleanStopThoughL2IsSlow() throws Exception {
    cache.shutdown();
    conf.set("hbase.bucketcache.l2.persistent.path",
      new File(folder.getRoot(), "list").toString());
    conf.set("hbase.bucketcache.writer.threads", "1");
    conf.set("hbase.bucketcache.writer.queuelength", "4");
    start();
    int blocks = L1_BLOCKS * 3 / 4;
    cacheIndex(0, blocks);
    l2.stopWriterThreads();
    FutureTask<Void> writer = new FutureTask<>(this::writeSlowlyToL2);
    new Thread(writer).start();
    cache.shutdown();
    writer.get();
    start();
    for (int i = 0; i < blocks; i++) {
      assertTrue(index(i) + " is lost", l2.holds(index(i)));
    }
  }

  /** Writes like a device whose first block takes longer than L1's writers would wait. */
  private Void writeSlowlyToL2() throws Exception {
    BlockingQueue<BucketCache.RAMQueueEntry> queue = l2.writerQueues.get(0);
    while (l2.isEnabled() && queue.remainingCapacity() > 0) {
      Thread.sleep(1);
    }
    assertFalse("L2's queue isn't full",
      l2.takeBlock(data(1), block(data(1), SIZE), false, LONG_WAIT_MS));
    List<BucketCache.RAMQueueEntry> entries = new ArrayList<>();
    while (l2.isEnabled()) {
      entries.clear();
      BucketCache.RAMQueueEntry first = queue.poll(1, TimeUnit.MILLISECONDS);
      if (first != null) {
        entries.add(first);
        queue.drainTo(entries);
        l2.doDrain(entries, ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE));
      }
    }
    return null;
  }

  @Test
  public void metadataThatWaitsToBeWrittenToL1OutlivesACleanStop() throws Exception {
    cache.shutdown();
    conf.set("hbase.bucketcache.l2.persistent.path",
      new File(folder.getRoot(), "list").toString());
    start();
    l1.stopWriterThreads();
    cache.cacheBlock(index(1), block(index(1), SIZE));
    cache.shutdown();
    start();
    assertTrue(l2.holds(index(1)));
  }

  @Test
  public void aMoveCountsWhenTheBlockIsInTheOtherTier() throws Exception {
    cache(data(1), SIZE);
    l1.stopWriterThreads();
    for (int i = 0; i < 3; i++) {
      cache.getBlock(data(1), true, false, true).release();
    }
    assertTrue("waits to be written", l1.holds(data(1)));
    assertEquals(0, cache.getStats().getPromotionCount());
    cache.evictBlocksByHfileName(FILE);
    assertEquals(0, cache.getStats().getPromotionCount());
  }

  @Test
  public void aDemotionCountsWhenTheBlockIsInL2() throws Exception {
    cacheIndex(0, L1_BLOCKS / 2);
    l2.stopWriterThreads();
    assertTrue(l1.evictBlockIfNoRpcReferenced(index(1)));
    assertTrue("waits to be written", l2.holds(index(1)) && !l1.holds(index(1)));
    assertEquals(0, cache.getStats().getDemotionCount());
    cache.evictBlocksByHfileName(FILE);
    assertEquals(0, cache.getStats().getDemotionCount());
  }

  @Test
  public void aDemotionThatL2CannotWriteHasFailed() throws Exception {
    cacheIndex(0, L1_BLOCKS / 2);
    UnreliableEngine device = UnreliableEngine.under(l2);
    device.failUnexpectedly();
    int failed = L1_BLOCKS / 4;
    for (int i = 0; i < failed; i++) {
      assertTrue(l1.evictBlockIfNoRpcReferenced(index(i)));
      BucketCacheValidator.awaitWritten(l2);
    }
    assertEquals(0, cache.getStats().getDemotionCount());
    assertEquals(failed, cache.getStats().getFailedDemotionCount());
    device.heal();
    assertTrue(l1.evictBlockIfNoRpcReferenced(index(failed)));
    BucketCacheValidator.awaitWritten(l2);
    assertEquals(1, cache.getStats().getDemotionCount());
    assertEquals(failed, cache.getStats().getFailedDemotionCount());
  }

  @Test
  public void aMovedBlockHasAPlainKeyWhenItIsWritten() throws Exception {
    makeHot(data(1));
    cacheIndex(0, 3 * L1_BLOCKS);
    assertTrue(l1.getMovedBlockCount() > 0 && l2.getMovedBlockCount() > 0);
    for (TierBucketCache tier : Arrays.asList(l1, l2)) {
      for (BlockCacheKey key : tier.getBackingMap().keySet()) {
        assertSame(BlockCacheKey.class, key.getClass());
      }
      for (BlockCacheKey key : tier.blocksByHFile) {
        assertSame(BlockCacheKey.class, key.getClass());
      }
    }
  }

  @Test
  public void metadataGoesToL2WhenL1sQueueIsFull() throws Exception {
    l1.stopWriterThreads();
    int blocks = 0;
    while (l2.getBlockCount() == 0 && blocks < 10_000) {
      cache.cacheBlock(index(blocks), block(index(blocks), SIZE));
      blocks++;
    }
    assertTrue(l2.holds(index(blocks - 1)));
    assertEquals("L2 took it", 0, cache.getStats().getFailedInsertsIntoL1());
    assertEquals(0, cache.getStats().getFailedInserts());
    BucketCacheValidator.awaitWritten(l2);
    l1.shutdown();
    assertTrue("a disabled L1 is passed over", l2.holds(index(blocks - 1)));
    Cacheable found = cache.getBlock(index(blocks - 1), true, false, true);
    assertNotNull(found);
    found.release();
  }

  @Test
  public void metadataThatNoTierTakesCountsOnce() throws Exception {
    l1.stopWriterThreads();
    l2.stopWriterThreads();
    int blocks = 0;
    while (cache.getStats().getFailedInserts() == 0 && blocks < 10_000) {
      cache.cacheBlock(index(blocks), block(index(blocks), SIZE));
      blocks++;
    }
    assertFalse(l1.holds(index(blocks - 1)) || l2.holds(index(blocks - 1)));
    assertEquals(1, cache.getStats().getFailedInsertsIntoL1());
    assertEquals(1, cache.getStats().getFailedInserts());
    cache.evictBlocksByHfileName(FILE);
  }

  @Test
  public void withoutTheKeyTheCachesAreAsEver() throws Exception {
    // With the defaults that servers have.
    Configuration off = HBaseConfiguration.create();
    BlockCache onHeap = BlockCacheFactory.createBlockCache(off);
    assertSame(LruBlockCache.class, onHeap.getClass());
    onHeap.shutdown();
    off.set("hbase.bucketcache.ioengine", "offheap");
    off.set("hbase.bucketcache.size", "32");
    CombinedBlockCache combined = (CombinedBlockCache) BlockCacheFactory.createBlockCache(off);
    assertSame(CombinedBlockCache.class, combined.getClass());
    assertSame(LruBlockCache.class, combined.getFirstLevelCache().getClass());
    assertSame(BucketCache.class, combined.getSecondLevelCache().getClass());
    combined.shutdown();
  }

  @Test
  public void withTheKeyTheFactoryMakesBothTiers() {
    conf.set("hbase.bucketcache.l2.ioengine", "file:" + new File(folder.getRoot(), "other"));
    BlockCache made = BlockCacheFactory.createBlockCache(conf);
    assertSame(CompositeBucketCache.class, made.getClass());
    made.shutdown();
  }
}
