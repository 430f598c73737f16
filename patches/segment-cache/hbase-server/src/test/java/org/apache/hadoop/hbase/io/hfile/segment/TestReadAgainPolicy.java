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

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** How much of the memory new blocks get. */
@Category({ IOTests.class, SmallTests.class })
public class TestReadAgainPolicy {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestReadAgainPolicy.class);

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final int SIZE = 4 * 1024;
  /** Blocks that fill the cache of 8 MB; it has 64 segments of 31. */
  private static final int FULL = 64 * 31;
  private static final double LEAST = 0.1;
  private static final double MOST = 0.9;

  private final Configuration conf = new Configuration(false);
  private ReadAgainPolicy policy;
  private SegmentCache cache;
  private int next;

  @Before
  public void setUp() throws IOException {
    conf.set("hbase.bucketcache.ioengine", "segments");
    conf.setInt("hbase.bucketcache.size", 8);
    conf.setInt("hbase.blockcache.minblocksize", SIZE);
    SegmentCacheSettings settings = new SegmentCacheSettings(conf);
    cache = new SegmentCache(settings, new CacheStats("test"), index -> {
      policy = new ReadAgainPolicy(settings.getSegments(), settings.getSegmentSize(), index,
        settings.getExpectedBlocks());
      return policy;
    });
  }

  @After
  public void tearDown() {
    cache.shutdown();
  }

  /** Reads blocks, and caches those that are missed. Returns how many were hits. */
  private int read(int from, int to) {
    int hits = 0;
    for (int i = from; i < to; i++) {
      BlockCacheKey key = key(FILE, i * 10_000L, BlockType.DATA);
      Cacheable found = cache.getBlock(key, true, false, true);
      if (found == null) {
        cache.cacheBlock(key, block(key, SIZE));
      } else {
        found.release();
        hits++;
      }
    }
    return hits;
  }

  /** Reads blocks that nobody reads again. */
  private void scan(int count) {
    next += count;
    read(1_000_000 + next - count, 1_000_000 + next);
  }

  /** Fills the main queue with blocks that are read over and over. */
  private void fillMainQueue(int from) {
    for (int round = 0; round < 12; round++) {
      for (int i = 0; i < FULL / 2; i += 50) {
        read(from + i, from + i + 50);
        read(from + i, from + i + 50);
        scan(5);
      }
    }
  }

  @Test
  public void scansGetTheLeast() {
    for (int round = 0; round < 20; round++) {
      read(0, FULL / 20);
      read(0, FULL / 20);
      scan(FULL / 2);
    }
    assertEquals(LEAST, policy.getFirstPart(), 0.01);
    assertTrue("they stay", read(0, FULL / 20) > FULL / 20 * 9 / 10);
  }

  @Test
  public void newBlocksGetMoreWhereTheyComeBackAndLessWhereThoseDoThatHadStayed() {
    fillMainQueue(0);
    double before = policy.getFirstPart();
    assertTrue("first part " + before, before < 0.5);
    // Others are read now, each for the second time when it has just left the first queue.
    int distance = FULL / 2;
    double grown = before;
    for (int i = 100_000; i < 100_000 + 6 * FULL; i += 50) {
      read(i, i + 50);
      read(i - distance, i - distance + 50);
      grown = Math.max(grown, policy.getFirstPart());
    }
    assertTrue("from " + before + " to " + grown, grown > before + 0.1 && grown <= MOST);
    // What had stayed is missed by those who read it, while others come and go.
    double shrunk = grown;
    for (int round = 0; round < 12; round++) {
      read(200_000, 200_000 + FULL * 5 / 4);
      read(200_000, 200_000 + FULL / 2);
      shrunk = Math.min(shrunk, policy.getFirstPart());
    }
    assertTrue("from " + grown + " to " + shrunk, shrunk < grown && shrunk >= LEAST);
  }
}
