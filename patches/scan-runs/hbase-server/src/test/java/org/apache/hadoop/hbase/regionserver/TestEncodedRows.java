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
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCells;
import org.apache.hadoop.hbase.io.hfile.BlockSeekIndex;
import org.apache.hadoop.hbase.io.hfile.BlockSeekIndexSettings;
import org.apache.hadoop.hbase.io.hfile.BlockSteps;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.EncodedCells;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileReaderImpl.HFileScannerImpl;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** In blocks of each encoding, a scanner goes on to the next row, or from cell to cell. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestEncodedRows {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEncodedRows.class);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  /** Its prefixes are the qualifiers. */
  private static final String QUALIFIERS = "0123456789";

  private final Configuration conf = UTIL.getConfiguration();
  private final Path file = new Path(UTIL.getDataTestDir(), "file");
  private final List<KeyValue> cells = new ArrayList<>();
  /** The key's block of each cell, as the number of its first cell. */
  private final List<Integer> blocks = new ArrayList<>();
  private final ByteBuffAllocator allocator = allocator();
  private HFile.Reader reader;

  /** A pool of buffers for a block each, and one that cells are copied to. */
  private static ByteBuffAllocator allocator() {
    Configuration pool = new Configuration(false);
    pool.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 4096);
    pool.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 1000);
    pool.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    return ByteBuffAllocator.create(pool, true);
  }

  @After
  public void close() throws IOException {
    reader.close();
    allocator.clean();
    UTIL.cleanupTestDir();
  }

  private void open(Random random, DataBlockEncoding encoding, boolean tags) throws IOException {
    open(random, encoding, tags, false, CacheConfig.DISABLED);
  }

  /** Rows of all lengths, some of which begin as the one before does. */
  private void open(Random random, DataBlockEncoding encoding, boolean tags, boolean compressTags,
    CacheConfig caches) throws IOException {
    if (reader != null) {
      reader.close();
    }
    cells.clear();
    blocks.clear();
    FileSystem fs = file.getFileSystem(conf);
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(fs, file).withFileContext(new HFileContextBuilder().withBlockSize(2048)
        .withDataBlockEncoding(encoding).withIncludesTags(tags)
        .withCompressTags(compressTags).build())
      .create()) {
      String row = "a";
      for (int i = 0; i < 300; i++) {
        row = random.nextBoolean() ? row + (char) ('a' + random.nextInt(3)) : next(row, random);
        int count = 1 + random.nextInt(9);
        for (int j = 0; j < count; j++) {
          int versions = 1 + random.nextInt(8) / 5;
          byte[] value = new byte[random.nextInt(60)];
          random.nextBytes(value);
          Tag[] tagsOfCell =
            tags && random.nextBoolean() ? new Tag[] { new ArrayBackedTag((byte) 9, value) } : null;
          byte[] qualifier = Bytes.toBytes(QUALIFIERS.substring(0, 1 + j));
          for (int k = 0; k < versions; k++) {
            KeyValue cell = new KeyValue(Bytes.toBytes(row), F, qualifier, 900 - k * 300, value,
              tagsOfCell);
            writer.append(cell);
            cells.add(cell);
          }
        }
      }
    }
    reader = HFile.createReader(fs, file, caches, true, conf);
    try (HFileScannerImpl scanner = scanner()) {
      long offset = -1;
      int first = 0;
      assertTrue(scanner.seekTo());
      for (int i = 0; i < cells.size(); i++) {
        if (scanner.getCurBlock().getOffset() != offset) {
          offset = scanner.getCurBlock().getOffset();
          first = i;
        }
        blocks.add(first);
        assertEquals(i + 1 < cells.size(), scanner.next());
      }
    }
  }

  /** Returns a row that is shorter, or as long, and comes later. */
  private static String next(String row, Random random) {
    String begin = row.substring(0, 1 + random.nextInt(Math.min(row.length(), 12)));
    int last = begin.length() - 1;
    return begin.substring(0, last) + (char) (begin.charAt(last) + 1);
  }

  private HFileScannerImpl scanner() {
    return (HFileScannerImpl) reader.getScanner(conf, false, true);
  }

  /** Returns the number of the next row's first cell, or of the last cell in the block. */
  private int nextRow(int cell) {
    int next = cell;
    boolean isInRow = true;
    while (isInRow && next + 1 < cells.size() && blocks.get(next + 1).equals(blocks.get(cell))) {
      next++;
      isInRow = CellUtil.matchingRows(cells.get(next), cells.get(cell));
    }
    return next;
  }

  private void assertAt(int number, HFileScannerImpl scanner) {
    Cell cell = scanner.getCell();
    assertEquals(cells.get(number), KeyValueUtil.copyToNewKeyValue(cell));
    assertTrue(CellUtil.matchingValue(cells.get(number), cell));
    // Some tags aren't equal since they are in a buffer.
    assertEquals(PrivateCellUtil.getTags(cells.get(number)).toString(),
      PrivateCellUtil.getTags(cell).toString());
  }

  private static BlockSteps steps(HFileScannerImpl scanner) {
    EncodedCells encoded = EncodedCells.of(scanner, BlockCells.OF_CELLS);
    return encoded != null ? encoded : BlockCells.of(scanner, Long.MAX_VALUE, BlockCells.OF_CELLS);
  }

  private void assertGoesToNextRow(int from, BlockSteps steps, HFileScannerImpl scanner)
    throws IOException {
    assertAt(from, scanner);
    if (steps instanceof BlockCells) {
      assertTrue(((BlockCells) steps).begin(scanner.getCell()));
    }
    int next = nextRow(from);
    int at = from;
    int step = BlockSteps.COLUMN;
    while (step == BlockSteps.COLUMN) {
      step = steps.nextRow();
      at += step == BlockSteps.STAYS ? 0 : 1;
    }
    String what = reader.getDataBlockEncoding() + ", from " + cells.get(from);
    assertEquals(what, next, at);
    boolean isOtherRow = !CellUtil.matchingRows(cells.get(next), cells.get(from));
    assertEquals(what, isOtherRow ? BlockSteps.ROW : BlockSteps.STAYS, step);
    steps.leave();
    assertAt(next, scanner);
  }

  private void assertGoesToNextRows(DataBlockEncoding encoding, boolean tags)
    throws IOException {
    Random random = seed.newRandom();
    open(random, encoding, tags);
    assertTrue("blocks", blocks.stream().distinct().count() > 3);
    try (HFileScannerImpl scanner = scanner()) {
      BlockSteps steps = steps(scanner);
      for (int i = 0; i < 2_000; i++) {
        int from = random.nextInt(cells.size());
        assertEquals(0, scanner.seekTo(cells.get(from)));
        int passed = random.nextInt(4);
        for (int j = 0; j < passed && from + 1 < cells.size(); j++) {
          assertTrue(scanner.next());
          from++;
        }
        assertGoesToNextRow(from, steps, scanner);
      }
      assertTrue(scanner.seekTo());
      for (int at = 0; at + 1 < cells.size();) {
        assertGoesToNextRow(at, steps, scanner);
        int next = nextRow(at);
        if (next == at) {
          assertTrue(scanner.next());
          next++;
        }
        at = next;
      }
    }
  }

  @Test
  public void toTheNextRow() throws IOException {
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      assertGoesToNextRows(encoding, false);
      if (isEncodedKey(encoding)) {
        assertGoesToNextRows(encoding, true);
      }
    }
  }

  /** From anywhere, forward and back. */
  @Test
  public void toTheNextRowByTheRowIndex() throws IOException {
    Random random = seed.newRandom();
    open(random, DataBlockEncoding.ROW_INDEX_V1, false);
    Configuration indexes = new Configuration(false);
    indexes.setBoolean(BlockSeekIndexSettings.ENABLED.key(), true);
    BlockSeekIndex.start(indexes);
    try (HFileScannerImpl scanner = scanner()) {
      BlockCells steps = (BlockCells) steps(scanner);
      for (int i = 0; i < 5_000; i++) {
        int from = random.nextInt(cells.size());
        assertEquals(0, scanner.seekTo(cells.get(from)));
        assertTrue(steps.begin(scanner.getCell()));
        int next = nextRow(from);
        int step = steps.nextRow();
        if (!CellUtil.matchingRows(cells.get(from), cells.get(next))) {
          assertEquals("from " + cells.get(from), BlockSteps.ROW, step);
        }
        while (step == BlockSteps.COLUMN) {
          step = steps.nextRow();
        }
        steps.leave();
        assertAt(next, scanner);
      }
    } finally {
      BlockSeekIndex.start(new Configuration(false));
    }
  }

  /** Returns false if blocks have their cells as they are. */
  private static boolean isEncodedKey(DataBlockEncoding encoding) {
    return encoding != DataBlockEncoding.NONE && encoding != DataBlockEncoding.ROW_INDEX_V1;
  }

  private static int step(Cell from, Cell to) {
    return !CellUtil.matchingRows(from, to) ? BlockSteps.ROW
      : CellUtil.matchingQualifier(from, to) ? BlockSteps.VERSION
      : BlockSteps.COLUMN;
  }

  private void assertAt(KeyValue cell, EncodedCells steps) throws IOException {
    assertEquals(cell, KeyValueUtil.copyToNewKeyValue(steps.make()));
    assertTrue(CellUtil.matchingValue(cell, steps.make()));
    assertEquals(cell.getTimestamp(), steps.getTimestamp());
    assertEquals(cell.getTypeByte(), steps.getType());
    assertEquals(cell.getTagsLength() > 0, steps.hasTags());
    assertEquals(KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + cell.getKeyLength()
      + cell.getValueLength(), steps.getSize());
    for (int i = 0; i < QUALIFIERS.length(); i++) {
      byte[] column = Bytes.toBytes(QUALIFIERS.substring(0, i));
      assertEquals(cell + ", " + i, cell.getQualifierLength() < i,
        steps.isBeforeColumn(column, BlockCells.firstWord(column)));
    }
  }

  private void assertGoesToNextCells(DataBlockEncoding encoding, boolean tags)
    throws IOException {
    Random random = seed.newRandom();
    open(random, encoding, tags);
    try (HFileScannerImpl scanner = scanner()) {
      EncodedCells steps = EncodedCells.of(scanner, BlockCells.OF_CELLS);
      assertTrue(scanner.seekTo());
      int position = steps.getPosition();
      for (int at = 0; at < cells.size(); at++) {
        assertAt(cells.get(at), steps);
        boolean isLast = at + 1 == cells.size() || !blocks.get(at + 1).equals(blocks.get(at));
        boolean byRow = random.nextInt(3) == 0;
        int step = byRow ? steps.nextRow() : steps.next();
        if (isLast) {
          assertEquals(BlockSteps.STAYS, step);
          assertAt(cells.get(at), steps);
          assertTrue(steps.goBack(position));
          assertEquals(at + 1 < cells.size(), scanner.next());
        } else {
          int expected = step(cells.get(at), cells.get(at + 1));
          assertEquals(encoding + ", to " + cells.get(at + 1),
            byRow && expected == BlockSteps.VERSION ? BlockSteps.COLUMN : expected, step);
          assertFalse(steps.goBack(position));
          position = steps.getPosition();
        }
      }
    }
  }

  @Test
  public void fromCellToCell() throws IOException {
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      if (isEncodedKey(encoding)) {
        assertGoesToNextCells(encoding, false);
        assertGoesToNextCells(encoding, true);
      }
    }
  }

  private void openOffHeap(DataBlockEncoding encoding, boolean tags, boolean compressTags)
    throws IOException {
    open(seed.newRandom(), encoding, tags, compressTags,
      new CacheConfig(conf, null, null, allocator));
  }

  private void assertGoesBack(DataBlockEncoding encoding, boolean tags) throws IOException {
    openOffHeap(encoding, tags, false);
    Random random = seed.newRandom();
    try (HFileScannerImpl scanner = scanner()) {
      EncodedCells steps = EncodedCells.of(scanner, BlockCells.OF_CELLS);
      boolean isInFile = scanner.seekTo();
      for (int at = 0; isInFile; at++) {
        assertTrue(steps.isDirect());
        int mark = steps.mark();
        int passed = random.nextInt(40);
        int count = 0;
        while (count < passed && steps.next() != BlockSteps.STAYS) {
          count++;
        }
        assertAt(cells.get(at + count), steps);
        assertTrue(steps.goBack(mark));
        assertAt(cells.get(at), steps);
        assertEquals(steps.make().heapSize(), steps.getHeapSize(null));
        int gone = random.nextInt(count + 1);
        for (int i = 0; i < gone; i++) {
          assertNotEquals(BlockSteps.STAYS, steps.next());
        }
        at += gone;
        assertAt(cells.get(at), steps);
        steps.leave();
        assertEquals("a mark that was left", gone == 0, steps.goBack(mark));
        isInFile = scanner.next();
        assertEquals(at + 1 < cells.size(), isInFile);
      }
    }
  }

  /** After a mark the scanner may go on by itself, which the steps don't know of. */
  @Test
  public void aMarkThatWasGoneBackToIsNone() throws IOException {
    openOffHeap(DataBlockEncoding.FAST_DIFF, false, false);
    try (HFileScannerImpl scanner = scanner()) {
      EncodedCells steps = EncodedCells.of(scanner, BlockCells.OF_CELLS);
      assertTrue(scanner.seekTo());
      int mark = steps.mark();
      assertTrue(steps.goBack(mark));
      assertTrue(scanner.next());
      assertNotEquals(BlockSteps.STAYS, steps.next());
      assertFalse(steps.goBack(mark));
      assertAt(cells.get(2), steps);
    }
  }

  @Test
  public void backToAMark() throws IOException {
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      if (isEncodedKey(encoding)) {
        assertGoesBack(encoding, false);
        assertGoesBack(encoding, true);
      }
    }
  }

  /** Each is decoded once, since it may be added to those that later ones are taken from. */
  @Test
  public void compressedTagsAreNotGoneBackTo() throws IOException {
    openOffHeap(DataBlockEncoding.FAST_DIFF, true, true);
    try (HFileScannerImpl scanner = scanner()) {
      assertTrue(scanner.seekTo());
      assertFalse(EncodedCells.of(scanner, BlockCells.OF_CELLS).isDirect());
    }
  }

  @Test
  public void blocksOnTheHeapAreNotDirect() throws IOException {
    open(seed.newRandom(), DataBlockEncoding.FAST_DIFF, false);
    try (HFileScannerImpl scanner = scanner()) {
      assertTrue(scanner.seekTo());
      assertFalse(EncodedCells.of(scanner, BlockCells.OF_CELLS).isDirect());
    }
  }

  private static byte[] encode(List<KeyValue> all, boolean keysOnly) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(bytes);
    for (KeyValue cell : all) {
      encoder.write(keysOnly ? new KeyOnlyFilter().transformCell(cell) : cell);
    }
    return bytes.toByteArray();
  }

  /** Until a buffer has no room for the next one; one row at least is left out once. */
  @Test
  public void copiesAreWhatIsWritten() throws IOException {
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      if (isEncodedKey(encoding)) {
        openOffHeap(encoding, true, false);
        assertAreCopied(false);
        assertAreCopied(true);
      }
    }
  }

  private int buffersInUse() {
    return allocator.getUsedBufferCount() - allocator.getFreeBufferCount();
  }

  private void assertAreCopied(boolean keysOnly) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int used = buffersInUse();
    CellCopies copies = new CellCopies(allocator);
    try (HFileScannerImpl scanner = scanner()) {
      EncodedCells steps = EncodedCells.of(scanner, BlockCells.OF_CELLS);
      boolean isInFile = scanner.seekTo();
      while (isInFile) {
        assertTrue(steps.isDirect());
        int before = copies.getPosition();
        assertTrue(copies.add(steps, keysOnly));
        copies.goBack(before);
        assertTrue(copies.add(steps, keysOnly));
        isInFile = scanner.next();
        if (!isInFile || copies.getPosition() > 3000) {
          byte[] copy = new byte[copies.getPosition()];
          copies.getBuffer().duplicate().get(copy);
          bytes.write(copy);
          assertTrue(copies.getBuffer().isDirect());
          if (isInFile) {
            while (copies.add(steps, keysOnly)) {
              before = copies.getPosition();
            }
            assertEquals("no room", before, copies.getPosition());
            copies.takeBuffer();
          }
        }
      }
    }
    assertArrayEquals(encode(cells, keysOnly), bytes.toByteArray());
    assertTrue(buffersInUse() > used + 1);
    copies.release();
    assertNull(copies.getBuffer());
    copies.release();
    assertEquals(used, buffersInUse());
  }

  @Test
  public void plainCellsAreReadWithoutTheSeeker() throws IOException {
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      open(seed.newRandom(), encoding, false);
      try (HFileScannerImpl scanner = scanner()) {
        assertEquals(encoding + "", isEncodedKey(encoding),
          EncodedCells.of(scanner, BlockCells.OF_CELLS) != null);
        assertEquals(encoding + "", !isEncodedKey(encoding), BlockCells.reads(scanner));
      }
    }
  }

  @Test
  public void cellsOfAFileThatWasLoadedHaveItsSequenceId() throws IOException {
    open(seed.newRandom(), DataBlockEncoding.FAST_DIFF, false);
    try (HFileScannerImpl scanner = scanner()) {
      assertTrue(scanner.seekTo());
      Cell cell = EncodedCells.of(scanner, BlockCells.OF_CELLS).make();
      assertEquals(0, ((ExtendedCell) cell).getSequenceId());
      cell = EncodedCells.of(scanner, 7).make();
      assertEquals(7, ((ExtendedCell) cell).getSequenceId());
    }
  }
}
