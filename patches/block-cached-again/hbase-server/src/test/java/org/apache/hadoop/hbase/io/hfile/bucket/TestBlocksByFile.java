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
import static org.junit.Assert.fail;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Queue;
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

/** All blocks of a file are found by its name. */
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
    assertEquals(1, cache.getBlockCount());
    assertEquals(1, cache.evictBlocksByHfileName(FILE));
    assertEquals(0, replaced.refCnt());
    assertEquals(0, cache.getAllocator().getUsedSize());
    assertEquals(0, cache.blocksByHFile.size());
    assertEquals(0, cache.getBlockCount());
  }

  /** Tries all orders of the steps of threads that evict and that cache. */
  @Test
  public void aBlockThatIsPutWhileAnotherIsEvictedIsInBothOrNeither() {
    for (int[] threads : new int[][] { { 1, 1 }, { 2, 1 }, { 1, 2 } }) {
      for (boolean before : new boolean[] { false, true }) {
        assertInBothOrNeither(threads[0], threads[1], before, new ArrayList<>());
      }
    }
  }

  /** Searches depth-first: runs the known steps of an order, then tries all possible next steps. */
  private static void assertInBothOrNeither(int evicting, int caching, boolean before,
    List<Integer> order) {
    Steps steps = new Steps(before);
    List<Queue<Runnable>> threads = new ArrayList<>();
    for (int i = 0; i < evicting + caching; i++) {
      threads.add(i < evicting ? steps.evict() : steps.cache());
    }
    order.forEach(thread -> threads.get(thread).remove().run());
    boolean ended = true;
    for (int i = 0; i < threads.size(); i++) {
      if (!threads.get(i).isEmpty()) {
        ended = false;
        order.add(i);
        assertInBothOrNeither(evicting, caching, before, order);
        order.remove(order.size() - 1);
      }
    }
    if (ended && !steps.areRight()) {
      fail(evicting + " evict, in it before: " + before + ", order " + order);
    }
  }

  /** The steps of threads on a block, to be run one after the other. */
  private static final class Steps {
    private final Map<BlockCacheKey, BucketEntry> blocks = new ConcurrentHashMap<>();
    private final NavigableSet<BlockCacheKey> byFile =
      new ConcurrentSkipListSet<>(Comparator.comparing(BlockCacheKey::getHfileName));

    Steps(boolean before) {
      if (before) {
        blocks.put(KEY, entry());
        byFile.add(KEY);
      }
    }

    private static BucketEntry entry() {
      return new BucketEntry(0, SIZE, SIZE, 0, false, ignored -> null, ByteBuffAllocator.HEAP);
    }

    boolean areRight() {
      return blocks.keySet().equals(byFile)
        && byFile.stream().allMatch(key -> key.getBlockType() == BlockType.DATA);
    }

    Queue<Runnable> evict() {
      Queue<Runnable> steps = new ArrayDeque<>();
      steps.add(() -> {
        if (blocks.remove(KEY) != null) {
          addBlockEvicted(steps, untyped(KEY));
        }
      });
      return steps;
    }

    Queue<Runnable> cache() {
      Queue<Runnable> steps = new ArrayDeque<>();
      steps.add(() -> {
        boolean replaces = blocks.put(KEY, entry()) != null;
        steps.add(() -> byFile.add(KEY));
        steps.add(() -> {
          if (!blocks.containsKey(KEY)) {
            BlocksByFile.settle(blocks, byFile, KEY);
          }
        });
        if (replaces) {
          addBlockEvicted(steps, KEY);
        }
      });
      return steps;
    }

    private void addBlockEvicted(Queue<Runnable> steps, BlockCacheKey key) {
      BlockCacheKey[] stored = { key };
      if (key.getBlockType() == null) {
        steps.add(() -> stored[0] = BlocksByFile.storedKey(byFile, key));
      }
      steps.add(() -> byFile.remove(stored[0]));
      steps.add(() -> {
        if (blocks.containsKey(stored[0])) {
          BlocksByFile.settle(blocks, byFile, stored[0]);
        }
      });
    }
  }
}
