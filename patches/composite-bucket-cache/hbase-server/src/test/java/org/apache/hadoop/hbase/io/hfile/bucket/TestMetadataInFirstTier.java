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
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Metadata that L1 has room for stays there, whatever data is admitted. */
@Category({ IOTests.class, MediumTests.class })
public class TestMetadataInFirstTier {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMetadataInFirstTier.class);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final int INDEX_SIZE = 1_900;
  private static final int DATA_SIZE = 900;
  /** Blocks that fit into 1 MB: 128 buckets of 8 KB with 4 blocks each. */
  private static final int L1_INDEX_BLOCKS = 512;

  private CompositeBucketCache cache;

  @Before
  public void setUp() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "1");
    conf.set("hbase.bucketcache.bucket.sizes", "1024,2048");
    conf.set("hbase.bucketcache.l2.ioengine", "file:" + new File(folder.getRoot(), "l2"));
    conf.set("hbase.bucketcache.l2.size", "16");
    cache = CompositeBucketCache.create(conf);
  }

  @After
  public void tearDown() {
    cache.shutdown();
  }

  private void makeHot(int number) throws InterruptedException {
    BlockCacheKey key = key(FILE, 100_000_000L + number * 10_000L, BlockType.DATA);
    for (int i = 0; i < 5; i++) {
      Cacheable found = cache.getBlock(key, true, false, true);
      if (found == null) {
        cache.cacheBlock(key, block(key, DATA_SIZE));
        TiersValidator.awaitWritten(cache);
      } else {
        found.release();
      }
    }
    TiersValidator.awaitWritten(cache);
  }

  @Test
  public void metadataThatFitsIsNeverDemotedForData() throws Exception {
    int metadata = L1_INDEX_BLOCKS * 8 / 10;
    for (int i = 0; i < metadata; i++) {
      BlockCacheKey key = key(FILE, i * 10_000L, BlockType.LEAF_INDEX);
      cache.cacheBlock(key, block(key, INDEX_SIZE));
      TiersValidator.awaitWritten(cache);
      makeHot(2 * i);
      makeHot(2 * i + 1);
    }
    assertTrue("data was let in", cache.getStats().getPromotionCount() > 0);
    assertEquals("demoted", 0,
      TiersValidator.l2(cache).getBlockCount(BlockCategory.INDEX));
    assertEquals(metadata, TiersValidator.l1(cache).getBlockCount(BlockCategory.INDEX));
  }
}
