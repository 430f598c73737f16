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
package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.untyped;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

import org.apache.hadoop.hbase.shaded.protobuf.generated.BucketCacheProtos.BackingMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BucketCacheProtos.BucketCacheEntry;

/**
 * Whatever happens to the file under a BucketCache, a block is served as it was cached, or missed.
 * A missed block frees its slot once.
 */
@RunWith(Parameterized.class)
@Category({ IOTests.class, MediumTests.class })
public class TestBlockChecksumsInCache extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlockChecksumsInCache.class);

  private static final int READERS = 4;
  private static final int SECONDS_TO_END = 60;
  /** The list's magic number, size of a chunk and number of chunks. */
  private static final int LIST_HEADER_BYTES = 20;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  @Parameter(0)
  public String engine;
  @Parameter(1)
  public boolean persistent;

  @Parameters(name = "{0}, persistent {1}")
  public static List<Object[]> engines() {
    return Arrays.asList(new Object[] { "file", false }, new Object[] { "file", true },
      new Object[] { "direct", false }, new Object[] { "direct", true },
      new Object[] { "mmap", false });
  }

  private void start(Boolean checksums) throws IOException {
    if (checksums == null) {
      conf.unset(FileEngineSettings.CHECKSUM.key());
    } else {
      conf.setBoolean(FileEngineSettings.CHECKSUM.key(), checksums);
    }
    start(engine + ":" + file(), persistent);
  }

  private void startAndFill() throws Exception {
    start(true);
    fill();
  }

  private void restart(Boolean checksums) throws IOException {
    cache.shutdown();
    start(checksums);
  }

  /** The parts of a mapped file are in any order. */
  private boolean slotsAreWhereTheirOffsetsSay() {
    return !engine.equals("mmap");
  }

  private long offset(BlockCacheKey key) {
    return cache.getBackingMap().get(key).offset();
  }

  private void flip(long position, int bit) throws IOException {
    try (RandomAccessFile raf = new RandomAccessFile(file(), "rw")) {
      raf.seek(position);
      int old = raf.read();
      raf.seek(position);
      raf.write(old ^ 1 << bit);
    }
  }

  private byte[] readSlot(BlockCacheKey key) throws IOException {
    byte[] slot = new byte[cache.getBackingMap().get(key).getLength()];
    try (RandomAccessFile raf = new RandomAccessFile(file(), "r")) {
      raf.seek(offset(key));
      raf.readFully(slot);
    }
    return slot;
  }

  private void writeSlot(BlockCacheKey key, byte[] bytes) throws IOException {
    try (RandomAccessFile raf = new RandomAccessFile(file(), "rw")) {
      raf.seek(offset(key));
      raf.write(bytes);
    }
  }

  private void assertMissedAndGone(BlockCacheKey key) {
    long misses = cache.getStats().getMissCount();
    long hits = cache.getStats().getHitCount();
    // As a scan looks it up.
    assertNull(cache.getBlock(untyped(key), true, false, true));
    assertEquals(misses + 1, cache.getStats().getMissCount());
    assertEquals(hits, cache.getStats().getHitCount());
    assertNull(cache.getBackingMap().get(key));
    BucketCacheValidator.validate(cache);
  }

  @Test
  public void whatIsWellIsServed() throws Exception {
    startAndFill();
    long verified = MetricsBlockChecksums.getVerifiedCount();
    long failed = MetricsBlockChecksums.getFailedCount();
    assertEquals(BLOCKS, countServed());
    assertEquals(verified + BLOCKS, MetricsBlockChecksums.getVerifiedCount());
    assertEquals(failed, MetricsBlockChecksums.getFailedCount());
    BucketCacheValidator.validate(cache);
  }

  @Test
  public void aBlockWithAFlippedBitIsMissedEvictedAndCachedAnew() throws Exception {
    assumeTrue(slotsAreWhereTheirOffsetsSay());
    startAndFill();
    Random random = seed.newRandom();
    long failed = MetricsBlockChecksums.getFailedCount();
    for (BlockCacheKey key : keys) {
      int length = cache.getBackingMap().get(key).getLength();
      flip(offset(key) + random.nextInt(length), random.nextInt(8));
      assertMissedAndGone(key);
      cache.cacheBlock(key, block(key, SIZE));
      BucketCacheValidator.awaitWritten(cache);
    }
    assertEquals(failed + BLOCKS, MetricsBlockChecksums.getFailedCount());
    assertEquals(BLOCKS, countServed());
    BucketCacheValidator.validate(cache);
  }

  @Test
  public void aBlockThatIsUnreadableAndEvictedWhileItIsWrittenIsCountedOnce() throws Exception {
    conf.setBoolean(FileEngineSettings.CHECKSUM.key(), true);
    cache = new BucketCache(engine + ":" + file(), CAPACITY, SIZE, new int[] { SLOT_SIZE }, 1, 64,
      null, BucketCache.DEFAULT_ERROR_TOLERATION_DURATION, conf) {
      @Override
      protected void putIntoBackingMap(BlockCacheKey key, BucketEntry entry) {
        super.putIntoBackingMap(key, entry);
        assertTrue(removeFromRamCache(key)); // as an eviction does first
        evictUnreadable(key, entry);
      }
    };
    for (int i = 0; i < BLOCKS; i++) {
      BlockCacheKey key = key(FILE, i * 10_000L, BlockType.DATA);
      cache.cacheBlock(key, block(key, SIZE));
    }
    BucketCacheValidator.awaitWritten(cache);
    assertEquals(0, cache.getBlockCount());
    BucketCacheValidator.validate(cache);
  }

  @Test
  public void aBlockThatIsPartlyOverwrittenIsMissed() throws Exception {
    startAndFill();
    for (BlockCacheKey key : keys) {
      cache.ioEngine.write(ByteBuffer.allocate(16), offset(key) + SIZE / 2);
      assertMissedAndGone(key);
    }
  }

  @Test
  public void anotherBlockAnOldOneAndNoneAreMissed() throws Exception {
    assumeTrue(slotsAreWhereTheirOffsetsSay());
    startAndFill();
    byte[] other = readSlot(keys.get(0));
    writeSlot(keys.get(1), other);
    assertMissedAndGone(keys.get(1));
    writeSlot(keys.get(2), new byte[other.length]);
    assertMissedAndGone(keys.get(2));
    byte[] old = readSlot(keys.get(3));
    cache.evictBlock(keys.get(3));
    BlockCacheKey successor = key(FILE, 1, BlockType.DATA);
    cache.cacheBlock(successor, block(successor, SIZE));
    BucketCacheValidator.awaitWritten(cache);
    writeSlot(successor, old);
    assertMissedAndGone(successor);
    assertTrue(read(keys.get(0)));
  }

  @Test
  public void aHalfOfASplitRegionEvictsTheBlockThatItReads() throws Exception {
    assumeTrue(slotsAreWhereTheirOffsetsSay());
    startAndFill();
    BlockCacheKey own = keys.get(5);
    BlockCacheKey ofReference = key(FILE + ".fedcba9876543210fedcba9876543210",
      own.getOffset(), BlockType.DATA);
    assertNotNull(cache.getBlock(ofReference, true, false, true));
    flip(offset(own) + 100, 3);
    assertMissedAndGone(ofReference);
    assertMissedAndGone(own);
  }

  @Test
  public void readersUnderWhichTheFileRotsGetRightBlocksOrNone() throws Exception {
    assumeTrue(slotsAreWhereTheirOffsetsSay());
    startAndFill();
    long failed = MetricsBlockChecksums.getFailedCount();
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try {
      List<Future<Void>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        SplittableRandom random = seed.newRandom(i);
        readers.add(threads.submit(() -> {
          while (!done.get()) {
            BlockCacheKey key = keys.get(random.nextInt(BLOCKS));
            if (!read(key)) {
              cache.cacheBlock(key, block(key, SIZE));
            }
          }
          return null;
        }));
      }
      Random random = seed.newRandom();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_END);
      for (
        int i = 0; i < 1000
          || MetricsBlockChecksums.getFailedCount() == failed && System.nanoTime() < end; i++
      ) {
        BucketEntry entry = cache.getBackingMap().get(keys.get(random.nextInt(BLOCKS)));
        if (entry != null) {
          flip(entry.offset() + random.nextInt(entry.getLength()), random.nextInt(8));
        }
      }
      done.set(true);
      for (Future<Void> reader : readers) {
        reader.get(SECONDS_TO_END, TimeUnit.SECONDS);
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
    assertTrue(MetricsBlockChecksums.getFailedCount() > failed);
    BucketCacheValidator.awaitWritten(cache);
    countServed();
    // The validator can't be used: the cache's number of blocks drifts when two readers cache one.
    cache.evictBlocksByHfileName(FILE);
    assertEquals(0, cache.getBackingMap().size());
    assertEquals(0, cache.getAllocator().getUsedSize());
    assertEquals(0, cache.getRealCacheSize());
  }

  @Test
  public void withoutTheSwitchNothingIsVerified() throws Exception {
    Boolean byDefault = engine.equals("direct") ? Boolean.FALSE : null;
    for (Boolean checksums : new Boolean[] { byDefault, false }) {
      start(checksums);
      fill();
      assertTrue(cache.getBackingMap().values().stream()
        .allMatch(entry -> entry.checksum == BlockChecksum.NONE));
      long verified = MetricsBlockChecksums.getVerifiedCount();
      flip(offset(keys.get(0)) + 100, 3);
      HFileBlock found = (HFileBlock) cache.getBlock(keys.get(0), true, false, true);
      assertNotNull(found);
      found.release();
      assertEquals(verified, MetricsBlockChecksums.getVerifiedCount());
      cache.shutdown();
      cache = null;
      list().delete();
    }
  }

  @Test
  public void checksumsOutliveARestart() throws Exception {
    assumeTrue(persistent);
    startAndFill();
    int[] before = checksums();
    restart(true);
    assertArrayEquals(before, checksums());
    flip(offset(keys.get(7)) + 200, 0);
    assertEquals(BLOCKS - 1, countServed());
    BucketCacheValidator.validate(cache);
  }

  private int[] checksums() {
    return keys.stream().mapToInt(key -> cache.getBackingMap().get(key).checksum).toArray();
  }

  @Test
  public void blocksOfAListWithoutChecksumsAreReadAsBefore() throws Exception {
    assumeTrue(persistent);
    startAndFill();
    cache.shutdown();
    writeListWithoutChecksums();
    start(true);
    assertArrayEquals(new int[BLOCKS], checksums());
    assertEquals(BLOCKS, countServed());
    BlockCacheKey late = key(FILE, 1, BlockType.DATA);
    cache.cacheBlock(late, block(late, SIZE));
    BucketCacheValidator.awaitWritten(cache);
    flip(offset(late) + 100, 0);
    assertMissedAndGone(late);
  }

  /** Does what a server without checksums does: it drops the fields that it doesn't know. */
  private void writeListWithoutChecksums() throws IOException {
    byte[] list = Files.readAllBytes(list().toPath());
    BucketCacheEntry.Builder entries = BucketCacheEntry.parseDelimitedFrom(new ByteArrayInputStream(
      list, LIST_HEADER_BYTES, list.length - LIST_HEADER_BYTES)).toBuilder();
    BackingMap.Builder map = entries.getBackingMapBuilder();
    assertEquals(BLOCKS, map.getEntryCount());
    map.getEntryBuilderList().forEach(
      entry -> entry.getValueBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance()));
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    written.write(list, 0, LIST_HEADER_BYTES);
    entries.build().writeDelimitedTo(written);
    assertTrue(written.size() < list.length);
    Files.write(list().toPath(), written.toByteArray());
  }

  @Test
  public void aListOfATimeWithChecksumsIsReadWithout() throws Exception {
    assumeTrue(persistent);
    startAndFill();
    restart(false);
    assertArrayEquals(new int[BLOCKS], checksums());
    assertEquals(BLOCKS, countServed());
  }

  /** The slot of such a block could be lost. */
  @Test
  public void aBlockCachedAtAnotherTimeGivesItsSpaceBack() throws Exception {
    assumeTrue(persistent);
    startAndFill();
    flip(offset(keys.get(0)), 0);
    assertMissedAndGone(keys.get(0));
    assertEquals(BLOCKS - 1, countServed());
  }

  /** The slot of such a block could be lost without checksums, too (HBASE-30285). */
  @Test
  public void withoutChecksumsABlockCachedAtAnotherTimeGivesItsSpaceBack() throws Exception {
    assumeTrue(persistent);
    start(false);
    fill();
    long failed = MetricsBlockChecksums.getFailedCount();
    flip(offset(keys.get(0)), 0);
    assertMissedAndGone(keys.get(0));
    assertEquals(BLOCKS - 1, countServed());
    assertEquals(failed, MetricsBlockChecksums.getFailedCount());
  }
}
