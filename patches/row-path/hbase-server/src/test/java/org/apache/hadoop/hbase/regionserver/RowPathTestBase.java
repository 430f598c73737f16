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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;

/** Reads gets of a region by the row path and by a region scanner. */
abstract class RowPathTestBase {
  static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] COUNT = Bytes.toBytes("n");

  private static final int CHUNK_BYTES = 8 * 1024;

  static BlockReads.Cache cache;
  private static ChunkCreator chunksBefore;
  private static int regions;

  final RowPath path = new RowPath(enabled());
  HRegion region;
  boolean connected = true;
  /** Results that were looked at and are in a block off the heap. */
  int inBlocks;
  /** Of the last get by the row path. */
  BlockReads rowPathReads;
  /** Of the last get by a region scanner. */
  BlockReads scannerReads;
  long now = 1_000_000_000L;

  static Configuration enabled() {
    Configuration conf = new Configuration(false);
    conf.setBoolean(RowPathSettings.ENABLED.key(), true);
    return conf;
  }

  @BeforeClass
  public static void openCache() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 32);
    conf.setInt("hfile.index.block.max.size", 256);
    conf.setInt("io.storefile.bloom.block.size", 1024);
    conf.setInt("hfile.format.version", 3);
    conf.setInt(MemStoreLAB.CHUNK_SIZE_KEY, CHUNK_BYTES);
    conf.setInt(MemStoreLAB.MAX_ALLOC_KEY, CHUNK_BYTES / 4);
    // Off the heap, and used again as soon as nobody holds them.
    chunksBefore = ChunkCreator.instance;
    ChunkCreator.instance = null;
    ChunkCreator.initialize(CHUNK_BYTES, true, 1024 * CHUNK_BYTES, 1, 0, null, 0.5F);
    conf.set(HConstants.HBASE_DIR, UTIL.getDataTestDir("root").toString());
    cache = new BlockReads.Cache((CombinedBlockCache) BlockCacheFactory.createBlockCache(conf));
  }

  @AfterClass
  public static void shutDownCache() throws IOException {
    cache.shutdown();
    ChunkCreator.instance = chunksBefore;
    UTIL.cleanupTestDir();
  }

  @Before
  public void setClock() {
    EnvironmentEdgeManager.injectEdge(() -> now);
    UTIL.getConfiguration().setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
  }

  @After
  public void close() throws IOException {
    EnvironmentEdgeManager.reset();
    if (region != null) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
  }

  void open(ColumnFamilyDescriptor... families) throws IOException {
    if (region != null) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
    TableName table = TableName.valueOf("t" + regions++);
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir("root"),
      UTIL.getConfiguration(), TableDescriptorBuilder.newBuilder(table)
        .setColumnFamilies(Arrays.asList(families)).build(), cache);
    region.rowPath = path;
  }

  /** Makes the region one of the halves of its split, whose files are halves of the former ones. */
  void openHalf(byte[] splitRow, boolean top) throws IOException {
    region.flush(true);
    RegionInfo parent = region.getRegionInfo();
    RegionInfo half = RegionInfoBuilder.newBuilder(parent.getTable())
      .setStartKey(top ? splitRow : HConstants.EMPTY_START_ROW)
      .setEndKey(top ? HConstants.EMPTY_END_ROW : splitRow).build();
    Path table = region.getRegionFileSystem().getTableDir();
    FileSystem fs = region.getFilesystem();
    for (HStore store : region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        if (!hasRows(file, splitRow, top)) {
          continue; // A split makes no reference either. Such a half can't be sought again.
        }
        Reference reference =
          top ? Reference.createTopReference(splitRow) : Reference.createBottomReference(splitRow);
        Path directory = new Path(new Path(table, half.getEncodedName()),
          store.getColumnFamilyName());
        fs.mkdirs(directory);
        reference.write(fs,
          new Path(directory, file.getPath().getName() + "." + parent.getEncodedName()));
      }
    }
    TableDescriptor descriptor = region.getTableDescriptor();
    HBaseTestingUtility.closeRegionAndWAL(region);
    region = HBaseTestingUtility.createRegionAndWAL(half, UTIL.getDataTestDir("root"),
      UTIL.getConfiguration(), descriptor, cache);
    region.rowPath = path;
  }

  private static boolean hasRows(HStoreFile file, byte[] splitRow, boolean top) {
    Cell end = (top ? file.getLastKey() : file.getFirstKey()).orElse(null);
    if (end == null) {
      return false;
    }
    int difference = CellComparator.getInstance().compareRows(end, splitRow, 0, splitRow.length);
    return top ? difference >= 0 : difference < 0;
  }

  void openPlain() throws IOException {
    open(ColumnFamilyDescriptorBuilder.of(F));
  }

  static byte[] row(int number) {
    return Bytes.toBytes(String.format("row-%02d", number));
  }

  void put(int row, String qualifier, long timestamp, String value) throws IOException {
    region.put(new Put(row(row), timestamp).setDurability(Durability.SKIP_WAL)
      .addColumn(F, Bytes.toBytes(qualifier), Bytes.toBytes(value)));
  }

  /** One call of a server. */
  final class Call extends StubCall {
    /** Returns null if a region scanner has to read the get. */
    Result get(Get get) throws IOException {
      return path.get(get, region, null, this);
    }

    /** What the server does once the response is built. */
    void end() throws IOException {
      getCallback().run();
    }

    @Override
    public long disconnectSince() {
      return connected ? -1 : 1;
    }
  }

  /** Returns the result's text by the row path; null if a region scanner has to read the get. */
  String byRowPath(Get get) throws IOException {
    Call call = new Call();
    cache.take(0);
    Result result = call.get(get);
    rowPathReads = cache.take(call.getBlockBytesScanned());
    if (result == null) {
      assertTrue(get + ": " + rowPathReads, rowPathReads.isEmpty());
      return null;
    }
    try {
      assertEquals(get.isQueryMetricsEnabled(), result.getMetrics() != null);
      String text = describe(result);
      inBlocks += result instanceof RowResult ? 1 : 0;
      assertSameCells(get.toString(), text, result);
      return text;
    } finally {
      call.end();
    }
  }

  /** Returns the result's text as the server reads it without the row path. */
  String byScanner(Get get) throws IOException {
    region.prepareGet(get);
    List<Cell> cells = new ArrayList<>();
    long before = EnvironmentEdgeManager.currentTime();
    ScannerContext context = ScannerContext.newBuilder(true).build();
    cache.take(0);
    Scan scan = new Scan(get);
    if (scan.getLoadColumnFamiliesOnDemandValue() == null) {
      scan.setLoadColumnFamiliesOnDemand(region.isLoadingCfsOnDemandDefault());
    }
    try (RegionScanner scanner = region.getScanner(scan)) {
      scanner.next(cells, context);
      scannerReads = cache.take(context.getBlockSizeProgress());
      region.metricsUpdateForGet(cells, before);
      return describe(
        Result.create(cells, get.isCheckExistenceOnly() ? !cells.isEmpty() : null, false));
    }
  }

  static String describe(Result result) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(result.getExists()).append(' ').append(result.isStale()).append(' ')
      .append(result.mayHaveMoreCellsInRow()).append('\n');
    // As what writes a response goes through them.
    for (CellScanner cells = result.cellScanner(); cells.advance();) {
      append(text, cells.current());
    }
    return text.toString();
  }

  static void append(StringBuilder text, Cell cell) throws IOException {
    KeyValue copy = KeyValueUtil.copyToNewKeyValue(cell);
    copy.setSequenceId(0); // Not sent to clients.
    text.append(copy).append(' ').append(Bytes.toStringBinary(copy.getBuffer(),
      copy.getOffset(), copy.getLength())).append('\n');
  }

  /** Asks for all cells together. */
  static void assertSameCells(String message, String expected, Result result)
    throws IOException {
    StringBuilder text = new StringBuilder();
    Cell[] cells = result.rawCells();
    for (int i = 0; cells != null && i < cells.length; i++) {
      append(text, cells[i]);
    }
    assertEquals(message, expected.substring(expected.indexOf('\n') + 1), text.toString());
  }
}
