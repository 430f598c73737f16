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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.io.hfile.MetricsCoprocessorCells;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Clients get, and servers write, what coprocessors read with scanners that they have closed. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestCoprocessorCellsOnCluster {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCoprocessorCellsOnCluster.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final byte[] COPIES = Bytes.toBytes("copies");
  private static final String FAILS = "fails";
  private static final String DURABILITY = "durability";
  private static final int ROWS = 100;
  private static final int CACHING = 20;
  private static final int VALUE_BYTES = 1000;
  private static final int BUFFERS = 256;
  private static final int BUFFER_BYTES = 8192;
  private static final byte[] GARBAGE = new byte[BUFFER_BYTES];
  private static Table table;

  static {
    Arrays.fill(GARBAGE, (byte) 0x77);
  }

  /** Reads all there is in place of what it is asked for, and closes its scanners first. */
  public static class Reader implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    /** Reads rows of the region, closes the scanner, and gives its memory to others. */
    private static List<Cell> readAndClose(RegionCoprocessorEnvironment environment, Scan scan)
      throws IOException {
      List<Cell> cells = new ArrayList<>();
      try (RegionScanner scanner = environment.getRegion().getScanner(scan)) {
        boolean more;
        do {
          List<Cell> row = new ArrayList<>();
          more = scanner.next(row);
          cells.addAll(row);
        } while (more);
      }
      churn();
      return cells;
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get,
      List<Cell> result) throws IOException {
      if (get.getId() == null) {
        return;
      }
      result.addAll(readAndClose(context.getEnvironment(),
        new Scan().addFamily(FAMILY).withStartRow(get.getRow())));
      if (get.getId().equals(FAILS)) {
        throw new DoNotRetryIOException("on purpose");
      }
      // As a connection of the server to itself does.
      RpcServer.unsetCurrentCall().ifPresent(RpcServer::setCurrentCall);
      context.bypass();
    }

    /** Like a scanner that looks up key by key. */
    @Override
    public RegionScanner postScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context,
      Scan scan, RegionScanner scanner) throws IOException {
      List<Cell> cells = new ArrayList<>();
      scanner.next(cells);
      scanner.close();
      if (cells.isEmpty()) {
        return context.getEnvironment().getRegion().getScanner(new Scan(scan));
      }
      return new OneByOne(context.getEnvironment(), scanner, CellUtil.cloneRow(cells.get(0)));
    }

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put,
      WALEdit edit) throws IOException {
      if (put.getAttribute(DURABILITY) != null) {
        for (Cell cell : readAndClose(context.getEnvironment(),
          new Scan().addColumn(FAMILY, QUALIFIER).withStartRow(row(0)).setLimit(ROWS))) {
          put.add(new KeyValue(put.getRow(), FAMILY, CellUtil.cloneRow(cell),
            CellUtil.cloneValue(cell)));
        }
      }
    }
  }

  /** Opens and closes a scanner for each row. */
  private static class OneByOne implements RegionScanner {
    final RegionCoprocessorEnvironment environment;
    private final RegionScanner closed;
    private byte[] next;

    private OneByOne(RegionCoprocessorEnvironment environment, RegionScanner closed, byte[] next) {
      this.environment = environment;
      this.closed = closed;
      this.next = next;
    }

    @Override
    public boolean nextRaw(List<Cell> result) throws IOException {
      if (next == null) {
        return false;
      }
      try (RegionScanner scanner = environment.getRegion()
        .getScanner(new Scan().addColumn(FAMILY, QUALIFIER).withStartRow(next))) {
        boolean more = scanner.next(result);
        List<Cell> following = new ArrayList<>();
        if (more) {
          scanner.next(following);
        }
        next = following.isEmpty() ? null : CellUtil.cloneRow(following.get(0));
      }
      churn();
      return next != null;
    }

    @Override
    public boolean nextRaw(List<Cell> result, ScannerContext context) throws IOException {
      return nextRaw(result);
    }

    @Override
    public boolean next(List<Cell> result, ScannerContext context) throws IOException {
      return nextRaw(result);
    }

    @Override
    public RegionInfo getRegionInfo() {
      return closed.getRegionInfo();
    }

    @Override
    public boolean isFilterDone() {
      return false;
    }

    @Override
    public boolean reseek(byte[] row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long getMaxResultSize() {
      return closed.getMaxResultSize();
    }

    @Override
    public long getMvccReadPoint() {
      return closed.getMvccReadPoint();
    }

    @Override
    public int getBatch() {
      return closed.getBatch();
    }

    @Override
    public void close() {
      // Each of its scanners was closed.
    }
  }

  /** Reads all rows in its first call, by the client's scanner and by one of its own. */
  public static class Buffering implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public RegionScanner postScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context,
      Scan scan, RegionScanner scanner) {
      return new Buffered(context.getEnvironment(), scanner);
    }
  }

  /** Gives back in one call after another what it has read in the first one. */
  private static final class Buffered extends OneByOne {
    private final RegionScanner ofClient;
    private final List<List<Cell>> rows = new ArrayList<>();
    private int given;

    private Buffered(RegionCoprocessorEnvironment environment, RegionScanner ofClient) {
      super(environment, ofClient, null);
      this.ofClient = ofClient;
    }

    private static void readAll(RegionScanner scanner, List<List<Cell>> rows) throws IOException {
      boolean more;
      do {
        List<Cell> row = new ArrayList<>();
        more = scanner.nextRaw(row);
        if (!row.isEmpty()) {
          rows.add(row);
        }
      } while (more);
    }

    @Override
    public boolean nextRaw(List<Cell> result) throws IOException {
      if (rows.isEmpty()) {
        readAll(ofClient, rows);
        try (RegionScanner own = environment.getRegion().getScanner(new Scan().addFamily(FAMILY))) {
          readAll(own, rows);
        }
      } else if (given % CACHING == 0) {
        churn(); // It is a later call.
      }
      result.addAll(rows.get(given++));
      return given < rows.size();
    }

    @Override
    public void close() {
      try {
        ofClient.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("%03d", i));
  }

  private static byte[] value(int i) {
    byte[] value = new byte[VALUE_BYTES];
    for (int at = 0; at < value.length; at++) {
      value[at] = (byte) (i + at);
    }
    return value;
  }

  private static ByteBuffAllocator pool() {
    return UTIL.getMiniHBaseCluster().getRegionServer(0).getRpcServer().getByteBuffAllocator();
  }

  /** Overwrites all buffers of the pool that nothing holds. */
  private static void churn() {
    List<ByteBuff> buffers = new ArrayList<>();
    for (int i = 0; i < BUFFERS; i++) {
      ByteBuff buffer = pool().allocate(BUFFER_BYTES);
      buffers.add(buffer);
      buffer.put(GARBAGE, 0, buffer.remaining());
    }
    buffers.forEach(ByteBuff::release);
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.set("hbase.bucketcache.ioengine", "file:" + UTIL.getDataTestDir("cache"));
    conf.set("hbase.bucketcache.size", "8");
    conf.set("hbase.bucketcache.bucket.sizes", "5120,9216");
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, BUFFER_BYTES);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, BUFFERS);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 0);
    conf.setBoolean(CoprocessorCellsSettings.HELD.key(), true);
    UTIL.startMiniCluster(StartMiniClusterOption.builder().build());
    UTIL.getAdmin().createTable(TableDescriptorBuilder.newBuilder(TABLE)
      .setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(Reader.class.getName()).build())
      .setColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(BUFFER_BYTES / 2).build())
      .build());
    table = UTIL.getConnection().getTable(TABLE);
    for (int i = 0; i < ROWS; i++) {
      table.put(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value(i)));
    }
    UTIL.flush(TABLE);
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    table.close();
    UTIL.shutdownMiniCluster();
  }

  @After
  public void nothingIsHeld() throws Exception {
    UTIL.waitFor(120_000, 10, () -> MetricsCoprocessorCells.getHeldBytes() == 0);
  }

  private static void assertHasAllRows(Result result) {
    Cell[] cells = result.rawCells();
    assertEquals(ROWS, cells.length);
    for (int i = 0; i < ROWS; i++) {
      assertArrayEquals(row(i), CellUtil.cloneRow(cells[i]));
      assertArrayEquals(value(i), CellUtil.cloneValue(cells[i]));
    }
  }

  @Test
  public void ofAGetAreRight() throws IOException {
    Get get = new Get(row(0));
    get.setId("all");
    for (int i = 0; i < 5; i++) {
      assertHasAllRows(table.get(get));
    }
    assertTrue(MetricsCoprocessorCells.getMostHeldBytesOfCall() > 0);
  }

  @Test
  public void ofABatchAreRight() throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Get get = new Get(row(0));
      get.setId("all");
      gets.add(get);
    }
    for (Result result : table.get(gets)) {
      assertHasAllRows(result);
    }
  }

  @Test
  public void ofAScannerThatIsKeptFromCallToCallAreRight() throws IOException {
    TableName name = TableName.valueOf("buffered");
    UTIL.getAdmin().createTable(TableDescriptorBuilder.newBuilder(name)
      .setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(Buffering.class.getName()).build())
      .setColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(BUFFER_BYTES / 2).build())
      .build());
    try (Table buffered = UTIL.getConnection().getTable(name)) {
      for (int i = 0; i < ROWS; i++) {
        buffered.put(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value(i)));
      }
      UTIL.flush(name);
      for (int times = 0; times < 3; times++) {
        int i = 0;
        try (ResultScanner scanner = buffered.getScanner(new Scan().setCaching(CACHING))) {
          for (Result result : scanner) {
            assertArrayEquals(row(i % ROWS), result.getRow());
            assertArrayEquals("row " + i, value(i % ROWS), result.getValue(FAMILY, QUALIFIER));
            i++;
          }
        }
        assertEquals(2 * ROWS, i);
      }
    }
  }

  @Test
  public void ofAScanAreRight() throws IOException {
    Scan scan = new Scan();
    for (int caching : new int[] { 7, ROWS }) {
      int i = 0;
      try (ResultScanner scanner = table.getScanner(scan.setCaching(caching))) {
        for (Result result : scanner) {
          assertArrayEquals(row(i), result.getRow());
          assertArrayEquals(value(i), result.getValue(FAMILY, QUALIFIER));
          i++;
        }
      }
      assertEquals(ROWS, i);
    }
  }

  @Test
  public void ofACallThatFailsAreReleased() {
    Get get = new Get(row(0));
    get.setId(FAILS);
    assertThrows(DoNotRetryIOException.class, () -> table.get(get));
  }

  @Test
  public void areWrittenAsTheyWere() throws IOException {
    for (Durability durability : new Durability[] { Durability.SYNC_WAL, Durability.ASYNC_WAL }) {
      byte[] row = Bytes.add(COPIES, Bytes.toBytes(durability.name()));
      Put put = new Put(row).addColumn(FAMILY, COPIES, row).setDurability(durability);
      put.setAttribute(DURABILITY, row);
      table.put(put);
      Result result = table.get(new Get(row));
      assertEquals(ROWS + 1, result.size());
      for (int i = 0; i < ROWS; i++) {
        assertArrayEquals(value(i), result.getValue(FAMILY, row(i)));
      }
      table.delete(new Delete(row));
    }
  }
}
