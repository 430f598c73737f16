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
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.NavigableMap;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A compaction of a family with MOB, during which others get each block that is released. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestMobCompactionInBatches {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMobCompactionInBatches.class);

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 20;
  private static final int COLUMNS = 25;
  private static final int VALUE_BYTES = 3000;

  private final HBaseTestingUtility util = new HBaseTestingUtility();

  /** Overwrites released blocks at each cell. */
  private static final class Overwriting extends NoLimitThroughputController {
    private final PooledRegion region;

    Overwriting(PooledRegion region) {
      this.region = region;
    }

    @Override
    public long control(String name, long size) {
      region.overwriteReleased(0x7F);
      return 0;
    }
  }

  private static byte[] valueOf(int row, int column) {
    byte[] value = new byte[VALUE_BYTES];
    Arrays.fill(value, (byte) (row * COLUMNS + column));
    return value;
  }

  private static ColumnFamilyDescriptorBuilder familyOf(long mobThreshold) {
    return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMobEnabled(true)
      .setMobThreshold(mobThreshold);
  }

  private static void put(HRegion region) throws IOException {
    for (int row = 0; row < ROWS; row++) {
      for (int column = 0; column < COLUMNS; column++) {
        region.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, Bytes.toBytes(column),
          valueOf(row, column)));
      }
    }
    region.flush(true);
  }

  private static void compact(PooledRegion region) throws IOException {
    HStore store = region.get().getStore(FAMILY);
    store.triggerMajorCompaction();
    CompactionContext compaction = store
      .requestCompaction(Store.PRIORITY_USER, CompactionLifeCycleTracker.DUMMY, null).get();
    assertTrue(region.get().compact(compaction, store, new Overwriting(region)));
    assertEquals(1, store.getStorefilesCount());
  }

  private static void assertAllAreThere(HRegion region) throws IOException {
    for (int row = 0; row < ROWS; row++) {
      NavigableMap<byte[], byte[]> cells =
        region.get(new Get(Bytes.toBytes(row))).getFamilyMap(FAMILY);
      assertEquals("Cells of row " + row, COLUMNS, cells.size());
      for (int column = 0; column < COLUMNS; column++) {
        assertArrayEquals("Row " + row + ", column " + column, valueOf(row, column),
          cells.get(Bytes.toBytes(column)));
      }
    }
  }

  /** The values were written before the threshold was lowered. */
  @Test
  public void valuesAboveANewThreshold() throws IOException {
    try (PooledRegion region = new PooledRegion(util, familyOf(2 * VALUE_BYTES))) {
      put(region.get());
      region.reopen(familyOf(VALUE_BYTES / 2));
      compact(region);
      assertAllAreThere(region.get());
    }
  }

  @Test
  public void valuesBelowTheThreshold() throws IOException {
    try (PooledRegion region = new PooledRegion(util, familyOf(2 * VALUE_BYTES))) {
      put(region.get());
      compact(region);
      assertAllAreThere(region.get());
    }
  }

  @Test
  public void valuesOfMobFiles() throws IOException {
    try (PooledRegion region = new PooledRegion(util, familyOf(VALUE_BYTES / 2))) {
      put(region.get());
      put(region.get());
      compact(region);
      assertAllAreThere(region.get());
    }
  }
}
