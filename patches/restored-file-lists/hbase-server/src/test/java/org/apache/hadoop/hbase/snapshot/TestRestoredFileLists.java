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
package org.apache.hadoop.hbase.snapshot;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/**
 * Tables of each store file tracker are restored, cloned, split and merged, with links and
 * references: every region opens, and every row is there. Without the change a restored table of
 * the tracker FILE doesn't open.
 */
@RunWith(Parameterized.class)
@Category({ MasterTests.class, LargeTests.class })
public class TestRestoredFileLists {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRestoredFileLists.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName TABLE = TableName.valueOf("t");
  private static final TableName CLONE = TableName.valueOf("c");
  private static final String SNAPSHOT = "s";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] MOB = Bytes.toBytes("m");
  private static final byte[] MIDDLE = Bytes.toBytes(50);
  private static final int TIMEOUT_S = 120;

  @Parameterized.Parameter(0)
  public StoreFileTrackerFactory.Trackers tracker;
  /** What the table is migrated to; null if it isn't. */
  @Parameterized.Parameter(1)
  public StoreFileTrackerFactory.Trackers destination;

  private Admin admin;

  @Parameterized.Parameters(name = "{0} {1}")
  public static Collection<Object[]> trackers() {
    StoreFileTrackerFactory.Trackers none = StoreFileTrackerFactory.Trackers.DEFAULT;
    StoreFileTrackerFactory.Trackers list = StoreFileTrackerFactory.Trackers.FILE;
    return Arrays.asList(new Object[][] { { none, null }, { list, null }, { none, list },
      { list, none } });
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    // A region that can't be opened fails at once.
    UTIL.getConfiguration().setInt(AssignmentManager.ASSIGN_MAX_ATTEMPTS, 2);
    UTIL.getConfiguration().setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 5);
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @Before
  public void createTable() throws Exception {
    admin = UTIL.getAdmin();
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(MOB).setMobEnabled(true)
        .setMobThreshold(0).build())
      .setValue(StoreFileTrackerFactory.TRACKER_IMPL, tracker.name());
    admin.createTable(table.build());
    if (destination != null) {
      admin.modifyTable(table
        .setValue(StoreFileTrackerFactory.TRACKER_IMPL,
          StoreFileTrackerFactory.Trackers.MIGRATION.name())
        .setValue("hbase.store.file-tracker.migration.src.impl", tracker.name())
        .setValue("hbase.store.file-tracker.migration.dst.impl", destination.name()).build());
    }
  }

  @After
  public void deleteTables() throws Exception {
    admin.deleteSnapshot(SNAPSHOT);
    for (TableName table : new TableName[] { TABLE, CLONE }) {
      if (admin.tableExists(table)) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
    }
  }

  private void put(TableName name, int first, int end) throws IOException {
    try (Table table = UTIL.getConnection().getTable(name)) {
      for (int i = first; i < end; i++) {
        Put put = new Put(Bytes.toBytes(i));
        for (ColumnFamilyDescriptor family : table.getDescriptor().getColumnFamilies()) {
          put.addColumn(family.getName(), FAMILY, Bytes.toBytes(i));
        }
        table.put(put);
      }
    }
    admin.flush(name);
  }

  private void compact(TableName name) throws Exception {
    for (HRegion region : UTIL.getMiniHBaseCluster().getRegions(name)) {
      region.compact(true);
      for (HStore store : region.getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
    }
  }

  private void restore() throws Exception {
    admin.disableTable(TABLE);
    admin.restoreSnapshot(SNAPSHOT);
    admin.enableTableAsync(TABLE).get(TIMEOUT_S, TimeUnit.SECONDS);
  }

  /** All regions are open, and have these rows. */
  private void assertHasRows(TableName name, int regions, int rows) throws Exception {
    List<RegionInfo> infos = admin.getRegions(name);
    assertEquals(regions, infos.size());
    UTIL.waitFor(TIMEOUT_S * 1000, 10,
      () -> UTIL.getMiniHBaseCluster().getRegions(name).size() == regions);
    int found = 0;
    try (Table table = UTIL.getConnection().getTable(name);
      ResultScanner scanner = table.getScanner(new Scan())) {
      int families = table.getDescriptor().getColumnFamilyCount();
      for (Result row : scanner) {
        assertEquals(found++, Bytes.toInt(row.getRow()));
        assertEquals(families, row.size());
        for (byte[] family : table.getDescriptor().getColumnFamilyNames()) {
          assertEquals(Bytes.toInt(row.getRow()), Bytes.toInt(row.getValue(family, FAMILY)));
        }
      }
    }
    assertEquals(rows, found);
  }

  /** Puts rows, takes the snapshot, and replaces all files. */
  private void snapshotAndCompact() throws Exception {
    put(TABLE, 0, 60);
    put(TABLE, 60, 100);
    admin.snapshot(SNAPSHOT, TABLE);
    put(TABLE, 100, 120);
    compact(TABLE);
    assertHasRows(TABLE, 1, 120);
  }

  @Test
  public void aTableThatWasCompactedIsRestored() throws Exception {
    snapshotAndCompact();
    for (int i = 0; i < 2; i++) {
      restore();
      assertHasRows(TABLE, 1, 100);
      put(TABLE, 100, 130);
      compact(TABLE);
      assertHasRows(TABLE, 1, 130);
    }
  }

  @Test
  public void aTableWithOtherFamiliesIsRestored() throws Exception {
    snapshotAndCompact();
    byte[] added = Bytes.toBytes("added");
    admin.addColumnFamily(TABLE, ColumnFamilyDescriptorBuilder.newBuilder(added)
      .setConfiguration(StoreFileTrackerFactory.TRACKER_IMPL, tracker.name()).build());
    admin.deleteColumnFamily(TABLE, FAMILY);
    put(TABLE, 0, 120);
    restore();
    assertHasRows(TABLE, 1, 100);
    HRegion region = UTIL.getMiniHBaseCluster().getRegions(TABLE).get(0);
    assertFalse(
      region.getFilesystem().exists(region.getRegionFileSystem().getStoreDir("added")));
  }

  @Test
  public void aTableThatWasSplitIsRestoredAndMerged() throws Exception {
    snapshotAndCompact();
    admin.splitRegionAsync(admin.getRegions(TABLE).get(0).getRegionName(), MIDDLE).get(TIMEOUT_S,
      TimeUnit.SECONDS);
    assertHasRows(TABLE, 2, 120);
    restore();
    assertHasRows(TABLE, 1, 100);
    // Links are split.
    admin.splitRegionAsync(admin.getRegions(TABLE).get(0).getRegionName(), MIDDLE).get(TIMEOUT_S,
      TimeUnit.SECONDS);
    assertHasRows(TABLE, 2, 100);
    compact(TABLE);
    assertHasRows(TABLE, 2, 100);
    List<RegionInfo> halves = admin.getRegions(TABLE);
    admin.mergeRegionsAsync(
      new byte[][] { halves.get(0).getRegionName(), halves.get(1).getRegionName() }, false)
      .get(TIMEOUT_S, TimeUnit.SECONDS);
    assertHasRows(TABLE, 1, 100);
  }

  @Test
  public void aCloneHasAllRowsAndIsSplit() throws Exception {
    snapshotAndCompact();
    admin.cloneSnapshotAsync(SNAPSHOT, CLONE).get(TIMEOUT_S, TimeUnit.SECONDS);
    assertHasRows(CLONE, 1, 100);
    admin.splitRegionAsync(admin.getRegions(CLONE).get(0).getRegionName(), Bytes.toBytes(60))
      .get(TIMEOUT_S, TimeUnit.SECONDS);
    assertHasRows(CLONE, 2, 100);
    put(CLONE, 100, 110);
    compact(CLONE);
    assertHasRows(CLONE, 2, 110);
  }

  @Test
  public void aSnapshotOfDaughtersIsClonedAndRestored() throws Exception {
    put(TABLE, 0, 60);
    put(TABLE, 60, 100);
    // The first file goes to both, the second to one alone.
    admin.splitRegionAsync(admin.getRegions(TABLE).get(0).getRegionName(), MIDDLE).get(TIMEOUT_S,
      TimeUnit.SECONDS);
    admin.snapshot(SNAPSHOT, TABLE);
    put(TABLE, 100, 120);
    compact(TABLE);
    admin.cloneSnapshotAsync(SNAPSHOT, CLONE).get(TIMEOUT_S, TimeUnit.SECONDS);
    assertHasRows(CLONE, 2, 100);
    compact(CLONE);
    assertHasRows(CLONE, 2, 100);
    restore();
    assertHasRows(TABLE, 2, 100);
    compact(TABLE);
    assertHasRows(TABLE, 2, 100);
  }
}
