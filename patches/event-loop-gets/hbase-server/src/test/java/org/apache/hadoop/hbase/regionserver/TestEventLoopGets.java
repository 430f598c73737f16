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
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.BeforeParam;
import org.junit.runners.Parameterized.Parameters;

/** Gets of clients, with data blocks in memory and on a device. */
@RunWith(Parameterized.class)
@Category({ RegionServerTests.class, MediumTests.class })
public class TestEventLoopGets extends EventLoopGetsTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEventLoopGets.class);

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  private static boolean inMemory;
  private static int tables;

  public TestEventLoopGets(String engine) {
    assertNotNull(engine);
  }

  @Parameters(name = "{0}")
  public static List<String> engines() {
    return Arrays.asList("offheap", "file");
  }

  @BeforeParam
  public static void startCluster(String engine) throws Exception {
    stopCluster();
    inMemory = engine.equals("offheap");
    Configuration conf = newConfiguration();
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY,
      inMemory ? engine : "file:" + util.getDataTestDir("cache"));
    startServer();
  }

  @AfterClass
  public static void tearDown() throws Exception {
    stopCluster();
  }

  @Before
  public void switchOn() throws IOException {
    set(true);
    // Those that weren't in memory in another test have some skipped.
    try (Table table = create(1)) {
      for (int i = 0; i < 100; i++) {
        table.get(new Get(Q));
      }
    }
  }

  private static Table create(int columns) throws IOException {
    // With the bloom filter that a family has by default.
    Table table = util.createTable(TableDescriptorBuilder
      .newBuilder(TableName.valueOf("t" + tables++))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build(), (byte[][]) null);
    Put put = new Put(Q);
    for (int i = 0; i < columns; i++) {
      put.addColumn(F, Bytes.toBytes(i), Q);
    }
    table.put(put);
    return table;
  }

  private static HRegion regionOf(Table table) {
    return server.getRegions(table.getName()).get(0);
  }

  /** What a call holds is released when its response has been built. */
  private static void assertNothingHeld(Table table) throws Exception {
    util.waitFor(PATIENCE_MS, 10, () -> {
      HRegion region = regionOf(table);
      return region.scannerReadPoints.isEmpty() && region.getStore(F).getStorefiles().stream()
        .allMatch(file -> file.getRefCount() == 0);
    });
  }

  @Test
  public void getsOfTheMemstoreAreAnsweredIfItIsOn() throws Exception {
    try (Table table = create(3)) {
      Get get = new Get(Q);
      set(false);
      long read = count("eventLoopReadCount");
      Result expected = table.get(get);
      assertEquals(read, count("eventLoopReadCount"));
      set(true);
      long requests = server.getRSRpcServices().rpcGetRequestCount.sum();
      long ofRegion = regionOf(table).getReadRequestsCount();
      Result.compareResults(expected, table.get(get));
      assertTrue(table.exists(get));
      assertFalse(table.exists(new Get(F)));
      assertTrue(table.get(new Get(F)).isEmpty());
      assertEquals(read + 4, count("eventLoopReadCount"));
      assertEquals(requests + 4, server.getRSRpcServices().rpcGetRequestCount.sum());
      assertEquals(ofRegion + 4, regionOf(table).getReadRequestsCount());
      assertNothingHeld(table);
    }
  }

  @Test
  public void whatIsNotPlainGoesToAHandler() throws Exception {
    try (Table table = create(1_000)) {
      long read = count("eventLoopReadCount");
      long notInMemory = count("eventLoopNotInMemoryCount");
      assertEquals(1_000, table.get(new Get(Q).setFilter(new PageFilter(1))).size());
      assertEquals(notInMemory, count("eventLoopNotInMemoryCount"));
      assertEquals(1_000, table.get(new Get(Q)).size());
      assertEquals(notInMemory + 1, count("eventLoopNotInMemoryCount"));
      assertEquals(read, count("eventLoopReadCount"));
      assertNothingHeld(table);
    }
    try (Table meta = util.getConnection().getTable(TableName.META_TABLE_NAME)) {
      long read = count("eventLoopReadCount");
      meta.get(new Get(Q));
      assertEquals(read, count("eventLoopReadCount"));
    }
  }

  @Test
  public void blocksInMemoryAreReadAndThoseOnADeviceAreNot() throws Exception {
    try (Table table = create(3)) {
      util.flush(table.getName());
      Get get = new Get(Q);
      StoreFileReader file =
        regionOf(table).getStore(F).getStorefiles().iterator().next().getReader();
      CacheStats stats = server.getBlockCache().get().getStats();
      set(false);
      awaitCached(table, Collections.singletonList(get));
      long hits = stats.getHitCount();
      Result expected = table.get(get);
      hits = stats.getHitCount() - hits;
      set(true);
      long read = count("eventLoopReadCount");
      long notInMemory = count("eventLoopNotInMemoryCount");
      long hitsBefore = stats.getHitCount();
      long misses = stats.getMissCount();
      Result.compareResults(expected, table.get(get));
      assertEquals(read + (inMemory ? 1 : 0), count("eventLoopReadCount"));
      assertEquals(notInMemory + (inMemory ? 0 : 1), count("eventLoopNotInMemoryCount"));
      assertEquals("each look-up is counted once", hits, stats.getHitCount() - hitsBefore);
      assertEquals(misses, stats.getMissCount());
      assertTrue("the bloom filter still works", IntStream.range(0, 100)
        .anyMatch(row -> !file.passesGetBloomFilter(Bytes.toBytes(row), null)));
      assertNothingHeld(table);
    }
  }

  /** To know where a row ends, the block behind its last cell is read. */
  @Test
  public void rowsThatEndWithABlockAreRead() throws Exception {
    try (Table table = create(1)) {
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        byte[] row = Bytes.toBytes(i);
        table.put(new Put(row).addColumn(F, Q, new byte[20 << 10]));
        gets.add(new Get(row));
      }
      util.flush(table.getName());
      CacheStats stats = server.getBlockCache().get().getStats();
      set(false);
      awaitCached(table, gets);
      for (Get get : gets) {
        set(false);
        long hits = stats.getHitCount();
        assertEquals(1, table.get(get).size());
        hits = stats.getHitCount() - hits;
        set(true);
        long read = count("eventLoopReadCount");
        long hitsBefore = stats.getHitCount();
        assertEquals(1, table.get(get).size());
        assertEquals(read + (inMemory ? 1 : 0), count("eventLoopReadCount"));
        assertEquals("each look-up is counted once", hits, stats.getHitCount() - hitsBefore);
      }
      assertNothingHeld(table);
    }
  }

  @Test
  public void missesAreCountedOnce() throws Exception {
    try (Table table = create(3)) {
      util.flush(table.getName());
      BlockCache cache = server.getBlockCache().get();
      String name =
        regionOf(table).getStore(F).getStorefiles().iterator().next().getPath().getName();
      long[] missed = new long[2];
      for (int i = 0; i < 2; i++) {
        set(i == 1);
        util.waitFor(PATIENCE_MS, 10, EventLoopGetsTestBase::isWritten);
        cache.evictBlocksByHfileName(name);
        long misses = cache.getStats().getMissCount();
        assertEquals(3, table.get(new Get(Q)).size());
        missed[i] = cache.getStats().getMissCount() - misses;
      }
      assertTrue(missed[0] > 0);
      assertEquals(missed[0], missed[1]);
      assertNothingHeld(table);
    }
  }
}
