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

import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** The blocks of a file are all found by its name. */
@Category({ IOTests.class, SmallTests.class })
public class TestBlocksByFile extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlocksByFile.class);

  private static final BlockCacheKey KEY = key(FILE, 0, BlockType.DATA);

  @Test
  public void aBlockThatIsCachedAgainWithTheSizeOfTheNextIsEvictedWithItsFile() throws Exception {
    start("offheap", false);
    cacheBlock(KEY);
    cache.cacheBlock(KEY, block(KEY, SIZE, SIZE, ByteBuffAllocator.HEAP));
    BucketCacheValidator.awaitWritten(cache);
    BucketEntry replaced = cache.getBackingMap().get(KEY);
    assertEquals(1, cache.blocksByHFile.size());
    assertEquals(1, cache.evictBlocksByHfileName(FILE));
    assertEquals(0, replaced.refCnt());
    assertEquals(0, cache.getAllocator().getUsedSize());
    assertEquals(0, cache.blocksByHFile.size());
  }

  /** All orders of the steps of a thread that evicts and one that caches. */
  @Test
  public void aBlockThatIsPutWhileAnotherIsEvictedIsInBothOrNeither() {
    for (int order = 0; order < 1 << 6; order++) {
      if (Integer.bitCount(order) == 3) {
        for (boolean before : new boolean[] { false, true }) {
          assertSame(order, before);
        }
      }
    }
  }

  private static void assertSame(int order, boolean before) {
    Map<BlockCacheKey, BucketEntry> blocks = new ConcurrentHashMap<>();
    Set<BlockCacheKey> byFile =
      new ConcurrentSkipListSet<>(Comparator.comparing(BlockCacheKey::getHfileName));
    BucketEntry entry = new BucketEntry(0, SIZE, SIZE, 0, false, ignored -> null,
      ByteBuffAllocator.HEAP);
    if (before) {
      blocks.put(KEY, entry);
      byFile.add(KEY);
    }
    Runnable[] evicting = { () -> blocks.remove(KEY), () -> byFile.remove(KEY),
      () -> BlocksByFile.settle(blocks, byFile, KEY) };
    Runnable[] caching = { () -> blocks.put(KEY, entry), () -> byFile.add(KEY), () -> {
      if (!blocks.containsKey(KEY)) {
        BlocksByFile.settle(blocks, byFile, KEY);
      }
    } };
    int evicted = 0;
    int cached = 0;
    for (int step = 0; step < 6; step++) {
      if ((order >> step & 1) == 0) {
        evicting[evicted++].run();
      } else {
        caching[cached++].run();
      }
    }
    assertEquals("order " + order + ", in it before " + before, blocks.keySet(), byFile);
  }
}
