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
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
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
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * A delete of a row or of a version of it, behind newer versions of the column without a name. On
 * 2.6.4 gets and scans gave the deleted column; compactions didn't.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestFamilyDeleteInEmptyColumn {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFamilyDeleteInEmptyColumn.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("a");
  private static final byte[] NO_NAME = HConstants.EMPTY_BYTE_ARRAY;
  private static final byte[] COLUMN = Bytes.toBytes("c");
  private static final int BLOCK_BYTES = 1024;
  private static final long OF_COLUMN = 3;
  private static final long OF_DELETE = 4;
  private static final long NEWEST = 7;
  private static final int VERSIONS = 3;

  private HRegion region;

  @Before
  public void open() throws IOException {
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(),
      UTIL.getConfiguration(),
      TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(BLOCK_BYTES)
          .setMaxVersions(VERSIONS).build())
        .build());
  }

  @After
  public void close() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    UTIL.cleanupTestDir();
  }

  private void put(byte[] row, byte[] column, long timestamp) throws IOException {
    region.put(new Put(row, timestamp).setDurability(Durability.SKIP_WAL).addColumn(F, column,
      new byte[BLOCK_BYTES / 8]));
  }

  /** A row behind it has the file go on in another block. */
  private void flush() throws IOException {
    for (int i = 0; i < 16; i++) {
      put(Bytes.toBytes("b"), Bytes.toBytes("c" + i), OF_COLUMN);
    }
    region.flush(true);
  }

  /** What is deleted is in another file, or a flush would leave it out. */
  private void write(Delete delete) throws IOException {
    put(ROW, COLUMN, OF_COLUMN);
    flush();
    region.delete(delete.setDurability(Durability.SKIP_WAL));
    for (long timestamp = OF_DELETE + 1; timestamp <= NEWEST; timestamp++) {
      put(ROW, NO_NAME, timestamp);
    }
    flush();
  }

  private void assertDeleted() throws IOException {
    assertEquals(1, region.get(new Get(ROW)).size());
    assertEquals(1, region.get(new Get(ROW).addColumn(F, NO_NAME).addColumn(F, COLUMN)).size());
    assertEquals(0, region.get(new Get(ROW).addColumn(F, COLUMN)).size());
    assertEquals(VERSIONS, region.get(new Get(ROW).readVersions(VERSIONS)).size());
    assertEquals(Collections.singletonList(NEWEST), timestamps(new Scan().withStopRow(ROW, true)));
    assertEquals(Collections.singletonList(NEWEST), timestamps(
      new Scan().withStopRow(ROW, true).addColumn(F, NO_NAME).addColumn(F, COLUMN)));
  }

  private List<Long> timestamps(Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      scanner.next(cells);
    }
    List<Long> timestamps = new ArrayList<>();
    for (Cell cell : cells) {
      assertEquals(Bytes.toString(ROW), Bytes.toString(CellUtil.cloneRow(cell)));
      timestamps.add(cell.getTimestamp());
    }
    return timestamps;
  }

  @Test
  public void aDeletedRowStaysDeleted() throws IOException {
    write(new Delete(ROW).addFamily(F, OF_DELETE));
    assertDeleted();
  }

  @Test
  public void aVersionOfARowStaysDeleted() throws IOException {
    write(new Delete(ROW).addFamilyVersion(F, OF_COLUMN));
    assertDeleted();
  }

  /** Behind a version too many for the family. */
  @Test
  public void aCompactionHeedsTheDelete() throws IOException {
    write(new Delete(ROW).addFamily(F, OF_DELETE));
    put(ROW, NO_NAME, NEWEST + 1);
    flush();
    region.compact(true);
    assertEquals(1, region.getStore(F).getStorefilesCount());
    assertEquals(0, region.get(new Get(ROW).addColumn(F, COLUMN)).size());
    assertEquals(VERSIONS, region.get(new Get(ROW).readVersions(VERSIONS)).size());
  }
}
