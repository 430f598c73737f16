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
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks;
import org.apache.hadoop.hbase.io.hfile.bucket.TiersValidator;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What is estimated for other sizes is what real caches of these sizes then do. */
@Category({ IOTests.class, MediumTests.class })
public class TestEstimatesOfTiers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEstimatesOfTiers.class);

  /** More takes longer: 32 some ten minutes. */
  private static final int SCALE = Integer.getInteger("cache.sizing.scale", 2);
  private static final int DATA_BYTES = 4000;
  private static final int INDEX_BYTES = 3000;
  private static final int OFFSETS_APART = 10_000;
  private static final int DATA_BLOCKS = 1_875 * SCALE;
  /** Each index block is of so many data blocks. */
  private static final int FAN_OUT = 40;
  private static final int L1_MB = SCALE;
  private static final int L2_MB = 4 * SCALE;
  private static final int READS = 12_500 * SCALE;
  /** Writers that lag behind evict later, so that more is served. */
  private static final int READS_AHEAD = 250;
  /** Three, since an eviction frees a tenth of a tier; and what samples differ by. */
  private static final double POINTS = 4;
  private static final String FILE = "0123456789abcdef0123456789abcdef";

  private static CompositeBucketCache createCache(double l1Factor, double l2Factor) {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", (int) (L1_MB * l1Factor) + "m");
    conf.set("hbase.bucketcache.bucket.sizes", "3328,4352");
    conf.set("hbase.bucketcache.ioengine", "offheap");
    conf.set("hbase.bucketcache.l2.size", (int) (L2_MB * l2Factor) + "m");
    return (CompositeBucketCache) BlockCacheFactory.createBlockCache(conf);
  }

  /** Reads a data block and its index block. */
  private static void read(BlockCache cache, BlockReferences file, long block) {
    read(cache, file, BlockType.LEAF_INDEX, block / FAN_OUT + DATA_BLOCKS, INDEX_BYTES);
    read(cache, file, BlockType.DATA, block, DATA_BYTES);
  }

  /** Does what the reader of a file does. */
  private static void read(BlockCache cache, BlockReferences file, BlockType type, long number,
    int bytes) {
    long offset = number * OFFSETS_APART;
    BlockCacheKey key = TestBlocks.key(FILE, offset, type);
    HFileBlock found = (HFileBlock) cache.getBlock(key, true, false, true);
    if (file != null) {
      file.onLookUp(key, found, false);
    }
    if (found != null) {
      found.release();
      return;
    }
    HFileBlock block = TestBlocks.block(key, bytes);
    if (file != null) {
      file.onLoad(offset, block);
    }
    cache.cacheBlock(key, block, false, true);
  }

  private static void read(CompositeBucketCache cache, int reads, LongSupplier trace)
    throws InterruptedException {
    for (int i = 0; i < reads; i++) {
      read(cache, null, trace.getAsLong());
      if (i % READS_AHEAD == 0) {
        TiersValidator.awaitWritten(cache);
      }
    }
  }

  /** Returns what is served by L1 and by both tiers, in percent, once the cache is full. */
  private static double[] measure(double l1Factor, double l2Factor, LongSupplier trace)
    throws InterruptedException {
    CompositeBucketCache cache = createCache(l1Factor, l2Factor);
    try {
      read(cache, READS, trace);
      MinuteHistory history = new MinuteHistory(cache, new CacheModel(cache),
        new RepeatedMisses(false));
      read(cache, READS, trace);
      history.endMinute(0);
      CacheMinute sum = history.sumOfLast(1);
      return new double[] { CacheAdvice.servedPercent(sum, true),
        CacheAdvice.servedPercent(sum, false) };
    } finally {
      cache.shutdown();
    }
  }

  /** Returns what is estimated at the size of the cache. */
  private static CacheSizingReport estimate(LongSupplier trace) throws InterruptedException {
    CompositeBucketCache cache = createCache(1, 1);
    Configuration conf = new Configuration(false);
    conf.setBoolean(CacheSizingSettings.ENABLED.key(), true);
    CacheSizing.prepare(cache, conf, Collections::emptyList);
    CacheSizing.start(cache);
    try {
      CacheSizing sizing = CacheSizing.of(cache);
      BlockReferences file = BlockReferences.of(cache, new Path("/" + FILE));
      for (int i = 0; i < 3 * READS; i++) {
        read(cache, file, trace.getAsLong());
        if (i % READS_AHEAD == 0) {
          TiersValidator.awaitWritten(cache);
          sizing.drain();
        }
      }
      return sizing.createReport();
    } finally {
      CacheSizing.stop(cache);
      cache.shutdown();
    }
  }

  private static void check(double exponent) throws InterruptedException {
    CacheSizingReport report = estimate(Trace.zipf(DATA_BLOCKS, exponent, 1));
    for (double factor : new double[] { 0.5, 1, 2 }) {
      double[] l1 = measure(factor, 1, Trace.zipf(DATA_BLOCKS, exponent, 2));
      double[] l2 = measure(1, factor, Trace.zipf(DATA_BLOCKS, exponent, 3));
      compare("L1", factor, l1[0], CacheAdvice.at(factor, report.getTiers().get(0)));
      compare("L2", factor, l2[1], CacheAdvice.at(factor, report.getTiers().get(1)));
    }
  }

  private static void compare(String tier, double factor, double measured, CurvePoint estimate) {
    assertEquals(tier + " of " + factor + " times the size", measured, estimate.getHitPercent(),
      POINTS);
  }

  @Test
  public void someBlocksAreReadOften() throws InterruptedException {
    check(0.9);
  }

  @Test
  public void fewBlocksAreReadOften() throws InterruptedException {
    check(1.1);
  }

  @Test
  public void blocksAreReadAlike() throws InterruptedException {
    check(0.3);
  }
}
