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
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScannable;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.io.ByteBufferWriterOutputStream;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockSeekIndex;
import org.apache.hadoop.hbase.io.hfile.BlockSeekIndexSettings;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/**
 * A scan that reads runs gives what another one gives, call by call: cells, progress, state,
 * metrics and blocks that are read. More scans: {@code -Dscan.runs.scans=4000}, in several runs,
 * since a class of tests is ended after 13 minutes.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestScanRuns {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestScanRuns.class);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final int SCANS = Integer.getInteger("scan.runs.scans", 800);
  private static final int SCANS_PER_TABLE = 50;
  private static final int ROWS = 30;
  private static final long TICK_MS = 700;
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");

  /** One has an off-heap tier, the other one none. */
  private static final List<BlockCache> CACHES = new ArrayList<>();
  private static int regions;

  private final AtomicLong now = new AtomicLong(1_000_000_000L);
  private HRegion region;

  @BeforeClass
  public static void openCaches() {
    Configuration conf = UTIL.getConfiguration();
    conf.setInt("hfile.index.block.max.size", 256);
    conf.setInt("hfile.format.version", 3);
    conf.setInt("hbase.hstore.compactionThreshold", 100);
    conf.set(HConstants.HBASE_DIR, UTIL.getDataTestDir("root").toString());
    ChunkCreator.initialize(64 * 1024, false, 0, 0, 0, null, 0.1F);
    CACHES.add(BlockCacheFactory.createBlockCache(conf));
    Configuration tiered = new Configuration(conf);
    tiered.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    tiered.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 32);
    CACHES.add(BlockCacheFactory.createBlockCache(tiered));
  }

  @AfterClass
  public static void closeCaches() throws IOException {
    CACHES.forEach(BlockCache::shutdown);
    UTIL.cleanupTestDir();
  }

  @After
  public void close() throws IOException {
    EnvironmentEdgeManager.reset();
    if (region != null) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
  }

  private void open(BlockCache cache, ColumnFamilyDescriptor... families) throws IOException {
    EnvironmentEdgeManager.injectEdge(now::get);
    if (region != null) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
    TableName table = TableName.valueOf("t" + regions++);
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir("root"),
      UTIL.getConfiguration(), TableDescriptorBuilder.newBuilder(table)
        .setColumnFamilies(Arrays.asList(families)).build(),
      cache);
  }

  private void openPlain() throws IOException {
    open(CACHES.get(1), ColumnFamilyDescriptorBuilder.of(F));
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("row-%02d", number));
  }

  private void put(int row, long timestamp, int columns) throws IOException {
    Put put = new Put(row(row), timestamp).setDurability(Durability.SKIP_WAL);
    for (int i = 0; i < columns; i++) {
      put.addColumn(F, Bytes.toBytes("q" + i), new byte[10]);
    }
    region.put(put);
  }

  /** A scan of the region, and what its calls did. */
  private final class Reader {
    private final RegionScannerImpl scanner;
    private final String runs;
    private ScannerContext context;
    private final List<Cell> held = new ArrayList<>();
    private final List<String> heldTexts = new ArrayList<>();
    /** Since it is open. */
    private long blocks;
    private long[] counts;
    private long blocksBefore;
    private long[] countsBefore;
    /** Whether each cell of the last call is off the heap. */
    private final List<Boolean> offHeap = new ArrayList<>();

    Reader(Scan scan, boolean runs) throws IOException {
      this.runs = Boolean.toString(runs);
      Configuration conf = new Configuration(UTIL.getConfiguration());
      conf.set(ScanRunsSettings.ENABLED.key(), this.runs);
      region.getStores().forEach(store -> store.onConfigurationChange(conf));
      counts = new long[counts().length];
      begin();
      RegionScannerImpl opened = null;
      try {
        // With a filter of its own.
        opened = region.getScanner(ProtobufUtil.toScan(ProtobufUtil.toScan(scan)));
      } catch (RowTooBigException e) {
        // None of the two is opened.
      }
      scanner = opened;
      end();
    }

    private void begin() {
      blocksBefore = HFile.DATABLOCK_READ_COUNT.sum();
      countsBefore = counts();
    }

    private void end() {
      blocks += HFile.DATABLOCK_READ_COUNT.sum() - blocksBefore;
      long[] after = counts();
      for (int i = 0; i < counts.length; i++) {
        counts[i] += after[i] - countsBefore[i];
      }
    }

    /** Returns the cells' text and all that a caller may see beside. */
    String next(ScannerContext callContext) {
      context = callContext;
      List<Cell> cells = new ArrayList<>();
      StringBuilder text = new StringBuilder();
      begin();
      try {
        text.append(scanner.nextRaw(cells, context));
      } catch (RowTooBigException e) {
        text.append(e.getMessage());
      } catch (IOException | AssertionError e) {
        // Reversed scans may find themselves in disorder, and some cells have no text.
        text.append(e.getClass());
      }
      end();
      offHeap.clear();
      for (Cell cell : cells) {
        offHeap.add(cell instanceof ByteBufferExtendedCell);
        String cellText = describe(cell);
        text.append('\n').append(cellText);
        held.add(cell);
        heldTexts.add(cellText);
      }
      return text.append('\n').append(state()).toString();
    }

    /** Returns the cells' texts of rows that are read at once; empty if none can be. */
    List<String> nextRows(int maxRows, ScannerContext callContext) throws IOException {
      context = callContext;
      ScanResults results = new ScanResults();
      begin();
      assertEquals(scanner.nextRows(results, maxRows, context), results.size());
      end();
      List<String> texts = new ArrayList<>();
      List<Integer> counts = new ArrayList<>();
      for (Result result : results) {
        texts.add(textOf(Arrays.asList(result.rawCells())));
        counts.add(result.size());
        assertFalse(result.mayHaveMoreCellsInRow());
      }
      ScanResponse.Builder response = ScanResponse.newBuilder();
      results.addTo(response);
      assertEquals(counts, response.getCellsPerResultList());
      assertArrayEquals(encode(results), encode(results.getParts()));
      return texts;
    }

    /** As a response has the cells: those of blocks are written at once. */
    private byte[] encode(List<? extends CellScannable> parts) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ByteBufferWriterOutputStream out = new ByteBufferWriterOutputStream(bytes);
      Codec.Encoder encoder = new KeyValueCodec().getEncoder(out);
      for (CellScannable part : parts) {
        if (part instanceof ResultsOfBlock) {
          assertTrue(((ResultsOfBlock) part).writeTo(out));
        } else {
          for (Cell cell : ((Result) part).rawCells()) {
            encoder.write(cell);
          }
        }
      }
      out.flush();
      return bytes.toByteArray();
    }

    /** Returns the cells' text of a row that isn't the last one. */
    String nextRow(ScannerContext callContext) throws IOException {
      context = callContext;
      List<Cell> cells = new ArrayList<>();
      begin();
      assertTrue(scanner.nextRaw(cells, context));
      end();
      return textOf(cells);
    }

    private String textOf(List<Cell> cells) {
      StringBuilder text = new StringBuilder();
      offHeap.clear();
      for (Cell cell : cells) {
        offHeap.add(cell instanceof ByteBufferExtendedCell);
        KeyValue copy = KeyValueUtil.copyToNewKeyValue(cell);
        text.append(Bytes.toStringBinary(copy.getBuffer(), copy.getOffset(), copy.getLength()))
          .append('\n');
        held.add(cell);
        heldTexts.add(describe(cell));
      }
      return text.toString();
    }

    /** Returns what a caller may see beside the cells. */
    String state() {
      StringBuilder text = new StringBuilder();
      text.append(context).append(" peeked ").append(key(context.getLastPeekedCell()));
      if (context.isTrackingMetrics()) {
        text.append(' ').append(new TreeMap<>(context.getMetrics().getMetricsMap(false)));
      }
      text.append(" blocks ").append(blocks).append(" counts ").append(Arrays.toString(counts));
      text.append(" scanned ").append(scannedCells());
      return text.toString();
    }

    private String scannedCells() {
      StringBuilder text = new StringBuilder();
      List<KeyValueHeap> heaps = new ArrayList<>();
      heaps.add(scanner.storeHeap);
      if (scanner.joinedHeap != null) {
        heaps.add(scanner.joinedHeap);
      }
      for (KeyValueHeap heap : heaps) {
        StoreScanner current = (StoreScanner) heap.getCurrentForTesting();
        if (current != null) {
          text.append(current.getEstimatedNumberOfKvsScanned()).append(' ')
            .append(current.isScanUsePread()).append(' ').append(key(current.peek()));
        }
      }
      return text.toString();
    }

    void shipped() throws IOException {
      for (int i = 0; i < held.size(); i++) {
        assertEquals(heldTexts.get(i), describe(held.get(i)));
      }
      held.clear();
      heldTexts.clear();
      scanner.shipped();
    }

    private long[] counts() {
      List<Long> all = new ArrayList<>();
      all.add(region.getReadRequestsCount());
      all.add(region.getFilteredReadRequestsCount());
      for (HStore store : region.getStores()) {
        all.add(store.getMemstoreOnlyRowReadsCount());
        all.add(store.getMixedRowReadsCount());
      }
      return all.stream().mapToLong(Long::longValue).toArray();
    }
  }

  private static String key(Cell cell) {
    return cell == null ? "none" : CellUtil.toString(cell, false);
  }

  private static String describe(Cell cell) {
    KeyValue copy = KeyValueUtil.copyToNewKeyValue(cell);
    return cell.getClass().getSimpleName() + ' ' + cell.heapSize() + ' ' + cell.getSerializedSize()
      + ' ' + copy + ' ' + Bytes.toStringBinary(copy.getBuffer(), copy.getOffset(),
        copy.getLength());
  }

  /** Random tables, writes and scans. */
  private final class Chaos {
    private final Random random;
    private final byte[][] families = { F, G };
    private final byte[][] qualifiers = new byte[8][];
    /** Blocks are in memory until the tier has them, so that only one of two scans may find one. */
    private boolean inTier;
    private int abandoned;
    private int rowsAtOnce;

    Chaos(Random random) {
      this.random = random;
      qualifiers[0] = HConstants.EMPTY_BYTE_ARRAY;
      for (int i = 1; i < qualifiers.length; i++) {
        qualifiers[i] = Bytes.toBytes(i % 2 == 0 ? "q" + i : "q" + (i - 1) + "-longer");
      }
    }

    private <T> T any(T[] values) {
      return values[random.nextInt(values.length)];
    }

    private boolean oneIn(int times) {
      return random.nextInt(times) == 0;
    }

    private byte[] anyRow() {
      byte[] row = row(random.nextInt(ROWS));
      return oneIn(8) ? Arrays.copyOf(row, row.length - 1 - random.nextInt(2)) : row;
    }

    private long anyTime() {
      return now.get() - random.nextInt(5) * TICK_MS;
    }

    private byte[] anyValue() {
      byte[] value = new byte[random.nextInt(40)];
      random.nextBytes(value);
      return value;
    }

    void openTable() throws IOException {
      boolean plain = oneIn(2);
      ColumnFamilyDescriptor[] all = new ColumnFamilyDescriptor[1 + random.nextInt(2)];
      for (int i = 0; i < all.length; i++) {
        ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(families[i])
          .setBlocksize(any(new Integer[] { 64, 512, 2048, 65536 }))
          .setBlockCacheEnabled(!oneIn(4));
        if (!plain) {
          family.setMaxVersions(1 + random.nextInt(3)).setCompressTags(oneIn(2))
            .setBloomFilterType(any(new BloomType[] { BloomType.NONE, BloomType.ROW,
              BloomType.ROWCOL }))
            .setKeepDeletedCells(any(KeepDeletedCells.values()))
            .setInMemoryCompaction(any(MemoryCompactionPolicy.values()));
          if (oneIn(2)) {
            family.setDataBlockEncoding(any(DataBlockEncoding.values()));
          }
          if (oneIn(3)) {
            family.setTimeToLive(3);
          }
          if (oneIn(12)) {
            family.setMinVersions(1);
          }
        }
        all[i] = family.build();
      }
      Configuration conf = UTIL.getConfiguration();
      conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, oneIn(2));
      conf.setInt(StoreScanner.HBASE_CELLS_SCANNED_PER_HEARTBEAT_CHECK,
        any(new Integer[] { 3, 7, 50, 10_000, 10_000 }));
      conf.setInt(StoreScanner.STORESCANNER_PREAD_MAX_BYTES,
        any(new Integer[] { -1, 0, 300, 2_000, 256 * 1024, 256 * 1024 }));
      conf.setLong(HConstants.TABLE_MAX_ROWSIZE_KEY,
        oneIn(8) ? 400 : HConstants.TABLE_MAX_ROWSIZE_DEFAULT);
      inTier = oneIn(2);
      open(CACHES.get(inTier ? 1 : 0), all);
      for (int i = 0; i < 60; i++) {
        change(plain);
      }
    }

    /** Of one file off the heap that has most rows, and of what was written after it. */
    void openBigTable() throws Exception {
      unsetLimits();
      Configuration conf = UTIL.getConfiguration();
      conf.setInt(StoreScanner.HBASE_CELLS_SCANNED_PER_HEARTBEAT_CHECK,
        any(new Integer[] { 50, 10_000 }));
      conf.setInt(StoreScanner.STORESCANNER_PREAD_MAX_BYTES,
        any(new Integer[] { -1, 2_000, 256 * 1024 }));
      inTier = true;
      ColumnFamilyDescriptor[] all = new ColumnFamilyDescriptor[oneIn(4) ? 2 : 1];
      for (int i = 0; i < all.length; i++) {
        all[i] = ColumnFamilyDescriptorBuilder.newBuilder(families[i])
          .setMaxVersions(1 + random.nextInt(2))
          .setDataBlockEncoding(
            oneIn(2) ? any(DataBlockEncoding.values()) : DataBlockEncoding.NONE)
          .setBlocksize(any(new Integer[] { 1024, 4096, 65536 })).build();
      }
      open(CACHES.get(1), all);
      for (int i = 0; i < 300; i++) {
        Put put = new Put(row(i % 100 < 30 ? i % 30 : i), anyTime())
          .setDurability(Durability.SKIP_WAL);
        int cells = 1 + random.nextInt(12);
        for (int j = 0; j < cells; j++) {
          put.addColumn(all.length > 1 && oneIn(20) ? G : F, Bytes.toBytes("r" + j), anyValue());
        }
        region.put(put);
        if (oneIn(40)) {
          region.delete(new Delete(put.getRow()).addColumns(F, Bytes.toBytes("r1"))
            .setDurability(Durability.SKIP_WAL));
        }
      }
      region.flush(true);
      region.compact(true);
      int changes = random.nextInt(6);
      for (int i = 0; i < changes; i++) {
        change(true);
      }
      long blocks = blocksRead(new Scan());
      BlockCache tier = CACHES.get(1).getBlockCaches()[1];
      // The clock stands, except for this.
      EnvironmentEdgeManager.reset();
      Waiter.waitFor(conf, 60_000, 10, () -> tier.getBlockCount() >= blocks
        && tier.getBlockCount() == ((BucketCache) tier).getBackingMap().size());
      EnvironmentEdgeManager.injectEdge(now::get);
    }

    private byte[] anyFamily() {
      return families[random.nextInt(region.getStores().size())];
    }

    void change(boolean plain) throws IOException {
      switch (random.nextInt(20)) {
        case 0:
        case 1:
          region.flush(true);
          break;
        case 2:
          if (oneIn(2)) {
            region.compact(oneIn(2));
          }
          break;
        case 3:
          now.addAndGet(TICK_MS);
          break;
        case 4:
        case 5:
          if (!plain || oneIn(8)) {
            region.delete(anyDelete());
          }
          break;
        case 6:
          if (!plain) {
            bulkLoad();
          }
          break;
        default:
          region.put(anyPut(plain));
      }
    }

    private Put anyPut(boolean plain) throws IOException {
      Put put = new Put(anyRow(), anyTime()).setDurability(Durability.SKIP_WAL);
      if (!plain && oneIn(8)) {
        put.setTTL(random.nextInt(5) * TICK_MS);
      }
      int cells = 1 + random.nextInt(12);
      for (int i = 0; i < cells; i++) {
        put.addColumn(anyFamily(), oneIn(2) ? any(qualifiers) : Bytes.toBytes("r" + i), anyValue());
      }
      return put;
    }

    private Delete anyDelete() {
      Delete delete = new Delete(anyRow()).setDurability(Durability.SKIP_WAL);
      byte[] family = anyFamily();
      switch (random.nextInt(6)) {
        case 0:
          return delete;
        case 1:
          return delete.addFamily(family, anyTime());
        case 2:
          return delete.addFamilyVersion(family, anyTime());
        case 3:
          return delete.addColumn(family, any(qualifiers), anyTime());
        case 4:
          return delete.addColumns(family, any(qualifiers), anyTime());
        default:
          return delete.addColumns(family, any(qualifiers));
      }
    }

    private void bulkLoad() throws IOException {
      byte[] family = anyFamily();
      Path file = new Path(UTIL.getDataTestDir(), "load-" + random.nextLong() + "/"
        + Bytes.toString(family) + "/" + Math.abs(random.nextInt()));
      TreeMap<KeyValue, KeyValue> cells = new TreeMap<>(region.getCellComparator());
      for (int i = 0; i < 20; i++) {
        KeyValue cell =
          new KeyValue(row(random.nextInt(ROWS)), family, any(qualifiers), anyTime(), anyValue());
        cells.put(cell, cell);
      }
      Configuration conf = region.getBaseConf();
      FileSystem fs = file.getFileSystem(conf);
      try (HFile.Writer writer = HFile.getWriterFactory(conf, new CacheConfig(conf))
        .withPath(fs, file)
        .withFileContext(
          new HFileContextBuilder().withIncludesTags(oneIn(2)).withBlockSize(256)
            .withDataBlockEncoding(any(DataBlockEncoding.values())).build())
        .create()) {
        for (KeyValue cell : cells.values()) {
          writer.append(cell);
        }
        writer.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(now.get()));
      }
      assertFalse(region.bulkLoadHFiles(
        Collections.singletonList(new Pair<>(family, file.toString())), oneIn(2), null)
        .isEmpty());
    }

    private Filter anyFilter() {
      switch (random.nextInt(oneIn(4) ? 18 : 17)) {
        case 0:
          return new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter());
        case 1:
          return new PageFilter(1 + random.nextInt(9));
        case 2:
          return new PrefixFilter(Bytes.toBytes("row-1"));
        case 3:
          return new ColumnPaginationFilter(1 + random.nextInt(3), random.nextInt(3));
        case 4:
          return new KeyOnlyFilter(oneIn(2));
        case 5:
          return new FirstKeyOnlyFilter();
        case 6:
          return new ColumnPrefixFilter(any(new byte[][] { Bytes.toBytes("q"), any(qualifiers) }));
        case 7:
          return new ColumnRangeFilter(any(qualifiers), oneIn(2), Bytes.toBytes("r3"), oneIn(2));
        case 8:
          return new MultipleColumnPrefixFilter(
            new byte[][] { Bytes.toBytes("q2"), Bytes.toBytes("r1") });
        case 9:
          return new ValueFilter(any(CompareOperator.values()),
            new BinaryComparator(anyValue()));
        case 10:
          return new QualifierFilter(CompareOperator.LESS, new BinaryComparator(any(qualifiers)));
        case 11:
          return new SkipFilter(new ValueFilter(CompareOperator.GREATER,
            new BinaryComparator(new byte[] { (byte) random.nextInt(256) })));
        case 12:
          return new WhileMatchFilter(new ValueFilter(CompareOperator.GREATER,
            new BinaryComparator(new byte[] { (byte) random.nextInt(64) })));
        case 13:
          return new TimestampsFilter(Arrays.asList(anyTime(), anyTime()), oneIn(2));
        case 14:
          return new DependentColumnFilter(F, any(qualifiers), oneIn(2));
        case 15:
          return new ColumnCountGetFilter(1 + random.nextInt(5));
        case 16:
          SingleColumnValueFilter filter = oneIn(2)
            ? new SingleColumnValueFilter(F, qualifiers[2], CompareOperator.GREATER,
              new byte[] { (byte) random.nextInt(256) })
            : new SingleColumnValueExcludeFilter(F, qualifiers[2], CompareOperator.GREATER,
              new byte[] { (byte) random.nextInt(256) });
          filter.setFilterIfMissing(oneIn(2));
          filter.setLatestVersionOnly(oneIn(2));
          return filter;
        default:
          return new FilterList(any(FilterList.Operator.values()), anyFilter(), anyFilter());
      }
    }

    /** Returns one that takes all rows, or excludes some by their row keys. */
    private Filter anyFilterOfRows() {
      switch (random.nextInt(6)) {
        case 0:
          return new FirstKeyOnlyFilter();
        case 1:
          return new KeyOnlyFilter(oneIn(4));
        case 2:
          return new FilterList(new KeyOnlyFilter(), new FirstKeyOnlyFilter());
        case 3:
          return new RowFilter(any(CompareOperator.values()), new BinaryComparator(anyRow()));
        case 4:
          return new RowFilter(oneIn(2) ? CompareOperator.EQUAL : CompareOperator.NOT_EQUAL,
            new SubstringComparator(Integer.toString(random.nextInt(30))));
        default:
          return new FilterList(any(FilterList.Operator.values()),
            oneIn(2) ? anyFilterOfRows() : anyFilter(), anyFilterOfRows());
      }
    }

    Scan anyScanOfRows() throws IOException {
      Scan scan = anyScan();
      Filter filter = anyFilterOfRows();
      // A batch can't have a filter that needs whole rows.
      return oneIn(3) || scan.getBatch() > 0 && filter.hasFilterRow()
        ? scan
        : scan.setFilter(filter);
    }

    Scan anyScan() throws IOException {
      Scan scan = new Scan().setCacheBlocks(!oneIn(4));
      boolean reversed = oneIn(10);
      scan.setReversed(reversed);
      if (oneIn(3)) {
        scan.withStartRow(anyRow(), oneIn(2));
      }
      if (oneIn(3)) {
        scan.withStopRow(anyRow(), oneIn(2));
      }
      if (oneIn(10)) {
        scan.setRaw(true);
      } else if (oneIn(3)) {
        int columns = 1 + random.nextInt(4);
        for (int i = 0; i < columns; i++) {
          scan.addColumn(anyFamily(), oneIn(2) ? any(qualifiers) : Bytes.toBytes("r" + i * 2));
        }
      }
      if (oneIn(6)) {
        scan.addFamily(anyFamily());
      }
      if (oneIn(4)) {
        scan.readVersions(1 + random.nextInt(4));
      }
      if (oneIn(6)) {
        long time = anyTime();
        scan.setTimeRange(time, time + 1 + random.nextInt(3) * TICK_MS);
      }
      if (oneIn(3)) {
        scan.setFilter(anyFilter());
      } else if (oneIn(3)) {
        scan.setBatch(1 + random.nextInt(6));
      }
      if (oneIn(12)) {
        scan.setMaxResultsPerColumnFamily(1 + random.nextInt(4));
      }
      if (oneIn(12)) {
        scan.setRowOffsetPerColumnFamily(1 + random.nextInt(2));
      }
      if (oneIn(4)) {
        scan.setReadType(any(Scan.ReadType.values()));
      }
      if (oneIn(8)) {
        scan.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
      }
      // A reversed scan that needs it is refused.
      scan.setLoadColumnFamiliesOnDemand(!reversed && oneIn(2));
      return scan;
    }

    /** Returns what makes the same contexts. */
    private Supplier<ScannerContext> anyLimits(Scan scan) {
      LimitScope scope = oneIn(3) ? LimitScope.BETWEEN_ROWS : LimitScope.BETWEEN_CELLS;
      long bytes = any(new Long[] { 50L, 300L, 2_000L, 1L << 20 });
      long heapBytes = any(new Long[] { 100L, 500L, 4_000L, 1L << 20 });
      long blockBytes = any(new Long[] { 600L, 5_000L, 1L << 20, 1L << 20 });
      long time = now.get() + (oneIn(10) ? 0 : 60_000);
      boolean keep = !oneIn(4);
      boolean sizes = !oneIn(4);
      boolean times = !oneIn(3);
      return () -> {
        ScannerContext.Builder builder = ScannerContext.newBuilder(keep)
          .setBatchLimit(scan.getBatch()).setTrackMetrics(true);
        if (sizes) {
          builder.setSizeLimit(scope, bytes, heapBytes, blockBytes);
        }
        if (times) {
          builder.setTimeLimit(scope, time);
        }
        return builder.build();
      };
    }

    /** The one has found a block in memory that the other one has in the tier. */
    private void abandon(Reader usual, Reader withRuns) {
      abandoned++;
      usual.scanner.close();
      withRuns.scanner.close();
    }

    void compare(Scan scan) throws IOException {
      Reader usual = new Reader(scan, false);
      Reader withRuns = new Reader(scan, true);
      assertEquals(scan.toString(), usual.blocks, withRuns.blocks);
      assertEquals(scan.toString(), usual.scanner == null, withRuns.scanner == null);
      if (usual.scanner == null) {
        return;
      }
      boolean changes = oneIn(3);
      boolean more = true;
      for (int calls = 0; more && calls < 400; calls++) {
        Supplier<ScannerContext> limits = anyLimits(scan);
        ScannerContext usualContext = limits.get();
        ScannerContext runsContext = limits.get();
        int rows = 1 + random.nextInt(12);
        for (int i = 0; more && i < rows; i++) {
          String message = scan + ", call " + calls + '.' + i;
          if (usualContext.getKeepProgress()) {
            usualContext.setBatchProgress(0);
            runsContext.setBatchProgress(0);
          }
          List<String> atOnce = withRuns.nextRows(random.nextInt(20), runsContext);
          boolean areOffHeap = true;
          for (String row : atOnce) {
            usualContext.setBatchProgress(0);
            assertEquals(message, usual.nextRow(usualContext), row);
            areOffHeap &= !usual.offHeap.contains(false);
            assertFalse(message, usualContext.checkSizeLimit(LimitScope.BETWEEN_ROWS));
          }
          if (!areOffHeap) {
            abandon(usual, withRuns);
            return;
          }
          if (!atOnce.isEmpty()) {
            rowsAtOnce += atOnce.size();
            assertEquals(message, usual.state(), withRuns.state());
            usualContext.setBatchProgress(0);
            runsContext.setBatchProgress(0);
          }
          String expected = usual.next(usualContext);
          String actual = withRuns.next(runsContext);
          if (!usual.offHeap.equals(withRuns.offHeap) && inTier) {
            abandon(usual, withRuns);
            return;
          }
          assertEquals(message, expected, actual);
          assertEquals(message, usualContext.checkTimeLimit(LimitScope.BETWEEN_ROWS),
            runsContext.checkTimeLimit(LimitScope.BETWEEN_ROWS));
          more = expected.startsWith("true\n");
          if (
            more && (usualContext.checkSizeLimit(LimitScope.BETWEEN_ROWS)
              || usualContext.checkTimeLimit(LimitScope.BETWEEN_ROWS))
          ) {
            break;
          }
          if (changes && oneIn(20)) {
            change(false);
          }
        }
        usual.shipped();
        withRuns.shipped();
        if (changes && oneIn(4)) {
          change(false);
        }
      }
      usual.scanner.close();
      withRuns.scanner.close();
    }
  }

  @Test
  public void givesTheSame() throws Exception {
    Chaos chaos = new Chaos(seed.newRandom());
    long before = MetricsScanRuns.getInstance().getRunCells();
    for (int i = 0; i < SCANS; i++) {
      if (i % SCANS_PER_TABLE == 0) {
        chaos.openTable();
      }
      chaos.compare(chaos.anyScan());
    }
    long cells = MetricsScanRuns.getInstance().getRunCells() - before;
    System.out.println(
      SCANS + " scans, " + cells + " cells in runs, " + chaos.rowsAtOnce + " rows at once, "
        + chaos.abandoned + " not compared");
    assertTrue("cells in runs: " + cells, cells > SCANS * 5L);
    assertTrue("not compared: " + chaos.abandoned, chaos.abandoned < SCANS / 4);
    assertNothingHeld();
  }

  private void assertNothingHeld() {
    assertTrue(region.scannerReadPoints.isEmpty());
    for (HStore store : region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        assertEquals(file.toString(), 0, file.getRefCount());
      }
    }
  }

  @Test
  public void rowsAtOnceAreTheSame() throws Exception {
    Chaos chaos = new Chaos(seed.newRandom());
    long before = MetricsScanRuns.getInstance().getRowsPassed();
    for (int i = 0; i < SCANS / 2; i++) {
      if (i % SCANS_PER_TABLE == 0) {
        chaos.openBigTable();
      }
      chaos.compare(chaos.anyScanOfRows());
    }
    long passed = MetricsScanRuns.getInstance().getRowsPassed() - before;
    System.out.println(
      SCANS / 2 + " scans, " + chaos.rowsAtOnce + " rows at once, " + passed + " were passed, "
        + chaos.abandoned + " not compared");
    assertTrue("rows at once: " + chaos.rowsAtOnce, chaos.rowsAtOnce > SCANS / 8);
    assertTrue("rows that were passed: " + passed, passed > SCANS / 8);
    assertTrue("not compared: " + chaos.abandoned, chaos.abandoned < SCANS / 4);
    assertNothingHeld();
  }

  /** The rest of a row is in the only family that is left; its begin was given before. */
  @Test
  public void aFilterIsNotResetInTheMiddleOfARow() throws Exception {
    unsetLimits();
    open(CACHES.get(1), ColumnFamilyDescriptorBuilder.of(F),
      ColumnFamilyDescriptorBuilder.newBuilder(G).setBlocksize(1024).build());
    region.put(new Put(row(1)).addColumn(G, F, F).addColumn(G, G, G)
      .setDurability(Durability.SKIP_WAL));
    region.put(new Put(row(2)).addColumn(F, F, F).addColumn(G, F, F)
      .setDurability(Durability.SKIP_WAL));
    for (int i = 3; i < 99; i++) {
      region.put(new Put(row(i)).addColumn(G, F, new byte[100])
        .setDurability(Durability.SKIP_WAL));
    }
    region.flush(true);
    Scan scan = new Scan().setBatch(1).setFilter(new FilterList(
      new RowFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(row(1))),
      new FirstKeyOnlyFilter()));
    BlockCache tier = CACHES.get(1).getBlockCaches()[1];
    EnvironmentEdgeManager.reset();
    scan(new Scan());
    Waiter.waitFor(UTIL.getConfiguration(), 60_000, 10,
      () -> tier.getBlockCount() >= 10
        && tier.getBlockCount() == ((BucketCache) tier).getBackingMap().size());
    setRuns("false");
    List<String> usual = cellsOf(scan);
    setRuns("true");
    assertEquals(usual, cellsOf(scan));
  }

  /** Returns rows of a scan behind which its file has later ones only, which it doesn't see. */
  private List<String> rowsBeforeLaterOnes(DataBlockEncoding encoding, boolean runs)
    throws IOException {
    open(CACHES.get(1), ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setDataBlockEncoding(encoding).setBlocksize(1024).build());
    setRuns(Boolean.toString(runs));
    for (int i = 0; i < 30; i++) {
      put(i, now.get(), 1 + i % 7);
    }
    try (RegionScanner scanner =
      region.getScanner(new Scan().setFilter(new FirstKeyOnlyFilter()))) {
      assertTrue(scanner.nextRaw(new ArrayList<>()));
      for (int i = 30; i < 90; i++) {
        put(i, now.get(), 5);
      }
      region.flush(true);
      return cellsOf(scanner);
    }
  }

  @Test
  public void rowsOfEncodedBlocksAreSkippedToTheLastOneThatIsSeen() throws Exception {
    unsetLimits();
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      assertEquals(encoding.toString(), rowsBeforeLaterOnes(encoding, false),
        rowsBeforeLaterOnes(encoding, true));
    }
  }

  private void setRuns(String value) {
    Configuration conf = new Configuration(UTIL.getConfiguration());
    if (value != null) {
      conf.set(ScanRunsSettings.ENABLED.key(), value);
    }
    region.getStores().forEach(store -> store.onConfigurationChange(conf));
  }

  private static long runCells() {
    return MetricsScanRuns.getInstance().getRunCells();
  }

  /** Returns how many cells a scan gives. */
  private int scan(Scan scan) throws IOException {
    int cells = 0;
    List<Cell> row = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      boolean more = true;
      while (more) {
        more = scanner.nextRaw(row);
        cells += row.size();
        row.clear();
      }
    }
    return cells;
  }

  private static void unsetLimits() {
    Configuration conf = UTIL.getConfiguration();
    conf.unset(StoreScanner.HBASE_CELLS_SCANNED_PER_HEARTBEAT_CHECK);
    conf.unset(StoreScanner.STORESCANNER_PREAD_MAX_BYTES);
    conf.unset(HConstants.TABLE_MAX_ROWSIZE_KEY);
  }

  private void openOneFile(int rows) throws IOException {
    unsetLimits();
    openPlain();
    for (int i = 0; i < rows; i++) {
      put(i, now.get(), 5);
    }
    region.flush(true);
  }

  @Test
  public void theCellsOfABlockAreReadInRuns() throws Exception {
    openOneFile(20);
    setRuns("true");
    long before = runCells();
    assertEquals(100, scan(new Scan()));
    // The block is counted with its first cell, and left by its last one.
    assertEquals(98, runCells() - before);
  }

  /** Of few keys in a block of the index, in whose last one columns and rows are sought. */
  private void openBlocks(DataBlockEncoding encoding) throws IOException {
    unsetLimits();
    openBlocksWithLimits(encoding);
  }

  private void openBlocksWithLimits(DataBlockEncoding encoding) throws IOException {
    open(CACHES.get(1), ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(8192)
      .setDataBlockEncoding(encoding).build());
    for (int i = 0; i < 500; i++) {
      put(i, now.get(), 5);
    }
    region.flush(true);
    setRuns("true");
  }

  private void assertReadInRuns(int cells, Scan scan) throws IOException {
    scan.setReadType(Scan.ReadType.STREAM);
    setRuns("false");
    List<String> usual = cellsOf(scan);
    setRuns("true");
    assertEquals(usual, cellsOf(scan));
    long before = runCells();
    assertEquals(cells, scan(scan));
    long inRuns = runCells() - before;
    assertTrue(inRuns + " of " + cells + " in runs", inRuns >= cells / 2);
  }

  @Test
  public void namedColumnsAreReadInRuns() throws Exception {
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      openBlocks(encoding);
      assertReadInRuns(500, new Scan().addColumn(F, Bytes.toBytes("q2")));
      assertReadInRuns(1000,
        new Scan().addColumn(F, Bytes.toBytes("q0")).addColumn(F, Bytes.toBytes("q4")));
      assertEquals(0, scan(new Scan().addColumn(F, Bytes.toBytes("q1-none"))));
    }
  }

  /** As a coprocessor scans, which never ships: by pread, and without limits, to the end. */
  @Test
  public void cellsAreReadInRunsThoughStreamsAreDue() throws Exception {
    unsetLimits();
    UTIL.getConfiguration().setInt(StoreScanner.STORESCANNER_PREAD_MAX_BYTES, 100);
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      openBlocksWithLimits(encoding);
      for (Scan scan : new Scan[] { new Scan(), new Scan().setFilter(new KeyOnlyFilter()) }) {
        long before = runCells();
        assertEquals(2500, scan(scan));
        long inRuns = runCells() - before;
        assertTrue(encoding + ", " + scan + ": " + inRuns, inRuns >= 2000);
      }
    }
  }

  @Test
  public void cellsThatAFilterTakesAreReadInRuns() throws Exception {
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      openBlocks(encoding);
      assertReadInRuns(500, new Scan().setFilter(new FirstKeyOnlyFilter()));
      assertReadInRuns(2500, new Scan().setFilter(new KeyOnlyFilter()));
      assertReadInRuns(1000, new Scan().setFilter(
        new QualifierFilter(CompareOperator.GREATER, new BinaryComparator(Bytes.toBytes("q2")))));
    }
  }

  @Test
  public void blocksOfOtherVersionsAreNotRead() throws Exception {
    unsetLimits();
    open(CACHES.get(1), ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(100)
      .setBlocksize(512).build());
    for (int row = 0; row < 100; row++) {
      put(row, now.get(), 5 + row % 4);
      for (int version = 1; version < 25 + row % 3; version++) {
        region.put(new Put(row(row), now.get() - version).setDurability(Durability.SKIP_WAL)
          .addColumn(F, Bytes.toBytes("q4"), new byte[10]));
      }
    }
    region.flush(true);
    Scan scan = new Scan().setCacheBlocks(false).setReadType(Scan.ReadType.PREAD);
    setRuns("false");
    long usual = blocksRead(scan);
    setRuns("true");
    long before = runCells();
    long withRuns = blocksRead(scan);
    assertEquals(usual, withRuns);
    assertTrue(runCells() > before);
  }

  private long blocksRead(Scan scan) throws IOException {
    long before = HFile.DATABLOCK_READ_COUNT.sum();
    scan(scan);
    return HFile.DATABLOCK_READ_COUNT.sum() - before;
  }

  @Test
  public void offThereAreNoRuns() throws Exception {
    openOneFile(20);
    MetricsScanRuns metrics = MetricsScanRuns.getInstance();
    long before = runCells();
    long plain = metrics.getPlain();
    long kind = metrics.getOther(MetricsScanRuns.Reason.KIND);
    scan(new Scan());
    setRuns("true");
    setRuns(null);
    assertEquals(100, scan(new Scan()));
    assertEquals(20, scan(new Scan().setReversed(true).setFilter(new FirstKeyOnlyFilter())));
    assertEquals(before, runCells());
    assertEquals(plain, metrics.getPlain());
    assertEquals(kind, metrics.getOther(MetricsScanRuns.Reason.KIND));
  }

  @Test
  public void aValueThatIsNotAllowedChangesNothing() throws Exception {
    openOneFile(20);
    setRuns("true");
    setRuns("maybe");
    long before = runCells();
    scan(new Scan());
    assertEquals(98, runCells() - before);
  }

  @Test
  public void scansWithoutRunsAreCountedByReason() throws Exception {
    openOneFile(5);
    setRuns("true");
    MetricsScanRuns metrics = MetricsScanRuns.getInstance();
    long[] before = new long[MetricsScanRuns.Reason.values().length];
    for (MetricsScanRuns.Reason reason : MetricsScanRuns.Reason.values()) {
      before[reason.ordinal()] = metrics.getOther(reason);
    }
    long cells = runCells();
    long plain = metrics.getPlain();
    scan(new Scan().setMaxResultsPerColumnFamily(2));
    scan(new Scan().setReversed(true));
    scan(new Scan().setRaw(true));
    for (MetricsScanRuns.Reason reason : MetricsScanRuns.Reason.values()) {
      assertEquals(reason.toString(), reason == MetricsScanRuns.Reason.KIND ? 2 : 1,
        metrics.getOther(reason) - before[reason.ordinal()]);
    }
    assertEquals(cells, runCells());
    assertEquals(plain, metrics.getPlain());
  }

  @Test
  public void aLimitOfTimeIsNoticedWithinEightRows() throws Exception {
    openOneFile(30);
    setRuns("true");
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      ScannerContext context = ScannerContext.newBuilder(true)
        .setTimeLimit(LimitScope.BETWEEN_CELLS, now.get() + 1_000).build();
      List<Cell> cells = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        scanner.nextRaw(cells, context);
        assertFalse(context.checkTimeLimit(LimitScope.BETWEEN_ROWS));
      }
      now.addAndGet(1_000);
      int rows = 0;
      while (!context.checkTimeLimit(LimitScope.BETWEEN_ROWS)) {
        assertTrue(scanner.nextRaw(cells, context));
        rows++;
      }
      assertTrue("rows: " + rows, rows <= 8);
      // From then on each call says so.
      int size = cells.size();
      assertTrue(scanner.nextRaw(cells, context));
      assertEquals(size, cells.size());
      assertTrue(context.checkTimeLimit(LimitScope.BETWEEN_ROWS));
    }
  }

  /** Takes a while for each cell. */
  public static final class SlowFilter extends FilterBase {
    private final LongConsumer clock;

    SlowFilter(LongConsumer clock) {
      this.clock = clock;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      clock.accept(20);
      return ReturnCode.INCLUDE;
    }
  }

  /** Returns how many rows a call gives until its limit of time is reached. */
  private int rowsUntilTimeLimit() throws IOException {
    int rows = 0;
    try (RegionScannerImpl scanner =
      region.getScanner(new Scan().setFilter(new SlowFilter(now::addAndGet)))) {
      ScannerContext context = ScannerContext.newBuilder(true)
        .setTimeLimit(LimitScope.BETWEEN_CELLS, now.get() + 1_050).build();
      while (!context.checkTimeLimit(LimitScope.BETWEEN_ROWS)) {
        assertTrue(scanner.nextRaw(new ArrayList<>(), context));
        rows++;
      }
    }
    return rows;
  }

  @Test
  public void aFilterThatTakesLongIsStoppedAsEver() throws Exception {
    openOneFile(40);
    setRuns("false");
    int usual = rowsUntilTimeLimit();
    setRuns("true");
    long before = runCells();
    assertEquals(usual, rowsUntilTimeLimit());
    assertTrue(runCells() > before);
  }

  /** Counts how often it is asked whether it takes no more cells. */
  public static final class CountingFilter extends FilterBase {
    private int asked;

    @Override
    public boolean filterAllRemaining() {
      asked++;
      return false;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }
  }

  private int questions(Scan scan, boolean runs) throws IOException {
    CountingFilter filter = new CountingFilter();
    setRuns(Boolean.toString(runs));
    scan(scan.setFilter(filter).setReadType(Scan.ReadType.STREAM));
    return filter.asked;
  }

  @Test
  public void aFilterIsAskedNoMoreOftenThanWithoutRunsWhetherItIsDone() throws Exception {
    openBlocks(DataBlockEncoding.NONE);
    Scan columns = new Scan().addColumn(F, Bytes.toBytes("q1")).addColumn(F, Bytes.toBytes("q3"));
    for (Scan scan : new Scan[] { new Scan(), columns }) {
      long before = runCells();
      int withRuns = questions(scan, true);
      assertTrue(runCells() > before);
      int usual = questions(scan, false);
      assertTrue(scan + ": " + withRuns + " by " + usual, withRuns <= usual);
    }
  }

  /** Rows of two files and the memstore, some with deletes, in blocks that may have indexes. */
  private void openWideRows(DataBlockEncoding encoding, Random random, byte[] value)
    throws IOException {
    unsetLimits();
    open(CACHES.get(1), ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(2)
      .setDataBlockEncoding(encoding).setBlocksize(16 * 1024).build());
    for (int part = 0; part < 3; part++) {
      for (int i = part; i < 900; i += part == 0 ? 1 : 40) {
        Put put = new Put(Bytes.toBytes(String.format("row-%04d", i)), now.get() + part)
          .setDurability(Durability.SKIP_WAL);
        int columns = 1 + random.nextInt(16);
        for (int j = 0; j < columns; j++) {
          put.addColumn(F, Bytes.toBytes("q" + j), Arrays.copyOf(value, random.nextInt(100)));
        }
        region.put(put);
        if (random.nextInt(20) == 0) {
          region.delete(new Delete(put.getRow()).addColumns(F, Bytes.toBytes("q1"))
            .setDurability(Durability.SKIP_WAL));
        }
      }
      if (part < 2) {
        region.flush(true);
      }
    }
  }

  private List<String> cellsOf(Scan scan) throws IOException {
    Scan own = ProtobufUtil.toScan(ProtobufUtil.toScan(scan)); // With a filter of its own.
    try (RegionScanner scanner = region.getScanner(own)) {
      return cellsOf(scanner);
    }
  }

  /** Returns what is left of a scan. */
  private static List<String> cellsOf(RegionScanner scanner) throws IOException {
    List<String> texts = new ArrayList<>();
    List<Cell> row = new ArrayList<>();
    boolean more = true;
    while (more) {
      more = scanner.nextRaw(row);
      row.forEach(cell -> texts.add(KeyValueUtil.copyToNewKeyValue(cell).toString()));
      texts.add("more " + more);
      row.clear();
    }
    return texts;
  }

  /** Returns how many cells a scan has gone over when it has given some rows. */
  private long scannedCells(Scan scan, int rows) throws IOException {
    try (RegionScannerImpl scanner = region.getScanner(scan)) {
      for (int i = 0; i < rows; i++) {
        assertTrue(scanner.nextRaw(new ArrayList<>()));
      }
      return ((StoreScanner) scanner.storeHeap.getCurrentForTesting())
        .getEstimatedNumberOfKvsScanned();
    }
  }

  @Test
  public void rowsAreSkippedByTheIndexesOfBlocks() throws Exception {
    byte[] value = new byte[100];
    seed.newRandom().nextBytes(value);
    Configuration indexes = new Configuration(false);
    indexes.setBoolean(BlockSeekIndexSettings.ENABLED.key(), true);
    indexes.set(BlockSeekIndexSettings.SIZE.key(), "8m");
    List<Scan> scans = new ArrayList<>();
    for (Filter filter : new Filter[] { new FirstKeyOnlyFilter(), new PageFilter(600),
      new PrefixFilter(Bytes.toBytes("row-03")),
      new RowFilter(CompareOperator.EQUAL, new SubstringComparator("77")),
      new SingleColumnValueFilter(F, Bytes.toBytes("q2"), CompareOperator.LESS,
        Arrays.copyOf(value, 30)),
      new SkipFilter(new ValueFilter(CompareOperator.GREATER,
        new BinaryComparator(Arrays.copyOf(value, 3)))),
      new ColumnPrefixFilter(Bytes.toBytes("q1")), new ColumnCountGetFilter(4),
      new ColumnPaginationFilter(2, 1) }) {
      scans.add(new Scan().setFilter(filter));
      Scan batches = new Scan().setFilter(filter).withStartRow(Bytes.toBytes("row-0333"))
        .readVersions(2).setReadType(Scan.ReadType.STREAM);
      scans.add(filter.hasFilterRow() ? batches : batches.setBatch(3));
    }
    scans.add(new Scan().addColumn(F, Bytes.toBytes("q3")));
    scans.add(new Scan().addColumn(F, Bytes.toBytes("q0")).addColumn(F, Bytes.toBytes("q12")));
    for (DataBlockEncoding encoding : new DataBlockEncoding[] { DataBlockEncoding.NONE,
      DataBlockEncoding.ROW_INDEX_V1 }) {
      openWideRows(encoding, seed.newRandom(), value);
      try {
        setRuns("true");
        long walked = scannedCells(new Scan().setFilter(new FirstKeyOnlyFilter()), 800);
        BlockSeekIndex.start(indexes);
        for (Scan scan : scans) {
          setRuns("false");
          List<String> usual = cellsOf(scan);
          setRuns("true");
          for (int i = 0; i < 3; i++) {
            assertEquals(encoding + ", " + scan, usual, cellsOf(scan));
          }
        }
        long scanned = scannedCells(new Scan().setFilter(new FirstKeyOnlyFilter()), 800);
        assertTrue(encoding + ": " + scanned + " cells by " + walked, scanned < walked / 2);
      } finally {
        BlockSeekIndex.start(new Configuration(false));
      }
    }
  }

  @Test
  public void aDeleteEndsARun() throws Exception {
    openOneFile(3);
    region.delete(new Delete(row(1)).addColumns(F, Bytes.toBytes("q2"))
      .setDurability(Durability.SKIP_WAL));
    region.flush(true);
    region.compact(false);
    setRuns("true");
    assertEquals(14, scan(new Scan()));
    region.put(new Put(row(0), now.get() + 1).addColumn(F, Bytes.toBytes("q0"), new byte[1])
      .setDurability(Durability.SKIP_WAL));
    assertEquals(14, scan(new Scan()));
  }
}
