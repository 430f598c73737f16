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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.GetBlocks;
import org.apache.hadoop.hbase.io.hfile.GetBudget;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.RSRpcServices.RegionScannersCloseCallBack;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * A get has the same result by the row path as by a region scanner, whatever the family is like and
 * whatever was written. More gets: {@code -Drow.path.gets=40000}, in several runs, since a class of
 * tests is ended after 13 minutes.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestRowPath extends RowPathTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRowPath.class);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static final int GETS = Integer.getInteger("row.path.gets", 3_000);
  private static final int GETS_PER_TABLE = 300;
  static final int TICK_MS = 700;

  private final long writesBefore = count("rowPathWriteCount");

  /** A request of several gets. */
  private final class Batch {
    private final RegionScannersCloseCallBack callBack = new RegionScannersCloseCallBack();
    private final List<Result> results = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();

    /** Returns the result's text; null if a region scanner has to read the get. */
    String get(Get get) throws IOException {
      Call call = new Call();
      cache.take(0);
      Result result = path.get(get, region, callBack, call);
      rowPathReads = cache.take(call.getBlockBytesScanned());
      if (result == null) {
        assertTrue(get + ": " + rowPathReads, rowPathReads.isEmpty());
        return null;
      }
      results.add(result);
      texts.add(describe(result));
      return texts.get(texts.size() - 1);
    }

    /** What the server does once the response is built, which has all results as they were. */
    void end(String message) throws IOException {
      for (int i = 0; i < results.size(); i++) {
        assertEquals(message + ", result " + i, texts.get(i), describe(results.get(i)));
        inBlocks += results.get(i) instanceof RowResult ? 1 : 0;
        assertSameCells(message + ", cells of result " + i, texts.get(i), results.get(i));
      }
      callBack.run();
    }
  }


  /**
   * Returns the result's text, read in memory before the call began; null if the get has to be read
   * later.
   */
  private String inMemory(Get get) throws IOException {
    Call call = new Call();
    cache.take(0);
    PreparedGet prepared = path.readInMemory(get, region, call);
    if (prepared == null || !prepared.isRead()) {
      return null;
    }
    try {
      Result result = path.takeResult(prepared, call);
      rowPathReads = cache.take(call.getBlockBytesScanned());
      inBlocks += result instanceof RowResult ? 1 : 0;
      return describe(result);
    } finally {
      call.end();
    }
  }

  /**
   * Returns the text of the row as a write reads it; null if a region scanner has to read the get.
   * @param get also asks for no existence; what it doesn't say about loading on demand is set
   */
  private String forWrite(Get get) throws IOException {
    get.setCheckExistenceOnly(false);
    Call call = new Call();
    RpcServer.setCurrentCall(call);
    cache.take(0);
    try (RegionScanner row = RowPath.read(region, get)) {
      if (row == null) {
        return null;
      }
      List<Cell> cells = new ArrayList<>();
      assertFalse(row.next(cells));
      rowPathReads = cache.take(call.getBlockBytesScanned());
      return describe(Result.create(cells));
    } finally {
      RpcServer.unsetCurrentCall();
    }
  }

  /** As {@link #byScanner(Get)}; what the scanner's own checks find has the message as well. */
  private String byScanner(String message, Get get) throws IOException {
    try {
      return byScanner(get);
    } catch (AssertionError e) {
      throw new AssertionError(message, e);
    }
  }


  private long[] counts() {
    List<Long> counts = new ArrayList<>();
    counts.add(region.getReadRequestsCount());
    for (HStore store : region.getStores()) {
      counts.add(store.getMemstoreOnlyRowReadsCount());
      counts.add(store.getMixedRowReadsCount());
    }
    return counts.stream().mapToLong(Long::longValue).toArray();
  }

  private static long[] difference(long[] before, long[] after) {
    long[] difference = new long[before.length];
    for (int i = 0; i < before.length; i++) {
      difference[i] = after[i] - before[i];
    }
    return difference;
  }

  private void assertNothingHeld() {
    assertTrue(region.scannerReadPoints.isEmpty());
    for (HStore store : region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        assertEquals(file.toString(), 0, file.getRefCount());
      }
    }
  }

  private static long count(String metric) {
    return ((MutableFastCounter) MetricsRowPath.getInstance().getMetricsRegistry().get(metric))
      .value();
  }

  /** Random tables, writes and gets. */
  private final class Chaos {
    private static final int ROWS = 12;

    private final Random random;
    private final byte[][] families = { F, Bytes.toBytes("g") };
    private final byte[][] qualifiers = new byte[9][];
    private int firstRow;
    private int endRow;

    Chaos(Random random) {
      this.random = random;
      qualifiers[0] = HConstants.EMPTY_BYTE_ARRAY;
      for (int i = 1; i < qualifiers.length; i++) {
        qualifiers[i] = Bytes.toBytes("q" + i);
      }
    }

    private <T> T any(T[] values) {
      return values[random.nextInt(values.length)];
    }

    private boolean oneIn(int times) {
      return random.nextInt(times) == 0;
    }

    private byte[] anyRow() {
      return row(firstRow + random.nextInt(endRow - firstRow));
    }

    void openTable(boolean plain) throws IOException {
      firstRow = 0;
      endRow = ROWS;
      if (plain) {
        open(ColumnFamilyDescriptorBuilder.of(families[0]),
          ColumnFamilyDescriptorBuilder.of(families[1]));
        return;
      }
      ColumnFamilyDescriptor[] all = new ColumnFamilyDescriptor[families.length];
      for (int i = 0; i < all.length; i++) {
        ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(families[i])
          .setMaxVersions(1 + random.nextInt(3)).setBlocksize(any(new Integer[] { 64, 512, 65536 }))
          .setBloomFilterType(any(new BloomType[] { BloomType.NONE, BloomType.ROW,
            BloomType.ROWCOL, BloomType.ROWPREFIX_FIXED_LENGTH }))
          .setConfiguration(org.apache.hadoop.hbase.util.BloomFilterUtil.PREFIX_LENGTH_KEY, "6")
          .setKeepDeletedCells(any(KeepDeletedCells.values()))
          .setInMemory(oneIn(3)).setBlockCacheEnabled(!oneIn(4)).setCompressTags(oneIn(2))
          .setInMemoryCompaction(any(new MemoryCompactionPolicy[] { MemoryCompactionPolicy.NONE,
            MemoryCompactionPolicy.BASIC, MemoryCompactionPolicy.EAGER }));
        if (oneIn(2)) {
          family.setDataBlockEncoding(any(DataBlockEncoding.values()));
        }
        if (oneIn(3)) {
          family.setTimeToLive(4);
        }
        if (oneIn(12)) {
          family.setMinVersions(1);
        }
        if (oneIn(12)) {
          family.setMobEnabled(true).setMobThreshold(20);
        }
        all[i] = family.build();
      }
      UTIL.getConfiguration().setBoolean(MemStoreLAB.USEMSLAB_KEY, oneIn(2));
      open(all);
    }

    void split() throws IOException {
      boolean top = oneIn(2);
      int splitRow = 1 + random.nextInt(ROWS - 1);
      firstRow = top ? splitRow : 0;
      endRow = top ? ROWS : splitRow;
      openHalf(row(splitRow), top);
    }

    private long anyTime() {
      return now - random.nextInt(6) * TICK_MS;
    }

    private byte[] anyValue() {
      byte[] value = new byte[random.nextInt(40)];
      random.nextBytes(value);
      return value;
    }

    private Put anyPut() throws IOException {
      Put put = new Put(anyRow(), anyTime()).setDurability(Durability.SKIP_WAL);
      if (oneIn(5)) {
        put.setTTL(random.nextInt(5) * TICK_MS);
      }
      int cells = oneIn(10) ? 40 : 1 + random.nextInt(4);
      for (int i = 0; i < cells; i++) {
        byte[] qualifier = cells == 40 ? Bytes.toBytes("q" + i) : any(qualifiers);
        put.addColumn(any(families), qualifier, anyValue());
      }
      return put;
    }

    private Delete anyDelete() throws IOException {
      Delete delete = new Delete(anyRow()).setDurability(Durability.SKIP_WAL);
      byte[] family = any(families);
      switch (random.nextInt(7)) {
        case 0:
          return delete;
        case 1:
          return delete.addFamily(family);
        case 2:
          return delete.addFamily(family, anyTime());
        case 3:
          return delete.addFamilyVersion(family, anyTime());
        case 4:
          return delete.addColumn(family, any(qualifiers), anyTime());
        case 5:
          return delete.addColumns(family, any(qualifiers), anyTime());
        default:
          return delete.addColumns(family, any(qualifiers));
      }
    }

    /** One delete covers others. */
    private void deleteOften() throws IOException {
      byte[] row = anyRow();
      byte[] family = any(families);
      byte[] qualifier = any(qualifiers);
      long time = anyTime();
      boolean ofRow = oneIn(2);
      for (int i = 0; i < 15; i++) {
        Delete delete = new Delete(row).setDurability(Durability.SKIP_WAL);
        region.delete(ofRow
          ? delete.addFamily(family, time + i)
          : delete.addColumns(family, qualifier, time + i));
      }
    }

    private void bulkLoad() throws IOException {
      byte[] family = any(families);
      Path file = new Path(UTIL.getDataTestDir(), "load-" + random.nextLong() + "/"
        + Bytes.toString(family) + "/" + Math.abs(random.nextInt()));
      TreeMap<KeyValue, KeyValue> cells = new TreeMap<>(region.getCellComparator());
      for (int i = 0; i < 10; i++) {
        List<Tag> tags = Collections.singletonList(new ArrayBackedTag((byte) 99, anyValue()));
        KeyValue cell = oneIn(4)
          ? new KeyValue(anyRow(), family, any(qualifiers), anyTime(),
            any(new KeyValue.Type[] { KeyValue.Type.Delete, KeyValue.Type.DeleteColumn }))
          : new KeyValue(anyRow(), family, any(qualifiers), anyTime(), anyValue(), tags);
        cells.put(cell, cell);
      }
      Configuration conf = region.getBaseConf();
      FileSystem fs = file.getFileSystem(conf);
      try (HFile.Writer writer = HFile.getWriterFactory(conf, new CacheConfig(conf))
        .withPath(fs, file).withFileContext(new HFileContextBuilder().withIncludesTags(true)
          .withBlockSize(256).build()).create()) {
        for (KeyValue cell : cells.values()) {
          writer.append(cell);
        }
        writer.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(now));
      }
      assertNotNull(region.bulkLoadHFiles(
        Collections.singletonList(new Pair<>(family, file.toString())), oneIn(2), null));
    }

    void change() throws IOException {
      switch (random.nextInt(24)) {
        case 0:
        case 1:
          region.flush(true);
          break;
        case 2:
          region.compact(oneIn(2));
          break;
        case 3:
          bulkLoad();
          break;
        case 4:
          now += TICK_MS;
          break;
        case 5:
        case 6:
        case 7:
          region.delete(anyDelete());
          break;
        case 8:
          deleteOften();
          break;
        case 9:
        case 10:
          region.increment(new Increment(anyRow()).addColumn(any(families), COUNT,
            1 + random.nextInt(9)).setDurability(Durability.SKIP_WAL));
          break;
        default:
          region.put(anyPut());
      }
    }

    Filter filter(long seed) {
      return new RandomFilters(families, qualifiers, now).make(seed);
    }

    Get anyGet() throws IOException {
      Get get = new Get(endRow == ROWS && oneIn(ROWS) ? row(ROWS) : anyRow());
      for (int i = random.nextInt(3); i > 0; i--) {
        byte[] family = any(families);
        if (oneIn(3)) {
          get.addFamily(family);
        } else {
          for (int j = random.nextInt(4); j >= 0; j--) {
            get.addColumn(family, oneIn(8) ? COUNT : any(qualifiers));
          }
        }
      }
      if (oneIn(3)) {
        get.readVersions(1 + random.nextInt(4));
      }
      if (oneIn(4)) {
        long from = anyTime();
        get.setTimeRange(from, from + 1 + random.nextInt(3 * TICK_MS));
      }
      if (oneIn(6)) {
        get.setColumnFamilyTimeRange(any(families), 0, anyTime());
      }
      if (oneIn(20)) {
        get.setMaxResultsPerColumnFamily(1 + random.nextInt(3));
      }
      if (oneIn(20)) {
        get.setRowOffsetPerColumnFamily(random.nextInt(3));
      }
      if (oneIn(4)) {
        get.setLoadColumnFamiliesOnDemand(oneIn(2));
      }
      if (oneIn(20)) {
        get.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
      }
      get.setCheckExistenceOnly(oneIn(10));
      get.setCacheBlocks(!oneIn(5));
      get.setQueryMetricsEnabled(oneIn(5));
      return get;
    }
  }

  @Test
  public void resultsAreTheSameFieldByField() throws Exception {
    Chaos chaos = new Chaos(seed.newRandom());
    Batch batch = null;
    int read = 0;
    int readInMemory = 0;
    int inMemoryOfPlain = 0;
    int readForWrites = 0;
    for (int i = 0; i < GETS; i++) {
      if (batch != null && (i % (GETS_PER_TABLE / 2) == 0 || chaos.oneIn(16))) {
        batch.end("before get " + i);
        assertNothingHeld();
        batch = null;
      } else if (batch == null && chaos.oneIn(4)) {
        batch = new Batch();
      }
      if (i == GETS_PER_TABLE) {
        inMemoryOfPlain = readInMemory;
      }
      if (i % GETS_PER_TABLE == 0) {
        // Of a plain table some rows are likely to be in one block.
        chaos.openTable(i == 0);
      }
      if (i % GETS_PER_TABLE == GETS_PER_TABLE / 2) {
        chaos.split();
      }
      if (chaos.oneIn(4)) {
        chaos.change();
      }
      Get get = chaos.anyGet();
      Get ofScanner = new Get(get);
      if (chaos.oneIn(2)) {
        long filter = chaos.random.nextLong();
        get.setFilter(chaos.filter(filter));
        ofScanner.setFilter(chaos.filter(filter));
      }
      String message = "get " + i + ": " + get + " of " + region.getTableDescriptor();
      long[] before = counts();
      long filteredBefore = region.getFilteredReadRequestsCount();
      String actual;
      if (batch == null && chaos.oneIn(3)) {
        actual = forWrite(get);
        readForWrites += actual != null ? 1 : 0;
        ofScanner.setCheckExistenceOnly(false).setLoadColumnFamiliesOnDemand(
          Boolean.TRUE.equals(ofScanner.getLoadColumnFamiliesOnDemandValue()));
        assertNothingHeld();
      } else if (batch == null) {
        boolean inMemory = chaos.oneIn(2);
        actual = inMemory ? inMemory(get) : byRowPath(get);
        readInMemory += inMemory && actual != null ? 1 : 0;
        assertNothingHeld();
      } else {
        actual = batch.get(get);
      }
      if (actual != null) {
        long[] between = counts();
        long filtered = region.getFilteredReadRequestsCount() - filteredBefore;
        assertEquals(message, byScanner(message, ofScanner), actual);
        assertArrayEquals(message, difference(between, counts()), difference(before, between));
        assertEquals(message, region.getFilteredReadRequestsCount() - filteredBefore - filtered,
          filtered);
        rowPathReads.assertNoneBeside(message, scannerReads);
        read++;
      } else {
        assertArrayEquals(message, before, counts());
        assertEquals(message, filteredBefore, region.getFilteredReadRequestsCount());
      }
    }
    // Some tables have a family that isn't plain.
    assertTrue("of " + GETS + " gets the row path read only " + read, read > GETS / 20);
    assertTrue("read in memory: " + readInMemory + ", of the plain table " + inMemoryOfPlain,
      readInMemory > inMemoryOfPlain);
    assertTrue("none of " + read + " was in a block", inBlocks > 0);
    assertTrue("read for writes: " + readForWrites, readForWrites > GETS / 60);
  }

  /** As increments do that come before those ahead of them are synced. */
  @Test
  public void aWriteReadsWhatCannotBeReadYet() throws Exception {
    openPlain();
    put(1, "a", 1, "flushed");
    put(1, "b", 1, "flushed");
    region.flush(true);
    put(1, "c", 1, "in memory");
    MultiVersionConcurrencyControl.WriteEntry entry = region.getMVCC().begin();
    for (KeyValue.Type type : new KeyValue.Type[] { KeyValue.Type.Put,
      KeyValue.Type.DeleteColumn }) {
      byte[] column = Bytes.toBytes(type == KeyValue.Type.Put ? "a" : "b");
      KeyValue cell = new KeyValue(row(1), F, column, 2, type, Bytes.toBytes("unsynced"));
      cell.setSequenceId(entry.getWriteNumber());
      region.getStore(F).add(cell, null);
    }
    try {
      Get get = new Get(row(1)).addFamily(F);
      String readable = byScanner(get);
      assertEquals(readable, forWrite(get));
      get.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
      String all = byScanner(get);
      assertEquals(all, forWrite(get));
      assertNotEquals(readable, all);
    } finally {
      region.getMVCC().completeAndWait(entry);
    }
    assertNothingHeld();
  }

  /** A coprocessor may use it for another row. */
  @Test
  public void theFilterOfACheckIsReset() throws Exception {
    openPlain();
    byte[] column = Bytes.toBytes("c");
    for (int i = 1; i <= 2; i++) {
      put(i, "c", 1, "v" + i);
    }
    SingleColumnValueFilter filter =
      new SingleColumnValueFilter(F, column, CompareOperator.EQUAL, Bytes.toBytes("v1"));
    for (int i = 1; i <= 2; i++) {
      Put put = new Put(row(i)).addColumn(F, Bytes.toBytes("of check"), column);
      assertEquals(i == 1, region
        .checkAndMutate(CheckAndMutate.newBuilder(row(i)).ifMatches(filter).build(put))
        .isSuccess());
    }
    assertEquals(2, count("rowPathWriteCount") - writesBefore);
  }

  @Test
  public void aWriteThatFailsHoldsNothing() throws Exception {
    openPlain();
    put(1, "c", 1, "no number");
    region.flush(true);
    Increment increment = new Increment(row(1)).addColumn(F, Bytes.toBytes("c"), 1);
    assertThrows(DoNotRetryIOException.class, () -> region.increment(increment));
    assertEquals(1, count("rowPathWriteCount") - writesBefore);
    assertNothingHeld();
  }

  private BucketCache bucketCache() {
    return (BucketCache) ((CombinedBlockCache) cache).getSecondLevelCache();
  }

  private long usedOfCache() {
    return bucketCache().getAllocator().getUsedSize();
  }

  private void evictAll() {
    for (HStore store : region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        cache.evictBlocksByHfileName(file.getPath().getName());
      }
    }
  }

  /** It is among the versions of the column without a name, of which no more are asked for. */
  @Test
  public void aDeleteOfTheFamilyIsHeededBehindTooManyVersions() throws Exception {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).setBlocksize(1024).build());
    put(1, "c", 3, "deleted");
    flushWithOtherRow();
    for (int timestamp = 5; timestamp <= 7; timestamp++) {
      put(1, "", timestamp, "v" + timestamp);
    }
    region.delete(new Delete(row(1)).setDurability(Durability.SKIP_WAL).addFamily(F, 4));
    flushWithOtherRow();
    for (Get get : new Get[] { new Get(row(1)),
      new Get(row(1)).addColumn(F, new byte[0]).addColumn(F, Bytes.toBytes("c")) }) {
      Call call = new Call();
      assertEquals(1, call.get(get).size());
      call.end();
      assertEquals(byScanner(get), byRowPath(get));
    }
  }

  /** The file goes on in another block. */
  private void flushWithOtherRow() throws IOException {
    for (int column = 0; column < 20; column++) {
      put(2, "c" + column, 1, new String(new char[100]));
    }
    region.flush(true);
  }

  /** Cells are taken in runs as long as nothing but their column and time decides about them. */
  @Test
  public void runsEndWhereMoreIsToBeDecided() throws Exception {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(2).build());
    for (int row = 1; row <= 4; row++) {
      for (int column = 10; column < 30; column++) {
        put(row, "c" + column, now - column % 5 * 100, "first");
        if (row == 2 && column % 7 == 0) {
          put(row, "c" + column, now - 1000, "second");
        }
      }
    }
    region.flush(true);
    // Cells of a run are covered by this, or there are deletes and other cells among them.
    region.delete(new Delete(row(1)).setDurability(Durability.SKIP_WAL).addFamily(F, now - 150));
    for (String column : new String[] { "c13", "c27" }) {
      region.delete(new Delete(row(3)).setDurability(Durability.SKIP_WAL).addColumns(F,
        Bytes.toBytes(column)));
      put(4, column, now + 1, "of another file");
    }
    region.flush(true);
    for (boolean inBlock : new boolean[] { false, true }) {
      Batch batch = new Batch();
      for (int row = 1; row <= 4; row++) {
        for (int variant = 0; variant < 64; variant++) {
          Get get = new Get(row(row)).addFamily(F);
          if ((variant & 1) != 0) {
            get.setMaxResultsPerColumnFamily(7);
          }
          if ((variant & 2) != 0) {
            get.setRowOffsetPerColumnFamily(4);
          }
          if ((variant & 4) != 0) {
            get.readVersions(2);
          }
          if ((variant & 8) != 0) {
            get.setFilter(new ColumnRangeFilter(Bytes.toBytes("c11"), true, Bytes.toBytes("c22"),
              true));
          }
          if ((variant & 16) != 0) {
            get.setTimeRange(now - 300, Long.MAX_VALUE);
          }
          if ((variant & 32) != 0) {
            get.setTimeRange(now - 300, now);
          }
          assertEquals(get.toString(), byScanner(get), batch.get(get));
        }
      }
      batch.end("");
      BucketCacheValidator.awaitWritten(bucketCache());
      assertTrue(inBlocks > 0 || !inBlock);
    }
  }

  /** Columns are compared by eight bytes, and then one by one. */
  @Test
  public void rangesEndAtAnyColumn() throws Exception {
    openPlain();
    List<byte[]> columns = new ArrayList<>();
    columns.add(HConstants.EMPTY_BYTE_ARRAY);
    for (byte last : new byte[] { 0, 1, Byte.MAX_VALUE, Byte.MIN_VALUE, -1 }) {
      for (int length : new int[] { 1, 2, 7, 8, 9, 15, 16, 17 }) {
        byte[] column = new byte[length];
        Arrays.fill(column, (byte) 1);
        column[length - 1] = last;
        columns.add(column);
      }
    }
    Put put = new Put(row(1)).setDurability(Durability.SKIP_WAL);
    columns.forEach(column -> put.addColumn(F, column, column));
    region.put(put);
    region.flush(true);
    for (boolean inBlock : new boolean[] { false, true }) {
      Batch batch = new Batch();
      for (byte[] end : columns) {
        for (boolean inclusive : new boolean[] { false, true }) {
          Get get =
            new Get(row(1)).setFilter(new ColumnRangeFilter(null, true, end, inclusive));
          assertEquals(byScanner(get), batch.get(get));
        }
      }
      batch.end("");
      BucketCacheValidator.awaitWritten(bucketCache());
      assertTrue(inBlocks > 0 || !inBlock);
    }
  }

  @Test
  public void rowsInOneBlockAreGivenFromThere() throws Exception {
    for (DataBlockEncoding encoding : new DataBlockEncoding[] { DataBlockEncoding.NONE,
      DataBlockEncoding.ROW_INDEX_V1 }) {
      open(ColumnFamilyDescriptorBuilder.newBuilder(F).setDataBlockEncoding(encoding).build());
      for (int row = 0; row < 20; row++) {
        for (String column : new String[] { "a", "ab", "b" }) {
          put(row, column, now - 1, "value of " + row + column);
        }
      }
      region.flush(true);
      byRowPath(new Get(row(1)));
      BucketCacheValidator.awaitWritten(bucketCache());
      inBlocks = 0;
      for (int row = 0; row < 20; row++) {
        for (Get get : new Get[] { new Get(row(row)),
          new Get(row(row)).addColumn(F, Bytes.toBytes("ab")) }) {
          assertEquals(encoding + ", " + get, byScanner(get), byRowPath(get));
        }
      }
      assertEquals(encoding + "", 40, inBlocks);
    }
  }

  @Test
  public void blocksAndFilesAreHeldUntilTheCallEnds() throws Exception {
    openPlain();
    // What another test has read.
    BucketCacheValidator.awaitWritten(bucketCache());
    long usedBefore = usedOfCache();
    put(1, "a", now, "in a file");
    region.flush(true);
    put(1, "b", now, "in the memstore");
    String expected = byScanner(new Get(row(1)));
    BucketCacheValidator.awaitWritten(bucketCache());
    assertTrue(usedOfCache() > usedBefore);
    Call call = new Call();
    Result result = call.get(new Get(row(1)));
    evictAll();
    HStoreFile file = region.getStore(F).getStorefiles().iterator().next();
    assertTrue(file.getRefCount() > 0);
    assertTrue(usedOfCache() > usedBefore);
    region.flush(true);
    assertEquals(expected, describe(result));
    call.end();
    assertEquals(0, file.getRefCount());
    assertNothingHeld();
    evictAll();
    assertEquals(usedBefore, usedOfCache());
  }

  @Test
  public void getsOfARequestShareWhatDoesNotChange() throws Exception {
    openPlain();
    put(1, "a", now, "1");
    put(2, "a", now, "2");
    region.flush(true);
    put(3, "a", now, "3");
    Batch batch = new Batch();
    assertNotNull(batch.get(new Get(row(1))));
    GetBatch first = batch.callBack.getBatch;
    assertNotNull(batch.get(new Get(row(2))));
    assertNotNull(batch.get(new Get(row(3)).addColumn(F, Bytes.toBytes("a"))));
    assertNotNull(batch.get(new Get(row(4))));
    assertSame(first, batch.callBack.getBatch);
    assertEquals(1, region.scannerReadPoints.size());
    HStoreFile file = region.getStore(F).getStorefiles().iterator().next();
    assertEquals("one for the file, one for its scanner", 2, file.getRefCount());
    assertNotNull("this one doesn't read the latest data",
      batch.get(new Get(row(1)).setTimeRange(0, now)));
    assertNotSame(first, batch.callBack.getBatch);
    // What was written before a get came is seen, though others of its request came before.
    put(1, "a", now + 1, "later");
    assertEquals(byScanner(new Get(row(1))), batch.get(new Get(row(1))));
    region.flush(true);
    GetBatch beforeFlush = batch.callBack.getBatch;
    String expected = byScanner(new Get(row(1)));
    assertEquals(expected, batch.get(new Get(row(1))));
    assertNotSame(beforeFlush, batch.callBack.getBatch);
    batch.end("");
    batch.callBack.run();
    assertNothingHeld();
  }

  /** Gets of a request, of rows in two blocks by turns; their answer holds either block once. */
  @Test
  public void aBlockInMemoryCountsOnceForTheGetsOfARequest() throws Exception {
    assertEquals("the first two", 2, getsThatCountBlocks(true));
    assertEquals("each, since each read is a copy", 6, getsThatCountBlocks(false));
  }

  private int getsThatCountBlocks(boolean cached) throws Exception {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(64).setBlockCacheEnabled(cached)
      .build());
    for (int i = 1; i < 9; i++) {
      put(i, "a", now, "long enough for a block of its own: " + i);
    }
    region.flush(true);
    Get[] gets = { new Get(row(2)).setCacheBlocks(cached), new Get(row(6)).setCacheBlocks(cached) };
    for (Get get : gets) {
      byScanner(get); // Into the cache.
    }
    BucketCacheValidator.awaitWritten(bucketCache());
    Batch batch = new Batch();
    int count = 0;
    for (int i = 0; i < 6; i++) {
      assertNotNull(batch.get(gets[i % 2]));
      count += rowPathReads.bytes > 0 ? 1 : 0;
    }
    batch.end("");
    return count;
  }

  @Test
  public void offsetsOfBlocksAreCountedOnce() {
    CountedBlocks blocks = new CountedBlocks();
    for (int i = 0; i < 1_000; i++) {
      assertTrue(blocks.add(i * 65_536L));
      assertFalse(blocks.add(i / 2 * 65_536L));
    }
  }

  /** Counts the cells of a row until it is reset. Has no message, as AccessControlFilter. */
  private static final class FailingFilter extends FilterBase {
    private final boolean failsAlways;
    private boolean failed;
    private int cells;

    FailingFilter(boolean failsAlways) {
      this.failsAlways = failsAlways;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      if (++cells == 2 && (failsAlways || !failed)) {
        failed = true;
        throw new IllegalStateException("the filter's own");
      }
      return cells > 2 ? ReturnCode.SKIP : ReturnCode.INCLUDE;
    }

    @Override
    public void reset() {
      cells = 0;
    }

    @Override
    public byte[] toByteArray() {
      throw new UnsupportedOperationException("not for messages");
    }
  }

  @Test
  public void aScannerAsksAFilterThatFailedFromTheBeginning() throws Exception {
    openPlain();
    put(1, "a", now, "1");
    put(1, "b", now, "2");
    put(1, "c", now, "3");
    Get get = new Get(row(1)).setFilter(new FailingFilter(false));
    assertReason("Failed", get);
    Get other = new Get(row(1)).setFilter(new ColumnPaginationFilter(2, 0));
    assertEquals(byScanner(other), byScanner(get));
    get.setFilter(new FailingFilter(true));
    assertReason("Failed", get);
    assertEquals("the filter's own",
      assertThrows(IllegalStateException.class, () -> byScanner(get)).getMessage());
    ColumnCountGetFilter counts = new ColumnCountGetFilter(2);
    get.setFilter(new FilterList(counts, new OnceFailing()));
    assertReason("Failed", get);
    assertNotSame("a new one", counts, ((FilterList) get.getFilter()).getFilters().get(0));
    assertEquals(byScanner(other), byScanner(get));
  }

  /** Can be made for a message, and then doesn't fail. */
  public static final class OnceFailing extends FilterBase {
    private boolean fails = true;

    @Override
    public ReturnCode filterCell(Cell cell) {
      if (fails && cell.getQualifierArray()[cell.getQualifierOffset()] == 'b') {
        throw new IllegalStateException("once");
      }
      return ReturnCode.INCLUDE;
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    /** Makes the filter of a message. */
    public static OnceFailing parseFrom(byte[] message) {
      OnceFailing filter = new OnceFailing();
      filter.fails = false;
      return filter;
    }
  }

  /** What reads the gets of a request reads those of the thread's next one. */
  @Test
  public void aThreadKeepsNothingOfARegion() throws Exception {
    open(ColumnFamilyDescriptorBuilder.of(F), ColumnFamilyDescriptorBuilder.of("g"),
      ColumnFamilyDescriptorBuilder.of("h"));
    put(1, "a", now, "in a file");
    region.flush(true);
    evictAll();
    put(1, "b", now, "in the memstore");
    Batch batch = new Batch();
    assertNotNull(batch.get(new Get(row(1))));
    RowReader reader = batch.callBack.getBatch.getReader();
    assertTrue(keptBy(reader).contains(HStore.class));
    batch.end("");
    List<Class<?>> kept = keptBy(reader);
    for (Class<?> type : kept) {
      assertTrue(type + " of " + kept, Arrays.asList(RowReader.class, CurrentRow.class,
        FamilyReader.class, FamilyMatcher.class, FamilySources.class, GetFilter.class,
        RowMerge.class, CellRun.class, ArrayList.class, BlockCell.class).contains(type));
    }
    assertEquals(2, Collections.frequency(kept, FamilyReader.class));
    openPlain();
    put(1, "a", now, "of another region");
    Batch next = new Batch();
    assertEquals(byScanner(new Get(row(1))), next.get(new Get(row(1))));
    assertSame(reader, next.callBack.getBatch.getReader());
    Batch beside = new Batch();
    assertEquals(byScanner(new Get(row(1))), beside.get(new Get(row(1))));
    assertNotSame(reader, beside.callBack.getBatch.getReader());
    next.end("");
    beside.end("");
    assertNothingHeld();
  }

  /** Returns the classes of the objects that an object refers to, those of this package deeply. */
  private static List<Class<?>> keptBy(Object root) throws IllegalAccessException {
    List<Class<?>> classes = new ArrayList<>();
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> left = new ArrayDeque<>();
    left.add(root);
    while (!left.isEmpty()) {
      Object object = left.remove();
      if (!seen.add(object)) {
        continue;
      }
      classes.add(object.getClass());
      if (object instanceof List) {
        left.addAll((List<?>) object);
      } else if (Arrays.asList("RowReader", "CurrentRow", "FamilyReader", "FamilyMatcher",
        "FamilySources", "BlockCell", "ByteBufferKeyOnlyKeyValue")
        .contains(object.getClass().getSimpleName())) {
        for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass()) {
          for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
              continue;
            }
            field.setAccessible(true);
            if (field.get(object) != null) {
              left.add(field.get(object));
            }
          }
        }
      }
    }
    return classes;
  }

  @Test
  public void eachBlockIsCountedOnceAsHitOrMiss() throws Exception {
    openPlain();
    put(1, "a", now, "v");
    region.flush(true);
    evictAll();
    CacheStats stats = cache.getStats();
    long misses = stats.getMissCount();
    long hits = stats.getHitCount();
    long reads = HFile.DATABLOCK_READ_COUNT.sum();
    assertNotNull(byRowPath(new Get(row(1))));
    assertEquals(reads + 1, HFile.DATABLOCK_READ_COUNT.sum());
    long missed = stats.getMissCount() - misses;
    assertTrue("misses: " + missed, missed > 0);
    UTIL.waitFor(120_000, 10, () -> {
      long before = stats.getMissCount();
      assertNotNull(byRowPath(new Get(row(1))));
      return stats.getMissCount() == before;
    });
    hits = stats.getHitCount();
    misses = stats.getMissCount();
    assertNotNull(byRowPath(new Get(row(1))));
    assertEquals("as many as were missed", missed, stats.getHitCount() - hits);
    assertEquals(misses, stats.getMissCount());
  }

  @Test
  public void whatIsNotInMemoryHoldsNothingAndIsReadByTheCall() throws Exception {
    openPlain();
    put(1, "a", now, "v");
    region.flush(true);
    evictAll();
    Get get = new Get(row(1));
    CacheStats stats = cache.getStats();
    long lookups = stats.getRequestCount();
    PreparedGet attempt = path.readInMemory(get, region, new Call());
    assertFalse(attempt.isRead());
    assertNothingHeld();
    assertEquals(lookups + attempt.getReading().getCountedLookups(), stats.getRequestCount());
    assertNull(attempt.takeBatch());
    attempt.discard();
    // The bloom filter is still asked, whose block wasn't in memory.
    StoreFileReader file =
      region.getStore(F).getStorefiles().iterator().next().getReader();
    assertNotNull(byRowPath(get));
    assertFalse(file.passesGetBloomFilter(row(2), null));
    UTIL.waitFor(120_000, 10, () -> inMemory(get) != null);
    assertEquals(byScanner(get), inMemory(get));
  }

  @Test
  public void whatIsReadAheadButNotTakenIsReleased() throws Exception {
    openPlain();
    put(1, "a", now, "v");
    region.flush(true);
    PreparedGet prepared = waitUntilInMemory(new Get(row(1)));
    assertFalse(region.scannerReadPoints.isEmpty());
    prepared.discard();
    prepared.discard();
    assertNothingHeld();
  }

  private PreparedGet waitUntilInMemory(Get get) throws Exception {
    byRowPath(get);
    UTIL.waitFor(120_000, 10, () -> inMemory(get) != null);
    return path.readInMemory(get, region, new Call());
  }

  /** As of a region that closes, and finds out too late that the thread is in it no more. */
  @Test
  public void anInterruptThatComesLateHasNoGetLeftToAHandler() throws Exception {
    openPlain();
    put(1, "a", now, "v");
    Get get = new Get(row(1));
    for (int i = 0; i < 2; i++) {
      Thread.currentThread().interrupt();
      String actual = inMemory(get);
      assertFalse("the interrupt is over", Thread.interrupted());
      assertEquals(byScanner(get), actual);
    }
  }

  @Test
  public void whatABloomFilterSaidHoldsForItsRowOnly() throws Exception {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setBloomFilterType(BloomType.ROWCOL).build());
    for (int i = 1; i < 4; i += 2) {
      put(i, "a", now, "v" + i);
    }
    region.flush(true);
    StoreFileReader file = region.getStore(F).getStorefiles().iterator().next().getReader();
    byte[][] column = { Bytes.toBytes("a") };
    Get missing = new Get(row(2)).addColumn(F, column[0]);
    FirstReading first = new FirstReading();
    assertFalse(first.askBloomFilter(file, row(2), column, GetBlocks.inMemory(new GetBudget(0))));
    GetBatch batch = new GetBatch(region, missing, true, first);
    try {
      assertFalse(first.recallBloomFilter(file, row(2), column, batch.getBlocks()));
      assertTrue(first.recallBloomFilter(file, row(3), column, batch.getBlocks()));
      assertTrue(first.recallBloomFilter(file, row(2), null, batch.getBlocks()));
      assertNull(batch.getReader().read(new Get(row(3)).addColumn(F, column[0])));
      assertEquals(1, batch.getReader().takeResult(new Call()).size());
    } finally {
      batch.close();
    }
    assertNothingHeld();
  }

  @Test
  public void aBatchThatCannotBeMadeHoldsNoReadPoint() throws Exception {
    openPlain();
    Get get = new Get(row(1)) {
      @Override
      public boolean getCacheBlocks() {
        throw new OutOfMemoryError("As if nothing could be allocated");
      }
    };
    assertThrows(OutOfMemoryError.class, () -> new GetBatch(region, get, true, null));
    assertNothingHeld();
  }

  @Test
  public void noLockIsWaitedForAndNoLongRowRead() throws Exception {
    openPlain();
    put(1, "a", now, "v");
    Get get = new Get(row(1));
    assertNotNull(inMemory(get));
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Thread closing = new Thread(() -> {
      region.lock.writeLock().lock();
      locked.countDown();
      try {
        done.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        region.lock.writeLock().unlock();
      }
    });
    closing.start();
    try {
      locked.await();
      assertNull(path.readInMemory(get, region, new Call()));
    } finally {
      done.countDown();
      closing.join();
    }
    assertNotNull(inMemory(get));
    Put wide = new Put(row(2)).setDurability(Durability.SKIP_WAL);
    for (int i = 0; i < 1_000; i++) {
      wide.addColumn(F, Bytes.toBytes(i), COUNT);
    }
    region.put(wide);
    assertFalse(path.readInMemory(new Get(row(2)), region, new Call()).isRead());
    assertNotNull(inMemory(new Get(row(2)).addColumn(F, Bytes.toBytes(9))));
    assertNothingHeld();
  }

  @Test
  public void filesThatAreOlderThanWhatWasFoundAreNotRead() throws Exception {
    openPlain();
    put(1, "a", now - 2, "old");
    region.flush(true);
    put(1, "a", now - 1, "new");
    region.flush(true);
    Call column = new Call();
    byte[] a = Bytes.toBytes("a");
    assertEquals("new",
      Bytes.toString(column.get(new Get(row(1)).addColumn(F, a)).getValue(F, a)));
    column.end();
    Call family = new Call();
    assertEquals("new", Bytes.toString(family.get(new Get(row(1))).getValue(F, a)));
    family.end();
    assertEquals(family.getBlockBytesScanned(), 2 * column.getBlockBytesScanned());
  }

  /**
   * At the file's first row, a scanner that another get has used doesn't know where the next block
   * begins, as a new one doesn't. If it did, it would be gone on with cell by cell, and the older
   * file be sought at a column that has been found.
   */
  @Test
  public void theFirstRowOfAFileIsReadAsByANewScanner() throws Exception {
    String value = String.join("", Collections.nCopies(100, "v"));
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      open(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(200)
        .setDataBlockEncoding(encoding).build());
      for (String qualifier : new String[] { "a", "b", "c", "d", "e", "f", "g", "h" }) {
        put(1, qualifier, now - 2, value);
      }
      region.flush(true);
      // Both rows are in the first of two blocks or more.
      put(1, "b", now - 1, "");
      put(2, "b", now - 1, "");
      put(3, "b", now - 1, value);
      put(4, "b", now - 1, value);
      put(5, "b", now - 1, value);
      region.flush(true);
      Get columns = new Get(row(1)).addColumn(F, Bytes.toBytes("b")).addColumn(F,
        Bytes.toBytes("f"));
      Batch batch = new Batch();
      for (Get get : Arrays.asList(new Get(row(2)).addColumn(F, Bytes.toBytes("b")), columns)) {
        String expected = byScanner(get);
        assertEquals(expected, batch.get(get));
        rowPathReads.assertNoneBeside(encoding + ", " + get, scannerReads);
      }
      batch.end(encoding.toString());
    }
    assertNothingHeld();
  }

  /** The half's last row is read twice, since a file that is read later has a delete. */
  @Test
  public void halfAFileIsReadToItsEnd() throws Exception {
    openPlain();
    put(1, "a", now, "new");
    put(2, "a", now, "of the other half");
    openHalf(row(2), false);
    put(1, "a", now - 3, "old");
    region.delete(new Delete(row(1)).addColumns(F, Bytes.toBytes("b"), now - 2));
    region.flush(true);
    Get get = new Get(row(1)).addColumn(F, Bytes.toBytes("a")).addColumn(F, Bytes.toBytes("b"));
    String expected = byScanner(get);
    assertTrue(expected, expected.contains("new"));
    assertEquals(expected, byRowPath(get));
  }

  @Test
  public void aRowThatIsTooBigIsRefused() throws Exception {
    UTIL.getConfiguration().setInt(HConstants.TABLE_MAX_ROWSIZE_KEY, 200);
    try {
      openPlain();
    } finally {
      UTIL.getConfiguration().unset(HConstants.TABLE_MAX_ROWSIZE_KEY);
    }
    String value = String.join("", Collections.nCopies(100, "v"));
    put(1, "a", now, value);
    put(1, "b", now, value);
    region.flush(true);
    byte[] a = Bytes.toBytes("a");
    for (Get get : Arrays.asList(new Get(row(1)),
      new Get(row(1)).addColumn(F, a).addColumn(F, Bytes.toBytes("b")))) {
      assertThrows(RowTooBigException.class, () -> byScanner(get));
      assertThrows(RowTooBigException.class, () -> byRowPath(get));
      assertThrows(RowTooBigException.class, () -> new Batch().get(get));
      assertNull(inMemory(get));
    }
    assertNotNull(byRowPath(new Get(row(1)).addColumn(F, a)));
    assertNothingHeld();
    // Files of which each has a part.
    put(1, "c", now, value);
    region.flush(true);
    put(1, "c", now, value);
    region.flush(true);
    assertThrows(RowTooBigException.class, () -> byScanner(new Get(row(1))));
    assertThrows(RowTooBigException.class, () -> byRowPath(new Get(row(1))));
    assertNothingHeld();
  }

  @Test
  public void aReadThatFailsHoldsNothing() throws Exception {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlockCacheEnabled(false).build(),
      ColumnFamilyDescriptorBuilder.of("g"));
    region.put(new Put(row(1)).addColumn(F, COUNT, COUNT).addColumn(Bytes.toBytes("g"), COUNT,
      COUNT));
    region.flush(true);
    Get get = new Get(row(1));
    assertNotNull(byRowPath(get));
    // Its first family is read, then the file of the second one isn't there any more.
    HStoreFile file = region.getStore(Bytes.toBytes("g")).getStorefiles().iterator().next();
    file.closeStoreFile(true);
    long failed = count("scannerFailedGetCount") + count("scannerOtherGetCount");
    assertNull(byRowPath(get));
    assertEquals(failed + 1, count("scannerFailedGetCount") + count("scannerOtherGetCount"));
    assertNothingHeld();
  }

  /** Counts the hooks of its region's operations. */
  public static final class CountsOperations implements RegionCoprocessor, RegionObserver {
    private int begun;
    private int ended;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void postStartRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> environment, Region.Operation operation) {
      begun++;
    }

    @Override
    public void postCloseRegionOperation(
      ObserverContext<RegionCoprocessorEnvironment> environment, Region.Operation operation) {
      ended++;
    }
  }

  /** A region scanner begins two operations for a get. */
  @Test
  public void hooksOfOperationsAreCalledAsOftenAsByAScanner() throws Exception {
    openPlain();
    put(1, "a", now, "v");
    RegionCoprocessorHost host = new RegionCoprocessorHost(region, null, region.getBaseConf());
    host.load(CountsOperations.class, Coprocessor.PRIORITY_USER, region.getBaseConf());
    region.setCoprocessorHost(host);
    CountsOperations counts = host.findCoprocessor(CountsOperations.class);
    Get get = new Get(row(1));
    byScanner(get);
    int ofScanner = counts.begun;
    assertEquals(ofScanner, counts.ended);
    long left = count("scannerCoprocessorGetCount");
    assertNull(inMemory(get));
    if (byRowPath(get) == null) {
      byScanner(get);
    }
    assertEquals(2 * ofScanner, counts.begun);
    assertEquals(2 * ofScanner, counts.ended);
    assertEquals("the attempt in memory isn't counted", left + 1,
      count("scannerCoprocessorGetCount"));
    region.setCoprocessorHost(null);
    assertNothingHeld();
  }

  @Test
  public void anErrorOfTheFileSystemIsPassedOn() throws Exception {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlockCacheEnabled(false).build());
    put(1, "a", now, "v");
    region.flush(true);
    Path file = region.getStore(F).getStorefiles().iterator().next().getPath();
    new FileOutputStream(file.toUri().getPath()).close(); // Now it is empty.
    assertThrows(IOException.class, () -> byRowPath(new Get(row(1))));
    assertNothingHeld();
  }

  @Test
  public void whatIsNotPlainIsCountedByItsReason() throws Exception {
    openPlain();
    put(1, "a", now, "v");
    assertReason("Uncommitted",
      new Get(row(1)).setIsolationLevel(IsolationLevel.READ_UNCOMMITTED));
    connected = false;
    assertReason("Failed", new Get(row(1)));
    connected = true;
    assertReason("Failed", new Get(row(1)).addFamily(Bytes.toBytes("no such family")));
    long gets = count("rowPathGetCount");
    assertNotNull(byRowPath(new Get(row(1))));
    assertEquals(gets + 1, count("rowPathGetCount"));
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setMinVersions(1).build());
    assertReason("Family", new Get(row(1)));
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setNewVersionBehavior(true).build());
    assertReason("Family", new Get(row(1)));
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setMobEnabled(true).build());
    assertReason("Family", new Get(row(1)));
  }

  private void assertReason(String reason, Get get) throws IOException {
    long before = count("scanner" + reason + "GetCount");
    long[] counts = counts();
    assertNull(byRowPath(get));
    assertEquals(reason, before + 1, count("scanner" + reason + "GetCount"));
    assertArrayEquals(counts, counts());
    assertNothingHeld();
  }

  @Test
  public void offMeansOff() throws Exception {
    openPlain();
    put(1, "a", now, "v");
    long gets = count("rowPathGetCount");
    long[] counts = counts();
    RowPath off = new RowPath(new Configuration(false));
    Get get = new Get(row(1)).addFamily(F);
    assertNull(off.get(get, region, null, new Call()));
    off.onConfigurationChange(enabled());
    Call call = new Call();
    assertNotNull(off.get(get, region, null, call));
    call.end();
    Configuration bad = new Configuration(false);
    bad.set(RowPathSettings.ENABLED.key(), "perhaps");
    off.onConfigurationChange(bad);
    call = new Call();
    assertNotNull(off.get(get, region, null, call));
    call.end();
    off.onConfigurationChange(new Configuration(false));
    assertNull(off.get(get, region, null, new Call()));
    assertEquals(gets + 2, count("rowPathGetCount"));
    assertEquals(counts[0] + 2, counts()[0]);
    assertThrows(IllegalArgumentException.class, () -> new RowPath(bad));
  }

  /**
   * Rows have cells of one value in two families. Readers see only such rows, and never an older
   * one again, while rows are written, flushed and compacted, until the region closes.
   */
  @Test
  public void rowsAreAtomicWhileTheRegionChanges() throws Exception {
    EnvironmentEdgeManager.reset();
    byte[] g = Bytes.toBytes("g");
    open(ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setInMemoryCompaction(MemoryCompactionPolicy.EAGER).build(),
      ColumnFamilyDescriptorBuilder.of(g));
    region.increment(increment(g));
    ExecutorService readers = Executors.newFixedThreadPool(2);
    try {
      List<Future<Integer>> read = new ArrayList<>();
      CountDownLatch begun = new CountDownLatch(2);
      for (int i = 0; i < 2; i++) {
        boolean columns = i == 0;
        read.add(readers.submit(new Callable<Integer>() {
          @Override
          public Integer call() throws Exception {
            long last = 0;
            int gets = 0;
            while (true) {
              Get get = new Get(row(1));
              if (columns) {
                get.addColumn(F, COUNT).addColumn(g, COUNT);
              }
              Call call = new Call();
              Result result;
              try {
                result = call.get(get);
              } catch (NotServingRegionException e) {
                assertTrue(region.isClosing() || region.isClosed());
                return gets;
              }
              assertNotNull("left to a region scanner", result);
              assertEquals(2, result.size());
              long value = Bytes.toLong(CellUtil.cloneValue(result.rawCells()[0]));
              assertEquals(value, Bytes.toLong(CellUtil.cloneValue(result.rawCells()[1])));
              assertTrue(value + " after " + last, value >= last);
              last = value;
              call.end();
              if (++gets == 1) {
                begun.countDown();
              }
            }
          }
        }));
      }
      assertTrue(begun.await(120, TimeUnit.SECONDS));
      for (int i = 0; i < 120; i++) {
        region.increment(increment(g));
        if (i % 20 == 0) {
          region.flush(true);
        }
        if (i % 60 == 59) {
          region.compact(true);
          region.getStores().forEach(store -> {
            try {
              store.closeAndArchiveCompactedFiles();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          });
        }
      }
      HRegion closing = region;
      HBaseTestingUtility.closeRegionAndWAL(closing);
      for (Future<Integer> gets : read) {
        assertTrue(gets.get(120, TimeUnit.SECONDS) > 0);
      }
      assertTrue(closing.scannerReadPoints.isEmpty());
      region = null;
    } finally {
      readers.shutdownNow();
    }
  }

  private static Increment increment(byte[] g) {
    return new Increment(row(1)).addColumn(F, COUNT, 1).addColumn(g, COUNT, 1)
      .setDurability(Durability.SKIP_WAL);
  }
}
