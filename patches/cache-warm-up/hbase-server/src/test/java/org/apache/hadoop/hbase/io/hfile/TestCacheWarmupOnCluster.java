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
package org.apache.hadoop.hbase.io.hfile;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import javax.management.JMX;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.monitoring.MonitoredTask;
import org.apache.hadoop.hbase.monitoring.TaskMonitor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TestName;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.AfterParam;
import org.junit.runners.Parameterized.BeforeParam;
import org.junit.runners.Parameterized.Parameters;

/** What servers read from HDFS to warm their caches, counted at HDFS's streams. */
@RunWith(Parameterized.class)
@Category({ IOTests.class, LargeTests.class })
public class TestCacheWarmupOnCluster {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheWarmupOnCluster.class);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  @Rule
  public final TestName name = new TestName();

  @Parameterized.Parameter
  public boolean composite;

  private static final FileReads READS = FileReads.CountedHdfs.READS;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] OTHER_FAMILY = Bytes.toBytes("g");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 600;
  private static final int VALUE_BYTES = 1000;
  private static final int BLOCK_SIZE = 4096;
  /** Few sizes, since each keeps a bucket that others can't take. */
  private static final String BUCKET_SIZES = "2048,5120,66560,132096";
  private static final int TIMEOUT_MS = 180_000;
  private static final int SESSION_TIMEOUT_MS = 300_000;
  private static final int HEADER = HFileBlock.headerSize(true);

  private static HBaseTestingUtility util;

  @Parameters(name = "composite: {0}")
  public static Boolean[] topologies() {
    return new Boolean[] { false, true };
  }

  @BeforeParam
  public static void startCluster(boolean composite) throws Exception {
    util = new HBaseTestingUtility();
    Configuration conf = util.getConfiguration();
    conf.setClass("fs.hdfs.impl", FileReads.CountedHdfs.class, FileSystem.class);
    conf.setBoolean(CacheWarmupSettings.ENABLED.key(), true);
    conf.setInt(PrefetchExecutor.PREFETCH_DELAY, 0);
    PrefetchExecutor.loadConfiguration(conf);
    conf.set("hbase.bucketcache.ioengine", "offheap");
    conf.setInt("hbase.bucketcache.size", 48);
    conf.set("hbase.bucketcache.bucket.sizes", BUCKET_SIZES);
    conf.setInt("hbase.bucketcache.writer.queuelength", 20_000);
    if (composite) {
      conf.set("hbase.bucketcache.l1.ioengine", "offheap");
      conf.setInt("hbase.bucketcache.l1.size", 8);
    } else {
      conf.setInt("hfile.onheap.block.cache.fixed.size", 8 << 20);
    }
    // Small chunks, so that few rows have all levels of indexes, and bloom filters of several
    // chunks.
    conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, 1024);
    conf.setInt(BloomFilterFactory.IO_STOREFILE_BLOOM_BLOCK_SIZE, 256);
    // On a busy machine no server is taken for dead.
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, SESSION_TIMEOUT_MS);
    conf.setInt("hbase.zookeeper.property.maxSessionTimeout", SESSION_TIMEOUT_MS);
    util.startMiniCluster(
      StartMiniClusterOption.builder().numRegionServers(2).numDataNodes(1).build());
    util.getAdmin().balancerSwitch(false, true);
  }

  @AfterParam
  public static void stopCluster() throws Exception {
    util.shutdownMiniCluster();
  }

  @Before
  public void setUp() {
    READS.clear();
  }

  @After
  public void tearDown() throws Exception {
    BlockWarmer.THROTTLE.setRate(0);
    try {
      util.deleteTable(tableName());
    } finally {
      clearCaches();
    }
  }

  /** Empties the caches: a full one evicts blocks of a file while the file is warmed. */
  private static void clearCaches() {
    util.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
      .map(thread -> thread.getRegionServer().getBlockCache().get()).forEach(cache -> {
        Set<String> files = new HashSet<>();
        cache.forEach(block -> files.add(block.getFilename()));
        files.forEach(cache::evictBlocksByHfileName);
      });
  }

  private TableName tableName() {
    return TableName.valueOf(name.getMethodName().replaceAll("\\W+", "-"));
  }

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(BLOCK_SIZE)
      .setPrefetchBlocksOnOpen(true);
  }

  /** A table that is compacted only by the test. */
  private TableDescriptorBuilder table() {
    return TableDescriptorBuilder.newBuilder(tableName()).setCompactionEnabled(false);
  }

  private Table create(ColumnFamilyDescriptorBuilder family) throws IOException {
    return create(table(), family);
  }

  private static Table create(TableDescriptorBuilder table,
    ColumnFamilyDescriptorBuilder... families) throws IOException {
    for (ColumnFamilyDescriptorBuilder family : families) {
      table.setColumnFamily(family.build());
    }
    return util.createTable(table.build(), null);
  }

  private static byte[] row(int number) {
    return NumberedRows.key(number);
  }

  private static byte[] value(int row) {
    return NumberedRows.value(row, VALUE_BYTES);
  }

  /** Writes rows and flushes. */
  private static void write(Table table, int from, int to, byte[]... families)
    throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Put put = new Put(row(i));
      for (byte[] family : families) {
        put.addColumn(family, QUALIFIER, value(i));
      }
      puts.add(put);
      if (puts.size() == 1000) {
        table.put(puts);
        puts.clear();
      }
    }
    table.put(puts);
    util.flush(table.getName());
  }

  private static List<HRegion> regions(Table table) {
    return util.getMiniHBaseCluster().getRegions(table.getName());
  }

  private static List<HStoreFile> files(Table table, byte[] family) {
    return regions(table).stream().map(region -> region.getStore(family))
      .flatMap(store -> store.getStorefiles().stream()).collect(Collectors.toList());
  }

  private static HStoreFile file(Table table) {
    List<HStoreFile> files = files(table, FAMILY);
    assertEquals(1, files.size());
    return files.get(0);
  }

  private static String nameOf(HStoreFile file) {
    return file.getPath().getName();
  }

  private static HFileReaderImpl reader(HStoreFile file) {
    return (HFileReaderImpl) file.getReader().getHFileReader();
  }

  private static long loadOnOpen(HStoreFile file) {
    return reader(file).getTrailer().getLoadOnOpenDataOffset();
  }

  /** Returns the bytes that were read before the part that is read when a file is opened. */
  private static long bytesOfBlocks(HStoreFile file) {
    return READS.bytes(nameOf(file), 0, loadOnOpen(file));
  }

  private static void awaitWarm(Table table) throws Exception {
    util.waitFor(TIMEOUT_MS, 10, () -> !regions(table).isEmpty() && regions(table).stream()
      .flatMap(region -> region.getStores().stream())
      .flatMap(store -> store.getStorefiles().stream())
      .allMatch(file -> file.getReader() != null
        && PrefetchExecutor.isCompleted(reader(file).getPath())));
    for (HRegion region : regions(table)) {
      for (BlockCache tier : cache(region).getBlockCaches()) {
        if (tier instanceof BucketCache) {
          BucketCacheValidator.awaitWritten((BucketCache) tier);
        }
      }
    }
  }

  private static BlockCache cache(HRegion region) {
    return server(region).getBlockCache().get();
  }

  private static HRegionServer server(HRegion region) {
    return util.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
      .map(thread -> thread.getRegionServer())
      .filter(server -> server.getOnlineRegion(region.getRegionInfo().getRegionName()) == region)
      .findFirst().get();
  }

  /** Moves the table's only region to the server that has none of its blocks. */
  private static void moveToTheOther(Table table) throws Exception {
    HRegion region = regions(table).get(0);
    HRegionServer from = server(region);
    HRegionServer to = util.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
      .map(thread -> thread.getRegionServer()).filter(server -> server != from).findFirst()
      .get();
    READS.clear();
    util.waitFor(TIMEOUT_MS, 10, () -> {
      // A master opens it where it was if the other server has only just registered.
      util.getAdmin().move(region.getRegionInfo().getEncodedNameAsBytes(), to.getServerName());
      return to.getOnlineRegion(region.getRegionInfo().getRegionName()) != null;
    });
  }

  /** Returns the blocks of a file before its load-on-open section. */
  private static List<HFileBlock> blocks(HStoreFile file) throws IOException {
    List<HFileBlock> blocks = new ArrayList<>();
    HFileBlock.BlockIterator all =
      reader(file).getUncachedBlockReader().blockRange(0, loadOnOpen(file));
    HFileBlock block;
    while ((block = all.nextBlock()) != null) {
      blocks.add(block);
    }
    return blocks;
  }

  private static boolean isMetadata(HFileBlock block) {
    BlockCategory category = block.getBlockType().getCategory();
    return category == BlockCategory.INDEX || category == BlockCategory.BLOOM;
  }

  private static boolean isCached(HRegion region, HStoreFile file, HFileBlock block) {
    Cacheable found = cache(region).getBlock(
      new BlockCacheKey(nameOf(file), block.getOffset(), true, block.getBlockType()), false, false,
      false);
    if (found == null) {
      return false;
    }
    found.release();
    return true;
  }

  /** Returns "cached of all" blocks, for metadata and for data. */
  private static String cached(Table table, HStoreFile file) throws IOException {
    int[] cached = new int[2];
    int[] all = new int[2];
    for (HFileBlock block : blocks(file)) {
      int category = isMetadata(block) ? 0 : 1;
      all[category]++;
      cached[category] += isCached(regions(table).get(0), file, block) ? 1 : 0;
    }
    assertTrue(all[0] > 3 && all[1] > 100);
    return (cached[0] == all[0] ? "all" : cached[0] == 0 ? "none" : "some") + " metadata, "
      + (cached[1] == all[1] ? "all" : cached[1] == 0 ? "no" : "some") + " data";
  }

  private static void verify(Table table, int from, int to) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int i = from; i < to; i++) {
      gets.add(new Get(row(i)));
    }
    Result[] results = table.get(gets);
    for (int i = from; i < to; i++) {
      assertArrayEquals(row(i), results[i - from].getRow());
      assertArrayEquals(value(i), results[i - from].getValue(FAMILY, QUALIFIER));
    }
  }

  private static long counter(String counter) {
    return TestHFileWarmup.counters().get(counter);
  }

  /** The table's file was opened, but no block of it was read. */
  private static void assertCachedWithoutReading(Table table) throws IOException {
    HStoreFile file = file(table);
    assertEquals(0, bytesOfBlocks(file));
    assertTrue("trailer", READS.bytes(nameOf(file)) > 0);
    assertEquals("all metadata, all data", cached(table, file));
    verify(table, 0, ROWS);
  }

  @Test
  public void aFlushedFileIsNotReadBack() throws Exception {
    try (Table table = create(family().setCacheDataOnWrite(true))) {
      write(table, 0, ROWS, FAMILY);
      awaitWarm(table);
      assertCachedWithoutReading(table);
    }
  }

  @Test
  public void aFlushedFileIsNotReadBackThoughOnlyPrefetchIsAskedFor() throws Exception {
    try (Table table = create(family())) {
      write(table, 0, ROWS, FAMILY);
      awaitWarm(table);
      assertCachedWithoutReading(table);
    }
  }

  @Test
  public void withoutAPolicyAFlushedFileIsReadBack() throws Exception {
    TableDescriptorBuilder off =
      table().setValue(CacheWarmupSettings.ENABLED.key(), Boolean.FALSE.toString());
    long warmed = counter("filesWarmed");
    try (Table table = create(off, family())) {
      write(table, 0, ROWS, FAMILY);
      awaitWarm(table);
      HStoreFile file = file(table);
      assertNull(regions(table).get(0).getStore(FAMILY).getCacheConfig().getWarmupPolicy());
      assertTrue(bytesOfBlocks(file) >= loadOnOpen(file));
      assertEquals("all metadata, all data", cached(table, file));
      assertEquals(warmed, counter("filesWarmed"));
    }
  }

  @Test
  public void aCompactedFileIsNotReadBack() throws Exception {
    compact(table().setValue(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, "true"));
  }

  @Test
  public void aCompactedFileIsNotReadBackThoughOnlyPrefetchIsAskedFor() throws Exception {
    compact(table());
  }

  private static void compact(TableDescriptorBuilder descriptor) throws Exception {
    try (Table table = create(descriptor, family())) {
      write(table, 0, ROWS / 2, FAMILY);
      write(table, ROWS / 2, ROWS, FAMILY);
      awaitWarm(table);
      READS.clear();
      util.compact(table.getName(), true);
      awaitWarm(table);
      assertCachedWithoutReading(table);
    }
  }

  @Test
  public void aBulkLoadedFileIsReadOnce() throws Exception {
    try (Table table = create(family())) {
      FileSystem fs = util.getTestFileSystem();
      Path folder = new Path(util.getDataTestDirOnTestFS(), "to-load");
      HFileContext context = new HFileContextBuilder().withBlockSize(BLOCK_SIZE).build();
      try (HFile.Writer writer =
        HFile.getWriterFactory(util.getConfiguration(), CacheConfig.DISABLED)
          .withPath(fs, new Path(folder, "f/loaded")).withFileContext(context).create()) {
        for (int i = 0; i < ROWS; i++) {
          writer.append(new KeyValue(row(i), FAMILY, QUALIFIER, 1, value(i)));
        }
      }
      assertEquals(1,
        BulkLoadHFiles.create(util.getConfiguration()).bulkLoad(table.getName(), folder).size());
      awaitWarm(table);
      HStoreFile file = file(table);
      assertTrue(nameOf(file), file.isBulkLoadResult());
      assertWasReadOnce(file);
      assertEquals("all metadata, all data", cached(table, file));
      verify(table, 0, ROWS);
    }
  }

  private static void assertWasReadOnce(HStoreFile file) throws IOException {
    long bytes = bytesOfBlocks(file);
    long most = loadOnOpen(file) + (long) HEADER * blocks(file).size();
    assertTrue(bytes + " bytes", bytes >= loadOnOpen(file) && bytes <= most);
  }

  @Test
  public void ofAMovedRegionEachBlockIsReadOnce() throws Exception {
    try (Table table = create(family())) {
      write(table, 0, ROWS, FAMILY);
      awaitWarm(table);
      moveToTheOther(table);
      awaitWarm(table);
      HStoreFile file = file(table);
      assertWasReadOnce(file);
      assertEquals("all metadata, all data", cached(table, file));
      READS.clear();
      verify(table, 0, ROWS);
      assertEquals(0, READS.bytes(nameOf(file)));
    }
  }

  @Test
  public void ofAFileAboveTheThresholdLittleIsReadAndThenNeitherIndexNorBloom() throws Exception {
    int rows = 8_000;
    TableDescriptorBuilder descriptor =
      table().setValue(CacheWarmupSettings.OPEN_THRESHOLD.key(), "6m")
        .setValue(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, "4096")
        .setValue(BloomFilterFactory.IO_STOREFILE_BLOOM_BLOCK_SIZE, "4096");
    try (Table table = create(descriptor, family().setBlocksize(64 * 1024))) {
      write(table, 0, rows, FAMILY);
      awaitWarm(table);
      moveToTheOther(table);
      awaitWarm(table);
      HStoreFile file = file(table);
      long size = reader(file).length();
      assertTrue(size > 6 << 20);
      assertEquals(2, reader(file).getTrailer().getNumDataIndexLevels());
      long read = READS.bytes(nameOf(file));
      assertTrue(read + " of " + size + " bytes are read", read <= size / 50);
      assertEquals("all metadata, no data", cached(table, file));
      READS.clear();
      Random random = seed.newRandom();
      for (int i = 0; i < 4; i++) {
        List<Get> gets = random.ints(1000, 0, 2 * rows).mapToObj(number -> new Get(row(number)))
          .collect(Collectors.toList());
        assertEquals(gets.stream().filter(get -> Bytes.compareTo(get.getRow(), row(rows)) < 0)
          .count(), Arrays.stream(table.get(gets)).filter(result -> !result.isEmpty()).count());
      }
      assertNotEquals("gets read data", 0, READS.bytes(nameOf(file)));
      assertEquals("load-on-open section", 0,
        READS.bytes(nameOf(file), loadOnOpen(file) + HEADER, size));
      List<FileReads.Read> ofGets = READS.of(nameOf(file));
      for (HFileBlock block : blocks(file)) {
        if (isMetadata(block)) {
          long begin = block.getOffset() + HEADER;
          long end = block.getOffset() + block.getOnDiskSizeWithHeader();
          assertTrue(block + " is read by a get", ofGets.stream().noneMatch(
            get -> get.getPosition() < end && get.getPosition() + get.getLength() > begin));
        }
      }
    }
  }

  @Test
  public void ofASplitRegionsFileIndexAndBloomAreRead() throws Exception {
    try (Table table = create(family())) {
      write(table, 0, ROWS, FAMILY);
      awaitWarm(table);
      HStoreFile parent = file(table);
      List<HFileBlock> blocks = blocks(parent);
      long warmed = counter("filesWarmed");
      READS.clear();
      util.getAdmin()
        .splitRegionAsync(regions(table).get(0).getRegionInfo().getRegionName(), row(ROWS / 2))
        .get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
      util.waitFor(TIMEOUT_MS, 10, () -> regions(table).size() == 2);
      awaitWarm(table);
      assertEquals(warmed + 2, counter("filesWarmed"));
      List<HStoreFile> halves = files(table, FAMILY);
      assertTrue(halves.stream().allMatch(HStoreFile::isReference));
      long data = blocks.stream().filter(block -> !isMetadata(block))
        .filter(block -> READS.bytes(nameOf(parent), block.getOffset() + HEADER,
          block.getOffset() + block.getOnDiskSizeWithHeader()) > 0)
        .count();
      // The blocks at the split are read.
      assertTrue(data + " data blocks are read", data <= 4);
      READS.clear();
      verify(table, 0, ROWS);
      for (HFileBlock block : blocks) {
        if (isMetadata(block)) {
          assertEquals(block.toString(), 0, READS.bytes(nameOf(parent), block.getOffset() + HEADER,
            block.getOffset() + block.getOnDiskSizeWithHeader()));
        }
      }
    }
  }

  @Test
  public void aFamilyHasItsOwnThreshold() throws Exception {
    ColumnFamilyDescriptorBuilder other = ColumnFamilyDescriptorBuilder
      .newBuilder(OTHER_FAMILY).setBlocksize(BLOCK_SIZE).setPrefetchBlocksOnOpen(true)
      .setConfiguration(CacheWarmupSettings.OPEN_THRESHOLD.key(), "0");
    try (Table table = create(table(), family(), other)) {
      write(table, 0, ROWS, FAMILY, OTHER_FAMILY);
      awaitWarm(table);
      assertEquals("all metadata, no data", cached(table, files(table, OTHER_FAMILY).get(0)));
      moveToTheOther(table);
      awaitWarm(table);
      assertEquals("all metadata, all data", cached(table, files(table, FAMILY).get(0)));
      assertEquals("all metadata, no data", cached(table, files(table, OTHER_FAMILY).get(0)));
    }
  }

  @Test
  public void aRegionOpensThoughAFamilysThresholdIsNotAllowed() throws Exception {
    try (Table table = create(family()
      .setConfiguration(CacheWarmupSettings.OPEN_THRESHOLD.key(), "big"))) {
      write(table, 0, ROWS, FAMILY);
      // A prefetch that the move interrupts would end the next server's, which has the same path.
      awaitWarm(table);
      moveToTheOther(table);
      awaitWarm(table);
      HStore store = regions(table).get(0).getStore(FAMILY);
      assertNull(store.getCacheConfig().getWarmupPolicy());
      assertEquals("as without a policy", "all metadata, all data", cached(table, file(table)));
      verify(table, 0, ROWS);
    }
  }

  @Test
  public void aScanThatGoesOnInAStreamWarmsNothing() throws Exception {
    TableDescriptorBuilder descriptor =
      table().setValue(CacheWarmupSettings.OPEN_THRESHOLD.key(), "0")
        .setValue(StoreScanner.STORESCANNER_PREAD_MAX_BYTES, Integer.toString(10 * BLOCK_SIZE));
    try (Table table = create(descriptor, family())) {
      write(table, 0, ROWS, FAMILY);
      awaitWarm(table);
      HStoreFile file = file(table);
      long warmed = counter("filesWarmed") + counter("filesCancelled");
      READS.clear();
      try (ResultScanner scanner = table.getScanner(new Scan().setCacheBlocks(false))) {
        for (int i = 0; i < ROWS; i++) {
          assertArrayEquals(value(i), scanner.next().getValue(FAMILY, QUALIFIER));
        }
        assertNull(scanner.next());
      }
      assertTrue("it goes on in a stream", READS.opened(nameOf(file)) > 0);
      assertTrue(PrefetchExecutor.isCompleted(reader(file).getPath()));
      assertEquals(warmed, counter("filesWarmed") + counter("filesCancelled"));
      assertEquals("load-on-open section", 0,
        READS.bytes(nameOf(file), loadOnOpen(file) + HEADER, Long.MAX_VALUE));
      assertEquals("all metadata, no data", cached(table, file));
    }
  }

  @Test
  public void aRegionThatClosesStopsItsWarmUps() throws Exception {
    try (Table table = create(family())) {
      write(table, 0, ROWS, FAMILY);
      awaitWarm(table);
      BlockWarmer.THROTTLE.setRate(1);
      long cancelled = counter("filesCancelled");
      moveToTheOther(table);
      HStoreFile file = file(table);
      util.waitFor(TIMEOUT_MS, 10, () -> counter("filesRunning") == 1);
      Path path = reader(file).getPath();
      assertFalse(PrefetchExecutor.isCompleted(path));
      util.getAdmin().disableTable(table.getName());
      assertTrue(PrefetchExecutor.isCompleted(path));
      util.waitFor(TIMEOUT_MS, 10, () -> counter("filesCancelled") == cancelled + 1);
      assertEquals(0, counter("filesRunning"));
      BlockWarmer.THROTTLE.setRate(0);
      util.getAdmin().enableTable(table.getName());
      awaitWarm(table);
      assertEquals("all metadata, all data", cached(table, file(table)));
    }
  }

  @Test
  public void aFileThatIsArchivedIsNotWarmedOn() throws Exception {
    try (Table table = create(family())) {
      write(table, 0, ROWS / 2, FAMILY);
      write(table, ROWS / 2, ROWS, FAMILY);
      awaitWarm(table);
      BlockWarmer.THROTTLE.setRate(1);
      moveToTheOther(table);
      util.waitFor(TIMEOUT_MS, 10, () -> counter("filesRunning") == 2);
      long cancelled = counter("filesCancelled");
      util.compact(table.getName(), true);
      for (HStore store : regions(table).get(0).getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
      util.waitFor(TIMEOUT_MS, 10, () -> counter("filesCancelled") == cancelled + 2);
      BlockWarmer.THROTTLE.setRate(0);
      awaitWarm(table);
      HStoreFile compacted = file(table);
      assertEquals(0, bytesOfBlocks(compacted));
      assertEquals("all metadata, all data", cached(table, compacted));
      verify(table, 0, ROWS);
    }
  }

  @Test
  public void progressIsShownAndTheRateCanBeChanged() throws Exception {
    try (Table table = create(family())) {
      write(table, 0, ROWS, FAMILY);
      awaitWarm(table);
      // One block per second.
      update(Integer.toString(BLOCK_SIZE));
      moveToTheOther(table);
      util.waitFor(TIMEOUT_MS, 10, () -> counter("filesRunning") == 1);
      HStoreFile file = file(table);
      String region = regions(table).get(0).getRegionInfo().getEncodedName();
      CacheWarmupMXBean bean = JMX.newMXBeanProxy(ManagementFactory.getPlatformMBeanServer(),
        new ObjectName("Hadoop:service=HBase,name=RegionServer,sub=CacheWarmupProgress"),
        CacheWarmupMXBean.class);
      AtomicReference<CacheWarmupMXBean.Progress> shown = new AtomicReference<>();
      util.waitFor(TIMEOUT_MS, 10, () -> {
        List<CacheWarmupMXBean.Progress> files = bean.getFiles();
        shown.set(files.size() == 1 ? files.get(0) : null);
        // How long data takes isn't known until a block of it is done.
        return shown.get() != null && shown.get().getBlocksDone() > 0
          && shown.get().getMillisLeft() >= 0;
      });
      CacheWarmupMXBean.Progress ofFile = shown.get();
      assertEquals(region, ofFile.getRegion());
      assertEquals("f", ofFile.getFamily());
      assertEquals(nameOf(file), ofFile.getFile());
      assertEquals(0, ofFile.getFilesWaiting());
      assertTrue(ofFile.getBlocks() >= ofFile.getBlocksDone());
      CacheWarmupMXBean.Progress ofRegion = bean.getRegions().get(0);
      assertEquals(region, ofRegion.getRegion());
      assertNull(ofRegion.getFile());
      assertTrue(ofRegion.getBlocksDone() >= ofFile.getBlocksDone());
      util.waitFor(TIMEOUT_MS, 10, () -> TaskMonitor.get().getTasks().stream()
        .filter(task -> task.getState() == MonitoredTask.State.RUNNING)
        .map(MonitoredTask::getDescription)
        .anyMatch(task -> task.contains(region) && task.contains(nameOf(file))));
      update("never");
      // The update stops the running warm-up and requests it again. At any other rate it would end.
      util.waitFor(TIMEOUT_MS, 10, () -> counter("filesRunning") == 1);
      update(null);
      awaitWarm(table);
      assertEquals("all metadata, all data", cached(table, file));
      assertEquals(0, bean.getFiles().size());
      assertEquals(0, bean.getRegions().size());
    }
  }

  /** Sets the rate as an operator does. */
  private static void update(String bytesPerSecond) throws IOException {
    util.getMiniHBaseCluster().getLiveRegionServerThreads().forEach(thread -> {
      Configuration conf = thread.getRegionServer().getConfiguration();
      if (bytesPerSecond == null) {
        conf.unset(CacheWarmupSettings.MAX_BYTES_PER_SECOND.key());
      } else {
        conf.set(CacheWarmupSettings.MAX_BYTES_PER_SECOND.key(), bytesPerSecond);
      }
    });
    util.getAdmin().updateConfiguration();
  }
}
