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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

@Category({ IOTests.class, SmallTests.class })
public class TestCacheAdvice {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheAdvice.class);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private static final int MB = 1 << 20;
  private static final int BLOCK = 64 << 10;
  private static final CacheMinute QUIET = new CacheMinute(0, 0, 0, 0, 0, 0, 0);

  private BlockCache cache;
  private CacheModel model;
  private final SampledReferences references = new SampledReferences(false);

  /** Takes no memory, of which there would be too little for the caches of all tests. */
  private String file() {
    return "file:" + new File(folder.getRoot(), "cache");
  }

  @Before
  public void setUp() {
    Configuration conf = new Configuration(false);
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "64m");
    conf.set("hbase.bucketcache.ioengine", file());
    conf.set("hbase.bucketcache.l2.size", "256m");
    cache = BlockCacheFactory.createBlockCache(conf);
    model = new CacheModel(cache);
  }

  /** Has metadata on the heap and data in a BucketCache. */
  private void createCombinedCache() {
    cache.shutdown();
    Configuration conf = new Configuration(false);
    conf.setInt("hfile.onheap.block.cache.fixed.size", 64 * MB);
    conf.set("hbase.bucketcache.ioengine", file());
    conf.set("hbase.bucketcache.size", "256");
    cache = BlockCacheFactory.createBlockCache(conf);
    model = new CacheModel(cache);
  }

  @After
  public void tearDown() {
    cache.shutdown();
  }

  /** References each block of a number, again and again. */
  private void reference(boolean metadata, int blocks, int rounds, boolean cached) {
    for (int i = 0; i < rounds * blocks; i++) {
      references.apply(new BlockReference(cached ? BlockReference.Kind.HIT
        : BlockReference.Kind.MISS, hash(metadata, i % blocks), 0, 0, BLOCK, metadata), 1);
      if (!cached) {
        references.apply(new BlockReference(BlockReference.Kind.LOAD, hash(metadata, i % blocks), 0,
          0, BLOCK, metadata), 1);
      }
    }
    references.addCounts(metadata ? references.metadata().references() : 0,
      metadata ? 0 : references.data().references());
  }

  /** Hashes of sampled blocks only. */
  private static long hash(boolean metadata, int block) {
    return Trace.hash(block, metadata ? 1 : 2) >>> 4;
  }

  private CacheAdvice.State state(CacheMinute minutes) {
    return CacheAdvice.state(model, references, minutes);
  }

  private String advice(CacheMinute minutes) {
    references.rank();
    return new CacheSizingReport(state(minutes), model, references, new TableNumbers(),
      new MinuteHistory(cache, model, new RepeatedMisses(false)), Collections.emptyList(), minutes,
      0, 0).getAdvice();
  }

  @Test
  public void aServerThatHasJustStartedKnowsNothing() {
    assertEquals(CacheAdvice.State.COLD, state(QUIET));
    assertEquals("Not known yet: 0 references to sampled blocks, of 2,000 that are needed",
      advice(QUIET));
  }

  @Test
  public void aTierThatIsOffIsNamedFirst() {
    reference(false, 200, 100, false);
    ((CombinedBlockCache) cache).getSecondLevelCache().shutdown();
    assertEquals(CacheAdvice.State.OFF, state(QUIET));
    assertEquals("L2 of the block cache is off, after errors of its device, and serves nothing. "
      + "What other sizes would serve isn't known meanwhile", advice(QUIET));
  }

  @Test
  public void aTierOfACombinedCacheCanBeOff() {
    createCombinedCache();
    assertTrue(model.isEnabled());
    ((CombinedBlockCache) cache).getSecondLevelCache().shutdown();
    assertEquals(CacheAdvice.State.OFF, state(QUIET));
    assertFalse(model.getL2().isEnabled());
    assertTrue(model.getL1().isEnabled());
  }

  @Test
  public void blocksThatWereCachedBeforeAreNotKnown() {
    reference(false, 4_000, 1, true);
    assertEquals(CacheAdvice.State.COLD, state(QUIET));
    assertEquals("Not known yet: 100 % of references were the first ones to blocks that were "
      + "cached before", advice(QUIET));
  }

  @Test
  public void fewBlocksSayLittle() {
    reference(false, 50, 100, false);
    assertEquals(CacheAdvice.State.FEW, state(QUIET));
    assertEquals("Not known: fewer than 100 blocks of the sample are read, and the cache has room "
      + "for all that is read", advice(QUIET));
  }

  @Test
  public void fewBlocksThatDontFitWhereTheyBelong() {
    createCombinedCache();
    reference(true, 80, 100, false);
    assertEquals(CacheAdvice.State.FEW, state(QUIET));
    assertEquals("Not known: fewer than 100 blocks of the sample are read", advice(QUIET));
  }

  @Test
  public void aCacheForFewBlocksOfTheSampleSaysLittle() {
    for (int i = 0; i < 3 * 500; i++) {
      references.apply(new BlockReference(BlockReference.Kind.MISS, hash(false, i % 500), 0, 0, 0,
        false), 2);
      references.apply(new BlockReference(BlockReference.Kind.LOAD, hash(false, i % 500), 0, 0,
        16 * BLOCK, false), 2);
    }
    assertEquals(CacheAdvice.State.SMALL, state(QUIET));
    assertEquals("Not known: the cache has room for fewer than 100 blocks of the sample",
      advice(QUIET));
  }

  @Test
  public void aLoadThatHasChangedIsNoticed() {
    reference(false, 200, 100, false);
    CacheMinute minutes = new CacheMinute(0, 100_000, 0, 30_000, 0, 0, 0);
    assertEquals(CacheAdvice.State.CHANGED, state(minutes));
    assertEquals("Not known: the cache served 30 % of the references of the last minutes, where "
      + "99 % were expected of the last hour's; the load has changed, or the cache isn't full yet",
      advice(minutes));
    assertEquals(CacheAdvice.State.KNOWN,
      state(new CacheMinute(0, 100_000, 30_000, 69_000, 0, 0, 0)));
  }

  /** As of small tables, each file of which has a block of its bloom filter. */
  @Test
  public void indexesSoFewThatNoneIsInTheSampleAreServed() {
    reference(false, 200, 500, false);
    references.addCounts(references.countOfData(), 0);
    assertEquals(0, references.metadata().samples());
    assertEquals(references.countOfMetadata(), model.metadataHits(references, MB, 0), 1);
  }

  @Test
  public void l1ThatServesLessThanExpectedIsNoticed() {
    reference(false, 200, 100, false);
    CacheMinute minutes = new CacheMinute(0, 100_000, 50_000, 49_000, 0, 0, 0);
    assertEquals(CacheAdvice.State.CHANGED, state(minutes));
    assertTrue(advice(minutes),
      advice(minutes).startsWith("Not known: L1 served 50 % of the references"));
  }

  @Test
  public void l1WithoutDataIsSaidToServeMetadataOnly() {
    createCombinedCache();
    reference(false, 200, 300, false);
    String ofData = ". L2 256 MB: ";
    assertTrue(advice(QUIET),
      advice(QUIET).startsWith("L1 64 MB: no reads of indexes and bloom filters yet" + ofData));
    reference(true, 25, 100, false);
    assertTrue(advice(QUIET), advice(QUIET).startsWith("L1 64 MB: 99 % of reads of indexes and "
      + "bloom filters are served from memory, and more than that gains nothing"));
  }

  @Test
  public void blocksThatWerentReadForHoursAreForgotten() {
    reference(true, 25, 2, false);
    reference(false, 200, 2, false);
    for (int i = 0; i < 3; i++) {
      references.endMinute();
    }
    // Minutes without reads, as at night, don't count.
    assertEquals(200, references.data().samples());
    for (int i = 0; i < SampledReferences.MAX_UNREAD_MINUTES; i++) {
      assertEquals(200, references.data().samples());
      assertEquals(25, references.metadata().samples());
      reference(false, 50, 1, true);
      references.endMinute();
    }
    assertEquals(50, references.data().samples());
    assertEquals(0, references.metadata().samples());
  }

  @Test
  public void whatFitsNeedsNoMore() {
    reference(true, 100, 100, false);
    reference(false, 200, 100, false);
    assertEquals(CacheAdvice.State.KNOWN, state(QUIET));
  }
}
