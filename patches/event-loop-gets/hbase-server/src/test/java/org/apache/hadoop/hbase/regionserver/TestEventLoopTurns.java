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
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.ipc.EventLoopReads.Outcome;
import org.apache.hadoop.hbase.ipc.PreparedRead;
import org.apache.hadoop.hbase.ipc.ReceivedCall;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;

/**
 * What one get may do on an event loop, whatever a client sends. The work is counted; the longest
 * time of a processor that it took is in the log, for a machine without other work.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestEventLoopTurns extends EventLoopGetsTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEventLoopTurns.class);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static final Logger LOG = LoggerFactory.getLogger(TestEventLoopTurns.class);
  private static final ThreadMXBean THREAD =
    (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] H = Bytes.toBytes("h");
  private static final byte[] ROW = Bytes.toBytes("a");
  private static final byte[] WIDE = Bytes.toBytes("b-wide");
  private static final byte[] DELETED = Bytes.toBytes("c-deleted");
  /** Has cells of a transaction that isn't complete. */
  private static final byte[] UNSEEN = Bytes.toBytes("d-unseen");
  private static final int MANY = 30_000;
  private static final int FILES = 30;
  /** Is in one file only. */
  private static final Get NEWEST_COLUMN = new Get(ROW).addColumn(F, Bytes.toBytes(FILES - 1));
  private static final int FAMILIES = 40;
  private static final int BLOCK_BYTES = 128 * 1024;
  private static final int GETS = Integer.getInteger("event.loop.gets", 1_500);

  /** What an attempt may do at most: cells, their keys, blocks, and what is made for them. */
  private static final long MAX_MEMSTORE_BYTES = 200_000;
  private static final long MAX_BLOCK_BYTES = 2_000_000;
  private static final long MAX_ALLOCATED_BYTES = 500_000;
  /** Attempts that may allocate more, since they load classes. */
  private static final int MAX_LOADING = 5;

  private static EventLoopGets gets;
  private static Table wide;
  private static Table files;
  private static Table families;
  private static Table blocks;

  /** Of the last attempt. */
  private long memstoreBytes;
  private long blockBytes;
  private long allocatedBytes;
  private long nanos;

  @BeforeClass
  public static void startCluster() throws Exception {
    newConfiguration().setBoolean(EventLoopGetSettings.ENABLED.key(), true);
    startServer();
    gets = server.getRSRpcServices().eventLoopGets;
    makeWide();
    makeFiles();
    makeFamilies();
    makeBlocks();
  }

  @AfterClass
  public static void tearDown() throws Exception {
    stopCluster();
  }

  @Before
  public void switchOn() {
    set(true);
  }

  private static Table create(String name, ColumnFamilyDescriptor... families)
    throws IOException {
    return create(TableDescriptorBuilder.newBuilder(TableName.valueOf(name)), families);
  }

  private static Table create(TableDescriptorBuilder table, ColumnFamilyDescriptor... families)
    throws IOException {
    for (ColumnFamilyDescriptor family : families) {
      table.setColumnFamily(family);
    }
    return util.createTable(table.setCompactionEnabled(false).build(), (byte[][]) null);
  }

  private static ColumnFamilyDescriptorBuilder family(byte[] name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(name).setMaxVersions(MANY);
  }

  private static HRegion regionOf(Table table) {
    return server.getRegions(table.getName()).get(0);
  }

  private static void makeWide() throws IOException {
    wide = create("wide", family(F).build());
    Put put = new Put(WIDE);
    Delete delete = new Delete(DELETED);
    List<Cell> unseen = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      put.addColumn(F, Bytes.toBytes(i), ROW);
      delete.addColumns(F, Bytes.toBytes(i), i + 1);
      KeyValue cell = new KeyValue(UNSEEN, F, Bytes.toBytes(i), 1, ROW);
      cell.setSequenceId(Long.MAX_VALUE);
      unseen.add(cell);
    }
    wide.put(put);
    wide.delete(delete);
    wide.put(new Put(ROW).addColumn(F, ROW, ROW));
    regionOf(wide).getStore(F).add(unseen, new NonThreadSafeMemStoreSizing());
  }

  private static void makeFiles() throws IOException {
    files = create("files", family(F).setBloomFilterType(BloomType.ROWCOL).build(),
      family(G).setBloomFilterType(BloomType.NONE).build(), family(H).build());
    for (int i = 0; i < FILES; i++) {
      Put put = new Put(ROW).addColumn(H, ROW, ROW);
      for (int j = 0; j < 8; j++) {
        put.addColumn(F, Bytes.toBytes(100 * j + i), ROW).addColumn(G, Bytes.toBytes(j), ROW);
      }
      files.put(put);
      util.flush(files.getName());
    }
  }

  private static void makeFamilies() throws IOException {
    ColumnFamilyDescriptor[] all = new ColumnFamilyDescriptor[FAMILIES];
    Put put = new Put(ROW);
    for (int i = 0; i < FAMILIES; i++) {
      all[i] = family(Bytes.toBytes("f" + i)).build();
      put.addColumn(all[i].getName(), ROW, ROW);
    }
    families = create("families", all);
    families.put(put);
  }

  private static void makeBlocks() throws IOException {
    blocks = create("blocks", family(F).setBlocksize(BLOCK_BYTES).build(),
      family(G).setBlocksize(BLOCK_BYTES).setDataBlockEncoding(DataBlockEncoding.FAST_DIFF).build(),
      family(H).setBlocksize(3 * BLOCK_BYTES).build());
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      puts.add(new Put(Bytes.toBytes(i)).addColumn(F, ROW, ROW).addColumn(G, ROW, ROW)
        .addColumn(H, ROW, ROW));
    }
    blocks.put(puts);
    util.flush(blocks.getName());
  }

  private Outcome tryToRead(Table table, Get get) throws IOException {
    return tryToRead(RequestConverter
      .buildGetRequest(regionOf(table).getRegionInfo().getRegionName(), get));
  }

  /** Does on this thread what an event loop does before the call goes to a handler, or runs. */
  private Outcome tryToRead(GetRequest request) {
    ReceivedCall call = new ReceivedCall(request, request.getSerializedSize());
    ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(true);
    ThreadLocalServerSideScanMetrics.reset();
    long allocated = THREAD.getThreadAllocatedBytes(Thread.currentThread().getId());
    nanos = THREAD.getCurrentThreadCpuTime();
    Outcome outcome = gets.takes(call) ? gets.read(call) : Outcome.NOT_TRIED;
    nanos = THREAD.getCurrentThreadCpuTime() - nanos;
    allocatedBytes =
      THREAD.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocated;
    memstoreBytes = ThreadLocalServerSideScanMetrics.getBytesReadFromMemstoreAndReset();
    blockBytes = ThreadLocalServerSideScanMetrics.getBytesReadFromBlockCacheAndReset();
    ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(false);
    PreparedRead prepared = call.takePreparedRead();
    if (prepared != null) {
      prepared.discard();
    }
    return outcome;
  }

  private static void assertNothingHeld() {
    for (Table table : new Table[] { wide, files, families, blocks }) {
      HRegion region = regionOf(table);
      assertTrue(region.scannerReadPoints.isEmpty());
      for (HStore store : region.getStores()) {
        store.getStorefiles().forEach(file -> assertEquals(0, file.getRefCount()));
      }
    }
  }

  /** As a client without good intentions sends it. */
  private static final class Fuzzer {
    private final Random random;

    Fuzzer(Random random) {
      this.random = random;
    }

    /** Returns a number whose digits are as likely to be few as to be many. */
    int number(int max) {
      return (int) Math.pow(max, random.nextDouble());
    }

    byte[] any(byte[]... values) {
      return values[random.nextInt(values.length)];
    }

    Table table() {
      Table[] tables = { wide, files, families, blocks };
      return tables[random.nextInt(tables.length)];
    }

    Get get(Table table) throws IOException {
      byte[] any = Bytes.toBytes(random.nextInt(MANY));
      byte[] missing = new byte[number(30_000)];
      random.nextBytes(missing);
      Get get =
        new Get(table == blocks ? any : any(ROW, ROW, ROW, WIDE, DELETED, UNSEEN, missing));
      ColumnFamilyDescriptor[] all = table.getDescriptor().getColumnFamilies();
      for (int i = random.nextInt(4) * number(4) / 3; i > 0; i--) {
        byte[] family = all[random.nextInt(all.length)].getName();
        if (random.nextInt(4) == 0) {
          get.addFamily(family);
        } else {
          for (int j = number(random.nextInt(10) == 0 ? 30_000 : 100); j > 0; j--) {
            get.addColumn(family, random.nextBoolean() ? ROW : Bytes.toBytes(number(MANY)));
          }
        }
      }
      if (random.nextInt(3) == 0) {
        get.readVersions(number(MANY));
      }
      if (random.nextInt(4) == 0) {
        get.setTimeRange(0, 1 + number(Integer.MAX_VALUE));
      }
      if (random.nextInt(8) == 0) {
        get.setAttribute("a", new byte[number(1 << 20)]);
      }
      for (int i = random.nextInt(8) == 0 ? number(10_000) : 0; i > 0; i--) {
        get.setAttribute("a" + i, ROW);
      }
      for (int i = random.nextInt(8) == 0 ? number(10_000) : 0; i > 0; i--) {
        get.setColumnFamilyTimeRange(Bytes.toBytes(i), 0, 1);
      }
      if (random.nextInt(3) == 0) {
        get.setFilter(filter(3));
      }
      get.setCheckExistenceOnly(random.nextInt(4) == 0);
      return get;
    }

    private byte[] anyColumn() {
      return random.nextBoolean() ? ROW : Bytes.toBytes(number(MANY));
    }

    private Filter filter(int depth) {
      switch (random.nextInt(depth == 0 ? 7 : 9)) {
        case 0:
          return new ColumnRangeFilter(anyColumn(), true, anyColumn(), false);
        case 1:
          return new ColumnPrefixFilter(Arrays.copyOf(anyColumn(), random.nextInt(5)));
        case 2:
          return new ColumnPaginationFilter(number(MANY), number(MANY));
        case 3:
          return new ColumnPaginationFilter(number(MANY), anyColumn());
        case 4:
          return new ColumnCountGetFilter(number(MANY));
        case 5:
          List<Long> timestamps = new ArrayList<>();
          for (int i = number(300); i > 0; i--) {
            timestamps.add((long) number(Integer.MAX_VALUE));
          }
          return new TimestampsFilter(timestamps, random.nextBoolean());
        case 6:
          return new QualifierFilter(CompareOperator.EQUAL, new RegexStringComparator("(a+)+b"));
        default:
          FilterList list = new FilterList(random.nextBoolean()
            ? FilterList.Operator.MUST_PASS_ALL
            : FilterList.Operator.MUST_PASS_ONE);
          for (int i = number(20); i > 0; i--) {
            list.addFilter(filter(depth - 1));
          }
          return list;
      }
    }
  }

  @Test
  public void noGetDoesMuchWork() throws Exception {
    awaitBlocks();
    Fuzzer fuzzer = new Fuzzer(seed.newRandom());
    int[] outcomes = new int[Outcome.values().length];
    long longestNanos = 0;
    int loading = 0;
    for (int i = 0; i < GETS; i++) {
      Table table = fuzzer.table();
      Get get = fuzzer.get(table);
      outcomes[tryToRead(table, get).ordinal()]++;
      String of = "get " + i + " of " + table.getName() + ", "
        + get.getFamilyMap().size() + " families: ";
      assertTrue(of + memstoreBytes + " bytes of cells", memstoreBytes <= MAX_MEMSTORE_BYTES);
      assertTrue(of + blockBytes + " bytes of blocks", blockBytes <= MAX_BLOCK_BYTES);
      if (i > GETS / 10) { // Before, classes are loaded.
        loading += allocatedBytes <= MAX_ALLOCATED_BYTES ? 0 : 1;
        assertTrue(of + allocatedBytes + " bytes allocated", loading <= MAX_LOADING);
        if (nanos > longestNanos) {
          longestNanos = nanos;
          LOG.info("{} us of a processor: {}", nanos / 1000, of);
        }
      }
    }
    for (Outcome outcome : Outcome.values()) {
      LOG.info("{}: {}", outcome, outcomes[outcome.ordinal()]);
      assertTrue(outcome.toString(), outcomes[outcome.ordinal()] > GETS / 100);
    }
    assertNothingHeld();
  }

  private static void awaitBlocks() throws IOException {
    List<Get> all = new ArrayList<>();
    for (int i = 0; i < MANY; i += 1_000) {
      all.add(new Get(Bytes.toBytes(i)));
    }
    set(false);
    awaitCached(blocks, all);
    awaitCached(files, Arrays.asList(new Get(ROW), NEWEST_COLUMN));
    set(true);
  }

  private static Get columns(byte[] row, int number) {
    Get get = new Get(row);
    for (int i = 0; i < number; i++) {
      get.addColumn(F, Bytes.toBytes(i));
    }
    return get;
  }

  @Test
  public void aGetOfManyNamesIsNotTried() throws Exception {
    assertEquals(Outcome.READ, tryToRead(wide, columns(WIDE, 20)));
    long notInMemory = count("eventLoopNotInMemoryCount");
    assertEquals(Outcome.NOT_TRIED, tryToRead(wide, columns(WIDE, 100)));
    assertEquals(Outcome.NOT_TRIED, tryToRead(wide, columns(WIDE, 10_000)));
    assertEquals(Outcome.NOT_TRIED,
      tryToRead(wide, new Get(ROW).setAttribute("a", new byte[5_000])));
    Get attributes = new Get(ROW);
    Get ranges = new Get(ROW);
    for (int i = 0; i < 100; i++) {
      attributes.setAttribute("a" + i, ROW);
      ranges.setColumnFamilyTimeRange(Bytes.toBytes(i), 0, 1);
    }
    assertEquals(Outcome.NOT_TRIED, tryToRead(wide, attributes));
    assertEquals(Outcome.NOT_TRIED, tryToRead(wide, ranges));
    assertEquals(notInMemory, count("eventLoopNotInMemoryCount"));
    assertEquals(0, memstoreBytes);
  }

  private static FilterList manyFilters(int lists) {
    FilterList all = new FilterList();
    for (int i = 0; i < lists; i++) {
      all.addFilter(new FilterList(new KeyOnlyFilter()));
    }
    return all;
  }

  @Test
  public void onlyFiltersThatTakeLittleAreAsked() throws Exception {
    assertEquals(Outcome.READ,
      tryToRead(wide, new Get(ROW).setFilter(new ColumnRangeFilter(ROW, true, ROW, true))));
    assertEquals("seven", Outcome.READ, tryToRead(wide, new Get(ROW).setFilter(manyFilters(3))));
    assertEquals("nine", Outcome.NOT_TRIED,
      tryToRead(wide, new Get(ROW).setFilter(manyFilters(4))));
    assertEquals("each cell would be compared with many", Outcome.NOT_TRIED, tryToRead(wide,
      new Get(ROW).setFilter(new MultipleColumnPrefixFilter(new byte[][] { F, G, H }))));
    assertEquals("it may compare by an expression", Outcome.NOT_TRIED, tryToRead(wide,
      new Get(ROW).setFilter(new FilterList(new FirstKeyOnlyFilter(),
        new QualifierFilter(CompareOperator.EQUAL, new RegexStringComparator("(a+)+b"))))));
    assertEquals("it looks at 512 cells in vain", Outcome.IN_VAIN,
      tryToRead(wide, new Get(WIDE).setFilter(new ColumnPaginationFilter(1, 10_000))));
    assertNothingHeld();
  }

  @Test
  public void eachFileCounts() throws Exception {
    awaitBlocks();
    assertEquals(Outcome.READ, tryToRead(files, NEWEST_COLUMN));
    assertEquals(Outcome.READ, tryToRead(files, new Get(ROW).addFamily(H)));
    assertEquals("30 cells are compared for each of 240", Outcome.IN_VAIN,
      tryToRead(files, new Get(ROW).addFamily(F)));
    assertTrue("bytes of blocks: " + blockBytes, blockBytes < MAX_BLOCK_BYTES);
    assertNothingHeld();
  }

  @Test
  public void manyFamiliesAreRead() throws Exception {
    assertEquals(Outcome.READ, tryToRead(families, new Get(ROW).addFamily(Bytes.toBytes("f7"))));
    assertEquals(Outcome.READ, tryToRead(families, new Get(ROW)));
  }

  @Test
  public void aLongRowIsLeftToAHandler() throws Exception {
    assertEquals(Outcome.IN_VAIN, tryToRead(wide, new Get(WIDE)));
    assertEquals(Outcome.IN_VAIN, tryToRead(wide, new Get(DELETED)));
    assertNothingHeld();
  }

  /** Before the row is one, the scanner of a segment goes to its first cell that is to be seen. */
  @Test
  public void cellsThatAreNotToBeSeenYetArePassedOverInSmallNumber() throws Exception {
    assertEquals(Outcome.READ, tryToRead(wide, new Get(ROW)));
    assertEquals(Outcome.IN_VAIN, tryToRead(wide, new Get(UNSEEN)));
    assertTrue("bytes of cells: " + memstoreBytes, memstoreBytes < MAX_MEMSTORE_BYTES);
    assertNothingHeld();
  }

  @Test
  public void blocksCountByTheirCells() throws Exception {
    awaitBlocks();
    byte[] row = Bytes.toBytes(MANY / 2);
    assertEquals(Outcome.READ, tryToRead(blocks, new Get(row).addFamily(F)));
    assertEquals("encoded", Outcome.IN_VAIN, tryToRead(blocks, new Get(row).addFamily(G)));
    assertEquals("big", Outcome.IN_VAIN, tryToRead(blocks, new Get(row).addFamily(H)));
    assertNothingHeld();
  }

  /** Has a hook for gets. */
  public static class Observer implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get,
      List<Cell> result) {
    }
  }

  @Test
  public void whatIsKnownNotToBePlainIsNotParsed() throws Exception {
    try (Table observed = create(TableDescriptorBuilder.newBuilder(TableName.valueOf("observed"))
      .setCoprocessor(Observer.class.getName()), family(F).build());
      Table mixed = create("mixed", family(F).build(), family(G).setMinVersions(1).build())) {
      long notInMemory = count("eventLoopNotInMemoryCount");
      assertEquals(Outcome.NOT_TRIED, tryToRead(observed, new Get(ROW)));
      assertEquals(Outcome.NOT_TRIED, tryToRead(mixed, new Get(ROW)));
      assertEquals(Outcome.NOT_TRIED, tryToRead(mixed, new Get(ROW).addFamily(F).addFamily(G)));
      assertEquals(Outcome.READ, tryToRead(mixed, new Get(ROW).addFamily(F)));
      assertEquals(notInMemory, count("eventLoopNotInMemoryCount"));
    }
  }

  @Test
  public void whatTurnsOutNotToBePlainWasTriedInVain() throws Exception {
    long notInMemory = count("eventLoopNotInMemoryCount");
    assertEquals(Outcome.IN_VAIN,
      tryToRead(wide, new Get(ROW).setIsolationLevel(IsolationLevel.READ_UNCOMMITTED)));
    assertEquals(notInMemory + 1, count("eventLoopNotInMemoryCount"));
    assertNull(wide.get(new Get(F)).getRow());
  }
}
