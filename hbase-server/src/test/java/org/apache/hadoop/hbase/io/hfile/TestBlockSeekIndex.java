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
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** The life of seek indexes: who builds them, in which caches, and when they go. */
@Category({ IOTests.class, MediumTests.class })
public class TestBlockSeekIndex {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlockSeekIndex.class);

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 3_000;
  private static final int BLOCK_BYTES = 16 << 10;
  private static final int CACHE_BYTES = 16 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = HBaseConfiguration.create();
  private FileSystem fs;
  private Path file;
  private BlockCache cache;
  private HFile.Reader reader;

  @Before
  public void setUp() throws IOException {
    fs = FileSystem.getLocal(conf);
    file = new Path(folder.getRoot().toURI().toString(), FILE);
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(fs, file).withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_BYTES)
        .withIncludesMvcc(false).build()).create()) {
      for (int i = 0; i < ROWS; i++) {
        writer.append(new KeyValue(row(i), FAMILY, FAMILY, 1, value(i)));
      }
    }
    turnOn("64m");
  }

  @After
  public void tearDown() throws IOException {
    if (reader != null) {
      reader.close(true);
    }
    if (cache != null) {
      cache.shutdown();
    }
    BlockSeekIndex.configure(new Configuration(false));
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("row%08d", number));
  }

  private static KeyValue key(byte[] row) {
    return new KeyValue(row, FAMILY, FAMILY, 1, KeyValue.Type.Put);
  }

  private static byte[] value(int number) {
    return Bytes.toBytes("value of " + number);
  }

  private static Configuration settings(String size) {
    Configuration settings = new Configuration(false);
    settings.setBoolean(BlockSeekIndexSettings.ENABLED_KEY, true);
    settings.set(BlockSeekIndexSettings.SIZE_KEY, size);
    return settings;
  }

  private static void turnOn(String size) {
    BlockSeekIndex.configure(settings(size));
  }

  private void open(BlockCache opened) throws IOException {
    cache = opened;
    reader = HFile.createReader(fs, file,
      new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP), true, conf);
  }

  private void openOnHeap() throws IOException {
    open(new LruBlockCache(CACHE_BYTES, BLOCK_BYTES));
  }

  private void get(int number) throws IOException {
    get(reader.getScanner(conf, true, true), number);
  }

  private static void get(HFileScanner scanner, int number) throws IOException {
    assertEquals(0, scanner.seekTo(key(row(number))));
    assertArrayEquals(value(number), CellUtil.cloneValue(scanner.getCell()));
    scanner.close();
  }

  private static long indexes() {
    return BlockSeekIndex.STORE.getIndexes();
  }

  @Test
  public void secondSeekBuildsAndFurtherOnesJump() throws IOException {
    openOnHeap();
    long jumps = MetricsBlockSeekIndex.JUMPS.sum();
    long skipped = MetricsBlockSeekIndex.CELLS_SKIPPED.sum();
    get(200);
    assertEquals(0, indexes());
    get(201);
    assertEquals(1, indexes());
    get(200);
    assertEquals(1, indexes());
    assertEquals(2, MetricsBlockSeekIndex.JUMPS.sum() - jumps);
    long cells = MetricsBlockSeekIndex.CELLS_SKIPPED.sum() - skipped;
    assertTrue(cells + " cells", cells > 300 && cells <= 401);
  }

  @Test
  public void reseekJumpsOverWhatIsFarOnly() throws IOException {
    openOnHeap();
    get(0);
    get(0);
    HFileScanner scanner = reader.getScanner(conf, true, true);
    scanner.seekTo(key(row(0)));
    long jumps = MetricsBlockSeekIndex.JUMPS.sum();
    assertEquals(0, scanner.reseekTo(key(row(1))));
    assertEquals(0, MetricsBlockSeekIndex.JUMPS.sum() - jumps);
    assertEquals(0, scanner.reseekTo(key(row(150))));
    assertEquals(1, MetricsBlockSeekIndex.JUMPS.sum() - jumps);
    assertEquals(0, scanner.reseekTo(key(row(151))));
    scanner.close();
  }

  @Test
  public void scansAndCompactionsAndUncachedReadsBuildNothing() throws IOException {
    openOnHeap();
    get(200);
    for (int i = 0; i < 3; i++) {
      get(reader.getScanner(conf, true, false), 200);
      get(reader.getScanner(conf, false, true), 200);
      get(reader.getScanner(conf, true, true, true), 200);
      HFileScanner scan = reader.getScanner(conf, true, true);
      scan.seekTo();
      while (scan.next()) {
        assertNotNull(scan.getCell());
      }
      scan.close();
    }
    assertEquals(0, indexes());
  }

  @Test
  public void blocksThatAreInNoCacheGetNoIndex() throws IOException {
    reader = HFile.createReader(fs, file, CacheConfig.DISABLED, true, conf);
    for (int i = 0; i < 3; i++) {
      get(200);
    }
    assertEquals(0, indexes());
  }

  @Test
  public void offIsOff() throws IOException {
    BlockSeekIndex.configure(new Configuration(false));
    openOnHeap();
    long jumps = MetricsBlockSeekIndex.JUMPS.sum();
    long built = MetricsBlockSeekIndex.BUILT.sum();
    for (int i = 0; i < 3; i++) {
      get(200);
    }
    assertEquals(0, BlockSeekIndex.STORE.getBytes());
    assertEquals(jumps, MetricsBlockSeekIndex.JUMPS.sum());
    assertEquals(built, MetricsBlockSeekIndex.BUILT.sum());
    HFileBlock block = cachedBlock();
    assertEquals(SeekIndexOwner.NOT_SOUGHT, block.getSeekIndex());
    block.release();
  }

  private HFileBlock cachedBlock() {
    return (HFileBlock) cache.getBlock(new BlockCacheKey(FILE, 0, true, BlockType.DATA), true,
      false, false);
  }

  @Test
  public void settingsChangeWhileTheServerRuns() throws IOException {
    ConfigurationObserver observer = BlockSeekIndex.start(settings("2m"));
    openOnHeap();
    get(200);
    get(200);
    assertEquals(1, indexes());
    Configuration wrong = settings("much");
    observer.onConfigurationChange(wrong);
    assertTrue(BlockSeekIndex.isEnabled());
    assertEquals(1, indexes());
    observer.onConfigurationChange(new Configuration(false));
    assertFalse(BlockSeekIndex.isEnabled());
    assertEquals(0, indexes());
    assertEquals(0, BlockSeekIndex.STORE.getBytes());
    get(200);
    observer.onConfigurationChange(settings("2m"));
    get(200);
    get(200);
    assertEquals(1, indexes());
  }

  @Test
  public void aDamagedBlockGetsNoIndexAndTheSameException() throws IOException {
    openOnHeap();
    get(0);
    HFileBlock block = cachedBlock();
    byte[] bytes = block.getBufferReadOnly().array();
    // The lengths of a cell in the middle; the cells have the same size.
    int cell = new KeyValue(row(0), FAMILY, FAMILY, 1, value(100)).getLength();
    int begin = HConstants.HFILEBLOCK_HEADER_SIZE;
    for (int i = 0; i < 100; i++) {
      begin += new KeyValue(row(i), FAMILY, FAMILY, 1, value(i)).getLength();
    }
    assertEquals(cell, Bytes.toInt(bytes, begin) + Bytes.toInt(bytes, begin + 4) + 8);
    Bytes.putInt(bytes, begin, -5);
    block.release();
    BlockSeekIndex.configure(new Configuration(false));
    String message = assertThrows(IllegalStateException.class, () -> get(200)).getMessage();
    turnOn("2m");
    for (int i = 0; i < 4; i++) {
      assertEquals(message,
        assertThrows(IllegalStateException.class, () -> get(200)).getMessage());
    }
    get(50);
    assertEquals(0, indexes());
  }

  /** Caches the file's blocks by reading them, and waits until they are where they belong. */
  private void warm() throws IOException {
    for (int i = 0; i < 2; i++) {
      for (int row = 0; row < ROWS; row += 50) {
        get(row);
      }
      Waiter.waitFor(conf, 30_000, () -> isWritten(cache));
    }
  }

  private static boolean isWritten(BlockCache cache) {
    BlockCache[] levels = cache.getBlockCaches();
    if (cache instanceof BucketCache) {
      return cache.getBlockCount() == ((BucketCache) cache).getBackingMap().size();
    }
    for (BlockCache level : levels == null ? new BlockCache[0] : levels) {
      if (level instanceof BucketCache && !isWritten(level)) {
        return false;
      }
    }
    return true;
  }

  private void assertThatIndexesComeAndGoWithBlocks(BlockCache opened) throws IOException {
    open(opened);
    warm();
    for (int i = 0; i < 3; i++) {
      for (int row = 0; row < ROWS; row += 20) {
        get(row);
      }
    }
    long dataBlocks = reader.getTrailer().getDataIndexCount();
    assertTrue(indexes() + " of " + dataBlocks, indexes() >= dataBlocks - 1);
    cache.evictBlocksByHfileName(FILE);
    assertEquals(0, indexes());
  }

  @Test
  public void inTheLru() throws IOException {
    assertThatIndexesComeAndGoWithBlocks(new LruBlockCache(CACHE_BYTES, BLOCK_BYTES));
  }

  @Test
  public void inTheAdaptiveLru() throws IOException {
    assertThatIndexesComeAndGoWithBlocks(new LruAdaptiveBlockCache(CACHE_BYTES, BLOCK_BYTES));
  }

  @Test
  public void inTinyLfu() throws IOException {
    assertThatIndexesComeAndGoWithBlocks(
      new TinyLfuBlockCache(CACHE_BYTES, BLOCK_BYTES, CACHE_BYTES, Runnable::run));
  }

  private BucketCache bucketCache(String engine) throws IOException {
    return new BucketCache(engine, CACHE_BYTES, BLOCK_BYTES, new int[] { 2 * BLOCK_BYTES }, 1, 64,
      null);
  }

  @Test
  public void inABucketCacheOffTheHeap() throws IOException {
    assertThatIndexesComeAndGoWithBlocks(bucketCache("offheap"));
  }

  @Test
  public void inABucketCacheInAFile() throws IOException {
    assertThatIndexesComeAndGoWithBlocks(
      bucketCache("file:" + new File(folder.getRoot(), "cache")));
  }

  @Test
  public void inTiers() throws IOException {
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "32");
    // Without the patch that adds tiers this is what there is.
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "file:" + new File(folder.getRoot(), "cache"));
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "32");
    assertThatIndexesComeAndGoWithBlocks(BlockCacheFactory.createBlockCache(conf));
  }

  /** Readers check what they get, while blocks come and go and indexes lose their memory. */
  private void assertThatReadersGetTheirRows(BlockCache opened) throws Exception {
    turnOn("1m");
    open(opened);
    warm();
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Random random = new Random(i);
      readers.add(threads.submit(() -> {
        for (int gets = 0; gets < 10_000; gets++) {
          get(random.nextInt(ROWS));
        }
        return null;
      }));
    }
    Future<?> evictor = Executors.newSingleThreadExecutor().submit(() -> {
      long[] samples = new long[SeekIndexStore.MAX_SAMPLES];
      while (!stop.get()) {
        cache.evictBlocksByHfileName(FILE);
        // Foreign indexes, so that the hand goes round.
        for (int i = 0; i < 2_000; i++) {
          samples[0] = i;
          BlockSeekIndex.STORE.put(i, samples, 8);
        }
        Thread.yield();
      }
    });
    for (Future<?> one : readers) {
      one.get();
    }
    stop.set(true);
    evictor.get();
    threads.shutdown();
    assertTrue(BlockSeekIndex.STORE.getReclaimed() > 0);
  }

  @Test
  public void readersGetTheirRowsWhileHeapBlocksAreEvicted() throws Exception {
    assertThatReadersGetTheirRows(new LruBlockCache(CACHE_BYTES, BLOCK_BYTES));
  }

  @Test
  public void readersGetTheirRowsWhileBlocksOffTheHeapAreEvicted() throws Exception {
    assertThatReadersGetTheirRows(bucketCache("offheap"));
  }

  @Test
  public void mistakesInSettingsAreTold() {
    Configuration settings = settings("1");
    String message = assertThrows(IllegalArgumentException.class,
      () -> new BlockSeekIndexSettings(settings)).getMessage();
    assertTrue(message, message.startsWith(BlockSeekIndexSettings.SIZE_KEY + " is 1. "));
    assertTrue(message, message.contains("from 1m to 16g"));
    settings.unset(BlockSeekIndexSettings.SIZE_KEY);
    settings.set(BlockSeekIndexSettings.ENABLED_KEY, "yes");
    assertThrows(IllegalArgumentException.class, () -> new BlockSeekIndexSettings(settings));
    assertFalse(new BlockSeekIndexSettings(new Configuration(false)).isEnabled());
  }
}
