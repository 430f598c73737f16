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

import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestCacheAdvice {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheAdvice.class);

  private static final int MB = 1 << 20;
  private static final int BLOCK = 64 << 10;
  private static final CacheMinute QUIET = new CacheMinute(0, 0, 0, 0, 0, 0, 0);

  private BlockCache cache;
  private CacheModel model;
  private final SampledReferences references = new SampledReferences(false);

  @Before
  public void setUp() {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "64m");
    conf.set("hbase.bucketcache.ioengine", "offheap");
    conf.set("hbase.bucketcache.l2.size", "256m");
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
    return new CacheSizingReport(model, references, new TableNumbers(),
      new MinuteHistory(cache, model), Collections.emptyList(), minutes, 0, 0)
        .getAdvice();
  }

  @Test
  public void aServerThatHasJustStartedKnowsNothing() {
    assertEquals(CacheAdvice.State.COLD, state(QUIET));
    assertEquals("Not known yet: 0 references to sampled blocks, of 2,000 that are needed",
      advice(QUIET));
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
    assertEquals(CacheAdvice.State.SMALL, state(QUIET));
    assertEquals("Not known: the cache has room for fewer than 100 blocks of the sample",
      advice(QUIET));
  }

  @Test
  public void aLoadThatHasChangedIsNoticed() {
    reference(false, 200, 100, false);
    CacheMinute minutes = new CacheMinute(0, 100_000, 0, 30_000, 0, 0, 0);
    assertEquals(CacheAdvice.State.CHANGED, state(minutes));
    assertEquals(CacheAdvice.State.KNOWN,
      state(new CacheMinute(0, 100_000, 50_000, 49_000, 0, 0, 0)));
  }

  @Test
  public void whatFitsNeedsNoMore() {
    reference(true, 100, 100, false);
    reference(false, 200, 100, false);
    assertEquals(CacheAdvice.State.KNOWN, state(QUIET));
  }
}
