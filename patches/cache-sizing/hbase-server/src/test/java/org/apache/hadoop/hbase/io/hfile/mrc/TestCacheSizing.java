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
package org.apache.hadoop.hbase.io.hfile.mrc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.Collections;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.InclusiveCombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.ResizableBlockCache;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.BytesWritable;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Which reads of a file are references. */
@Category({ IOTests.class, SmallTests.class })
public class TestCacheSizing {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheSizing.class);

  private static final int ROWS = 40_000;
  private static final int BLOCK_BYTES = 1024;
  private static final int ROUNDS = 3;
  private static final int META_BLOCKS = 400;
  private static final byte[] FAMILY = { 'f' };

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final Configuration conf = util.getConfiguration();
  private BlockCache cache;
  private Path path;
  private CacheSizing sizing;
  private HFile.Reader reader;

  @Before
  public void setUp() throws Exception {
    conf.setInt("hfile.onheap.block.cache.fixed.size", 1 << 20);
    // As many index blocks as a big file has.
    conf.setInt("hfile.index.block.max.size", BLOCK_BYTES);
    conf.setBoolean(CacheSizingSettings.ENABLED.key(), true);
    path = new Path(util.getDataTestDir(), "data/default/orders/0123/f/abcdef");
    write();
    start();
  }

  private void start() {
    cache = BlockCacheFactory.createBlockCache(conf);
    CacheSizing.prepare(cache, conf, Collections::emptyList);
    CacheSizing.start(cache);
    sizing = CacheSizing.of(cache);
  }

  /** Has a CombinedBlockCache, with data off the heap. */
  private void startOffHeap() {
    CacheSizing.stop(cache);
    cache.shutdown();
    conf.set("hbase.bucketcache.ioengine", "offheap");
    conf.set("hbase.bucketcache.size", "32");
    conf.set("hbase.bucketcache.bucket.sizes", "2048,4096");
    // No block is dropped because the threads that write have no processor.
    conf.setInt("hbase.bucketcache.writer.queuelength", 10_000);
    start();
    assertEquals(CombinedBlockCache.class, cache.getClass());
  }

  @After
  public void tearDown() throws Exception {
    if (reader != null) {
      reader.close(false);
    }
    CacheSizing.stop(cache);
    cache.shutdown();
    util.cleanupTestDir();
  }

  private void write() throws Exception {
    try (HFile.Writer writer =
      HFile.getWriterFactory(conf, CacheConfig.DISABLED).withPath(util.getTestFileSystem(), path)
        .withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_BYTES).build()).create()) {
      byte[] value = new byte[100];
      for (int i = 0; i < META_BLOCKS; i++) {
        writer.appendMetaBlock("meta" + i, new BytesWritable(new byte[100]));
      }
      for (int i = 0; i < ROWS; i++) {
        writer.append(new KeyValue(row(i), FAMILY, null, value));
      }
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("%08d", number));
  }

  private void open() throws Exception {
    reader = HFile.createReader(util.getTestFileSystem(), path,
      new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP), true, conf);
  }

  /** Seeks to rows so far apart that each is in another block. */
  private void read(boolean cacheBlocks, boolean compaction) throws Exception {
    for (int i = 0; i < ROWS; i += 20) {
      try (HFileScanner scanner = reader.getScanner(conf, cacheBlocks, true, compaction)) {
        scanner.seekTo(new KeyValue(row(i), FAMILY, null));
      }
      if (i % 1000 == 0) {
        sizing.drain();
      }
    }
    sizing.drain();
  }

  @Test
  public void readsAreReferencesOnce() throws Exception {
    open();
    for (int i = 0; i < ROUNDS; i++) {
      read(true, false);
    }
    CacheSizingReport report = sizing.createReport();
    double rate = report.getSample().getDataPercent() / 100;
    double blocks = ROWS / 20.0;
    assertEquals(blocks * rate, report.getSample().getDataBlocks(), blocks * rate / 2);
    assertTrue(report.getSample().getMetadataBlocks() > 0);
    long references = cache.getStats().getRequestCachingCount();
    // Each read has a data block, a leaf and an intermediate block of the index.
    assertEquals(3 * ROUNDS * blocks, references, blocks);
    assertEquals("orders", report.getTables().get(0).getTable());
    assertEquals(0, report.getSample().getDropped());
  }

  @Test
  public void aMissThatIsRepeatedUnderTheLockIsOneReference() throws Exception {
    startOffHeap();
    open();
    for (int i = 0; i < ROUNDS; i++) {
      read(true, false);
    }
    sizing.endMinute(0);
    // The key that is looked for first is before all of the file, so no block is read.
    double blocks = ROWS / 20.0 - 1;
    CacheMinute minute = sizing.createReport().getMinutes().get(0);
    assertTrue("the cache counts misses twice",
      cache.getStats().getRequestCachingCount() >= (3 * ROUNDS + 1) * blocks);
    assertEquals(3 * ROUNDS * blocks, minute.getReferences(), 0);
    assertTrue(minute.getL2Hits() + " hits", minute.getL2Hits() > blocks);
    CountedReferences counted =
      new CountedReferences(cache.getStats(), sizing.getRepeatedMisses());
    assertEquals(ROUNDS * blocks, counted.newData(), 0);
    assertEquals(2 * ROUNDS * blocks, counted.newMetadata(), 0);
  }

  @Test
  public void readsThatDontFillTheCacheAreNoReferences() throws Exception {
    open();
    read(false, false);
    read(false, true);
    // Blocks of indexes are cached in any case.
    assertEquals(0, sizing.createReport().getSample().getDataBlocks());
    read(true, false);
    assertTrue(sizing.createReport().getSample().getDataBlocks() > 0);
  }

  @Test
  public void blocksOfAFileThatIsGoneAreForgotten() throws Exception {
    open();
    read(true, false);
    assertTrue(sizing.createReport().getSample().getDataBlocks() > 0);
    reader.close(true);
    reader = null;
    sizing.drain();
    assertEquals(0, sizing.createReport().getSample().getDataBlocks());
    assertEquals(0, sizing.createReport().getSample().getMetadataBlocks());
  }

  @Test
  public void aFileOpenedAgainHasTheSameBlocks() throws Exception {
    open();
    read(true, false);
    long blocks = sizing.createReport().getSample().getDataBlocks();
    reader.close(false);
    open();
    read(true, false);
    assertEquals(blocks, sizing.createReport().getSample().getDataBlocks());
  }

  @Test
  public void anErrorEndsSamplingAndTheAdvice() throws Exception {
    CacheSizing.stop(cache);
    cache.shutdown();
    AtomicBoolean fails = new AtomicBoolean();
    CacheStats stats = new CacheStats("failing") {
      @Override
      public long getRequestCount() {
        if (fails.get()) {
          throw new OutOfMemoryError("of the test");
        }
        return super.getRequestCount();
      }
    };
    cache = new LruBlockCache(1 << 20, BLOCK_BYTES) {
      @Override
      public CacheStats getStats() {
        return stats;
      }
    };
    CacheSizing.prepare(cache, conf, Collections::emptyList);
    CacheSizing.start(cache);
    sizing = CacheSizing.of(cache);
    assertEquals("COLD", sizing.getReport().getState());
    fails.set(true);
    util.waitFor(60_000, 10, () -> sizing.getReport().getState().equals("ENDED"));
    assertTrue(sizing.getReport().getAdvice(),
      sizing.getReport().getAdvice().startsWith("Not known: sampling has ended after an error"));
    assertEquals(0, sizing.getThreshold());
  }

  @Test
  public void whatIsHeldMayNotBeCountable() {
    CacheSizing.stop(cache);
    CacheSizing.prepare(cache, conf, () -> {
      throw new IllegalStateException("of the test");
    });
    CacheSizing.of(cache).endMinute(0);
    assertTrue(CacheSizing.of(cache).createReport().getHeld().isEmpty());
  }

  @Test
  public void biggerCachesAreEstimatedWhenTheHeapGivesMore() {
    assertEquals(8.0 * cache.getMaxSize(), sizing.maxDistance(), 0);
    ((ResizableBlockCache) cache).setMaxSize(3 << 20);
    sizing.endMinute(0);
    assertEquals(24.0 * (1 << 20), sizing.maxDistance(), 0);
  }

  @Test
  public void aCacheWhoseTiersBothHaveAllBlocksIsNotEstimated() {
    LruBlockCache first = new LruBlockCache(1 << 20, BLOCK_BYTES);
    LruBlockCache second = new LruBlockCache(1 << 20, BLOCK_BYTES);
    BlockCache inclusive = new InclusiveCombinedBlockCache(first, second);
    CacheSizing.prepare(inclusive, conf, Collections::emptyList);
    CacheSizing.start(inclusive);
    assertNull(CacheSizing.of(inclusive));
    inclusive.shutdown();
  }

  @Test
  public void firstReadsOfMetaBlocksAreReferences() throws Exception {
    open();
    for (int i = 0; i < META_BLOCKS; i++) {
      reader.getMetaBlock("meta" + i, true).release();
    }
    sizing.drain();
    SampleQuality sample = sizing.createReport().getSample();
    assertTrue(sample.getMetadataBlocks() + " blocks", sample.getMetadataBlocks() > 5);
    assertEquals(sample.getMetadataBlocks(), sample.getReferences());
    assertEquals(0, sample.getUnknownPercent(), 0);
  }

  @Test
  public void aMinutesEndIsInTheReportAtOnce() {
    assertTrue(sizing.getReport().getMinutes().isEmpty());
    sizing.endMinute(0);
    assertEquals(1, sizing.getReport().getMinutes().size());
  }

  @Test
  public void offMeansThatNothingIsSampled() throws Exception {
    assertNotNull(BlockReferences.of(cache, path));
    CacheSizing.stop(cache);
    assertNull(CacheSizing.of(cache));
    assertNull(BlockReferences.of(cache, path));
    assertNull(BlockReferences.of(null, path));
    CacheSizing.prepare(cache, new Configuration(false), Collections::emptyList);
    CacheSizing.start(cache);
    assertNull(CacheSizing.of(cache));
    open();
    read(true, false);
    assertEquals(0, sizing.createReport().getSample().getReferences());
  }

  @Test
  public void takesLessMemoryThanPromised() throws Exception {
    open();
    read(true, false);
    assertTrue(sizing.createReport().getSample().getUsedBytes() < 8 << 20);
  }
}
