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
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Where rows of a block begin is what a walk finds, or unknown. */
@Category({ IOTests.class, SmallTests.class })
public class TestBlockRows extends BlockSeekIndexTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlockRows.class);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final BlockRows rows = new BlockRows();
  /** Offsets of the first block's cells, and whether each begins a row. */
  private final List<Integer> cells = new ArrayList<>();
  private final List<Boolean> beginRow = new ArrayList<>();
  private HFileBlock block;
  private ByteBuff buffer;

  /** Opens a file whose rows have up to so many cells; its first block is cached and known. */
  private void openRows(int blockBytes, int cellsOfRow, int valueBytes) throws IOException {
    Random random = seed.newRandom();
    cells.clear();
    beginRow.clear();
    fs.delete(file, false);
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(fs, file).withFileContext(new HFileContextBuilder().withBlockSize(blockBytes)
        .withIncludesMvcc(false).build()).create()) {
      int at = 0;
      for (int i = 0; at < 2 * blockBytes; i++) {
        int count = 1 + random.nextInt(cellsOfRow);
        for (int j = 0; j < count; j++) {
          KeyValue cell = new KeyValue(row(i), FAMILY, Bytes.toBytes((short) j), 1,
            new byte[valueBytes == 0 ? 0 : random.nextInt(valueBytes)]);
          writer.append(cell);
          cells.add(at);
          beginRow.add(j == 0);
          at += cell.getLength();
        }
      }
    }
    openOnHeap();
    reader.getScanner(conf, true, true).seekTo();
    block = (HFileBlock) cache.getBlock(new BlockCacheKey(FILE, 0, true, BlockType.DATA), true,
      false, false);
    buffer = block.getBufferWithoutHeader();
    while (cells.get(cells.size() - 1) >= buffer.limit()) {
      cells.remove(cells.size() - 1);
      beginRow.remove(cells.size());
    }
  }

  /** Asks until the block has its index. */
  private void begin() {
    rows.begin(reader, block, buffer, true);
    rows.begin(reader, block, buffer, true);
  }

  private void seek() throws IOException {
    try (HFileScanner scanner = reader.getScanner(conf, true, true)) {
      scanner.seekTo(key(row(5)));
    }
  }

  private int nextRow(int cell) {
    for (int i = cell + 1; i < cells.size(); i++) {
      if (beginRow.get(i)) {
        return cells.get(i);
      }
    }
    return BlockRows.UNKNOWN;
  }

  private void assertThatRowsAreKnown() {
    for (int i = 0; i < cells.size(); i++) {
      assertEquals("cell " + i, nextRow(i), rows.next(cells.get(i)));
    }
    Random random = seed.newRandom();
    for (int i = 0; i < 1_000; i++) {
      int cell = random.nextInt(cells.size());
      assertEquals("cell " + cell, nextRow(cell), rows.next(cells.get(cell)));
    }
  }

  @Test
  public void rowsWithinAShort() throws IOException {
    // The last row of the second file begins just before the end of the block.
    for (int kilobytes : new int[] { 32, 64 }) {
      openRows(kilobytes << 10, 12, 200);
      assertTrue(cells.get(cells.size() - 1) < 1 << Short.SIZE);
      begin();
      assertThatRowsAreKnown();
      close();
    }
  }

  @Test
  public void rowsBehindAShort() throws IOException {
    openRows(256 << 10, 30, 800);
    assertTrue(buffer.limit() > 1 << Short.SIZE);
    begin();
    assertThatRowsAreKnown();
  }

  private void close() throws IOException {
    reader.close(true);
    cache.shutdown();
  }

  @Test
  public void anIndexIsNotReplacedWhenMemoryIsFull() throws IOException {
    openRows(64 << 10, 12, 200);
    seek();
    seek();
    long without = block.getSeekIndex();
    turnOn("1m");
    long[] words = new long[SeekIndexStore.MAX_WORDS];
    long last = SeekIndexStore.NONE;
    while (BlockSeekIndex.STORE.mayHaveRoom()) {
      last = BlockSeekIndex.STORE.put(0, words, 38, false);
    }
    for (int i = 0; i < 3; i++) {
      // Of another size than an index with rows takes.
      BlockSeekIndex.STORE.remove(last);
      rows.begin(reader, block, buffer, true);
      assertEquals(BlockRows.UNKNOWN, rows.next(0));
      last = BlockSeekIndex.STORE.put(0, words, 38, false);
    }
    assertEquals(without, block.getSeekIndex());
    assertEquals(0, BlockSeekIndex.STORE.getReclaimed());
  }

  @Test
  public void rowsOfAFewCellsOrTooManyAreWalked() throws IOException {
    openRows(64 << 10, 3, 200);
    begin();
    assertEquals(BlockRows.UNKNOWN, rows.next(0));
    assertEquals(1, indexes());
    close();
    openRows(256 << 10, 12, 0);
    begin();
    assertEquals(BlockRows.UNKNOWN, rows.next(0));
  }

  @Test
  public void theFirstAskerOnlyLeavesWord() throws IOException {
    openRows(64 << 10, 12, 200);
    rows.begin(reader, block, buffer, true);
    assertEquals(BlockRows.UNKNOWN, rows.next(0));
    assertEquals(0, indexes());
    rows.begin(reader, block, buffer, false);
    assertEquals(BlockRows.UNKNOWN, rows.next(0));
    assertEquals(0, indexes());
    rows.begin(reader, block, buffer, true);
    assertEquals(1, indexes());
    assertEquals(nextRow(0), rows.next(0));
  }

  @Test
  public void anIndexForSeeksGetsRows() throws IOException {
    openRows(64 << 10, 12, 200);
    seek();
    seek();
    assertEquals(1, indexes());
    long without = block.getSeekIndex();
    rows.begin(reader, block, buffer, true);
    assertNotEquals(without, block.getSeekIndex());
    assertEquals(1, indexes());
    assertThatRowsAreKnown();
    long jumps = MetricsBlockSeekIndex.JUMPS.sum();
    try (HFileScanner scanner = reader.getScanner(conf, true, true)) {
      scanner.seekTo(key(row(20)));
    }
    assertEquals(jumps + 1, MetricsBlockSeekIndex.JUMPS.sum());
  }

  @Test
  public void rowsAreKnownByTheirNumbers() throws IOException {
    openRows(64 << 10, 12, 200);
    assertEquals(BlockRows.UNKNOWN, rows.get(0));
    begin();
    int number = 0;
    for (int at = nextRow(0); at != BlockRows.UNKNOWN; at = nextRow(cells.indexOf(at))) {
      assertEquals(at, rows.get(number));
      assertEquals(at, rows.next(at - 1));
      assertEquals(number, rows.getNumber());
      number++;
    }
    assertTrue("rows: " + number, number > 10);
    assertEquals(BlockRows.UNKNOWN, rows.get(number));
    rows.end();
    assertEquals(BlockRows.UNKNOWN, rows.get(0));
  }

  @Test
  public void anIndexThatIsGoneTellsNothing() throws IOException {
    openRows(64 << 10, 12, 200);
    begin();
    assertEquals(nextRow(0), rows.next(0));
    cache.evictBlocksByHfileName(FILE);
    assertEquals(0, indexes());
    assertEquals(BlockRows.UNKNOWN, rows.next(0));
    begin();
    assertEquals(BlockRows.UNKNOWN, rows.next(0));
    assertEquals(0, indexes());
  }

  @Test
  public void offIsOff() throws IOException {
    openRows(64 << 10, 12, 200);
    BlockSeekIndex.configure(new Configuration(false));
    begin();
    assertEquals(BlockRows.UNKNOWN, rows.next(0));
    assertEquals(SeekIndexOwner.NOT_SOUGHT, block.getSeekIndex());
  }

  @Test
  public void aDamagedBlockIsWalked() throws IOException {
    openRows(64 << 10, 12, 200);
    byte[] bytes = block.getBufferReadOnly().array();
    Bytes.putInt(bytes, HConstants.HFILEBLOCK_HEADER_SIZE + cells.get(20), -5);
    begin();
    assertEquals(BlockRows.UNKNOWN, rows.next(0));
  }

  @Test
  public void jumpsAreCounted() throws IOException {
    openRows(64 << 10, 12, 200);
    begin();
    long jumps = MetricsBlockSeekIndex.ROW_JUMPS.sum();
    rows.jumped();
    rows.jumped();
    rows.end();
    rows.end();
    assertEquals(2, MetricsBlockSeekIndex.ROW_JUMPS.sum() - jumps);
  }
}
