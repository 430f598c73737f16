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
import static org.junit.Assert.assertFalse;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
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
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Gets, scans and compactions end where a delete of one version and the version, in a column with
 * an empty name, are older than the family's TTL.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestExpiredEmptyColumn {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestExpiredEmptyColumn.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int TTL_SECONDS = 4;
  private static final int TIMEOUT_MS = 60_000;

  private long now = 1_000_000_000L;
  private HRegion region;

  @Before
  public void setClock() {
    EnvironmentEdgeManager.injectEdge(() -> now);
  }

  @After
  public void close() throws IOException {
    EnvironmentEdgeManager.reset();
    HBaseTestingUtility.closeRegionAndWAL(region);
    UTIL.cleanupTestDir();
  }

  /** Two files, with a version and its delete. A later value keeps either from being left out. */
  private void openExpired(DataBlockEncoding encoding) throws IOException {
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(),
      UTIL.getConfiguration(), TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setTimeToLive(TTL_SECONDS)
          .setDataBlockEncoding(encoding).build())
        .build());
    long later = now + TTL_SECONDS * 2_000L;
    put(HConstants.EMPTY_BYTE_ARRAY, now);
    put(Q, later);
    region.flush(true);
    region.delete(new Delete(ROW).setDurability(Durability.SKIP_WAL).addColumn(F,
      HConstants.EMPTY_BYTE_ARRAY, now));
    put(Q, later);
    region.flush(true);
    now = later;
  }

  private void put(byte[] column, long timestamp) throws IOException {
    region.put(new Put(ROW, timestamp).setDurability(Durability.SKIP_WAL).addColumn(F, column, Q));
  }

  @Test(timeout = TIMEOUT_MS)
  public void getsAndScansEnd() throws Exception {
    openExpired(DataBlockEncoding.NONE);
    assertReads();
  }

  @Test(timeout = TIMEOUT_MS)
  public void getsAndScansOfEncodedBlocksEnd() throws Exception {
    openExpired(DataBlockEncoding.ROW_INDEX_V1);
    assertReads();
  }

  private void assertReads() throws IOException {
    assertEquals(1, region.get(new Get(ROW)).size());
    assertEquals(1, region.get(new Get(ROW).addColumn(F, Q)).size());
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(new Scan().readAllVersions())) {
      assertFalse(scanner.next(cells));
    }
    assertEquals(1, cells.size());
  }

  @Test(timeout = TIMEOUT_MS)
  public void compactionsEnd() throws Exception {
    openExpired(DataBlockEncoding.NONE);
    region.compact(true);
    assertEquals(1, region.getStore(F).getStorefilesCount());
    assertReads();
  }
}
