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
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableSnapshotScanner;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.HFileBlockIndex;
import org.apache.hadoop.hbase.io.hfile.NumberedRows;
import org.apache.hadoop.hbase.io.hfile.bucket.FirstTierBucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.TierBucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.TierSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.TiersValidator;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.nio.ResourceLeaks;
import org.apache.hadoop.hbase.regionserver.HeapMemoryManager.TunerContext;
import org.apache.hadoop.hbase.regionserver.HeapMemoryManager.TunerResult;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MockServer;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TestName;

/** A cluster whose region server caches in two tiers returns what was written, byte for byte. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestCompositeBucketCacheOnCluster {
  static {
    ResourceLeaks.watch();
  }

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCompositeBucketCacheOnCluster.class);

  @Rule
  public final TestName name = new TestName();

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 1000;
  private static final int VALUE_BYTES = 1000;
  private static final int TIMEOUT_MS = 180_000;

  /** Moves memory from the memstore to the block cache when the test tells it to. */
  public static class GenerousTuner extends Configured implements HeapMemoryTuner {
    static final float MEMSTORE = 0.4f;
    static volatile boolean on;

    @Override
    public TunerResult tune(TunerContext context) {
      TunerResult result = new TunerResult(on);
      result.setMemStoreSize(MEMSTORE);
      result.setBlockCacheSize(0.4f);
      return result;
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    File folder = new File(UTIL.getDataTestDir("tiers").toString());
    assertTrue(folder.mkdirs());
    // Both tiers hold whole buckets of four blocks of 9216 bytes: L1 has 28 buckets.
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "1m");
    conf.set("hbase.bucketcache.l2.ioengine", "file:" + new File(folder, "l2"));
    conf.set("hbase.bucketcache.l2.size", "64m");
    conf.set("hbase.bucketcache.bucket.sizes", "1280,2304,3328,4352,9216");
    conf.set("hbase.bucketcache.l2.persistent.path", new File(folder, "l2-map").toString());
    // Long queues, so that no block is dropped because the writers are behind.
    conf.setInt("hbase.bucketcache.writer.queuelength", 10 * ROWS);
    // Small chunks, so that few rows have all levels of indexes, and bloom filters of several
    // chunks.
    conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, 1024);
    conf.setInt(BloomFilterFactory.IO_STOREFILE_BLOOM_BLOCK_SIZE, 1024);
    conf.setBoolean(CacheConfig.CACHE_INDEX_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_BLOOM_BLOCKS_ON_WRITE_KEY, true);
    // Blocks are read into pooled buffers, bigger ones into several.
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 2048);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 4096);
    // More than the heap, if the block cache took its share, too.
    conf.setFloat(MemorySizeUtil.MEMSTORE_SIZE_KEY, 0.8f);
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0.4f);
    conf.setFloat(HeapMemoryManager.MEMSTORE_SIZE_MIN_RANGE_KEY, 0.3f);
    conf.setFloat(HeapMemoryManager.MEMSTORE_SIZE_MAX_RANGE_KEY, 0.8f);
    conf.setFloat(HConstants.HEAP_OCCUPANCY_LOW_WATERMARK_KEY, 2); // Tune even if the heap is full.
    conf.setInt(HeapMemoryManager.HBASE_RS_HEAP_MEMORY_TUNER_PERIOD, 500);
    conf.setClass(HeapMemoryManager.HBASE_RS_HEAP_MEMORY_TUNER_CLASS, GenerousTuner.class,
      HeapMemoryTuner.class);
    conf.setInt("hbase.regionserver.msginterval", 500);
    // On the local file system: no test here is about HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    try {
      TiersValidator.validate(cache());
      List<String> leaks = ResourceLeaks.find();
      // A cache that is shut down drops its entries; the validator has checked them all.
      leaks.removeIf(leak -> leak.contains("BucketEntry.<init>"));
      assertEquals(Collections.emptyList(), leaks);
    } finally {
      UTIL.shutdownMiniCluster();
    }
  }

  private static HRegionServer server() {
    return UTIL.getMiniHBaseCluster().getRegionServer(0);
  }

  private static CompositeBucketCache cache() {
    return (CompositeBucketCache) server().getBlockCache().get();
  }

  private static FirstTierBucketCache l1() {
    return TiersValidator.l1(cache());
  }

  private static TierBucketCache l2() {
    return TiersValidator.l2(cache());
  }

  private static byte[] row(int number) {
    return NumberedRows.key(number);
  }

  private static byte[] value(int row, int version) {
    return NumberedRows.value(ROWS * version + row, VALUE_BYTES);
  }

  private static ColumnFamilyDescriptorBuilder family() {
    return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(2048)
      .setCacheDataOnWrite(true);
  }

  private Table createTable() throws IOException {
    return createTable(family());
  }

  /** Creates a table that is compacted only by the test. */
  private Table createTable(ColumnFamilyDescriptorBuilder family) throws IOException {
    return UTIL
      .createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf(name.getMethodName()))
        .setCompactionEnabled(false).setColumnFamily(family.build()).build(), null);
  }

  /** Writes every {@code step}th row and flushes. */
  private static void write(Table table, int version, int step) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i += step) {
      puts.add(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value(i, version)));
    }
    table.put(puts);
    UTIL.flush(table.getName());
  }

  /**
   * Reads all rows by a scan, by a reversed scan, and by gets.
   * @param versions the versions of rows 0, n, 2n ..., of rows 1, n + 1 ..., and so on, for n
   *                 versions
   */
  private static void verify(Table table, int... versions) throws Exception {
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      for (int i = 0; i < ROWS; i++) {
        verify(i, scanner.next(), versions);
      }
      assertEquals(null, scanner.next());
    }
    try (ResultScanner scanner = table.getScanner(new Scan().setReversed(true))) {
      for (int i = ROWS - 1; i >= 0; i--) {
        verify(i, scanner.next(), versions);
      }
      assertEquals(null, scanner.next());
    }
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      gets.add(new Get(row(i)));
    }
    Result[] results = table.get(gets);
    for (int i = 0; i < ROWS; i++) {
      verify(i, results[i], versions);
    }
    TiersValidator.awaitWritten(cache());
  }

  private static void verify(int row, Result result, int... versions) {
    assertArrayEquals(row(row), result.getRow());
    assertArrayEquals("row " + row, value(row, versions[row % versions.length]),
      result.getValue(FAMILY, QUALIFIER));
  }

  private static List<HRegion> regions(Table table) {
    return UTIL.getMiniHBaseCluster().getRegions(table.getName());
  }

  private static Set<String> files(Table table) {
    return regions(table).stream().flatMap(region -> region.getStores().stream())
      .flatMap(store -> store.getStorefiles().stream()).map(file -> file.getPath().getName())
      .collect(Collectors.toSet());
  }

  private static Set<BlockCacheKey> keys(TierBucketCache tier, Set<String> files) {
    return tier.getBackingMap().keySet().stream()
      .filter(key -> files.contains(key.getHfileName())).collect(Collectors.toSet());
  }

  private static void compact(Table table) throws IOException {
    UTIL.compact(table.getName(), true);
    for (HRegion region : regions(table)) {
      for (HStore store : region.getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
    }
  }

  private static void split(Table table) throws Exception {
    byte[] parent = regions(table).get(0).getRegionInfo().getRegionName();
    UTIL.getAdmin().splitRegionAsync(parent, row(ROWS / 2)).get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    UTIL.waitFor(TIMEOUT_MS, 10, () -> regions(table).size() == 2);
    UTIL.waitUntilNoRegionsInTransition(TIMEOUT_MS);
  }

  private static void restartRegionServer() throws Exception {
    TiersValidator.validate(cache());
    int regions = server().getNumberOfOnlineRegions();
    UTIL.getMiniHBaseCluster().stopRegionServer(0);
    UTIL.getMiniHBaseCluster().waitOnRegionServer(0);
    UTIL.getMiniHBaseCluster().startRegionServer();
    UTIL.waitFor(TIMEOUT_MS, 10, () -> server().getNumberOfOnlineRegions() == regions);
  }

  @Test
  public void everyByteIsReadAsItWasWritten() throws Exception {
    try (Table table = createTable()) {
      write(table, 1, 1);
      verify(table, 1);
      write(table, 2, 3);
      verify(table, 2, 1, 1);
      compact(table);
      verify(table, 2, 1, 1);
      split(table);
      verify(table, 2, 1, 1);
      compact(table);
      verify(table, 2, 1, 1);
      restartRegionServer();
      verify(table, 2, 1, 1);
      write(table, 3, 2);
      verify(table, 3, 1, 3, 2, 3, 1);
    }
  }

  @Test
  public void metadataIsInL1AndDataInL2AndWhatIsReadOftenInBoth() throws Exception {
    try (Table table = createTable()) {
      long promotions = cache().getStats().getPromotionCount();
      long l1DataHits = l1().getStats().getDataHitCount();
      write(table, 1, 1);
      for (int i = 0; i < 3; i++) {
        verify(table, 1);
      }
      Set<BlockCacheKey> inL1 = keys(l1(), files(table));
      Set<BlockCacheKey> inL2 = keys(l2(), files(table));
      for (BlockCategory category : Arrays.asList(BlockCategory.INDEX, BlockCategory.BLOOM)) {
        assertTrue(category.name(), count(inL1, category) > 1);
        assertEquals(category.name(), 0, count(inL2, category));
      }
      assertTrue(count(inL2, BlockCategory.DATA) > ROWS / 4);
      long promoted = count(inL1, BlockCategory.DATA);
      assertTrue(promoted > 0);
      assertTrue(promoted < count(inL2, BlockCategory.DATA));
      assertTrue(cache().getStats().getPromotionCount() - promotions >= promoted);
      assertTrue(l1().getStats().getDataHitCount() > l1DataHits);
      assertEquals(0, cache().getStats().getFailedDemotionCount());
    }
  }

  private static long count(Set<BlockCacheKey> keys, BlockCategory category) {
    return keys.stream().filter(key -> key.getBlockType().getCategory() == category).count();
  }

  @Test
  public void archivedFilesLeaveNothingInTheTiers() throws Exception {
    try (Table table = createTable(family().setEvictBlocksOnClose(true))) {
      write(table, 1, 1);
      write(table, 2, 2);
      for (int i = 0; i < 3; i++) {
        verify(table, 2, 1);
      }
      Set<String> archived = files(table);
      assertEquals(2, archived.size());
      assertNotEquals(Collections.emptySet(), keys(l1(), archived));
      assertNotEquals(Collections.emptySet(), keys(l2(), archived));
      compact(table);
      assertTrue(Collections.disjoint(archived, files(table)));
      assertEquals(Collections.emptySet(), keys(l1(), archived));
      assertEquals(Collections.emptySet(), keys(l2(), archived));
      verify(table, 2, 1);
    }
  }

  @Test
  public void halvesOfASplitRegionAreServedFromTheParentsBlocks() throws Exception {
    Configuration ofMaster = UTIL.getMiniHBaseCluster().getMaster().getConfiguration();
    ofMaster.setBoolean(CacheConfig.EVICT_BLOCKS_ON_SPLIT_KEY, false);
    try (Table table = createTable()) {
      write(table, 1, 1);
      verify(table, 1);
      Set<String> ofParent = files(table);
      split(table);
      Set<String> ofHalves = files(table);
      assertTrue(ofHalves.toString(),
        ofHalves.stream().allMatch(file -> StoreFileInfo.isReference(file)));
      for (int i = 0; i < 3; i++) {
        verify(table, 1);
      }
      assertNotEquals(Collections.emptySet(), keys(l1(), ofParent));
      assertNotEquals(Collections.emptySet(), keys(l2(), ofParent));
      assertEquals(Collections.emptySet(), keys(l1(), ofHalves));
      assertEquals(Collections.emptySet(), keys(l2(), ofHalves));
    } finally {
      ofMaster.unset(CacheConfig.EVICT_BLOCKS_ON_SPLIT_KEY);
    }
  }

  @Test
  public void afterARestartL2HoldsWhatBothTiersHeld() throws Exception {
    try (Table table = createTable()) {
      write(table, 1, 1);
      verify(table, 1);
      verify(table, 1);
      Set<BlockCacheKey> held = keys(l1(), files(table));
      held.addAll(keys(l2(), files(table)));
      assertTrue(count(held, BlockCategory.DATA) > 0);
      assertTrue(count(held, BlockCategory.INDEX) > 0);
      restartRegionServer();
      held.removeIf(l2()::holds);
      assertEquals("blocks that are lost", Collections.emptySet(), held);
      verify(table, 1);
      TiersValidator.validate(cache());
    }
  }

  @Test
  public void theCacheIsTwoBucketCachesAndNoLruBlockCacheExists() throws Exception {
    BlockCache[] tiers = cache().getBlockCaches();
    assertEquals(2, tiers.length);
    assertEquals(FirstTierBucketCache.class, tiers[0].getClass());
    assertEquals(TierBucketCache.class, tiers[1].getClass());
    // A snapshot reader in another test has a heap cache as long as it lives.
    UTIL.waitFor(TIMEOUT_MS, 10, () -> !heapHolds("(IndexOnly)?LruBlockCache"));
    assertTrue(heapHolds("CompositeBucketCache"));
  }

  /** Collects garbage, and returns true if the heap holds an object of a class. */
  private static boolean heapHolds(String simpleName) throws Exception {
    String histogram = (String) ManagementFactory.getPlatformMBeanServer().invoke(
      new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
      new Object[] { new String[0] }, new String[] { String[].class.getName() });
    return Pattern.compile("\\." + simpleName + "(\\s|$)", Pattern.MULTILINE).matcher(histogram)
      .find();
  }

  @Test
  public void theCacheClaimsNoHeap() {
    Configuration conf = new Configuration(UTIL.getConfiguration());
    assertEquals(0, MemorySizeUtil.getBlockCacheHeapPercent(conf), 0);
    MemorySizeUtil.validateRegionServerHeapMemoryAllocation(conf);
    conf.unset(TierSettings.L1_IOENGINE.key());
    assertThrows(RuntimeException.class,
      () -> MemorySizeUtil.validateRegionServerHeapMemoryAllocation(conf));
  }

  @Test
  public void theHeapTunerSizesTheMemstoreAndLeavesTheCacheAlone() throws Exception {
    long heap = MemorySizeUtil.safeGetHeapMemoryUsage().getMax();
    long l1Size = l1().getMaxSize();
    long l2Size = l2().getMaxSize();
    GenerousTuner.on = true;
    try {
      UTIL.waitFor(TIMEOUT_MS, 10, () -> server().getRegionServerAccounting()
        .getGlobalMemStoreLimit() == (long) (heap * GenerousTuner.MEMSTORE));
    } finally {
      GenerousTuner.on = false;
    }
    assertEquals(l1Size, l1().getMaxSize());
    assertEquals(l2Size, l2().getMaxSize());
  }

  @Test
  public void theHeapTunerIsOffUnlessTheMemstoreHasARange() throws Exception {
    Configuration conf = new Configuration(UTIL.getConfiguration());
    assertTrue(isTunerOn(conf));
    conf.unset(HeapMemoryManager.MEMSTORE_SIZE_MIN_RANGE_KEY);
    conf.unset(HeapMemoryManager.MEMSTORE_SIZE_MAX_RANGE_KEY);
    assertFalse(isTunerOn(conf));
    conf.setFloat(HeapMemoryManager.BLOCK_CACHE_SIZE_MIN_RANGE_KEY, 0.1f);
    conf.setFloat(HeapMemoryManager.BLOCK_CACHE_SIZE_MAX_RANGE_KEY, 0.4f);
    assertFalse(isTunerOn(conf));
  }

  private static boolean isTunerOn(Configuration conf) throws Exception {
    return new HeapMemoryManager(cache(), server().getFlushRequester(),
      new MockServer(new HBaseTestingUtility(conf), false), server().getRegionServerAccounting())
        .isTunerOn();
  }

  @Test
  public void aReaderOfASnapshotMakesNoTiers() throws Exception {
    try (Table table = createTable()) {
      write(table, 1, 1);
      UTIL.getAdmin().snapshot(name.getMethodName(), table.getName());
      File l2 = new File(UTIL.getDataTestDir("l2-of-a-client").toString());
      Configuration conf = new Configuration(UTIL.getConfiguration());
      conf.set("hbase.bucketcache.l2.ioengine", "file:" + l2);
      Path folder = UTIL.getDataTestDir("restored");
      try (TableSnapshotScanner scanner =
        new TableSnapshotScanner(conf, folder, name.getMethodName(), new Scan())) {
        for (int i = 0; i < ROWS; i++) {
          verify(i, scanner.next(), 1);
        }
        assertEquals(null, scanner.next());
      }
      assertFalse(l2.exists());
    }
  }

  @Test
  public void aMasterWithoutTablesHasNoCache() {
    assertFalse(UTIL.getMiniHBaseCluster().getMaster().getBlockCache().isPresent());
  }

  @Test
  public void theMasterIsToldWhatIsCachedOfARegion() throws Exception {
    // Blocks that are cached on write aren't reported.
    try (Table table = createTable(family().setCacheDataOnWrite(false))) {
      write(table, 1, 1);
      verify(table, 1);
      String region = regions(table).get(0).getRegionInfo().getEncodedName();
      long cached = keys(l2(), files(table)).size() * 2048L;
      assertTrue(cache().getRegionCachedInfo().get().get(region) >= cached);
      UTIL.waitFor(TIMEOUT_MS, 10, () -> {
        ServerMetrics metrics = UTIL.getAdmin().getClusterMetrics().getLiveServerMetrics()
          .get(server().getServerName());
        return metrics.getRegionCachedInfo().getOrDefault(region, 0) > 0
          && metrics.getRegionMetrics().get(regions(table).get(0).getRegionInfo().getRegionName())
            .getCurrentRegionCachedRatio() > 0;
      });
    }
  }

  @Test
  public void anUpdateOfTheConfigurationIsTakenOverIfItIsAllowed() throws Exception {
    try (Table table = createTable()) {
      write(table, 1, 1);
      verify(table, 1);
      long acceptable = l1().acceptableSize();
      update("hbase.bucketcache.acceptfactor", "7");
      assertEquals(acceptable, l1().acceptableSize());
      verify(table, 1);
      update("hbase.bucketcache.acceptfactor", "0.9");
      assertTrue(l1().acceptableSize() < acceptable);
      update(CompositeBucketCacheSettings.PROMOTION.key(), "perhaps");
      verify(table, 1);
      update(CompositeBucketCacheSettings.PROMOTION.key(), "false");
      long promotions = cache().getStats().getPromotionCount();
      verify(table, 1);
      assertEquals(promotions, cache().getStats().getPromotionCount());
    } finally {
      update("hbase.bucketcache.acceptfactor", null);
      update(CompositeBucketCacheSettings.PROMOTION.key(), null);
    }
  }

  private static void update(String key, String value) throws IOException {
    if (value == null) {
      server().getConfiguration().unset(key);
    } else {
      server().getConfiguration().set(key, value);
    }
    UTIL.getAdmin().updateConfiguration(server().getServerName());
  }
}
