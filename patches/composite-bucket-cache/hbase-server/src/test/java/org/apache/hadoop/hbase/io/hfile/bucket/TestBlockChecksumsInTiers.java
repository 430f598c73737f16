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
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.untyped;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
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
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Only the second of two tiers has checksums, whatever engine the first has. */
@RunWith(Parameterized.class)
@Category({ IOTests.class, MediumTests.class })
public class TestBlockChecksumsInTiers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlockChecksumsInTiers.class);

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final int SIZE = 8 * 1024;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Parameter
  public String engine;

  private final Configuration conf = new Configuration(false);
  private final BlockCacheKey index = key(FILE, 0, BlockType.LEAF_INDEX);
  private final BlockCacheKey data = key(FILE, 10_000, BlockType.DATA);
  private CompositeBucketCache cache;

  @Parameters(name = "{0}")
  public static List<String> engines() {
    return Arrays.asList("file", "direct", "mmap");
  }

  @Before
  public void setUp() {
    conf.set("hbase.bucketcache.l1.ioengine", "mmap:" + new File(folder.getRoot(), "l1"));
    conf.set("hbase.bucketcache.l1.size", "1");
    conf.set("hbase.bucketcache.bucket.sizes", "12288");
    conf.set("hbase.bucketcache.l2.ioengine", engine + ":" + new File(folder.getRoot(), "l2"));
    conf.set("hbase.bucketcache.l2.size", "4");
  }

  @After
  public void tearDown() throws InterruptedException {
    TiersValidator.validate(cache);
    cache.shutdown();
  }

  private void startAndFill() throws InterruptedException {
    cache = CompositeBucketCache.create(conf);
    cache.cacheBlock(index, block(index, SIZE));
    cache.cacheBlock(data, block(data, SIZE));
    TiersValidator.awaitWritten(cache);
    assertEquals(BlockChecksum.NONE,
      TiersValidator.l1(cache).getBackingMap().get(index).checksum);
  }

  private BucketEntry dataEntry() {
    return TiersValidator.l2(cache).getBackingMap().get(data);
  }

  @Test
  public void aBlockOfTheSecondThatIsNotWhatWasCachedIsMissed() throws Exception {
    startAndFill();
    assertNotEquals(BlockChecksum.NONE, dataEntry().checksum);
    TiersValidator.l2(cache).ioEngine.write(ByteBuffer.allocate(16),
      dataEntry().offset() + SIZE / 2);
    assertNull(cache.getBlock(untyped(data), true, false, true));
    assertEquals(1, cache.getStats().getMissCount());
    assertEquals(0, TiersValidator.l2(cache).getDataBlockCount());
  }

  @Test
  public void theSecondHasNoneIfItIsToldSo() throws Exception {
    conf.setBoolean(FileEngineSettings.CHECKSUM.key(), false);
    startAndFill();
    assertEquals(BlockChecksum.NONE, dataEntry().checksum);
  }
}
