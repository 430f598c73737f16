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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** The life of seek indexes: who builds them, in which caches, and when they go. */
@Category({ IOTests.class, MediumTests.class })
public class TestBlockSeekIndex extends BlockSeekIndexTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlockSeekIndex.class);

  @Rule
  public final RandomSeed seed = new RandomSeed();

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

  /** Readers check what they get, while blocks come and go and indexes lose their memory. */
  private void assertThatReadersGetTheirRows(BlockCache opened) throws Exception {
    turnOn("1m");
    open(opened);
    warm();
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SplittableRandom random = seed.newRandom(i);
      readers.add(threads.submit(() -> {
        // On busy processors the other thread may not have had its turn yet.
        for (int gets = 0; gets < 1_500 || BlockSeekIndex.STORE.getReclaimed() == 0; gets++) {
          get(random.nextInt(ROWS));
        }
        return null;
      }));
    }
    ExecutorService evictorThread = Executors.newSingleThreadExecutor();
    Future<?> evictor = evictorThread.submit(() -> {
      long[] samples = new long[SeekIndexStore.MAX_SAMPLES];
      while (!stop.get()) {
        cache.evictBlocksByHfileName(FILE);
        // Foreign indexes, so that the hand goes round.
        for (int i = 0; i < 2_000; i++) {
          samples[0] = i;
          BlockSeekIndex.STORE.put(i, samples, 8, true);
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
    evictorThread.shutdown();
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
    assertTrue(message, message.startsWith(BlockSeekIndexSettings.SIZE.key() + " is 1. "));
    assertTrue(message, message.contains("from 1m to 16g"));
    settings.unset(BlockSeekIndexSettings.SIZE.key());
    settings.set(BlockSeekIndexSettings.ENABLED.key(), "yes");
    assertThrows(IllegalArgumentException.class, () -> new BlockSeekIndexSettings(settings));
    assertFalse(new BlockSeekIndexSettings(new Configuration(false)).isEnabled());
  }
}
