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

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator.Recycler;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** The entry of a block that can't be written or synced is released, and it isn't counted. */
@RunWith(Parameterized.class)
@Category({ IOTests.class, MediumTests.class })
public class TestUnwrittenEntries extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestUnwrittenEntries.class);

  private static final int TIMEOUT_MS = 60_000;

  /** Milliseconds between tries of the device, as the key has it. */
  @Parameter
  public int retryMs;

  private final Queue<BucketEntry> entries = new ConcurrentLinkedQueue<>();
  private UnreliableEngine device;

  @Parameters(name = "tried each {0} ms")
  public static Object[] retries() {
    return new Object[] { 0, Integer.MAX_VALUE };
  }

  /** Starts a cache whose entries are noted, with blocks. */
  private void start() throws Exception {
    conf.setInt(DeviceWatch.RETRY_INTERVAL.key(), retryMs);
    cache = new BucketCache("file:" + file(), CAPACITY, SIZE, new int[] { SLOT_SIZE }, 1, 64, null,
      Integer.MAX_VALUE, conf) {
      @Override
      public Recycler createRecycler(BucketEntry entry) {
        entries.add(entry);
        return super.createRecycler(entry);
      }
    };
    device = UnreliableEngine.under(cache);
    fill();
  }

  private void cacheAnother() {
    BlockCacheKey another = key("another", 0, BlockType.DATA);
    cache.cacheBlock(another, block(another, SIZE));
  }

  private void assertAllButThoseOfCachedBlocksAreReleased() {
    assertTrue(entries.size() > BLOCKS);
    Collection<BucketEntry> cached = cache.getBackingMap().values();
    entries.removeAll(cached);
    for (BucketEntry entry : entries) {
      assertEquals(0, entry.refCnt());
    }
    assertEquals((long) cached.size() * SLOT_SIZE, cache.getAllocator().getUsedSize());
    assertEquals(cached.stream().mapToLong(BucketEntry::getLength).sum(),
      cache.getRealCacheSize());
    assertEquals(cached.size(), cache.getBlockCount());
    assertEquals(BLOCKS, countServed());
  }

  @Test
  public void ofABlockThatIsNotWritten() throws Exception {
    start();
    device.fail();
    cacheAnother();
    Waiter.waitFor(conf, TIMEOUT_MS, 1, () -> entries.size() > BLOCKS);
    device.heal();
    BucketCacheValidator.awaitWritten(cache);
    assertAllButThoseOfCachedBlocksAreReleased();
  }

  @Test
  public void ofABlockThatIsNotSynced() throws Exception {
    start();
    device.failSyncs();
    cacheAnother();
    BucketCacheValidator.awaitWritten(cache);
    assertAllButThoseOfCachedBlocksAreReleased();
  }

  @Test
  public void aBlockThatFitsNoSlotIsNotCounted() throws Exception {
    start();
    BlockCacheKey large = key("large", 0, BlockType.DATA);
    cache.cacheBlock(large, block(large, 2 * SLOT_SIZE));
    BucketCacheValidator.awaitWritten(cache);
    assertEquals(BLOCKS, cache.getBackingMap().size());
    assertEquals(BLOCKS, cache.getBlockCount());
  }
}
