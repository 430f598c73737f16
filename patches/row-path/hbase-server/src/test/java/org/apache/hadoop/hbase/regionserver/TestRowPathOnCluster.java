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
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A server reads the gets of clients by the row path when its key says so. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestRowPathOnCluster {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRowPathOnCluster.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  /** Tells a coprocessor what to do with a get. */
  private static final String WISH = "wish";

  /** Increments, appends, checks, and those in checks, of a half of {@link #write}. */
  private static final int WRITES_THAT_READ = 11;

  private static HRegionServer server;

  /** Has hooks that gets call before a row is read, as access control has. */
  public static class ReadObserver implements RegionCoprocessor, RegionObserver {
    private static final AtomicInteger CALLS = new AtomicInteger();

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get,
      List<Cell> result) throws IOException {
      CALLS.incrementAndGet();
      get.readVersions(2);
      byte[] wish = get.getAttribute(WISH);
      if (wish != null && Bytes.toString(wish).equals("filter")) {
        get.setFilter(new ColumnPaginationFilter(1, 0));
      } else if (wish != null && Bytes.toString(wish).equals("denial")) {
        throw new AccessDeniedException("not this row");
      } else if (wish != null) {
        result.add(new KeyValue(get.getRow(), F, Q, Bytes.toBytes("theirs")));
        if (Bytes.toString(wish).equals("bypass")) {
          context.bypass();
        }
      }
    }

    @Override
    public boolean preExists(ObserverContext<RegionCoprocessorEnvironment> context, Get get,
      boolean exists) throws IOException {
      CALLS.incrementAndGet();
      return exists;
    }
  }

  /** Has a hook that sees the cells of gets. */
  public static class CellObserver implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void postGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get,
      List<Cell> result) throws IOException {
      result.clear();
    }
  }

  /** Has a hook that is given the cells that an increment adds to. */
  public static class AddingObserver implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public List<Pair<Cell, Cell>> postIncrementBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> context, Mutation mutation,
      List<Pair<Cell, Cell>> cells) {
      return cells;
    }
  }

  /** Has a hook that only puts call. */
  public static class WriteObserver implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
      throws IOException {
      put.setAttribute("seen", Q);
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    // Rows are answered from blocks off the heap, and from the memstore.
    UTIL.getConfiguration().set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    UTIL.getConfiguration().setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 32);
    // On the local file system: no test here is about HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
    server = UTIL.getMiniHBaseCluster().getRegionServer(0);
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @After
  public void switchOff() {
    set(false);
  }

  private static void set(boolean enabled) {
    Configuration conf = server.getConfiguration();
    conf.setBoolean(RowPathSettings.ENABLED.key(), enabled);
    server.getRSRpcServices().onConfigurationChange(conf);
  }

  private static long count(String metric) {
    return ((MutableFastCounter) MetricsRowPath.getInstance().getMetricsRegistry().get(metric))
      .value();
  }

  private static Table create(String name, Class<?> coprocessor) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).build());
    if (coprocessor != null) {
      table.setCoprocessor(coprocessor.getName());
    }
    Table created = UTIL.createTable(table.build(), (byte[][]) null);
    for (int i = 0; i < 2; i++) {
      created.put(new Put(Q, 1 + i).addColumn(F, Q, Bytes.toBytes(i)));
      UTIL.flush(created.getName());
    }
    return created;
  }

  private static void assertNothingHeld(Table table) {
    for (HRegion region : server.getRegions(table.getName())) {
      assertTrue(region.scannerReadPoints.isEmpty());
      for (HStoreFile file : region.getStore(F).getStorefiles()) {
        assertEquals(0, file.getRefCount());
      }
    }
  }

  @Test
  public void getsAndBatchesOfClientsAreReadByTheRowPathIfItIsOn() throws Exception {
    try (Table table = create("plain", null)) {
      Get get = new Get(Q);
      long gets = count("rowPathGetCount");
      Result expected = table.get(get);
      Result[] expectedBatch = table.get(Arrays.asList(get, get.addFamily(F), new Get(F)));
      assertEquals(gets, count("rowPathGetCount"));
      set(true);
      Result actual = table.get(get);
      assertEquals(gets + 1, count("rowPathGetCount"));
      Result.compareResults(expected, actual);
      Result[] batch = table.get(Arrays.asList(get, get, new Get(F)));
      assertEquals(gets + 4, count("rowPathGetCount"));
      for (int i = 0; i < batch.length; i++) {
        Result.compareResults(expectedBatch[i], batch[i]);
      }
      assertTrue(table.exists(get));
      assertFalse(table.exists(new Get(F)));
      assertNull(table.get(new Get(F)).getRow());
      // What a call holds is released when its response has been built.
      UTIL.waitFor(120_000, 10, () -> {
        assertNothingHeld(table);
        return true;
      });
      set(false);
      gets = count("rowPathGetCount");
      table.get(get);
      assertEquals(gets, count("rowPathGetCount"));
    }
  }

  @Test
  public void writesReadTheirRowsByTheRowPathIfItIsOn() throws Exception {
    try (Table table = create("writes", null);
      Table seen = create("seenWrites", CellObserver.class)) {
      long writes = count("rowPathWriteCount");
      List<String> expected = write(table, "off");
      List<String> expectedOfSeen = write(seen, "off");
      assertEquals(writes, count("rowPathWriteCount"));
      set(true);
      assertEquals(expected, write(table, "on"));
      // All but one that asks for metrics.
      assertEquals(writes + 2 * WRITES_THAT_READ - 2, count("rowPathWriteCount"));
      assertEquals(expectedOfSeen, write(seen, "on"));
      assertEquals(writes + 2 * WRITES_THAT_READ - 2, count("rowPathWriteCount"));
      assertNothingHeld(table);
      assertNothingHeld(seen);
    }
    try (Table table = create("adding", AddingObserver.class)) {
      long writes = count("rowPathWriteCount");
      Increment increment = new Increment(F).addColumn(F, Q, 1);
      table.increment(increment);
      assertEquals(2, Bytes.toLong(table.increment(increment).value()));
      assertEquals(writes, count("rowPathWriteCount"));
      assertFalse(table.checkAndMutate(CheckAndMutate.newBuilder(F).ifNotExists(F, Q)
        .build(new Put(F).addColumn(F, Q, Q))).isSuccess());
      assertEquals(writes + 1, count("rowPathWriteCount"));
    }
  }

  /** Returns what writes to a row were answered, first in memory and then with a flush before. */
  private static List<String> write(Table table, String row) throws IOException {
    List<String> answers = new ArrayList<>();
    byte[] key = Bytes.toBytes(row);
    byte[] other = Bytes.toBytes("other");
    byte[] tail = Bytes.toBytes("tail");
    for (int i = 0; i < 2; i++) {
      for (Increment increment : new Increment[] { new Increment(key).addColumn(F, Q, 5),
        new Increment(key).addColumn(F, other, 2).addColumn(F, Q, 1),
        new Increment(key).addColumn(F, Q, 7).setTimeRange(0, 1) }) {
        answers.add(describeValues(table.increment(increment)));
      }
      answers.add(describeValues(
        table.append(new Append(key).addColumn(F, tail, Bytes.toBytes("some")))));
      Put put = new Put(key).addColumn(F, Bytes.toBytes("checked"), Bytes.toBytes(i));
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(key);
      for (CheckAndMutate checked : new CheckAndMutate[] {
        check.ifEquals(F, tail, Bytes.toBytes("some")).build(put),
        check.ifEquals(F, tail, Bytes.toBytes("none")).build(put),
        check.ifNotExists(F, Bytes.toBytes("checked")).build(put),
        check.ifMatches(F, Q, CompareOperator.LESS, Bytes.toBytes(0L))
          .timeRange(TimeRange.allTime()).build(new Delete(key).addColumns(F, other)),
        CheckAndMutate.newBuilder(key).ifMatches(new FilterList(
          new SingleColumnValueFilter(F, Q, CompareOperator.GREATER, Bytes.toBytes(0L)),
          new ColumnPaginationFilter(1, 1))).build(new Increment(key).addColumn(F, Q, 1)),
        CheckAndMutate.newBuilder(key).ifMatches(F, Q, CompareOperator.LESS, Bytes.toBytes(0L))
          .queryMetricsEnabled(true).build(put) }) {
        CheckAndMutateResult result = table.checkAndMutate(checked);
        answers.add(result.isSuccess() + describeValues(result.getResult())
          + (result.getMetrics() != null));
      }
      answers.add(describeValues(table.get(new Get(key))));
      UTIL.flush(table.getName());
    }
    return answers;
  }

  /** Returns columns and values; the empty text for no result. */
  private static String describeValues(Result result) {
    StringBuilder text = new StringBuilder();
    if (result != null && !result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        text.append(Bytes.toStringBinary(CellUtil.cloneQualifier(cell))).append('=')
          .append(Bytes.toStringBinary(CellUtil.cloneValue(cell))).append(' ');
      }
    }
    return text.toString();
  }

  @Test
  public void rowsInBlocksOffTheHeapAreAnsweredAsTheyAre() throws Exception {
    int rows = 40;
    try (Table table = create("blocks", null)) {
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        Put put = new Put(Bytes.toBytes(i));
        for (int column = 0; column <= i; column++) {
          put.addColumn(F, Bytes.toBytes(column), Bytes.toBytes(i * column));
        }
        table.put(put);
        gets.add(new Get(put.getRow()));
      }
      UTIL.flush(table.getName());
      Result[] expected = table.get(gets);
      // Blocks are written to the cache by its own threads.
      BlockCache cache = server.getBlockCache().get().getBlockCaches()[1];
      UTIL.waitFor(120_000, 10, () -> cache.getBlockCount() > 0);
      set(true);
      long count = count("rowPathGetCount");
      Result[] batch = table.get(gets);
      for (int i = 0; i < rows; i++) {
        Result.compareResults(expected[i], batch[i]);
        Result.compareResults(expected[i], table.get(gets.get(i)));
        assertEquals(i + 1, batch[i].size());
      }
      assertEquals(count + 2 * rows, count("rowPathGetCount"));
      UTIL.waitFor(120_000, 10, () -> {
        assertNothingHeld(table);
        return true;
      });
    }
  }

  @Test
  public void coprocessorsThatObserveGetsAreCalled() throws Exception {
    set(true);
    try (Table read = create("read", ReadObserver.class);
      Table seen = create("seen", CellObserver.class);
      Table written = create("written", WriteObserver.class)) {
      long gets = count("scannerCoprocessorGetCount");
      assertTrue(seen.get(new Get(Q)).isEmpty());
      assertEquals(gets + 1, count("scannerCoprocessorGetCount"));
      gets = count("rowPathGetCount");
      int calls = ReadObserver.CALLS.get();
      assertEquals(2, read.get(new Get(Q)).size());
      assertEquals(calls + 1, ReadObserver.CALLS.get());
      Result[] batch = read.get(Arrays.asList(new Get(Q), new Get(Q)));
      assertEquals(2, batch[0].size());
      assertEquals(2, batch[1].size());
      assertEquals(calls + 3, ReadObserver.CALLS.get());
      assertEquals(gets + 3, count("rowPathGetCount"));
      assertTrue(read.exists(new Get(Q)));
      assertEquals(calls + 5, ReadObserver.CALLS.get());
      gets = count("rowPathGetCount");
      assertEquals(1, written.get(new Get(Q)).size());
      assertEquals(gets + 1, count("rowPathGetCount"));
    }
  }

  @Test
  public void whatCoprocessorsDecideAboutAGetHolds() throws Exception {
    set(true);
    try (Table table = create("decided", ReadObserver.class)) {
      long rowPath = count("rowPathGetCount");
      assertEquals(1, table.get(wish("filter")).size());
      assertEquals(rowPath + 1, count("rowPathGetCount"));
      assertThrows(AccessDeniedException.class, () -> table.get(wish("denial")));
      Result theirs = table.get(wish("bypass"));
      assertEquals("theirs", Bytes.toString(theirs.getValue(F, Q)));
      assertEquals(1, theirs.size());
      // What a hook has added comes first, as a scanner leaves it.
      long left = count("scannerCoprocessorGetCount");
      Result added = table.get(wish("cell"));
      assertEquals("theirs", Bytes.toString(added.value()));
      assertEquals(left + 1, count("scannerCoprocessorGetCount"));
      assertEquals(rowPath + 1, count("rowPathGetCount"));
    }
  }

  private static Get wish(String wish) {
    return new Get(Q).setAttribute(WISH, Bytes.toBytes(wish));
  }

  @Test
  public void metaIsReadByScanners() throws Exception {
    set(true);
    try (Table meta = UTIL.getConnection().getTable(TableName.META_TABLE_NAME)) {
      long gets = count("scannerMetaGetCount") + count("scannerCoprocessorGetCount");
      meta.get(new Get(Q));
      assertTrue(count("scannerMetaGetCount") + count("scannerCoprocessorGetCount") > gets);
    }
  }
}
