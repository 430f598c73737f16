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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

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
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
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

/** In blocks of each encoding, a scanner goes on to the next row. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestEncodedRows {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEncodedRows.class);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");

  private final Configuration conf = UTIL.getConfiguration();
  private final Path file = new Path(UTIL.getDataTestDir(), "file");
  private final List<KeyValue> cells = new ArrayList<>();
  /** The key's block of each cell, as the number of its first cell. */
  private final List<Integer> blocks = new ArrayList<>();
  private HFile.Reader reader;

  @After
  public void close() throws IOException {
    reader.close();
    UTIL.cleanupTestDir();
  }

  /** Rows of all lengths, some of which begin as the one before does. */
  private void open(Random random, DataBlockEncoding encoding, boolean tags) throws IOException {
    if (reader != null) {
      reader.close();
    }
    cells.clear();
    blocks.clear();
    FileSystem fs = file.getFileSystem(conf);
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(fs, file).withFileContext(new HFileContextBuilder().withBlockSize(2048)
        .withDataBlockEncoding(encoding).withIncludesTags(tags).build())
      .create()) {
      String row = "a";
      for (int i = 0; i < 300; i++) {
        row = random.nextBoolean() ? row + (char) ('a' + random.nextInt(3)) : next(row, random);
        int count = 1 + random.nextInt(9);
        for (int j = 0; j < count; j++) {
          byte[] value = new byte[random.nextInt(60)];
          random.nextBytes(value);
          Tag[] tagsOfCell =
            tags && random.nextBoolean() ? new Tag[] { new ArrayBackedTag((byte) 9, value) } : null;
          KeyValue cell = new KeyValue(Bytes.toBytes(row), F, Bytes.toBytes("q" + j), 9, value,
            tagsOfCell);
          writer.append(cell);
          cells.add(cell);
        }
      }
    }
    reader = HFile.createReader(fs, file, CacheConfig.DISABLED, true, conf);
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

  private void assertGoesToNextRow(int from, HFileScannerImpl scanner) {
    assertAt(from, scanner);
    int next = nextRow(from);
    int passed = scanner.nextRowInEncodedBlock();
    assertEquals(reader.getDataBlockEncoding() + ", from " + cells.get(from), next - from, passed);
    assertAt(next, scanner);
  }

  private void assertGoesToNextRows(DataBlockEncoding encoding, boolean tags)
    throws IOException {
    Random random = seed.newRandom();
    open(random, encoding, tags);
    assertTrue("blocks", blocks.stream().distinct().count() > 3);
    try (HFileScannerImpl scanner = scanner()) {
      for (int i = 0; i < 2_000; i++) {
        int from = random.nextInt(cells.size());
        assertEquals(0, scanner.seekTo(cells.get(from)));
        int steps = random.nextInt(4);
        for (int j = 0; j < steps && from + 1 < cells.size(); j++) {
          assertTrue(scanner.next());
          from++;
        }
        assertGoesToNextRow(from, scanner);
      }
      assertTrue(scanner.seekTo());
      for (int at = 0; at + 1 < cells.size();) {
        assertGoesToNextRow(at, scanner);
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
  public void ofEachEncoding() throws IOException {
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      if (encoding != DataBlockEncoding.NONE) {
        assertGoesToNextRows(encoding, false);
        assertGoesToNextRows(encoding, true);
      }
    }
  }

  @Test
  public void aBlockWithoutEncodingIsLeftToOthers() throws IOException {
    open(seed.newRandom(), DataBlockEncoding.NONE, false);
    try (HFileScannerImpl scanner = scanner()) {
      assertTrue(scanner.seekTo());
      assertEquals(0, scanner.nextRowInEncodedBlock());
      assertAt(0, scanner);
    }
  }
}
