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
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache.RAMQueueEntry;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A writer retains the blocks that it writes, and skips blocks that were evicted before. */
@Category({ IOTests.class, SmallTests.class })
public class TestHeldBlocks extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHeldBlocks.class);

  private static final BlockCacheKey EVICTED = key(FILE, 0, BlockType.DATA);
  private static final BlockCacheKey KEPT = key(FILE, 10_000, BlockType.DATA);

  private final BucketCache.RAMCache waiting = new BucketCache.RAMCache();

  /** Queues a block, of whose references one is the caller's. */
  private RAMQueueEntry queue(BlockCacheKey key) {
    RAMQueueEntry entry = new RAMQueueEntry(key, block(key, SIZE), 0, false, false);
    waiting.putIfAbsent(key, entry);
    return entry;
  }

  private static void assertReferences(int expected, RAMQueueEntry entry) {
    assertEquals(expected, entry.getData().refCnt());
  }

  @Test
  public void whatStillWaitsIsHeldUntilItIsWritten() {
    RAMQueueEntry entry = queue(KEPT);
    List<RAMQueueEntry> entries = new ArrayList<>(Collections.singleton(entry));
    HeldBlocks.hold(entries, waiting);
    assertReferences(3, entry);
    HeldBlocks.release(entries);
    assertReferences(2, entry);
  }

  @Test
  public void whatWasEvictedOrCachedAnewIsNotWritten() {
    RAMQueueEntry evicted = queue(EVICTED);
    RAMQueueEntry replaced = queue(KEPT);
    List<RAMQueueEntry> entries = new ArrayList<>();
    entries.add(evicted);
    entries.add(replaced);
    waiting.remove(EVICTED);
    waiting.remove(KEPT);
    RAMQueueEntry newer = queue(KEPT);
    entries.add(newer);
    HeldBlocks.hold(entries, waiting);
    assertEquals(Collections.singletonList(newer), entries);
    assertReferences(3, newer);
    HeldBlocks.release(entries);
    assertReferences(1, evicted);
    assertReferences(1, replaced);
    assertReferences(2, newer);
  }

  @Test
  public void aBlockThatIsEvictedWhileItIsWrittenKeepsItsBuffer() throws Exception {
    start("offheap", false);
    UnreliableEngine device = UnreliableEngine.under(cache);
    // This block keeps one reference for good.
    device.stall();
    RAMQueueEntry written = cache.ramCache.delegate.values().iterator().next();
    cache.evictBlock(written.getKey());
    assertReferences(2, written);
    device.resume();
    // The same writer writes this block after it.
    cacheBlock(KEPT);
    assertReferences(1, written);
    assertFalse(cache.getBackingMap().containsKey(written.getKey()));
  }

  @Test
  public void whatIsWrittenWhenTheCacheIsShutDownIsReleased() throws Exception {
    start("offheap", false);
    UnreliableEngine.under(cache).stall();
    assertShutdownReleasesWhatIsWritten();
  }

  @Test
  public void whatCannotBeWrittenIsReleased() throws Exception {
    start("offheap", false);
    UnreliableEngine device = UnreliableEngine.under(cache);
    device.stall();
    device.failUnexpectedly();
    assertShutdownReleasesWhatIsWritten();
  }

  private void assertShutdownReleasesWhatIsWritten() throws InterruptedException {
    RAMQueueEntry written = cache.ramCache.delegate.values().iterator().next();
    cache.shutdown();
    cache.writerThreads[0].join();
    assertReferences(1, written);
  }

  @Test
  public void whatWasEvictedBeforeItIsWrittenDoesNotKeepOthersFromIt() throws Exception {
    start("offheap", false);
    UnreliableEngine device = UnreliableEngine.under(cache);
    device.stall();
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 2 * SIZE);
    HFileBlock pooled = block(EVICTED, SIZE, ByteBuffAllocator.create(conf, true));
    cache.cacheBlock(EVICTED, pooled);
    pooled.release();
    cache.cacheBlock(KEPT, block(KEPT, SIZE));
    cache.evictBlock(EVICTED);
    device.resume();
    BucketCacheValidator.awaitWritten(cache);
    assertFalse(read(EVICTED));
    assertTrue(read(KEPT));
    assertTrue(cache.getBackingMap().containsKey(KEPT));
  }
}
