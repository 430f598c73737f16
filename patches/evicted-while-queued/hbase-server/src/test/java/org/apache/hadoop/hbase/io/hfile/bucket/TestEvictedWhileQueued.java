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

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
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

/** The eviction of a file takes its blocks from the queues of the writers. In 2.6.4 they stay. */
@RunWith(Parameterized.class)
@Category({ IOTests.class, SmallTests.class })
public class TestEvictedWhileQueued extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEvictedWhileQueued.class);

  private static final int TRIES = 50;

  @Parameter
  public String engine;

  /** Whether an eviction finds nothing that waits. */
  private volatile boolean looked;

  @Parameters(name = "{0}")
  public static List<String> engines() {
    return Arrays.asList("offheap", "file:");
  }

  @Before
  public void setUp() throws IOException {
    start(engine.endsWith(":") ? engine + file() : engine, false);
  }

  private void cacheAll() {
    keys.clear();
    for (int i = 0; i < BLOCKS; i++) {
      keys.add(key(FILE, i * 10_000L, BlockType.DATA));
      cache.cacheBlock(keys.get(i), block(keys.get(i), SIZE));
    }
  }

  @Test
  public void blocksOfTheRangeAreEvictedFromTheQueueAndNoOthers() throws Exception {
    cache.stopWriterThreads();
    cacheAll();
    BlockCacheKey other = key("other", 0, BlockType.DATA);
    cache.cacheBlock(other, block(other, SIZE));
    assertEquals(2,
      cache.evictBlocksRangeByHfileName(FILE, keys.get(1).getOffset(), keys.get(2).getOffset()));
    assertTrue(read(keys.get(0)));
    assertFalse(read(keys.get(1)));
    assertFalse(read(keys.get(2)));
    assertTrue(read(keys.get(3)));
    assertEquals(BLOCKS - 2, cache.evictBlocksByHfileName(FILE));
    assertTrue(read(other));
    assertEquals(1, cache.ramCache.delegate.size());
  }

  @Test
  public void noBlockIsLeftThatWasCachedBefore() throws Exception {
    for (int i = 0; i < TRIES; i++) {
      cacheAll();
      cache.evictBlocksByHfileName(FILE);
      BucketCacheValidator.awaitWritten(cache);
      assertEquals("blocks left in try " + i, 0, cache.getBlockCount());
    }
    BucketCacheValidator.validate(cache);
    assertEquals(0, cache.getAllocator().getUsedSize());
  }

  /** Starts a cache that does something before and after it puts each block into its map. */
  private void start(Consumer<BlockCacheKey> before, Consumer<BlockCacheKey> after)
    throws IOException {
    cache.shutdown();
    cache = new BucketCache(engine.endsWith(":") ? engine + file() : engine, CAPACITY, SIZE,
      new int[] { SLOT_SIZE }, 1, 64, null, BucketCache.DEFAULT_ERROR_TOLERATION_DURATION, conf) {
      @Override
      protected void putIntoBackingMap(BlockCacheKey key, BucketEntry bucketEntry) {
        before.accept(key);
        super.putIntoBackingMap(key, bucketEntry);
        after.accept(key);
      }

      @Override
      protected boolean removeFromRamCache(BlockCacheKey key) {
        return !looked && super.removeFromRamCache(key);
      }
    };
  }

  private void assertCounts(int blocks) throws InterruptedException {
    BucketCacheValidator.awaitWritten(cache);
    assertEquals(blocks, cache.getBlockCount());
    BucketCacheValidator.validate(cache);
  }

  private void evict(BlockCacheKey key) {
    assertTrue(cache.evictBlock(key));
  }

  @Test
  public void blockThatIsEvictedTwiceIsCountedOnce() throws Exception {
    start(this::evict, this::evict);
    cacheAll();
    assertCounts(0);
  }

  /** So many blocks are left as were cached again. In 2.6.4 as many more are counted. */
  @Test
  public void blockThatWaitsToBeCachedAgainIsEvictedWithTheOneBefore() throws Exception {
    fill();
    cache.stopWriterThreads();
    for (BlockCacheKey key : keys) {
      cache.cacheBlock(key, block(key, SIZE, SIZE, ByteBuffAllocator.HEAP));
      assertTrue(cache.ramCache.containsKey(key));
    }
    assertEquals(BLOCKS, cache.evictBlocksByHfileName(FILE));
    assertEquals(0, cache.getBackingMap().size());
    assertEquals(0, cache.getBlockCount());
  }

  /** Then the writer takes what waits for what it has written. */
  @Test
  public void blockThatIsEvictedAndCachedAgainWhileItIsPutIntoTheMapIsCountedOnce()
    throws Exception {
    Set<BlockCacheKey> again = ConcurrentHashMap.newKeySet();
    start(key -> {
    }, key -> {
      if (again.add(key)) {
        evict(key);
        cache.cacheBlock(key, block(key, SIZE));
      }
    });
    cacheAll();
    BucketCacheValidator.awaitWritten(cache);
    assertCounts(cache.getBackingMap().size());
  }

  @Test
  public void blockIsCountedOnceIfItWasCachedAfterItsEvictionLookedForItInTheQueue()
    throws Exception {
    start(key -> {
    }, key -> {
      looked = true;
      evict(key);
      looked = false;
    });
    cacheAll();
    assertCounts(0);
  }
}
