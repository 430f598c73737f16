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
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.compress.GzipCodec;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Clients see the same if rows are read several at a time. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestScanRunsOnCluster {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestScanRunsOnCluster.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName PLAIN = TableName.valueOf("plain");
  /** The others' blocks have no encoding. */
  private static final Map<TableName, DataBlockEncoding> ENCODED = new TreeMap<>();
  static {
    ENCODED.put(TableName.valueOf("row-index"), DataBlockEncoding.ROW_INDEX_V1);
    ENCODED.put(TableName.valueOf("fast-diff"), DataBlockEncoding.FAST_DIFF);
  }
  private static final TableName OBSERVED = TableName.valueOf("observed");
  private static final TableName CHANGED = TableName.valueOf("changed");
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 600;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  /** Is given the rows of scans, takes the cells of some, and is told of those left out. */
  public static class Observer implements RegionCoprocessor, RegionObserver {
    private static volatile int objects;
    private static volatile int leftOut;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public boolean postScannerNext(ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner, List<Result> results, int limit,
      boolean hasNext) throws IOException {
      for (Result result : results) {
        Result copy = Result.create(new Cell[0]);
        copy.copyFrom(result);
        objects += copy.isEmpty() ? 0 : 1;
      }
      return hasNext;
    }

    @Override
    public boolean postScannerFilterRow(ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner, Cell row, boolean hasMore) {
      leftOut++;
      return hasMore;
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 64);
    // A call's rows that are copied take several.
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 4096);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 5000);
    // On the local file system: no test here is about HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
    List<TableName> names = new ArrayList<>(Arrays.asList(PLAIN, OBSERVED, CHANGED));
    names.addAll(ENCODED.keySet());
    for (TableName name : names) {
      TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(16 * 1024)
            .setDataBlockEncoding(ENCODED.getOrDefault(name, DataBlockEncoding.NONE)).build());
      if (name == OBSERVED) {
        table.setCoprocessor(Observer.class.getName());
      }
      try (Table created = UTIL.createTable(table.build(), (byte[][]) null)) {
        Random random = new Random(1);
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
          Put put = new Put(Bytes.toBytes(String.format("row-%04d", i)), 1);
          int cells = 1 + random.nextInt(12);
          for (int j = 0; j < cells; j++) {
            byte[] value = new byte[random.nextInt(100)];
            random.nextBytes(value);
            put.addColumn(F, Bytes.toBytes("q" + j), value);
          }
          puts.add(put);
        }
        created.put(puts);
      }
      UTIL.flush(name);
      UTIL.waitFor(60_000, 10, () -> isOffHeap(name));
    }
  }

  private static void setRuns(TableName name, boolean runs) {
    Configuration conf = new Configuration(UTIL.getConfiguration());
    conf.setBoolean(ScanRunsSettings.ENABLED.key(), runs);
    region(name).getStores().forEach(store -> store.onConfigurationChange(conf));
  }

  /** Reads a table; returns true if all of its blocks were in the tier off the heap before. */
  private static boolean isOffHeap(TableName name) throws IOException {
    BucketCache tier = (BucketCache) UTIL.getMiniHBaseCluster().getRegionServer(0).getBlockCache()
      .get().getBlockCaches()[1];
    HStoreFile file = region(name).getStore(F).getStorefiles().iterator().next();
    String fileName = file.getPath().getName();
    long blocks = tier.getBackingMap().keySet().stream()
      .filter(key -> key.getHfileName().equals(fileName) && key.getBlockType().isData()).count();
    scan(UTIL.getConnection(), name, new Scan());
    return blocks == file.getReader().getHFileReader().getTrailer().getDataIndexCount();
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  private static HRegion region(TableName name) {
    return UTIL.getMiniHBaseCluster().getRegions(name).get(0);
  }

  /** Returns what a client sees of a scan, and what its region has counted. */
  private static List<String> scan(Connection connection, TableName name, Scan scan)
    throws IOException {
    List<String> seen = new ArrayList<>();
    long reads = region(name).getReadRequestsCount();
    try (Table table = connection.getTable(name);
      ResultScanner scanner = table.getScanner(new Scan(scan))) {
      for (Result result : scanner) {
        seen.add(textOf(result));
      }
      ScanMetrics metrics = scanner.getScanMetrics();
      if (metrics != null) {
        seen.add("rows " + metrics.countOfRowsScanned + " filtered " + metrics.countOfRowsFiltered
          + " calls " + metrics.countOfRPCcalls + " bytes " + metrics.countOfBytesInResults
          + " blocks " + metrics.countOfBlockBytesScanned);
      }
    }
    seen.add("reads " + (region(name).getReadRequestsCount() - reads));
    return seen;
  }

  private static String textOf(Result result) {
    StringBuilder text = new StringBuilder();
    // A cursor has no cells.
    for (Cell cell : result.isCursor() ? new Cell[0] : result.rawCells()) {
      text.append(CellUtil.getCellKeyAsString(cell)).append(' ')
        .append(Bytes.toStringBinary(CellUtil.cloneValue(cell))).append(' ');
    }
    return text.append(result.mayHaveMoreCellsInRow()).append(result.isCursor()).toString();
  }

  private Scan anyScan(Random random) {
    Scan scan = new Scan().setScanMetricsEnabled(true);
    int from = random.nextInt(ROWS);
    if (random.nextInt(3) > 0) {
      scan.withStartRow(Bytes.toBytes(String.format("row-%04d", from)), random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      scan.withStopRow(Bytes.toBytes(String.format("row-%04d", from + random.nextInt(300))),
        random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      scan.setCaching(1 + random.nextInt(150));
    }
    if (random.nextInt(3) == 0) {
      scan.setMaxResultSize(500 + random.nextInt(30_000));
      scan.setAllowPartialResults(random.nextBoolean());
    }
    if (random.nextInt(8) == 0) {
      scan.setBatch(1 + random.nextInt(12));
    } else if (!scan.getAllowPartialResults() && random.nextInt(3) == 0) {
      // A client that sees parts of rows may come to another end with a limit.
      scan.setLimit(1 + random.nextInt(200));
    }
    if (random.nextInt(8) == 0) {
      scan.setNeedCursorResult(true);
    }
    if (scan.getBatch() < 0 && random.nextInt(2) == 0) {
      scan.setFilter(anyFilter(random));
    }
    scan.setReadType(Scan.ReadType.values()[random.nextInt(3)]);
    return scan;
  }

  private static Filter anyFilter(Random random) {
    String digit = Integer.toString(random.nextInt(10));
    Filter rows = new RowFilter(CompareOperator.EQUAL, new SubstringComparator(digit));
    switch (random.nextInt(6)) {
      case 0:
        return new FirstKeyOnlyFilter();
      case 1:
        return new KeyOnlyFilter(random.nextInt(4) == 0);
      case 2:
        return new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter());
      case 3:
        return rows;
      case 4:
        return new FilterList(rows, new FirstKeyOnlyFilter());
      default:
        return new RowFilter(CompareOperator.GREATER_OR_EQUAL,
          new BinaryComparator(Bytes.toBytes("row-0" + digit)));
    }
  }

  private static void assertSame(Connection connection, TableName name, Scan scan)
    throws IOException {
    setRuns(name, false);
    long before = rowsAtOnce();
    List<String> usual = scan(connection, name, scan);
    assertEquals(before, rowsAtOnce());
    setRuns(name, true);
    assertEquals(scan.toString(), usual, scan(connection, name, scan));
  }

  private static long rowsAtOnce() {
    return MetricsScanRuns.getInstance().getRowsAtOnce();
  }

  @Test
  public void clientsSeeTheSame() throws Exception {
    Random random = seed.newRandom();
    long before = rowsAtOnce();
    for (int i = 0; i < 150; i++) {
      assertSame(UTIL.getConnection(), PLAIN, anyScan(random));
    }
    long rows = rowsAtOnce() - before;
    assertTrue("rows at once: " + rows, rows > 150 * 20);
  }

  @Test
  public void clientsSeeTheSameOfEncodedBlocks() throws Exception {
    Random random = seed.newRandom();
    ByteBuffAllocator buffers =
      UTIL.getMiniHBaseCluster().getRegionServer(0).getRpcServer().getByteBuffAllocator();
    int used = buffers.getUsedBufferCount() - buffers.getFreeBufferCount();
    for (TableName name : ENCODED.keySet()) {
      long before = rowsAtOnce();
      for (int i = 0; i < 60; i++) {
        assertSame(UTIL.getConnection(), name, anyScan(random));
      }
      long rows = rowsAtOnce() - before;
      assertTrue(name + ": " + rows, rows > 60 * 20);
    }
    UTIL.waitFor(30_000,
      () -> buffers.getUsedBufferCount() - buffers.getFreeBufferCount() <= used);
  }

  @Test
  public void limitsAreMetExactly() throws Exception {
    for (int rows = 1; rows < 60; rows++) {
      for (Scan scan : new Scan[] { new Scan().setLimit(rows),
        new Scan().setCaching(rows).setScanMetricsEnabled(true),
        new Scan().setLimit(rows + 30).setCaching(rows), new Scan().setOneRowLimit() }) {
        assertSame(UTIL.getConnection(), PLAIN, scan);
      }
    }
  }

  /** Tags, compression, and no cell blocks at all. */
  @Test
  public void otherClientsSeeTheSame() throws Exception {
    Configuration tags = new Configuration(UTIL.getConfiguration());
    tags.set(HConstants.RPC_CODEC_CONF_KEY, KeyValueCodecWithTags.class.getName());
    Configuration compressing = new Configuration(UTIL.getConfiguration());
    compressing.set("hbase.client.rpc.compressor", GzipCodec.class.getName());
    Configuration without = new Configuration(UTIL.getConfiguration());
    without.set("hbase.client.default.rpc.codec", "");
    for (Configuration conf : new Configuration[] { tags, compressing, without }) {
      try (Connection connection = ConnectionFactory.createConnection(conf)) {
        for (Scan scan : new Scan[] { new Scan(), new Scan().setFilter(new KeyOnlyFilter()),
          new Scan().setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter())) }) {
          long before = rowsAtOnce();
          assertSame(connection, PLAIN, scan);
          assertTrue(scan.toString(), rowsAtOnce() > before);
        }
      }
    }
  }

  @Test
  public void aCoprocessorIsGivenRowsAsEver() throws Exception {
    long before = rowsAtOnce();
    setRuns(OBSERVED, true);
    Observer.objects = 0;
    scan(UTIL.getConnection(), OBSERVED, new Scan());
    assertEquals(before, rowsAtOnce());
    // Some rows come in parts.
    assertTrue("rows: " + Observer.objects, Observer.objects >= ROWS);
  }

  @Test
  public void aCoprocessorIsToldOfRowsThatAreLeftOutAsEver() throws Exception {
    long before = MetricsScanRuns.getInstance().getRowsPassed();
    setRuns(OBSERVED, true);
    Observer.leftOut = 0;
    scan(UTIL.getConnection(), OBSERVED, new Scan().setFilter(
      new RowFilter(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes("row-0100")))));
    assertEquals(before, MetricsScanRuns.getInstance().getRowsPassed());
    assertEquals(ROWS - 1, Observer.leftOut);
  }

  @Test
  public void rowsThatAreLeftOutArePassedAtOnce() throws Exception {
    long before = MetricsScanRuns.getInstance().getRowsPassed();
    assertSame(UTIL.getConnection(), PLAIN, new Scan().setScanMetricsEnabled(true).setFilter(
      new RowFilter(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes("row-0100")))));
    long rows = MetricsScanRuns.getInstance().getRowsPassed() - before;
    assertTrue("rows: " + rows, rows > ROWS / 2);
  }

  @Test
  public void whatAScanHasReadStaysValidWhileItsRegionFlushesAndCompacts() throws Exception {
    setRuns(CHANGED, false);
    List<String> before = scan(UTIL.getConnection(), CHANGED, new Scan());
    setRuns(CHANGED, true);
    before.remove(before.size() - 1);
    long rowsBefore = rowsAtOnce();
    List<String> rows = new ArrayList<>();
    try (Table table = UTIL.getConnection().getTable(CHANGED);
      ResultScanner scanner = table.getScanner(new Scan().setCaching(50))) {
      for (Result result : scanner) {
        rows.add(textOf(result));
        if (rows.size() % 120 == 0) {
          table.put(new Put(result.getRow(), 1).addColumn(F, F, F));
          UTIL.flush(CHANGED);
          UTIL.compact(CHANGED, true);
        }
      }
    }
    assertEquals(before, rows);
    assertTrue(rowsAtOnce() > rowsBefore);
  }
}
