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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Blocks that wait to be written are released exactly once when all are dropped. */
@Category({ IOTests.class, SmallTests.class })
public class TestRAMCacheClear extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRAMCacheClear.class);

  private static final int WAITING = 4;

  private final BucketCache.RAMCache waiting = new BucketCache.RAMCache();
  private final List<HFileBlock> blocks = new ArrayList<>();
  private boolean writerIsNext;

  /** An entry that makes a writer take the others when the first one is dropped. */
  private final class Waiting extends BucketCache.RAMQueueEntry {
    private Waiting(BlockCacheKey key, Cacheable block) {
      super(key, block, 0, false, false);
    }

    @Override
    public Cacheable getData() {
      if (writerIsNext) {
        writerIsNext = false;
        waiting.delegate.keySet().forEach(waiting::remove);
      }
      return super.getData();
    }
  }

  @Before
  public void setUp() {
    for (int i = 0; i < WAITING; i++) {
      BlockCacheKey key = key("file", i, BlockType.DATA);
      HFileBlock block = block(key, 1);
      waiting.putIfAbsent(key, new Waiting(key, block));
      blocks.add(block);
    }
  }

  private void clearAndAssertThatOwnReferencesAreLeft() {
    waiting.clear();
    assertTrue(waiting.isEmpty());
    for (HFileBlock block : blocks) {
      assertEquals(1, block.refCnt());
    }
  }

  @Test
  public void allAreReleased() {
    clearAndAssertThatOwnReferencesAreLeft();
  }

  @Test
  public void whatAWriterTookMeanwhileIsReleasedOnce() {
    writerIsNext = true;
    clearAndAssertThatOwnReferencesAreLeft();
    assertFalse(writerIsNext);
  }

  @Test
  public void whatComesWhileTheCacheIsTurnedOffIsReleased() throws Exception {
    start("offheap", false);
    BlockCacheKey key = new BlockCacheKey(FILE, 0) {
      /** Called after the cache was found to be on. */
      @Override
      public BlockType getBlockType() {
        cache.shutdown();
        return BlockType.DATA;
      }
    };
    HFileBlock block = block(key, SIZE);
    cache.cacheBlock(key, block);
    assertFalse(cache.isCacheEnabled());
    assertTrue(cache.ramCache.isEmpty());
    assertEquals(1, block.refCnt());
  }
}
