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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/**
 * Filters of scans of named columns see the rows that files have, and no others. On 2.6.4 they saw
 * the scan's start row first, or the row of a hint, whether or not it was there; PrefixFilter threw
 * an ArrayIndexOutOfBoundsException, and WhileMatchFilter ended the scan.
 */
@RunWith(Parameterized.class)
@Category({ RegionServerTests.class, SmallTests.class })
public class TestMadeUpCells {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMadeUpCells.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] C2 = Bytes.toBytes("c2");
  private static final byte[] C4 = Bytes.toBytes("c4");
  private static final int BLOCK_BYTES = 1024;
  private static final int FILES = 4;
  private static final List<String> ROWS = Arrays.asList("r1", "r3", "r5", "r7");

  /** Passes all cells. */
  private static class RecordingFilter extends FilterBase {
    final List<String> rows = new ArrayList<>();

    @Override
    public boolean filterRowKey(Cell cell) {
      rows.add(Bytes.toString(CellUtil.cloneRow(cell)));
      return false;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }
  }

  /** Hints from r3 to a column in r4, which no file has. */
  private static final class HintingFilter extends RecordingFilter {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return isR3(cell) ? ReturnCode.SEEK_NEXT_USING_HINT : ReturnCode.INCLUDE;
    }

    private static boolean isR3(Cell cell) {
      return Bytes.toString(CellUtil.cloneRow(cell)).equals("r3");
    }

    @Override
    public Cell getNextCellHint(Cell cell) {
      return new KeyValue(Bytes.toBytes("r4"), F, C2, Long.MAX_VALUE, new byte[0]);
    }
  }

  @Parameterized.Parameters(name = "{0}")
  public static List<BloomType> blooms() {
    return Arrays.asList(BloomType.NONE, BloomType.ROW, BloomType.ROWCOL);
  }

  private final BloomType bloom;
  private HRegion region;

  public TestMadeUpCells(BloomType bloom) {
    this.bloom = bloom;
  }

  /** Files with the same columns of the same rows; the last one has the newest. */
  @Before
  public void open() throws IOException {
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(),
      UTIL.getConfiguration(),
      TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setBloomFilterType(bloom)
          .setBlocksize(BLOCK_BYTES).setMaxVersions(1).build())
        .build());
    for (int file = 0; file < FILES; file++) {
      for (String row : ROWS) {
        Put put = new Put(Bytes.toBytes(row), file + 1).setDurability(Durability.SKIP_WAL);
        for (int column = 0; column < 6; column++) {
          put.addColumn(F, Bytes.toBytes("c" + column), new byte[BLOCK_BYTES]);
        }
        region.put(put);
      }
      region.flush(true);
    }
  }

  @After
  public void close() throws IOException {
    StoreScanner.enableLazySeekGlobally(StoreScanner.LAZY_SEEK_ENABLED_BY_DEFAULT);
    HBaseTestingUtility.closeRegionAndWAL(region);
    UTIL.cleanupTestDir();
  }

  private static Scan scan(String start, Filter filter) {
    return new Scan().withStartRow(Bytes.toBytes(start)).addColumn(F, C2).addColumn(F, C4)
      .setFilter(filter);
  }

  private List<String> rows(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      boolean more;
      do {
        cells.clear();
        more = scanner.next(cells);
        if (!cells.isEmpty()) {
          rows.add(Bytes.toString(CellUtil.cloneRow(cells.get(0))));
        }
      } while (more);
    }
    return rows;
  }

  @Test
  public void aFilterSeesTheRowsThatAreThere() throws IOException {
    RecordingFilter filter = new RecordingFilter();
    assertEquals(ROWS, rows(scan("", filter)));
    assertEquals(ROWS, filter.rows);
  }

  @Test
  public void aFilterDoesNotSeeAStartRowThatIsNotThere() throws IOException {
    RecordingFilter filter = new RecordingFilter();
    List<String> later = ROWS.subList(1, ROWS.size());
    assertEquals(later, rows(scan("r2", filter)));
    assertEquals(later, filter.rows);
  }

  @Test
  public void aFilterDoesNotSeeTheRowOfItsHint() throws IOException {
    HintingFilter filter = new HintingFilter();
    assertEquals(Arrays.asList("r1", "r5", "r7"), rows(scan("", filter)));
    assertEquals(ROWS, filter.rows);
  }

  @Test
  public void aFilterOfTheWholeTableDoesNotFailAtItsStart() throws IOException {
    byte[] prefix = Bytes.toBytes("r5");
    assertEquals(Collections.singletonList("r5"), rows(scan("", new PrefixFilter(prefix))));
  }

  @Test
  public void aFilterDoesNotEndTheScanAtARowThatIsNotThere() throws IOException {
    Filter filter = new WhileMatchFilter(
      new RowFilter(CompareOperator.GREATER_OR_EQUAL, new BinaryComparator(Bytes.toBytes("r1"))));
    assertEquals(ROWS, rows(scan("", filter)));
    assertEquals(ROWS, rows(scan("r0", filter)));
  }

  /** As without one: the older files aren't read for columns that the newest has. */
  @Test
  public void aFilterDoesNotHaveMoreBlocksRead() throws IOException {
    long without = blocksRead(null);
    long with = blocksRead(new RecordingFilter());
    StoreScanner.enableLazySeekGlobally(false);
    long withAllSeeks = blocksRead(new RecordingFilter());
    String reads = without + " without a filter, " + with + " with it, " + withAllSeeks
      + " if no seek is put off";
    assertTrue(reads, with <= without + FILES);
    assertTrue(reads, 2 * withAllSeeks >= 3 * with);
  }

  private long blocksRead(Filter filter) throws IOException {
    long before = HFile.DATABLOCK_READ_COUNT.sum();
    assertEquals(ROWS, rows(scan("", filter)));
    return HFile.DATABLOCK_READ_COUNT.sum() - before;
  }
}
