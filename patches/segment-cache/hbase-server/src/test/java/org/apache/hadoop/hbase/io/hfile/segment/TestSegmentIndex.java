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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.ReaderFile;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;

@Category({ IOTests.class, MediumTests.class })
public class TestSegmentIndex {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSegmentIndex.class);

  private static final long MB = 1 << 20;
  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final int SIZE = 65_600;
  private static final int SEGMENTS = 1000;
  private static final int DATA = BlockClass.of(BlockType.DATA, false);
  private static final int INDEX = BlockClass.of(BlockType.LEAF_INDEX, false);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final Occupancy occupancy = new Occupancy(SEGMENTS);
  private final SegmentIndex index = new SegmentIndex(64 * MB, occupancy);

  /** A record that differs from those of other numbers below 2^30. */
  private static long word(int number) {
    return EntryWord.of(number >>> 20 & 0x1FF, (number & 0xFFFFF) * EntryWord.UNIT,
      EntryWord.UNIT, DATA, 1);
  }

  @Test
  public void anEntryKeepsWhatItIsGiven() {
    long word = EntryWord.of(EntryWord.MAX_SEGMENTS - 1,
      EntryWord.MAX_SEGMENT_SIZE - EntryWord.UNIT, EntryWord.MAX_LENGTH, INDEX, 0x17E);
    assertEquals(EntryWord.MAX_SEGMENTS - 1, EntryWord.segment(word));
    assertEquals(EntryWord.MAX_SEGMENT_SIZE - EntryWord.UNIT, EntryWord.position(word));
    assertEquals(EntryWord.MAX_LENGTH, EntryWord.length(word));
    assertEquals(0, EntryWord.frequency(word));
    assertEquals(INDEX, EntryWord.blockClass(word));
    assertTrue(EntryWord.isOf(word, 0x7E));
    assertFalse(EntryWord.isOf(word, 0x7F));
    long read = EntryWord.withFrequency(word, EntryWord.MAX_FREQUENCY);
    assertEquals(EntryWord.MAX_FREQUENCY, EntryWord.frequency(read));
    assertTrue(EntryWord.isSameRecord(word, read));
    assertEquals(word, EntryWord.withFrequency(read, 0));
  }

  @Test
  public void aReadIsCountedUpToTheGreatestFrequency() {
    FileTable table = index.getOrCreate(FILE);
    table.put(SIZE, SIZE, word(7));
    table.findToRead(SIZE);
    assertEquals("its segment is open", 0, EntryWord.frequency(table.find(SIZE)));
    occupancy.countReads(0);
    for (int i = 0; i <= EntryWord.MAX_FREQUENCY + 1; i++) {
      long word = table.find(SIZE);
      assertEquals(Math.min(i, EntryWord.MAX_FREQUENCY), EntryWord.frequency(word));
      assertTrue(EntryWord.isSameRecord(word(7), word));
      table.findToRead(SIZE);
    }
    assertEquals(SIZE, table.findSize(SIZE));
    assertEquals(EntryWord.NONE, table.findToRead(SIZE + 1));
    assertEquals(0, table.findSize(SIZE + 1));
  }

  @Test
  public void anEntryMovesOnlyFromTheRecordThatItIsOf() {
    FileTable table = index.getOrCreate(FILE);
    table.put(0, SIZE, word(1));
    occupancy.countReads(0);
    table.findToRead(0);
    assertFalse(table.move(0, word(2), word(3)));
    assertFalse(table.remove(0, word(2)));
    assertTrue("however often it was read", table.move(0, word(1), word(3)));
    assertEquals(word(3), table.find(0));
    assertFalse(table.move(SIZE, word(1), word(3)));
    assertEquals(word(3), table.put(0, SIZE + 1, word(4)));
    assertTrue(table.remove(0, word(4)));
    assertEquals(EntryWord.NONE, table.find(0));
    assertEquals(0, occupancy.getBlocks());
  }

  @Test
  public void offsetsThatShareASlotAreToldApart() {
    FileTable table = index.getOrCreate(FILE);
    int there = TableSize.mostEntries(1);
    for (int i = 0; i < there; i++) {
      assertEquals(EntryWord.NONE, table.put((long) i * SIZE, SIZE + i, word(i)));
    }
    for (int i = 0; i < there; i++) {
      assertEquals(word(i), table.find((long) i * SIZE));
      assertEquals(SIZE + i, table.findSize((long) i * SIZE));
    }
    // Each has its home in one of 64 slots, most of which others have.
    for (int i = there; i < 100_000; i++) {
      assertEquals(EntryWord.NONE, table.find((long) i * SIZE));
      assertEquals(EntryWord.NONE, table.remove((long) i * SIZE));
    }
    assertEquals(there, table.getEntries());
  }

  @Test
  public void blocksThatAreAddedTogetherAreCountedAsSingleOnes() {
    FileTable table = index.getOrCreate(FILE);
    table.put(SIZE, SIZE, word(7));
    int count = 5000;
    long[] blocks = new long[2 * count];
    for (int i = 0; i < count; i++) {
      blocks[2 * i] = Entries.firstWord((long) i * SIZE, SIZE);
      blocks[2 * i + 1] = EntryWord.of(3, i * EntryWord.UNIT, EntryWord.UNIT,
        i % 10 == 0 ? INDEX : DATA, 1);
    }
    Occupancy.Sum sum = occupancy.newSum();
    assertEquals(blocks.length, table.putAllIfAbsent(blocks, 0, blocks.length, sum));
    assertEquals(count - 1, sum.getBlocks());
    assertEquals("it stays", word(7), table.find(SIZE));
    assertEquals(count, table.getEntries());
    assertEquals(count, occupancy.getBlocks());
    assertEquals(count / 10, occupancy.getBlocks(BlockCategory.INDEX));
    assertEquals((count - 1) * EntryWord.UNIT, occupancy.getLiveBytes(3));
    table.trim();
    for (int i = 0; i < count; i++) {
      assertEquals(i == 1 ? word(7) : blocks[2 * i + 1], table.find((long) i * SIZE));
    }
    assertEquals(count, index.remove(FILE));
    assertEquals(0, occupancy.getBlocks());
    assertEquals(0, occupancy.getLiveBytes(3));
    assertEquals(FileTable.DROPPED,
      table.putAllIfAbsent(blocks, 0, blocks.length, occupancy.newSum()));
  }

  /** Adds blocks as a start does, and returns what did that. */
  private static FoundBlocks find(SegmentIndex index, int files, int count) {
    DeviceSegment segment = new DeviceSegment(3, 0);
    segment.setSequence(1);
    FoundBlocks found = new FoundBlocks(index, segment, new int[0]);
    for (int file = 0; file < files; file++) {
      for (int i = 0; i < count; i++) {
        found.visit(FILE + file, (long) i * SIZE, SIZE, (file * count + i) * EntryWord.UNIT,
          EntryWord.UNIT, DATA);
      }
    }
    found.end();
    return found;
  }

  @Test
  public void anIndexTakesFoundBlocksUntilItsTablesAreFull() {
    int pages = (int) (MB / IndexPages.PAGE_BYTES);
    int most = TableSize.mostEntries(pages - pages / IndexPages.FIRST_PAGES_PART);
    int files = 7;
    int count = most / files - 60;
    SegmentIndex small = new SegmentIndex(MB, new Occupancy(SEGMENTS));
    assertEquals(0, find(small, files, count).getWithoutRoom());
    assertEquals(files * count, small.getOccupancy().getBlocks());
    FoundBlocks again = find(small, files, count);
    assertEquals("they are there", 0, again.getAdded() + again.getWithoutRoom());
    SegmentIndex other = new SegmentIndex(MB, new Occupancy(SEGMENTS));
    FoundBlocks found = find(other, files, 2 * count);
    assertTrue(found.getAdded() + " of " + most, found.getAdded() > most * 0.98);
    assertEquals(2 * files * count, found.getAdded() + found.getWithoutRoom());
    assertEquals(found.getAdded(), other.getOccupancy().getBlocks());
  }

  @Test
  public void theGreatestOffsetAndSizeAreKept() {
    long most = (1L << 40) - 1;
    int mostSize = (1 << 24) - 1;
    FileTable table = index.getOrCreate(FILE);
    assertTrue(Entries.isPossible(most, mostSize));
    assertFalse(Entries.isPossible(most + 1, 1));
    assertFalse(Entries.isPossible(-1, 1));
    assertFalse(Entries.isPossible(0, mostSize + 1));
    assertFalse(Entries.isPossible(0, 0));
    table.put(most, mostSize, word(1));
    table.put(0, 1, word(2));
    assertEquals(word(1), table.find(most));
    assertEquals(mostSize, table.findSize(most));
    assertEquals(word(2), table.find(0));
    assertEquals("no entry has this offset", EntryWord.NONE, table.find(-1));
  }

  /** Entries are added and removed, beside a HashMap. */
  @Test
  public void theIndexHasWhatAMapHas() {
    int files = 5;
    int steps = 300_000;
    List<FileTable> tables = new ArrayList<>();
    List<Map<Long, Integer>> model = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      tables.add(index.getOrCreate(FILE + i));
      model.add(new HashMap<>());
    }
    Random random = seed.newRandom();
    int most = 0;
    for (int step = 0; step < steps; step++) {
      int file = random.nextInt(files);
      long offset = (long) random.nextInt(100_000) * (SIZE + random.nextInt(2));
      // Grows at first, then shrinks.
      boolean adds = random.nextInt(100) < (step < steps * 3L / 4 ? 90 : 20);
      if (adds) {
        Integer old = model.get(file).put(offset, step);
        long replaced = tables.get(file).put(offset, SIZE, word(step));
        assertEquals(old == null ? EntryWord.NONE : word(old), replaced);
      } else {
        Integer old = model.get(file).remove(offset);
        assertEquals(old == null ? EntryWord.NONE : word(old), tables.get(file).remove(offset));
      }
      most = Math.max(most, (int) occupancy.getBlocks());
    }
    assertTrue("there were " + most, most > 100_000);
    long expected = 0;
    for (int file = 0; file < files; file++) {
      Map<Long, Integer> blocks = model.get(file);
      assertEquals(blocks.size(), tables.get(file).getEntries());
      expected += blocks.size();
      for (Map.Entry<Long, Integer> block : blocks.entrySet()) {
        assertEquals(word(block.getValue()), tables.get(file).find(block.getKey()));
      }
      Map<Long, Integer> left = new HashMap<>(blocks);
      tables.get(file).visit((offset, size, word) -> assertEquals(word, word(left.remove(offset))));
      assertTrue(left.isEmpty());
    }
    assertEquals(expected, occupancy.getBlocks());
    assertEquals(expected, occupancy.getBlocks(BlockCategory.DATA));
    assertEquals(expected * EntryWord.UNIT, occupancy.getBytes());
    index.clear();
    assertEquals(0, occupancy.getBlocks());
    assertEquals(0, index.getUsedBytes());
  }

  @Test
  public void aTableTakesBlocksWhileItsEntriesAreVisited() throws Exception {
    FileTable table = index.getOrCreate(FILE);
    table.put(0, SIZE, word(0));
    CountDownLatch visiting = new CountDownLatch(1);
    CountDownLatch added = new CountDownLatch(1);
    Thread visit = new Thread(() -> table.visit((offset, size, word) -> {
      visiting.countDown();
      Uninterruptibles.awaitUninterruptibly(added);
    }));
    visit.start();
    visiting.await();
    Thread add = new Thread(() -> {
      table.put(SIZE, SIZE, word(1));
      added.countDown();
    });
    add.start();
    add.join(60_000);
    assertEquals("it waits for the visit", 0, added.getCount());
    visit.join();
    assertEquals(2, table.getEntries());
  }

  @Test
  public void aTableThatWasEmptyWhenAVisitBeganMayHaveBlocksByNow() throws Exception {
    FileTable table = index.getOrCreate(FILE);
    AtomicInteger visits = new AtomicInteger();
    Thread visit = new Thread(() -> table.visit((offset, size, word) -> visits.getAndIncrement()));
    synchronized (table) {
      visit.start();
      while (visit.getState() != Thread.State.BLOCKED) {
        Thread.yield();
      }
      table.put(0, SIZE, word(0));
      table.put(SIZE, SIZE, word(1));
    }
    visit.join();
    assertEquals(2, visits.get());
  }

  @Test
  public void aVisitMeetsEachBlockThatStaysOnceThoughOthersComeAndGo() {
    FileTable table = index.getOrCreate(FILE);
    int staying = 20_000;
    for (int i = 0; i < staying; i++) {
      table.put((long) i * SIZE, SIZE, word(i));
    }
    int[] visits = new int[staying];
    int[] next = { staying };
    table.visit((offset, size, word) -> {
      int number = (int) (offset / SIZE);
      if (number < staying) {
        visits[number]++;
        // The table grows and shrinks, and entries move.
        int others = next[0] / staying % 2 == 0 ? 3 : 1;
        for (int i = 0; i < others; i++) {
          table.put((long) next[0] * SIZE, SIZE, word(next[0]));
          next[0]++;
        }
        for (int i = 0; i < 2; i++) {
          table.remove((long) Math.max(staying, next[0] - staying / 2 + i) * SIZE);
        }
      }
    });
    for (int i = 0; i < staying; i++) {
      assertEquals("visits of " + i, 1, visits[i]);
    }
  }

  @Test
  public void aNewFileHasAnEntryThoughBigOnesHaveTakenAllPages() {
    SegmentIndex small = new SegmentIndex(MB, occupancy);
    FileTable big = small.getOrCreate(FILE);
    int blocks = 0;
    while (big.put((long) blocks * SIZE, SIZE, word(blocks)) != EntryWord.REFUSED) {
      blocks++;
    }
    for (int i = 0; i < 5; i++) {
      FileTable next = small.getOrCreate(FILE + i);
      assertEquals(EntryWord.NONE, next.put(0, SIZE, word(blocks + i)));
    }
  }

  @Test
  public void aBlockTakes21BytesAtMost() {
    int blocks = 400_000;
    for (int files : new int[] { 1, 20, 40 }) {
      double worst = 0;
      for (int i = 0; i < blocks; i++) {
        index.getOrCreate(FILE + i % files).put((long) (i / files) * SIZE, SIZE, word(i));
        if (i > blocks / 2 && i % 1000 == 0) {
          worst = Math.max(worst, (double) index.getUsedBytes() / (i + 1));
        }
      }
      assertTrue(files + " files: " + worst + " bytes", worst <= 21);
      index.clear();
    }
  }

  @Test
  public void aFileTakesOneKilobyteAtLeast() {
    for (int files = 1; files <= 100; files++) {
      FileTable table = index.getOrCreate(FILE + files);
      for (int i = 0; i < 51; i++) {
        table.put((long) i * SIZE, SIZE, word(files * 100 + i));
        assertEquals(files * 1024, index.getUsedBytes());
      }
    }
  }

  @Test
  public void aTableGivesBackTheMemoryOfRemovedBlocks() {
    FileTable table = index.getOrCreate(FILE);
    int blocks = 200_000;
    for (int i = 0; i < blocks; i++) {
      table.put((long) i * SIZE, SIZE, word(i));
    }
    long full = index.getUsedBytes();
    for (int i = 0; i < blocks - blocks / 10; i++) {
      table.remove((long) i * SIZE);
    }
    assertTrue(index.getUsedBytes() + " of " + full, index.getUsedBytes() < full / 8);
    index.remove(FILE);
    assertEquals(0, index.getUsedBytes());
  }

  @Test
  public void withoutMemoryABlockIsRefused() {
    SegmentIndex small = new SegmentIndex(MB, occupancy);
    FileTable table = small.getOrCreate(FILE);
    int added = 0;
    while (table.put((long) added * SIZE, SIZE, word(added)) != EntryWord.REFUSED) {
      added++;
    }
    assertFalse(table.isDropped());
    assertTrue(added + " added", added > 20_000 && added <= MB / IndexPages.ENTRY_BYTES);
    for (int i = 0; i < added; i++) {
      assertEquals(word(i), table.find((long) i * SIZE));
    }
    small.remove(FILE);
    assertEquals(EntryWord.NONE, small.getOrCreate(FILE).put(0, SIZE, word(0)));
  }

  @Test
  public void aFileThatIsGoneTakesNoBlocks() {
    FileTable table = index.getOrCreate(FILE);
    table.put(0, SIZE, word(0));
    index.removeIfEmpty(table);
    assertEquals(table, index.get(FILE));
    table.remove(0);
    index.removeIfEmpty(table);
    assertNull(index.get(FILE));
    assertNull(index.get(table.getId()));
    assertTrue(table.isDropped());
    assertEquals(EntryWord.REFUSED, table.put(0, SIZE, word(0)));
    assertNotNull(index.getOrCreate(FILE));
    assertTrue(index.get(FILE).getId() > table.getId());
  }

  /** So that an eviction finds the blocks of a file that is being removed, and waits. */
  @Test
  public void aFileIsFoundUntilItsEntriesAreRemoved() {
    FileTable table = index.getOrCreate(FILE);
    table.put(0, SIZE, word(0));
    table.put(SIZE, SIZE, word(1));
    List<FileTable> found = new ArrayList<>();
    occupancy.setOnRemoval(word -> {
      found.add(index.get(FILE));
      found.add(index.get(table.getId()));
    });
    assertEquals(2, index.remove(FILE));
    assertEquals(Collections.nCopies(4, table), found);
    assertNull(index.get(FILE));
    assertNull(index.get(table.getId()));
  }

  @Test
  public void aFileThatIsBeingRemovedIsReplacedOnceItIsEmpty() {
    FileTable table = index.getOrCreate(FILE);
    table.drop();
    FileTable next = index.getOrCreate(FILE);
    assertTrue(next.getId() > table.getId());
    assertEquals(EntryWord.NONE, next.put(0, SIZE, word(0)));
  }

  private static BlockCacheKey key(ReaderFile reader, String name) {
    BlockCacheKey key = new BlockCacheKey(name, 0);
    key.setReaderFile(reader);
    return key;
  }

  @Test
  public void aReaderKeepsTheTableOfItsFileWhileItIsInTheIndex() {
    ReaderFile reader = ReaderFile.of(FILE);
    assertNull(index.get(key(reader, FILE)));
    FileTable table = index.getOrCreate(FILE);
    assertSame(table, index.get(key(reader, FILE)));
    assertSame("the name isn't looked for", table, index.get(key(reader, "another name")));
    assertNull("but without a reader", index.get(key(null, "another name")));
    index.remove(FILE);
    assertNull(index.get(key(reader, FILE)));
    FileTable next = index.getOrCreate(FILE);
    assertSame(next, index.get(key(reader, FILE)));
  }

  @Test
  public void aReaderKeepsTheTablesOfTwoTiersAndGivesNoneToAnotherCache() {
    ReaderFile reader = ReaderFile.of(FILE);
    FileTable table = index.getOrCreate(FILE);
    SegmentIndex second = new SegmentIndex(MB, new Occupancy(SEGMENTS), true);
    FileTable ofSecond = second.getOrCreate(FILE);
    for (int i = 0; i < 2; i++) {
      assertSame(table, index.get(key(reader, FILE)));
      assertSame(ofSecond, second.get(key(reader, FILE)));
    }
    assertSame(table, index.get(key(reader, "another name")));
    assertSame(ofSecond, second.get(key(reader, "another name")));
    SegmentIndex other = new SegmentIndex(MB, new Occupancy(SEGMENTS));
    assertNull(other.get(key(reader, FILE)));
    FileTable ofOther = other.getOrCreate(FILE);
    assertSame(ofOther, other.get(key(reader, FILE)));
    assertSame(table, index.get(key(reader, FILE)));
  }

  @Test
  public void aReaderOfAReferenceKeepsTheTableOfTheFileThatItRefersTo() {
    String reference = FILE + ".fedcba9876543210fedcba9876543210";
    ReaderFile reader = ReaderFile.of(reference);
    FileTable table = index.getOrCreate(FILE);
    BlockCacheKey referred = ReaderFile.referredKey(key(reader, reference));
    assertEquals(new BlockCacheKey(FILE, 0), referred);
    assertSame(table, index.get(referred));
    assertSame(referred.getReaderFile(),
      ReaderFile.referredKey(key(reader, reference)).getReaderFile());
    assertEquals("without a reader", referred, ReaderFile.referredKey(key(null, reference)));
    BlockCacheKey own = key(ReaderFile.of(FILE), FILE);
    assertSame(own, ReaderFile.referredKey(own));
  }

  /**
   * Readers look up blocks that are always there, beside others of the same file that come and go,
   * and while other files take and give back pages.
   */
  @Test
  public void aReaderFindsItsBlockWhileOthersMove() throws Exception {
    int blocks = 2_000;
    occupancy.countReads(0);
    FileTable table = index.getOrCreate(FILE);
    for (int i = 0; i < blocks; i++) {
      table.put((long) i * SIZE, SIZE, word(i));
    }
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> readers = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        SplittableRandom random = seed.newRandom(thread);
        readers.add(threads.submit(() -> {
          while (!done.get()) {
            int block = random.nextInt(blocks);
            long found = table.findToRead((long) block * SIZE);
            assertTrue("block " + block + " is " + found,
              EntryWord.isSameRecord(word(block), found));
            long absent = table.find((long) block * SIZE + 1);
            assertEquals("block " + block + " is absent", EntryWord.NONE, absent);
          }
        }));
      }
      Future<?> writer = threads.submit(() -> churn(table, blocks));
      Future<?> others = threads.submit(this::createAndRemoveFiles);
      writer.get();
      others.get();
      done.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
    assertEquals(blocks, table.getEntries());
  }

  private static void churn(FileTable table, int firstNumber) {
    for (int round = 0; round < 60; round++) {
      int more = 500 << round % 4;
      for (int i = 0; i < more; i++) {
        // Between those that stay, so that these move.
        table.put((long) i * SIZE + 2, SIZE, word(firstNumber + i));
      }
      for (int i = 0; i < more; i++) {
        table.remove((long) i * SIZE + 2);
      }
    }
  }

  private void createAndRemoveFiles() {
    for (int round = 0; round < 60; round++) {
      FileTable other = index.getOrCreate(FILE + round);
      for (int i = 0; i < 3_000; i++) {
        other.put((long) i * SIZE + i % 2, SIZE, word(100_000 + i));
      }
      index.remove(FILE + round);
    }
  }
}
