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
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** A file counts as fully cached until one of its blocks is evicted, with any engine. */
@RunWith(Parameterized.class)
@Category({ IOTests.class, SmallTests.class })
public class TestFullyCachedFiles extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFullyCachedFiles.class);

  private static final Path PATH = new Path("/table/region/family/" + FILE);
  /** An offset that no block has in the cache, since locks are chosen by either kind of offset. */
  private static final BlockCacheKey KEY = key(FILE, 7, BlockType.DATA);

  @Parameter
  public String engine;

  @Parameters(name = "{0}")
  public static List<String> engines() {
    return Arrays.asList("offheap", "file:", "mmap:");
  }

  @Before
  public void setUp() throws IOException {
    start(engine.endsWith(":") ? engine + file() : engine, false);
  }

  private void assertFullyCached(boolean expected) {
    assertEquals(expected ? Collections.singleton(FILE) : Collections.emptySet(),
      cache.getFullyCachedFiles().get().keySet());
  }

  @Test
  public void aFileOfWhichABlockWasEvictedIsNotFullyCached() throws Exception {
    cacheBlock(KEY);
    cache.fileCacheCompleted(PATH, SIZE);
    assertFullyCached(true);
    cache.evictBlock(KEY);
    assertFullyCached(false);
  }

  @Test
  public void norIsOneOfWhichAReaderEvictsABlockWithoutKnowingItsType() throws Exception {
    cacheBlock(KEY);
    cache.fileCacheCompleted(PATH, SIZE);
    cache.evictBlock(untyped(KEY));
    assertFullyCached(false);
  }

  @Test
  public void aBlockThatIsNotDataIsNotMissed() throws Exception {
    // BucketCache counts any block of a file engine as data.
    assumeTrue(engine.equals("offheap"));
    BlockCacheKey index = key(FILE, 9, BlockType.LEAF_INDEX);
    cacheBlock(index);
    cache.fileCacheCompleted(PATH, SIZE);
    cache.evictBlock(untyped(index));
    assertFullyCached(true);
  }

  @Test
  public void aBlockThatWaitsToBeWrittenAgainIsMissedWhenItIsEvicted() throws Exception {
    cacheBlock(KEY);
    cache.fileCacheCompleted(PATH, SIZE);
    cache.ramCache.putIfAbsent(KEY,
      new BucketCache.RAMQueueEntry(KEY, block(KEY, SIZE), 0, false, false));
    cache.evictBlock(KEY);
    assertFullyCached(false);
  }

  @Test
  public void aBlockThatIsEvictedAfterItWasCountedIsMissed() throws Exception {
    cacheBlock(KEY);
    cache.notifyFileCachingCompleted(PATH, 1, 1, SIZE);
    assertFullyCached(true);
    cache.evictBlock(KEY);
    cacheBlock(KEY);
    cache.notifyFileCachingCompleted(new Path(PATH.toUri()) {
      /** Called after the blocks were counted, and before the file is marked. */
      @Override
      public Path getParent() {
        cache.evictBlock(KEY);
        return super.getParent();
      }
    }, 1, 1, SIZE);
    assertFullyCached(false);
  }
}
