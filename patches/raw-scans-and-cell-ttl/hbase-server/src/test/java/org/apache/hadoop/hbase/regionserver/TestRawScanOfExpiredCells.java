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
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Scans of cells that have a TTL of their own. On 2.6.4 raw scans lacked those that expired. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestRawScanOfExpiredCells {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRawScanOfExpiredCells.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final long TTL_MS = 1_000;

  private long now = 1_000_000_000L;
  private HRegion region;

  /** A cell that expires, and one that doesn't. */
  @Before
  public void open() throws IOException {
    EnvironmentEdgeManager.injectEdge(() -> now);
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(),
      UTIL.getConfiguration(), TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build());
    put("expires", TTL_MS);
    put("stays", Long.MAX_VALUE);
  }

  @After
  public void close() throws IOException {
    EnvironmentEdgeManager.reset();
    HBaseTestingUtility.closeRegionAndWAL(region);
    UTIL.cleanupTestDir();
  }

  private void put(String column, long ttl) throws IOException {
    region.put(new Put(ROW).setDurability(Durability.SKIP_WAL).setTTL(ttl).addColumn(F,
      Bytes.toBytes(column), F));
  }

  private List<String> columns(Scan scan) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      scanner.next(cells);
    }
    List<String> columns = new ArrayList<>();
    for (Cell cell : cells) {
      columns.add(Bytes.toString(CellUtil.cloneQualifier(cell)));
    }
    return columns;
  }

  private void assertBothStored() throws IOException {
    assertEquals(Arrays.asList("expires", "stays"), columns(new Scan().setRaw(true)));
    assertEquals(Arrays.asList("expires", "stays"),
      columns(new Scan().setRaw(true).setReversed(true)));
    assertEquals(Collections.singletonList("stays"), columns(new Scan()));
  }

  @Test
  public void aRawScanGivesExpiredCellsUntilTheyAreCompacted() throws IOException {
    assertEquals(Arrays.asList("expires", "stays"), columns(new Scan()));
    region.flush(true);
    now += TTL_MS + 1;
    assertBothStored();
    region.compact(true);
    assertEquals(Collections.singletonList("stays"), columns(new Scan().setRaw(true)));
  }

  @Test
  public void aRawScanGivesExpiredCellsFromMemory() throws IOException {
    now += TTL_MS + 1;
    assertBothStored();
  }
}
