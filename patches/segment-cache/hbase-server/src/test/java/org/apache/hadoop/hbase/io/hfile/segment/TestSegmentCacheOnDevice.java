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
package org.apache.hadoop.hbase.io.hfile.segment;

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.assertIsBlock;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Blocks in segments of files. */
@Category({ IOTests.class, MediumTests.class })
public class TestSegmentCacheOnDevice {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSegmentCacheOnDevice.class);

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER_FILE = "fedcba9876543210fedcba9876543210";
  private static final int SIZE = 32 * 1024;
  private static final int MB = 64;
  /** Blocks of SIZE that fill the cache. */
  private static final int FULL = MB * 32;
  private static final int TIMEOUT_MS = 60_000;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private final List<SegmentCache> caches = new ArrayList<>();
  private final List<SegmentStore> stores = new ArrayList<>();
  private SegmentCache cache;

  @After
  public void tearDown() {
    caches.forEach(SegmentCache::shutdown);
  }

  private File file(String name) {
    return new File(folder.getRoot(), name);
  }

  private SegmentCache open(int megabytes, String... names) throws IOException {
    StringBuilder engine = new StringBuilder("segments:");
    for (String name : names) {
      engine.append(engine.toString().endsWith(":") ? "" : ",").append(file(name));
    }
    conf.set("hbase.bucketcache.ioengine", engine.toString());
    conf.setInt("hbase.bucketcache.size", megabytes);
    conf.setLong(BucketCache.QUEUE_ADDITION_WAIT_TIME, TIMEOUT_MS);
    cache = new SegmentCache(new SegmentCacheSettings(conf), new CacheStats("test"));
    caches.add(cache);
    stores.add(cache.getStore());
    return cache;
  }

  private static BlockCacheKey data(String file, int number) {
    return key(file, number * 100_000L, BlockType.DATA);
  }

  /** Differs, so that records aren't all aligned alike. */
  private static int size(int number) {
    return SIZE - number % 7 * 1000;
  }

  private void cache(String file, int from, int to) {
    for (int i = from; i < to; i++) {
      cache.cacheBlock(data(file, i), block(data(file, i), size(i)), false, true);
    }
  }

  private boolean read(String file, int number) {
    Cacheable found = cache.getBlock(data(file, number), true, false, true);
    if (found == null) {
      return false;
    }
    assertIsBlock(data(file, number), size(number), found);
    found.release();
    return true;
  }

  private int countServed(String file, int from, int to) {
    int served = 0;
    for (int i = from; i < to; i++) {
      served += read(file, i) ? 1 : 0;
    }
    return served;
  }

  private void awaitRecovery() throws Exception {
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> cache.getStore().getPartsRecovering() == 0);
  }

  /** Does to the file what a kill at this moment leaves of it, under another name. */
  private void copy(String from, String to) throws IOException {
    Files.copy(file(from).toPath(), file(to).toPath());
  }

  @Test
  public void aBlockIsServedAtOnceAndWhenItIsWritten() throws Exception {
    open(MB, "a");
    for (int i = 0; i < FULL / 2; i++) {
      cache(FILE, i, i + 1);
      assertTrue("block " + i, read(FILE, i));
    }
    assertEquals(FULL / 2, countServed(FILE, 0, FULL / 2));
    assertEquals(0, cache.getStats().getFailedInserts());
    assertEquals(0, cache.getStore().getCorrupt());
  }

  @Test
  public void blocksAreServedAfterACleanStop() throws Exception {
    open(2 * MB, "a", "b");
    cache(FILE, 0, FULL);
    cache(OTHER_FILE, 0, 10);
    cache.evictBlock(data(OTHER_FILE, 3));
    cache.shutdown();
    open(2 * MB, "a", "b");
    awaitRecovery();
    assertEquals(FULL, countServed(FILE, 0, FULL));
    assertTrue(countServed(OTHER_FILE, 0, 10) >= 9);
    assertEquals(0, cache.getStore().getCorrupt());
    cache(OTHER_FILE, 100, 200);
    assertEquals(100, countServed(OTHER_FILE, 100, 200));
  }

  @Test
  public void blocksThatAStartFindsAreAsOldAsTheStart() throws Exception {
    open(MB, "a");
    cache(FILE, 0, FULL / 2);
    cache.shutdown();
    long start = System.nanoTime();
    open(MB, "a");
    awaitRecovery();
    long end = System.nanoTime();
    int blocks = 0;
    for (CachedBlock block : cache) {
      long age = end - block.getCachedTime();
      assertTrue(age + " ns", age >= 0 && age <= end - start);
      blocks++;
    }
    assertTrue(blocks + " blocks", blocks > 0);
  }

  private int countRead(String file) {
    int[] read = { 0 };
    cache.getIndex().get(file)
      .visit((offset, size, word) -> read[0] += EntryWord.frequency(word) > 0 ? 1 : 0);
    return read[0];
  }

  @Test
  public void aCleanStopKeepsHowOftenBlocksWereRead() throws Exception {
    open(2 * MB, "a", "b");
    cache(FILE, 0, FULL);
    cache.shutdown();
    open(2 * MB, "a", "b");
    awaitRecovery();
    countServed(FILE, 100, 300);
    countServed(FILE, 100, 200);
    Map<Long, Integer> frequencies = frequencies();
    assertEquals(200, countRead(FILE));
    cache.shutdown();
    assertTrue(file("a.reads").length() < 10_000);
    open(2 * MB, "a", "b");
    awaitRecovery();
    assertEquals(frequencies, frequencies());
    assertFalse("it is true of one start", file("a.reads").exists());
  }

  @Test
  public void readsThatDontCacheMakeNoBlockStay() throws Exception {
    open(2 * MB, "a", "b");
    cache(FILE, 0, FULL);
    cache.shutdown();
    open(2 * MB, "a", "b");
    awaitRecovery();
    for (int i = 100; i < 200; i++) {
      cache.getBlock(data(FILE, i), false, false, true).release();
    }
    assertEquals(0, countRead(FILE));
    assertEquals(100, countServed(FILE, 100, 200));
    assertEquals(100, countRead(FILE));
  }

  private Map<Long, Integer> frequencies() {
    Map<Long, Integer> frequencies = new HashMap<>();
    cache.getIndex().get(FILE)
      .visit((offset, size, word) -> frequencies.put(offset, EntryWord.frequency(word)));
    return frequencies;
  }

  @Test
  public void savedReadsThatAreDamagedOrOfAnotherFileAreIgnored() throws Exception {
    Random random = seed.newRandom();
    for (int round = 0; round < 5; round++) {
      open(MB, "a");
      awaitRecovery();
      cache(FILE, 0, FULL / 4);
      countServed(FILE, 0, FULL / 4);
      cache.shutdown();
      byte[] saved = Files.readAllBytes(file("a.reads").toPath());
      for (int i = 0; i < 20; i++) {
        saved[random.nextInt(saved.length)] = (byte) random.nextInt();
      }
      Files.write(file("a.reads").toPath(), Arrays.copyOf(saved, saved.length - round * 7));
      open(MB, "a");
      awaitRecovery();
      assertEquals(0, cache.getStore().getPartsOff());
      assertEquals(FULL / 4, countServed(FILE, 0, FULL / 4));
      cache.shutdown();
    }
  }

  @Test
  public void afterAKillOnlyWhatWasInOpenSegmentsIsLost() throws Exception {
    open(MB, "a");
    cache(FILE, 0, FULL * 3 / 4);
    // What was cached before the last segment was begun is in full segments, and these are written.
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> file("a").length() > MB * 5L / 8 << 20);
    copy("a", "killed");
    open(MB, "killed");
    awaitRecovery();
    int served = countServed(FILE, 0, FULL);
    assertTrue(served + " served", served >= FULL / 2);
    assertEquals(0, cache.getStore().getCorrupt());
    cache(OTHER_FILE, 0, 2 * FULL);
    assertTrue(countServed(OTHER_FILE, 0, 2 * FULL) > FULL / 2);
    countServed(FILE, 0, FULL);
  }

  @Test
  public void afterAKillEachBlockThatIsFoundIsThere() throws Exception {
    open(MB, "a");
    for (int round = 0; round < 4; round++) {
      // Each kill is at another place of a segment that had other blocks before.
      cache(OTHER_FILE, round * FULL, (round + 1) * FULL + round * 17);
      Waiter.waitFor(conf, TIMEOUT_MS, ((DeviceSegments) cache.getStore())::isWritten);
      copy("a", "killed" + round);
      SegmentCache running = cache;
      open(MB, "killed" + round);
      awaitRecovery();
      assertTrue(cache.getBlockCount() > FULL / 2);
      SegmentValidator.validate(cache);
      assertEquals(0, cache.getStore().getCorrupt());
      cache.shutdown();
      cache = running;
    }
  }

  @Test
  public void anEntryThatPointsToAnotherBlockIsMissed() throws Exception {
    open(MB, "a");
    cache(FILE, 0, 10);
    cache(OTHER_FILE, 0, 10);
    FileTable file = cache.getIndex().get(FILE);
    FileTable other = cache.getIndex().get(OTHER_FILE);
    file.put(data(FILE, 3).getOffset(), SIZE, file.find(data(FILE, 4).getOffset()));
    file.put(data(FILE, 5).getOffset(), SIZE, other.find(data(OTHER_FILE, 5).getOffset()));
    assertFalse(read(FILE, 3));
    assertFalse(read(FILE, 5));
    assertEquals(8, countServed(FILE, 0, 10));
    assertEquals(10, countServed(OTHER_FILE, 0, 10));
  }

  @Test
  public void eachBlockThatIsTakenIsThereWhereverItsChunkEnds() throws Exception {
    open(2 * MB, "a");
    Random random = seed.newRandom();
    List<Integer> sizes = new ArrayList<>();
    long bytes = 0;
    while (bytes < MB << 20) {
      // To, just before and just behind the end of a chunk, and anywhere.
      int end = SegmentStream.CHUNK - (int) (bytes % SegmentStream.CHUNK);
      int size = random.nextInt(3) > 0 ? 100 + random.nextInt(200_000)
        : Math.max(100, Math.min(400_000, end - 200 + random.nextInt(400)));
      BlockCacheKey key = data(FILE, sizes.size());
      cache.cacheBlock(key, block(key, size), false, true);
      sizes.add(size);
      bytes += size;
    }
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < sizes.size(); i++) {
        Cacheable found = cache.getBlock(data(FILE, i), true, false, true);
        assertNotNull("block " + i + " of " + sizes.get(i) + " bytes", found);
        assertIsBlock(data(FILE, i), sizes.get(i), found);
        found.release();
      }
      Waiter.waitFor(conf, TIMEOUT_MS, ((DeviceSegments) cache.getStore())::isWritten);
    }
    assertEquals(0, cache.getStats().getFailedInserts());
  }

  @Test
  public void aTruncatedFileServesWhatItHas() throws Exception {
    open(MB, "a");
    cache(FILE, 0, FULL * 3 / 4);
    cache.shutdown();
    try (RandomAccessFile file = new RandomAccessFile(file("a"), "rw")) {
      file.setLength(file.length() / 2 + 777);
    }
    open(MB, "a");
    awaitRecovery();
    int served = countServed(FILE, 0, FULL);
    assertTrue(served + " served", served >= FULL / 4);
    cache(OTHER_FILE, 0, 100);
    assertEquals(100, countServed(OTHER_FILE, 0, 100));
  }

  @Test
  public void noFlippedByteIsServed() throws Exception {
    open(MB, "a");
    cache(FILE, 0, FULL * 3 / 4);
    cache.shutdown();
    Random random = seed.newRandom();
    try (RandomAccessFile file = new RandomAccessFile(file("a"), "rw")) {
      for (int i = 0; i < 300; i++) {
        file.seek(4096 + (random.nextLong() >>> 1) % (file.length() - 4096));
        int old = file.read();
        file.seek(file.getFilePointer() - 1);
        file.write(old ^ 1 << random.nextInt(8));
      }
    }
    open(MB, "a");
    awaitRecovery();
    int served = countServed(FILE, 0, FULL);
    assertTrue(served + " served", served > FULL / 8 && served < FULL * 3 / 4);
    assertTrue(cache.getStore().getCorrupt() > 0);
    long corrupt = cache.getStore().getCorrupt();
    assertEquals("each once", served, countServed(FILE, 0, FULL));
    assertEquals(corrupt, cache.getStore().getCorrupt());
  }

  @Test
  public void aFooterWithALengthThatCantBeCostsItsSegment() throws Exception {
    open(MB, "a");
    cache(FILE, 0, FULL * 3 / 4);
    cache.shutdown();
    int segmentSize = 4 << 20;
    int lengths = 0;
    try (RandomAccessFile file = new RandomAccessFile(file("a"), "rw")) {
      for (int length : new int[] { 0, 31, -1, Integer.MAX_VALUE }) {
        // Behind the magic, the sequence and two counts.
        file.seek(4096 + (long) ++lengths * segmentSize - 32 + 20);
        file.writeInt(length);
      }
    }
    open(MB, "a");
    awaitRecovery();
    assertEquals(0, cache.getStore().getPartsOff());
    int served = countServed(FILE, 0, FULL);
    assertTrue(served + " served", served >= FULL / 4 && served < FULL * 3 / 4);
    cache(OTHER_FILE, 0, 100);
    assertEquals(100, countServed(OTHER_FILE, 0, 100));
  }

  @Test
  public void anOlderFileInPlaceOfTheRunningOneIsMissed() throws Exception {
    open(MB, "a");
    cache(FILE, 0, FULL / 2);
    cache.shutdown();
    copy("a", "old");
    open(MB, "a");
    cache(OTHER_FILE, 0, FULL / 2);
    cache.shutdown();
    open(MB, "a");
    awaitRecovery();
    try (RandomAccessFile old = new RandomAccessFile(file("old"), "r");
      RandomAccessFile file = new RandomAccessFile(file("a"), "rw")) {
      byte[] bytes = new byte[1 << 20];
      for (int read = old.read(bytes); read > 0; read = old.read(bytes)) {
        file.write(bytes, 0, read);
      }
    }
    countServed(OTHER_FILE, 0, FULL / 2);
    countServed(FILE, 0, FULL / 2);
  }

  @Test
  public void aFileOfAnotherVersionOrWithOtherSegmentsIsEmpty() throws Exception {
    // A byte of the version, and the size of a segment.
    for (int position : new int[] { 7, 9 }) {
      open(MB, "a");
      cache(FILE, 0, 500);
      cache.shutdown();
      try (RandomAccessFile file = new RandomAccessFile(file("a"), "rw")) {
        file.seek(position);
        file.write(1);
      }
      open(2 * MB, "a");
      awaitRecovery();
      cache(OTHER_FILE, 0, 100);
      assertEquals(100, countServed(OTHER_FILE, 0, 100));
      assertEquals(0, countServed(FILE, 0, 500));
      cache.shutdown();
      assertTrue(file("a").delete());
    }
  }

  private void reopen(int megabytes, String... names) throws Exception {
    cache.shutdown();
    open(megabytes, names);
    awaitRecovery();
    SegmentValidator.validate(cache);
    assertEquals(0, cache.getStore().getCorrupt());
  }

  @Test
  public void aBiggerCacheHasTheBlocksThatItHad() throws Exception {
    open(MB, "a");
    cache(FILE, 0, FULL / 2);
    reopen(2 * MB, "a");
    assertEquals(FULL / 2, countServed(FILE, 0, FULL / 2));
    cache(OTHER_FILE, 0, FULL);
    assertEquals("the new segments are free", FULL, countServed(OTHER_FILE, 0, FULL));
    assertEquals(FULL / 2, countServed(FILE, 0, FULL / 2));
    reopen(2 * MB, "a");
    assertEquals(FULL, countServed(OTHER_FILE, 0, FULL));
  }

  @Test
  public void aSmallerCacheLosesWhatWasInSegmentsThatItHasNoMore() throws Exception {
    open(2 * MB, "a");
    cache(FILE, 0, 2 * FULL);
    reopen(MB, "a");
    int served = countServed(FILE, 0, 2 * FULL);
    assertTrue(served + " served", served > FULL / 2 && served <= FULL * 6 / 5);
    assertTrue(file("a").length() <= SegmentFile.PAGE + ((long) MB << 20));
    reopen(2 * MB, "a");
    assertEquals("and they stay empty", served, countServed(FILE, 0, 2 * FULL));
    cache(OTHER_FILE, 0, FULL / 2);
    reopen(2 * MB, "a");
    assertEquals(FULL / 2, countServed(OTHER_FILE, 0, FULL / 2));
  }

  @Test
  public void segmentsKeepTheirSizeThoughOthersWouldSuitTheNewSize() throws Exception {
    int[] sizes = { 2048, 8192, 2048 };
    open(4096, "a");
    int size = cache.getSettings().getSegmentSize();
    cache(FILE, 0, FULL);
    for (int megabytes : sizes) {
      reopen(megabytes, "a");
      assertEquals(size, cache.getSettings().getSegmentSize());
      assertEquals(megabytes, cache.getMaxSize() >> 20);
      assertEquals(FULL, countServed(FILE, 0, FULL));
    }
    reopen(MB, "a");
    assertTrue("too few", cache.getSettings().getSegmentSize() < size);
    assertEquals(0, cache.getBlockCount());
  }

  @Test
  public void anotherNumberOfFilesLeavesBlocksWhereTheyAre() throws Exception {
    open(2 * MB, "a");
    cache(FILE, 0, FULL * 2 / 3);
    reopen(2 * MB, "a", "b");
    assertEquals(FULL * 2 / 3, countServed(FILE, 0, FULL * 2 / 3));
    cache(OTHER_FILE, 0, FULL / 3);
    assertEquals(FULL / 3, countServed(OTHER_FILE, 0, FULL / 3));
    reopen(3 * MB, "c", "b", "a");
    assertEquals(FULL * 2 / 3, countServed(FILE, 0, FULL * 2 / 3));
    assertEquals(FULL / 3, countServed(OTHER_FILE, 0, FULL / 3));
    reopen(2 * MB, "b", "c");
    assertTrue(countServed(OTHER_FILE, 0, FULL / 3) > 0);
    cache(FILE, 0, FULL);
    countServed(OTHER_FILE, 0, FULL / 3);
    assertEquals(0, cache.getStore().getCorrupt());
  }

  @Test
  public void aKillBetweenTheStepsToAnotherSizeLeavesOnlyWhatIsRight() throws Exception {
    Random random = seed.newRandom();
    open(2 * MB, "a");
    int served = 0;
    for (int round = 0; round < 12; round++) {
      cache(OTHER_FILE, round * FULL, round * FULL + random.nextInt(2 * FULL));
      cache.shutdown();
      int megabytes = MB + random.nextInt(2 * MB);
      // Cut without another header, another header without being cut, or neither.
      try (RandomAccessFile file = new RandomAccessFile(file("a"), "rw")) {
        long length = SegmentFile.PAGE + megabytes / 4 * (4L << 20);
        if (round % 3 == 0 && file.length() > length) {
          file.setLength(length);
        } else if (round % 3 == 1) {
          file.seek(12);
          file.writeInt(megabytes / 4);
        }
      }
      open(random.nextBoolean() ? megabytes : MB + random.nextInt(2 * MB), "a");
      awaitRecovery();
      SegmentValidator.validate(cache);
      served += countServed(OTHER_FILE, 0, (round + 2) * FULL);
      assertEquals(0, cache.getStore().getCorrupt());
      assertEquals(0, cache.getStore().getPartsOff());
    }
    assertTrue(served + " served", served > 6 * FULL);
  }

  @Test
  public void theFilesOfAnotherEngineAreUsedWithoutTheirBlocks() throws Exception {
    for (String engine : new String[] { "file:", "direct:" }) {
      BucketCache other = new BucketCache(engine + file("b"), MB << 20, SIZE, null, 1, 64, null);
      for (int i = 0; i < 1000; i++) {
        other.cacheBlock(data(FILE, i), block(data(FILE, i), size(i)), false, true);
      }
      BucketCacheValidator.awaitWritten(other);
      other.shutdown();
      open(MB, "b");
      cache(FILE, 0, 100);
      assertEquals(100, countServed(FILE, 0, 100));
      cache.shutdown();
      other = new BucketCache("direct:" + file("b"), MB << 20, SIZE, null, 1, 64, null);
      other.shutdown();
      Files.delete(file("b").toPath());
    }
  }

  @Test
  public void aFileThatIsNoCachesIsRefusedAndStaysWhatItIs() throws Exception {
    // Images of file systems and others begin with zeros.
    for (int zeros : new int[] { 0, 1024, 4096, 1 << 20 }) {
      for (int more : new int[] { 0, 3, 5000 }) {
        byte[] content = new byte[zeros + more];
        Arrays.fill(content, zeros, content.length, (byte) 'x');
        Files.write(file("a").toPath(), content);
        Files.setPosixFilePermissions(file("a").toPath(),
          PosixFilePermissions.fromString("rw-r-----"));
        if (content.length > 0) {
          IOException refusal = assertThrows(IOException.class, () -> open(2 * MB, "b", "a"));
          assertTrue(refusal.getMessage(), refusal.getMessage()
            .contains(file("a") + ": isn't known to be a block cache's file"));
          assertArrayEquals(content, Files.readAllBytes(file("a").toPath()));
          assertEquals("rw-r-----", PosixFilePermissions
            .toString(Files.getPosixFilePermissions(file("a").toPath())));
        }
      }
    }
    assertTrue(file("a").delete());
    open(2 * MB, "a", "b");
  }

  @Test
  public void whatIsNoRegularFileIsRefused() {
    conf.set("hbase.bucketcache.ioengine", "segments:/dev/null");
    conf.setInt("hbase.bucketcache.size", MB);
    IOException refusal = assertThrows(IOException.class,
      () -> new SegmentCache(new SegmentCacheSettings(conf), new CacheStats("test")));
    assertTrue(refusal.getMessage(),
      refusal.getMessage().contains("/dev/null: is a device, a pipe or a socket"));
    assertFalse(new File("/dev/null.lock").exists());
  }

  @Test
  public void anotherCacheCantHaveTheFile() throws Exception {
    open(MB, "a");
    IOException refusal = assertThrows(IOException.class, () -> open(MB, "a"));
    assertTrue(refusal.getMessage(), refusal.getMessage().contains("is in use by"));
  }

  @Test
  public void whatIsReadAgainStaysWhileTheCacheTurnsOver() throws Exception {
    open(MB, "a");
    int hot = FULL / 20;
    for (int i = 0; i < hot; i++) {
      // So that of no segment more than a tenth are hot.
      cache(FILE, i, i + 1);
      cache(OTHER_FILE, i * 9, i * 9 + 9);
    }
    for (int round = 1; round < 7; round++) {
      countServed(FILE, 0, hot);
      cache(OTHER_FILE, round * FULL / 2, (round + 1) * FULL / 2);
    }
    int served = countServed(FILE, 0, hot);
    assertTrue(served + " of " + hot, served > hot * 2 / 3);
    assertTrue(cache.getStats().getEvictedCount() > FULL);
    assertTrue(cache.getCurrentSize() <= cache.getMaxSize());
    assertEquals(0, cache.getStore().getCorrupt());
    assertEquals(0, cache.getStats().getFailedInserts());
    cache.shutdown();
    open(MB, "a");
    awaitRecovery();
    assertTrue(countServed(FILE, 0, hot) > hot / 2);
  }

  @Test
  public void noReaderGetsAnotherBlock() throws Exception {
    open(2 * MB, "a", "b");
    int threads = 3;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> results = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        SplittableRandom random = seed.newRandom(thread);
        results.add(pool.submit(() -> {
          int hits = 0;
          for (int i = 0; i < 6_000; i++) {
            String file = FILE + random.nextInt(3);
            int number = random.nextInt(1 + random.nextInt(2 * FULL));
            if (random.nextInt(1_000) == 0) {
              cache.evictBlocksByHfileName(file);
            } else if (read(file, number)) {
              hits++;
            } else {
              cache(file, number, number + 1);
            }
          }
          return hits;
        }));
      }
      for (Future<Integer> result : results) {
        assertTrue(result.get() > 500);
      }
    } finally {
      pool.shutdownNow();
    }
    assertEquals(0, cache.getStore().getCorrupt());
    assertEquals(0, cache.getStore().getPartsOff());
  }

  @Test
  public void aFullIndexHasTheOldestBlocksEvicted() throws Exception {
    // The index has 1 MB, the least, which is less than the cache's blocks need.
    open(MB, "a");
    for (int i = 0; i < 150_000; i++) {
      BlockCacheKey key = data(FILE + i / 50_000, i);
      cache.cacheBlock(key, block(key, 256), false, true);
      assertTrue("block " + i, cache.isAlreadyCached(key).get());
    }
    assertEquals(0, cache.getStats().getFailedInserts());
    assertTrue(cache.getBlockCount() + " blocks", cache.getBlockCount() > 20_000);
  }

  @Test
  public void aNearlyFullIndexKeepsItsBlocksOverACleanStop() throws Exception {
    open(2 * MB, "a");
    // Of some 52,000 entries that 1 MB has; files have some blocks in each segment.
    int blocks = 50_500;
    SplittableRandom random = new SplittableRandom(1); // With a quarter of others they don't fit.
    for (int i = 0; i < blocks; i++) {
      BlockCacheKey key = data(FILE + random.nextInt(1 + random.nextInt(40)), i);
      cache.cacheBlock(key, block(key, 2000), false, true);
    }
    assertEquals(blocks, cache.getBlockCount());
    cache.shutdown();
    open(2 * MB, "a");
    awaitRecovery();
    assertEquals(blocks, cache.getBlockCount());
  }

  @Test
  public void aFullCacheHasNoRoomForBlocksThatNobodyReads() throws Exception {
    open(MB, "a");
    cache(FILE, 0, FULL / 2);
    assertEquals(true, cache.hasRoom(false, SIZE).get());
    cache(FILE, FULL / 2, 3 * FULL);
    assertEquals(false, cache.hasRoom(false, SIZE).get());
    assertEquals(false, cache.blockFitsIntoTheCache(block(data(FILE, 0), SIZE)).get());
  }

  /** Caches blocks as a read does that missed them. */
  private void miss(String file, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      cache.cacheBlock(data(file, i), block(data(file, i), size(i)));
      // What waits to be written has little room, and this thread doesn't wait for it.
      Waiter.waitFor(conf, TIMEOUT_MS, 1, ((DeviceSegments) cache.getStore())::isWritten);
    }
  }

  @Test
  public void aFullCacheTakesBlocksThatAreMissedTwice() throws Exception {
    // Memory of many blocks, so that hardly any takes another's place.
    conf.setInt("hbase.blockcache.minblocksize", 1024);
    open(MB, "a");
    miss(FILE, 0, 100);
    assertEquals("it isn't full", 100, countServed(FILE, 0, 100));
    cache(OTHER_FILE, 0, 2 * FULL);
    long admitted = cache.getStore().getAdmittedBytes();
    miss(FILE, 200, 300);
    assertEquals(0, countServed(FILE, 200, 300));
    assertEquals(100, cache.getStore().getMissedOnce());
    assertEquals("no byte was written for them", admitted, cache.getStore().getAdmittedBytes());
    miss(FILE, 200, 300);
    int served = countServed(FILE, 200, 300);
    assertTrue(served + " served", served >= 95);
    assertEquals(200 - served, cache.getStore().getMissedOnce());
    cache(FILE, 400, 500);
    assertEquals("what is written comes at once", 100, countServed(FILE, 400, 500));
    BlockCacheKey inMemory = data(FILE, 600);
    cache.cacheBlock(inMemory, block(inMemory, size(600)), true);
    assertTrue("as does what stays longest", read(FILE, 600));
    assertEquals("what isn't worth it didn't fail", 0, cache.getStats().getFailedInserts());
  }

  @Test
  public void whatIsWrittenAndWhatIsMissedLieApart() throws Exception {
    open(MB, "a");
    for (int i = 0; i < 50; i++) {
      cache(FILE, i, i + 1);
      miss(OTHER_FILE, i, i + 1);
      BlockCacheKey index = key(FILE, i * 100_000L + 50_000, BlockType.LEAF_INDEX);
      cache.cacheBlock(index, block(index, SIZE), false, true);
    }
    Set<Integer> written = segments(FILE, true);
    Set<Integer> missed = segments(OTHER_FILE, true);
    Set<Integer> metadata = segments(FILE, false);
    assertEquals(1, written.size());
    assertEquals(1, missed.size());
    assertEquals(1, metadata.size());
    assertEquals("apart", 3, Stream.of(written, missed, metadata).flatMap(Set::stream).distinct()
      .count());
    SegmentValidator.validate(cache);
  }

  private Set<Integer> segments(String file, boolean data) {
    Set<Integer> segments = new HashSet<>();
    cache.getIndex().get(file).visit((offset, size, word) -> {
      if (BlockClass.isData(EntryWord.blockClass(word)) == data) {
        segments.add(EntryWord.segment(word));
      }
    });
    return segments;
  }

  @Test
  public void anInterruptedReaderDisturbsNoOther() throws Exception {
    open(MB, "a");
    cache(FILE, 0, FULL / 2);
    cache.shutdown();
    open(MB, "a");
    awaitRecovery();
    ExecutorService pool = Executors.newFixedThreadPool(1);
    try {
      for (int i = 0; i < 50; i++) {
        Future<?> interrupted = pool.submit(() -> {
          Thread.currentThread().interrupt();
          read(FILE, 1);
          Thread.interrupted();
        });
        assertTrue("block " + i, read(FILE, i));
        interrupted.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertEquals(0, cache.getStore().getCorrupt());
    assertEquals(FULL / 2, countServed(FILE, 0, FULL / 2));
  }

  @Test
  public void aBlockThatTheDeviceCantReadIsMissedAndNotCalledCorrupt() throws Exception {
    open(MB, "a");
    cache(FILE, 0, FULL / 2);
    cache.shutdown();
    open(MB, "a");
    awaitRecovery();
    assertTrue(file("a").delete());
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try {
      for (int i = 0; i < 200; i++) {
        int number = i;
        pool.submit(() -> {
          // Closes the thread's channel, which can't be opened again.
          Thread.currentThread().interrupt();
          read(FILE, number);
          Thread.interrupted();
        }).get();
      }
    } finally {
      pool.shutdownNow();
    }
    long blocks = cache.getBlockCount();
    assertEquals(0, countServed(FILE, 300, 400));
    assertEquals(blocks - 100, cache.getBlockCount());
    assertEquals(0, cache.getStore().getCorrupt());
    assertEquals(0, cache.getStore().getPartsOff());
  }

  @Test
  public void noMoreIsWrittenThanTheLimitAllows() throws Exception {
    int limit = 4 * FULL / MB * SIZE;
    conf.set(SegmentCacheSettings.MAX_BYTES_PER_SECOND.key(), String.valueOf(limit));
    open(MB, "a");
    long start = System.nanoTime();
    int written = 0;
    for (int i = 0; i < FULL; i++) {
      BlockCacheKey key = data(FILE, i);
      cache.cacheBlock(key, block(key, SIZE));
      written += cache.isAlreadyCached(key).get() ? 1 : 0;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    // Two seconds may come at once: one that nothing was written in, and one on account.
    assertTrue(written + " in " + seconds, written <= limit / SIZE * (seconds + 2));
    assertTrue(written > 0);
    assertTrue(cache.getStore().getOverLimit() > 0);
    assertEquals(FULL - written, cache.getStats().getFailedInserts());
    cache(OTHER_FILE, 0, 10);
    assertEquals("who may wait does", 10, countServed(OTHER_FILE, 0, 10));
  }

  @Test
  public void littleMoreIsWrittenThanBlocksTake() throws Exception {
    open(MB, "a");
    cache(FILE, 0, 4 * FULL);
    cache.shutdown();
    SegmentStore store = stores.get(0);
    double ratio = store.getWrittenBytes() / (double) store.getAdmittedBytes();
    // Segments of 4 MB, each with a footer of a page.
    assertTrue("ratio " + ratio, ratio >= 1 && ratio < 1.02);
  }

  @Test
  public void blocksThatAreTooBigAreNotCached() throws Exception {
    open(MB, "a");
    BlockCacheKey key = data(FILE, 0);
    cache.cacheBlock(key, block(key, 1 << 20), false, true);
    assertFalse(cache.isAlreadyCached(key).get());
    assertEquals(1, cache.getStats().getFailedInserts());
    assertNotNull(cache.getStore());
  }
}
