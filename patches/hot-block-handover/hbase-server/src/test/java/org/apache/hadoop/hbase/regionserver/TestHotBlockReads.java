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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.PrefetchThrottle;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;

/** A region's listed blocks are read into an empty block cache. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestHotBlockReads {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHotBlockReads.class);

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int BLOCK_SIZE = 4096;
  private static final int ROWS = 100;
  private static final int MANY = 1000;
  private static final long ROOM = 16 << 20;
  private static final int TIMEOUT_MS = 60_000;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final MetricsHotBlocks metrics = MetricsHotBlocks.getInstance();
  private final BlockCache cache = new LruBlockCache(ROOM, BLOCK_SIZE);
  private final TableDescriptor table =
    TableDescriptorBuilder.newBuilder(TableName.valueOf("reads")).setColumnFamily(
      ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(BLOCK_SIZE).build()).build();
  private final RegionInfo info = RegionInfoBuilder.newBuilder(table.getTableName()).build();
  private HRegion region;

  @Before
  public void setUp() throws IOException {
    Configuration conf = util.getConfiguration();
    region = HBaseTestingUtility.createRegionAndWAL(info, util.getDataTestDir(), conf, table,
      cache);
    write();
  }

  @After
  public void tearDown() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    cache.shutdown();
    util.cleanupTestDir();
  }

  private void write() throws IOException {
    for (int i = 0; i < ROWS; i++) {
      region.put(new Put(Bytes.toBytes(i)).addColumn(FAMILY, FAMILY, new byte[1000]));
    }
    region.flush(true);
  }

  /** Lists all blocks, and empties the cache. */
  private HotBlockList listAll() throws IOException {
    for (int i = 0; i < ROWS; i++) {
      region.get(new Get(Bytes.toBytes(i)));
    }
    Set<String> files = new HashSet<>();
    region.getStore(FAMILY).getStorefiles()
      .forEach(file -> files.add(file.getPath().getName()));
    HotBlockList list = HotBlockList.of(cache, files, MANY);
    files.forEach(cache::evictBlocksByHfileName);
    assertTrue(list.size() > ROWS * 1000 / BLOCK_SIZE / 2);
    assertEquals(0, cache.getBlockCount());
    return list;
  }

  private HotBlockReads reads(HotBlockList list) {
    HotBlockReads reads = new HotBlockReads(region, cache, new PrefetchThrottle());
    reads.setList(list);
    return reads;
  }

  private static void readAll(HotBlockReads reads) throws InterruptedException {
    while (reads.readGroup()) {
      continue;
    }
  }

  @Test
  public void allListedBlocksAreRead() throws Exception {
    HotBlockList list = listAll();
    long read = metrics.blocksReadAhead.value();

    readAll(reads(list));

    assertEquals(list.size(), cache.getBlockCount());
    assertEquals(list.size(), metrics.blocksReadAhead.value() - read);
  }

  @Test
  public void cachedBlocksAreNotReadAgain() throws Exception {
    HotBlockList list = listAll();
    readAll(reads(list));
    long read = metrics.blocksReadAhead.value();
    long cached = metrics.blocksCached.value();

    readAll(reads(list));

    assertEquals(read, metrics.blocksReadAhead.value());
    assertEquals(list.size(), metrics.blocksCached.value() - cached);
  }

  @Test
  public void blocksOfCompactedFilesAreLeftOut() throws Exception {
    write();
    HotBlockList list = listAll();
    long dropped = metrics.blocksDropped.value();
    region.compact(true);

    readAll(reads(list));

    assertEquals(0, cache.getBlockCount());
    assertEquals(list.size(), metrics.blocksDropped.value() - dropped);
  }

  @Test
  public void nothingIsReadOnceTheRegionCloses() throws Exception {
    HotBlockReads reads = reads(listAll());

    assertTrue(reads.readGroup());
    long blocks = cache.getBlockCount();
    reads.cancel();

    assertFalse(reads.readGroup());
    assertEquals(blocks, cache.getBlockCount());
  }

  @Test
  public void colderBlocksEvictNoOthers() throws Exception {
    HotBlockList list = listAll();
    BlockCache small = new LruBlockCache(list.size() * BLOCK_SIZE / 2, BLOCK_SIZE);
    HotBlockReads reads = new HotBlockReads(region, small, new PrefetchThrottle());
    reads.setList(list);
    long dropped = metrics.blocksDropped.value();

    readAll(reads);

    assertTrue(metrics.blocksDropped.value() - dropped >= list.groups().get(4).size());
    small.shutdown();
  }

  @Test
  public void readingWaitsWhileTheCacheLooksForItsBlocks() throws Exception {
    HotBlockList list = listAll();
    AtomicBoolean recovering = new AtomicBoolean(true);
    CountDownLatch asked = new CountDownLatch(2);
    BlockCache late = new LruBlockCache(ROOM, BLOCK_SIZE) {
      @Override
      public boolean isRecovering() {
        asked.countDown();
        return recovering.get();
      }

      @Override
      public Optional<Boolean> hasRoom(boolean metadata, long bytes) {
        return Optional.of(!recovering.get());
      }
    };
    HotBlockReads reads = new HotBlockReads(region, late, new PrefetchThrottle());
    reads.setList(list);
    FutureTask<Void> reading = new FutureTask<>(() -> {
      readAll(reads);
      return null;
    });
    new Thread(reading).start();

    assertTrue(asked.await(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    assertEquals(0, cache.getBlockCount());
    recovering.set(false);
    reading.get();

    assertEquals(list.size(), cache.getBlockCount());
    late.shutdown();
  }

  /** A cache that looks for its blocks until it is told that they are found. */
  private static final class RecoveringCache extends LruBlockCache {
    private volatile boolean recovering = true;

    RecoveringCache() {
      super(ROOM, BLOCK_SIZE);
    }

    @Override
    public boolean isRecovering() {
      return recovering;
    }
  }

  @Test
  public void metadataDoesNotWaitForTheTierOfData() throws Exception {
    HotBlockList list = listAll();
    LruBlockCache first = new LruBlockCache(ROOM, BLOCK_SIZE);
    RecoveringCache second = new RecoveringCache();
    HotBlockReads reads =
      new HotBlockReads(region, new CombinedBlockCache(first, second), new PrefetchThrottle());
    reads.setList(list);
    long read = metrics.blocksReadAhead.value();
    int metadata = list.groups().get(HotBlockList.GROUP_OF_METADATA).size();
    assertNotEquals(0, metadata);

    assertTrue(reads.readGroup());
    assertEquals(metadata, metrics.blocksReadAhead.value() - read);
    assertTrue(reads.readGroup());
    assertEquals(1, reads.getNextGroup());

    second.recovering = false;
    readAll(reads);
    assertEquals(list.size(), metrics.blocksReadAhead.value() - read);
    first.shutdown();
    second.shutdown();
  }

  /** A thread that is interrupted in a read of a device makes who interrupts it wait. */
  @Test
  public void aStopInterruptsNoReader() throws Exception {
    HotBlockFile.write(region.getRegionFileSystem(), listAll());
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    BlockCache slow = new LruBlockCache(ROOM, BLOCK_SIZE) {
      @Override
      public boolean containsBlock(BlockCacheKey key) {
        asked.countDown();
        Uninterruptibles.awaitUninterruptibly(answered);
        interrupted.compareAndSet(false, Thread.currentThread().isInterrupted());
        return super.containsBlock(key);
      }
    };
    HotBlockHandover handover =
      new HotBlockHandover(slow, new HotBlocksSettings(util.getConfiguration()));
    handover.onOpen(region);
    assertTrue(asked.await(TIMEOUT_MS, TimeUnit.MILLISECONDS));

    handover.stop(false);
    answered.countDown();

    util.waitFor(TIMEOUT_MS, 10, () -> !handover.isReading(region));
    assertFalse(interrupted.get());
    slow.shutdown();
  }

  @Test
  public void listIsFoundInTheRegionsFolder() throws Exception {
    HotBlockList list = listAll();

    HotBlockFile.write(region.getRegionFileSystem(), list);
    HotBlockFile.write(region.getRegionFileSystem(), list);

    assertEquals(list.size(), HotBlockFile.read(region.getRegionFileSystem(), MANY).size());
    assertEquals(1, region.getRegionFileSystem().getFamilies().size());
  }
}
