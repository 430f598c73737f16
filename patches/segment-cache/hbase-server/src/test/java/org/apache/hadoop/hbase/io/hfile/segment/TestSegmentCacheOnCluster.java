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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlockIndex;
import org.apache.hadoop.hbase.io.hfile.NumberedRows;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.FirstTierBucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.TierBucketCache;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.ServersOfTests;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A region server whose data blocks are in segments. */
@Category({ IOTests.class, LargeTests.class })
public class TestSegmentCacheOnCluster {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSegmentCacheOnCluster.class);

  @ClassRule
  public static final ServersOfTests SERVERS = new ServersOfTests();

  private static final TableName TABLE = TableName.valueOf("segments");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("c");
  private static final int ROWS = 10_000;
  private static final int VALUE_BYTES = 1_000;
  private static final int BATCH = 50;
  private static final int ROWS_APART = 7;

  private void start(String engine, int megabytes, String... keysAndValues) throws Exception {
    List<String> all = new ArrayList<>(Arrays.asList(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine,
      HConstants.BUCKET_CACHE_SIZE_KEY, Integer.toString(megabytes)));
    all.addAll(Arrays.asList(keysAndValues));
    SERVERS.start(1, all.toArray(new String[0]));
  }

  private BlockCache cache() {
    return SERVERS.servers().get(0).getBlockCache().get();
  }

  private BlockCache dataCache() {
    return ((CombinedBlockCache) cache()).getSecondLevelCache();
  }

  private void restartServer() throws Exception {
    SERVERS.stop(SERVERS.servers().get(0));
    SERVERS.startOne();
    // The utility waits for 30 s, and its client gives up before.
    SERVERS.util().waitFor(180_000, 10,
      () -> SERVERS.servers().get(0).getRegions(TABLE).size() == 2);
  }

  private static byte[] row(int number) {
    return NumberedRows.key(number);
  }

  private static byte[] value(int number) {
    return NumberedRows.value(number, VALUE_BYTES);
  }

  private Table createAndLoad() throws Exception {
    ColumnFamilyDescriptor family =
      ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(16 * 1024).build();
    Table table = SERVERS.util().createTable(
      TableDescriptorBuilder.newBuilder(TABLE).setColumnFamily(family).build(),
      new byte[][] { row(ROWS / 2) });
    for (int half = 0; half < 2; half++) {
      List<Put> puts = new ArrayList<>();
      for (int i = half; i < ROWS; i += 2) {
        puts.add(new Put(row(i)).addColumn(FAMILY, COLUMN, value(i)));
      }
      table.put(puts);
      SERVERS.util().flush(TABLE);
    }
    return table;
  }

  private static void scan(Table table) throws Exception {
    try (ResultScanner results = table.getScanner(new Scan().setCaching(100))) {
      int row = 0;
      for (Result result : results) {
        assertTrue(Bytes.equals(row(row), result.getRow()));
        assertTrue("row " + row, Bytes.equals(value(row), result.getValue(FAMILY, COLUMN)));
        row++;
      }
      assertEquals(ROWS, row);
    }
  }

  /** Gets few rows at a time, as the server keeps the blocks of a request until it is answered. */
  private static void get(Table table) throws Exception {
    for (int from = 0; from < ROWS; from += BATCH * ROWS_APART) {
      List<Get> gets = new ArrayList<>();
      for (int i = from; i < Math.min(ROWS, from + BATCH * ROWS_APART); i += ROWS_APART) {
        gets.add(new Get(row(i)));
      }
      Result[] results = table.get(gets);
      for (int i = 0; i < results.length; i++) {
        int row = from + i * ROWS_APART;
        assertTrue("row " + row,
          Bytes.equals(value(row), results[i].getValue(FAMILY, COLUMN)));
      }
    }
  }

  @Test
  public void dataIsServedFromSegmentsUntilItsFilesAreGone() throws Exception {
    start("segments", 32);
    Table table = createAndLoad();
    scan(table);
    SegmentCache cache = (SegmentCache) dataCache();
    long blocks = cache.getDataBlockCount();
    assertTrue(blocks + " blocks", blocks > ROWS * VALUE_BYTES / (17 * 1024));
    long misses = cache.getStats().getMissCount();
    long hits = cache.getStats().getHitCount();
    get(table);
    scan(table);
    assertEquals("all is cached", misses, cache.getStats().getMissCount());
    assertTrue(cache.getStats().getHitCount() - hits > blocks);
    assertEquals(0, cache.getStats().getFailedInserts());

    try (Admin admin = SERVERS.util().getConnection().getAdmin()) {
      SERVERS.util().compact(TABLE, true);
      scan(table);
      get(table);
      for (HRegion region : SERVERS.cluster().getRegions(TABLE)) {
        region.getStores().forEach(store -> {
          try {
            store.closeAndArchiveCompactedFiles();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
      }
      scan(table);
      admin.disableTable(TABLE);
      admin.deleteTable(TABLE);
    }
  }

  @Test
  public void resultsAreRightWhileTheCacheTurnsOver() throws Exception {
    start("segments", 4);
    Table table = createAndLoad();
    for (int round = 0; round < 3; round++) {
      scan(table);
      get(table);
    }
    BlockCache cache = dataCache();
    assertTrue(cache.getStats().getEvictedCount() > 1_000);
    assertTrue(cache.getCurrentSize() <= cache.getMaxSize());
    assertEquals(0, cache.getStats().getFailedInserts());
  }

  @Test
  public void resultsAreRightWithSegmentsOnADevice() throws Exception {
    start("segments:" + SERVERS.newFolder() + "/cache", 64);
    Table table = createAndLoad();
    for (int round = 0; round < 3; round++) {
      scan(table);
      get(table);
    }
    SegmentCache cache = (SegmentCache) dataCache();
    assertTrue(cache.getStats().getHitCount() > 3 * ROWS / BATCH);
    assertEquals(0, cache.getStore().getCorrupt());
  }

  @Test
  public void aGracefulStopEvictsNoBlockFromADevice() throws Exception {
    // HRegion's exception is for BucketCache only.
    start("segments:" + SERVERS.newFolder() + "/cache", 64, CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY,
      "true");
    Table table = createAndLoad();
    scan(table);
    scan(table);
    long blocks = dataCache().getBlockCount();
    assertTrue(blocks + " blocks", blocks > ROWS * VALUE_BYTES / (17 * 1024));
    restartServer();
    SegmentCache again = (SegmentCache) dataCache();
    SERVERS.util().waitFor(180_000, 10, () -> again.getStore().getPartsRecovering() == 0);
    assertTrue(again.getBlockCount() + " of " + blocks, again.getBlockCount() >= blocks);
    scan(table);
    assertEquals(0, again.getStore().getCorrupt());
  }

  private void startTiers(String l1, String l2) throws Exception {
    SERVERS.start(1, CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, "true",
      "hbase.bucketcache.l1.ioengine", l1, "hbase.bucketcache.l1.size", "32m",
      "hbase.bucketcache.l2.ioengine", l2, "hbase.bucketcache.l2.size", "64m",
      // Small chunks, so that few rows have blocks of an index.
      HFileBlockIndex.MAX_CHUNK_SIZE_KEY, "1024",
      // Nothing is dropped, however slow the disk is.
      "hbase.bucketcache.queue.addition.waittime", "60000");
  }

  private CompositeBucketCache tiers() {
    return (CompositeBucketCache) cache();
  }

  @Test
  public void resultsAreRightWithTwoTiersOfSegmentsAlsoAfterARestart() throws Exception {
    String l2 = "segments:" + SERVERS.newFolder() + "/l2";
    startTiers("segments", l2);
    Table table = createAndLoad();
    for (int round = 0; round < 3; round++) {
      scan(table);
      get(table);
    }
    FirstSegmentTier first = (FirstSegmentTier) tiers().getFirstLevelCache();
    SegmentTier second = (SegmentTier) tiers().getSecondLevelCache();
    assertTrue(first.getBlockCount(BlockCategory.INDEX) > 0);
    long data = second.getBlockCount(BlockCategory.DATA);
    assertTrue(data + " blocks", data > ROWS * VALUE_BYTES / (17 * 1024));
    assertTrue(tiers().getStats().getPromotionCount() > 0);
    assertEquals(0, second.getStore().getCorrupt());
    restartServer();
    SegmentTier again = (SegmentTier) dataCache();
    SERVERS.util().waitFor(180_000, 10, () -> again.getStore().getPartsRecovering() == 0);
    long kept = again.getBlockCount(BlockCategory.DATA);
    assertTrue(kept + " of " + data, kept > data / 2);
    scan(table);
    get(table);
    assertTrue(again.getStats().getHitCount() > data / 2);
    assertEquals(0, again.getStore().getCorrupt());
  }

  @Test
  public void withAnotherEngineNothingChanges() {
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 64);
    CombinedBlockCache cache = (CombinedBlockCache) BlockCacheFactory.createBlockCache(conf);
    assertTrue(cache.getSecondLevelCache() instanceof BucketCache);
    assertFalse(SegmentCacheSettings.isEnabled(conf));
    cache.shutdown();
  }

  @Test
  public void withOtherEnginesOfTiersNothingChanges() throws Exception {
    startTiers("offheap", "offheap");
    assertSame(FirstTierBucketCache.class, tiers().getFirstLevelCache().getClass());
    assertSame(TierBucketCache.class, tiers().getSecondLevelCache().getClass());
  }
}
