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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * A get or a scan of named columns is in order, though a bloom filter says of a file that it hasn't
 * got a column, so that the file's scanner stays where it was.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestSkipWithRowColBloom {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSkipWithRowColBloom.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final int BLOCK_BYTES = 1024;
  /** The cell behind one with such a value is in another block. */
  private static final byte[] ENDS_BLOCK = new byte[2 * BLOCK_BYTES];
  private static final byte[] SMALL = new byte[1];
  private static final long OLD = 1;
  private static final long NEW = 2;
  /** In the older file, whose scanner would else not be sought before the newer one's cell. */
  private static final long NEWEST = 3;

  private HRegion region;

  @Before
  public void open() throws IOException {
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(),
      UTIL.getConfiguration(),
      TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F)
          .setBloomFilterType(BloomType.ROWCOL).setBlocksize(BLOCK_BYTES).build())
        .build());
  }

  @After
  public void close() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    UTIL.cleanupTestDir();
  }

  private void put(String row, String column, long timestamp, byte[] value) throws IOException {
    region.put(new Put(Bytes.toBytes(row), timestamp).setDurability(Durability.SKIP_WAL)
      .addColumn(F, Bytes.toBytes(column), value));
  }

  /** The older file hasn't got column c4, and is at c2 when the newer one is. */
  private void writeColumns() throws IOException {
    put("r0", "c2", OLD, SMALL);
    put("r1", "c2", OLD, SMALL);
    put("r1", "c3", OLD, SMALL);
    put("r1", "c6", OLD, SMALL);
    put("r1", "c8", OLD, ENDS_BLOCK);
    put("r2", "c2", NEWEST, SMALL);
    region.flush(true);
    put("r0", "c2", NEW, SMALL);
    put("r1", "c2", NEW, ENDS_BLOCK);
    put("r1", "c4", NEW, SMALL);
    put("r1", "c8", NEW, ENDS_BLOCK);
    put("r2", "c2", NEW, SMALL);
    region.flush(true);
  }

  private static byte[] column(int number) {
    return Bytes.toBytes("c" + number);
  }

  private static Get getOfColumns() {
    return new Get(Bytes.toBytes("r1")).addColumn(F, column(2)).addColumn(F, column(4))
      .addColumn(F, column(6));
  }

  private static List<String> names(List<Cell> cells) {
    List<String> names = new ArrayList<>();
    for (Cell cell : cells) {
      names.add(Bytes.toString(CellUtil.cloneRow(cell)) + "/"
        + Bytes.toString(CellUtil.cloneQualifier(cell)) + "/" + cell.getTimestamp());
    }
    return names;
  }

  @Test
  public void columnsAreInOrder() throws Exception {
    writeColumns();
    assertEquals(Arrays.asList("r1/c2/2", "r1/c4/2", "r1/c6/1"),
      names(region.get(getOfColumns()).listCells()));
  }

  /** The delete isn't compared with a cell of a column before it. */
  @Test
  public void deletedColumnIsPassed() throws Exception {
    writeColumns();
    region.delete(new Delete(Bytes.toBytes("r1")).setDurability(Durability.SKIP_WAL).addColumns(F,
      column(4), NEW));
    assertEquals(Arrays.asList("r1/c2/2", "r1/c6/1"),
      names(region.get(getOfColumns()).listCells()));
  }

  /** Goes from row r1 to column c4 of r3. */
  public static final class HintFilter extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return CellUtil.matchingRows(cell, Bytes.toBytes("r1"))
        ? ReturnCode.SEEK_NEXT_USING_HINT
        : ReturnCode.INCLUDE;
    }

    @Override
    public Cell getNextCellHint(Cell cell) {
      return PrivateCellUtil.createFirstOnRow(Bytes.toBytes("r3"), F, column(4));
    }
  }

  /** The older file hasn't got that column, and is at r1, in one block with r2 and r4. */
  @Test
  public void rowsAreInOrderBehindAHint() throws Exception {
    put("r0", "c2", OLD, SMALL);
    put("r1", "c2", OLD, SMALL);
    put("r2", "c2", OLD, SMALL);
    put("r4", "c2", OLD, SMALL);
    put("r5", "c2", OLD, ENDS_BLOCK);
    put("r6", "c2", NEWEST, SMALL);
    region.flush(true);
    put("r0", "c2", NEW, SMALL);
    put("r1", "c2", NEW, ENDS_BLOCK);
    put("r3", "c4", NEW, SMALL);
    put("r5", "c2", NEW, ENDS_BLOCK);
    put("r6", "c2", NEW, SMALL);
    region.flush(true);
    List<Cell> cells = new ArrayList<>();
    Scan scan =
      new Scan().addColumn(F, column(2)).addColumn(F, column(4)).setFilter(new HintFilter());
    try (RegionScanner scanner = region.getScanner(scan)) {
      boolean more;
      do {
        more = scanner.next(cells);
      } while (more);
    }
    assertEquals(Arrays.asList("r0/c2/2", "r3/c4/2", "r4/c2/1", "r5/c2/2", "r6/c2/3"),
      names(cells));
  }
}
