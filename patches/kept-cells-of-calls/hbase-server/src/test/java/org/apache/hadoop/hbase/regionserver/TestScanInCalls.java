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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** A row that takes several calls of a scan, after each of which its blocks are overwritten. */
@Category({ RegionServerTests.class, MediumTests.class })
@RunWith(Parameterized.class)
public class TestScanInCalls {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestScanInCalls.class);

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] SECOND_FAMILY = Bytes.toBytes("g");
  private static final byte[] THIRD_FAMILY = Bytes.toBytes("h");
  private static final int ROWS = 5;

  @Parameters(name = "overwritten with {0}")
  public static List<Object> contents() {
    return Arrays.asList(0, 0x7F, 0xFF);
  }

  @Parameter
  public int content;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private PooledRegion region;

  /** Says that only one family decides about a row. */
  static final class OneFamilyDecides extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }

    @Override
    public boolean isFamilyEssential(byte[] family) {
      return Bytes.equals(family, FAMILY);
    }
  }

  @After
  public void close() throws IOException {
    region.close();
  }

  private void open(BloomType bloom) throws IOException {
    region = new PooledRegion(util,
      ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(3).setBloomFilterType(bloom),
      ColumnFamilyDescriptorBuilder.newBuilder(SECOND_FAMILY),
      ColumnFamilyDescriptorBuilder.newBuilder(THIRD_FAMILY));
  }

  /** Puts a cell that fills a block into each row. */
  private void put(byte[] family, String qualifier, long timestamp) throws IOException {
    for (int row = 0; row < ROWS; row++) {
      byte[] value = new byte[PooledRegion.BLOCK_BYTES];
      Bytes.putLong(value, 0, row * 1000 + timestamp);
      region.get().put(
        new Put(Bytes.toBytes("row" + row)).addColumn(family, Bytes.toBytes(qualifier), timestamp,
          value));
    }
  }

  private static String toString(Cell cell) {
    return CellUtil.getCellKeyAsString(cell) + "/" + Bytes.toLong(CellUtil.cloneValue(cell));
  }

  private List<String> read(Scan scan, boolean inCalls) throws IOException {
    List<String> read = new ArrayList<>();
    try (RegionScannerImpl scanner = region.get().getScanner(scan)) {
      boolean more = true;
      while (more) {
        List<Cell> cells = new ArrayList<>();
        more = scanner.next(cells);
        cells.forEach(cell -> read.add(toString(cell)));
        if (inCalls) {
          scanner.shipped();
          region.overwriteReleased(content);
        }
      }
    }
    return read;
  }

  /** Makes a scan anew, since filters have a state. */
  private interface Scans {
    Scan create() throws IOException;
  }

  private void assertReadInCalls(int cellsOfRow, Scans scans) throws IOException {
    List<String> expected = read(scans.create(), false);
    assertEquals(ROWS * cellsOfRow, expected.size());
    assertEquals(expected, read(scans.create(), true));
    assertEquals(0, region.countHeldBuffers());
  }

  /** The third family is read in the call that ends the second one. */
  @Test
  public void familiesThatAreReadOnDemand() throws IOException {
    open(BloomType.NONE);
    put(FAMILY, "q", 1);
    for (int i = 0; i < 2; i++) {
      put(SECOND_FAMILY, "q" + i, 1);
      put(THIRD_FAMILY, "q" + i, 1);
    }
    region.get().flush(true);
    assertReadInCalls(5,
      () -> new Scan().setBatch(2).setFilter(new OneFamilyDecides())
        .setLoadColumnFamiliesOnDemand(true));
  }

  private void columnsOfTwoFiles(BloomType bloom) throws IOException {
    open(bloom);
    put(FAMILY, "q10", 1);
    put(FAMILY, "q90", 1);
    region.get().flush(true);
    put(FAMILY, "q10", 10);
    put(FAMILY, "q50", 10);
    region.get().flush(true);
    assertReadInCalls(3,
      () -> new Scan().setBatch(1).addColumn(FAMILY, Bytes.toBytes("q10"))
        .addColumn(FAMILY, Bytes.toBytes("q50")).addColumn(FAMILY, Bytes.toBytes("q90")));
  }

  /** The older file is sought when the second column was read. */
  @Test
  public void columnsOfFilesThatAreSoughtLazily() throws IOException {
    columnsOfTwoFiles(BloomType.NONE);
  }

  /** The older file says that it hasn't the second column. */
  @Test
  public void columnsThatABloomFilterLacks() throws IOException {
    columnsOfTwoFiles(BloomType.ROWCOL);
  }

  private static Filter aPageOfColumnsOr(String qualifier) {
    return new FilterList(FilterList.Operator.MUST_PASS_ONE, new ColumnPaginationFilter(2, 0),
      new QualifierFilter(CompareOperator.EQUAL,
        new BinaryComparator(Bytes.toBytes(qualifier))));
  }

  /** Two versions of a column count once for the page. */
  @Test
  public void cellsThatAFilterComparesWith() throws IOException {
    open(BloomType.NONE);
    put(FAMILY, "q0", 1);
    put(FAMILY, "q0", 2);
    put(FAMILY, "q1", 1);
    put(FAMILY, "q2", 1);
    region.get().flush(true);
    assertReadInCalls(3,
      () -> new Scan().setBatch(1).readVersions(2).setFilter(aPageOfColumnsOr("q0")));
  }

  /** Else the other tests would prove nothing. */
  @Test
  public void blocksAreOverwrittenAfterTheirCall() throws IOException {
    open(BloomType.NONE);
    put(FAMILY, "q", 1);
    region.get().flush(true);
    try (RegionScannerImpl scanner = region.get().getScanner(new Scan())) {
      List<Cell> cells = new ArrayList<>();
      scanner.next(cells);
      ByteBufferExtendedCell cell = (ByteBufferExtendedCell) cells.get(0);
      ByteBuffer block = cell.getRowByteBuffer();
      int position = cell.getRowPosition();
      assertEquals('r', block.get(position));
      scanner.shipped();
      region.overwriteReleased(content);
      assertEquals((byte) content, block.get(position));
    }
  }
}
