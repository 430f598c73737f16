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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** A server that aborts leaves the files of its tiers as they are. */
@Category({ IOTests.class, SmallTests.class })
public class TestAbandonedTiers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAbandonedTiers.class);

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final int SIZE = 8 * 1024;
  private static final int INDEX_BLOCKS = 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private CompositeBucketCache cache;

  @After
  public void tearDown() {
    cache.shutdown();
  }

  private void cache(BlockType type, int number) throws InterruptedException {
    BlockCacheKey key = key(FILE, number * 10_000L, type);
    cache.cacheBlock(key, block(key, SIZE));
    TiersValidator.awaitWritten(cache);
  }

  @Test
  public void anAbortWritesNeitherMetadataNorTheListOfBlocks() throws Exception {
    File list = new File(folder.getRoot(), "list");
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "1");
    conf.set("hbase.bucketcache.l2.ioengine", "file:" + new File(folder.getRoot(), "l2"));
    conf.set("hbase.bucketcache.l2.size", "16");
    conf.set("hbase.bucketcache.bucket.sizes", "5120,9216");
    conf.set("hbase.bucketcache.l2.persistent.path", list.toString());
    // Only a shutdown writes the list.
    conf.setLong("hbase.bucketcache.persist.intervalinmillis", TimeUnit.HOURS.toMillis(1));
    cache = CompositeBucketCache.create(conf);
    for (int i = 0; i < INDEX_BLOCKS; i++) {
      cache(BlockType.LEAF_INDEX, i);
    }
    cache(BlockType.DATA, INDEX_BLOCKS);
    assertTrue(cache.isInFiles());
    cache.abandon();
    cache.shutdown();
    assertEquals(0, TiersValidator.l2(cache).getBlockCount(BlockCategory.INDEX));
    assertFalse(list.exists());
    cache = CompositeBucketCache.create(conf);
    assertFalse("another server has the files",
      TiersValidator.l2(cache).holds(key(FILE, INDEX_BLOCKS * 10_000L, BlockType.DATA)));
  }
}
