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
package org.apache.hadoop.hbase.mob;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Compactions of a region of which a MOB file is missing. Without the change each of them fails,
 * whatever hbase.unsafe.mob.discard.miss is.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestMissingMobFiles {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMissingMobFiles.class);

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int FILES = 3;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final Configuration conf = util.getConfiguration();
  private HRegion region;

  @Before
  public void setRoot() throws IOException {
    CommonFSUtils.setRootDir(conf, util.getDataTestDir());
  }

  @After
  public void closeRegion() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    util.cleanupTestDir();
  }

  /** Opens a region of files of one row each, whose values are in MOB files, and removes one. */
  private void openWithoutAMobFile() throws IOException {
    region = HBaseTestingUtility.createRegionAndWAL(RegionInfoBuilder.newBuilder(TABLE).build(),
      util.getDataTestDir(), conf,
      TableDescriptorBuilder.newBuilder(TABLE).setColumnFamily(ColumnFamilyDescriptorBuilder
        .newBuilder(FAMILY).setMobEnabled(true).setMobThreshold(100).build()).build(),
      new MobFileCache(conf));
    for (int file = 0; file < FILES; file++) {
      region.put(new Put(Bytes.toBytes(file)).addColumn(FAMILY, FAMILY, new byte[200]));
      region.flush(true);
    }
    Path folder = MobUtils.getMobFamilyPath(conf, TABLE, Bytes.toString(FAMILY));
    FileSystem fs = folder.getFileSystem(conf);
    FileStatus[] files = fs.listStatus(folder);
    assertEquals(FILES, files.length);
    assertTrue(fs.delete(files[1].getPath(), false));
  }

  private void compact() throws IOException {
    HStore store = region.getStore(FAMILY);
    store.triggerMajorCompaction();
    CompactionContext compaction =
      store.requestCompaction(HStore.PRIORITY_USER, CompactionLifeCycleTracker.DUMMY, null).get();
    assertTrue(region.compact(compaction, store, NoLimitThroughputController.INSTANCE, null));
  }

  private void assertLeavesOutOne() throws IOException {
    openWithoutAMobFile();
    compact();
    assertEquals(1, region.getStore(FAMILY).getStorefilesCount());
    int rows = 0;
    for (int row = 0; row < FILES; row++) {
      if (!region.get(new Get(Bytes.toBytes(row))).isEmpty()) {
        rows++;
      }
    }
    assertEquals(FILES - 1, rows);
    // What it wrote refers to no missing file any more.
    conf.setBoolean(MobConstants.MOB_UNSAFE_DISCARD_MISS_KEY, false);
    compact();
  }

  @Test
  public void cellsOfAMissingFileAreLeftOutIfTheyMayBe() throws IOException {
    conf.setBoolean(MobConstants.MOB_UNSAFE_DISCARD_MISS_KEY, true);
    assertLeavesOutOne();
  }

  @Test
  public void anOptimizedCompactionLeavesThemOutToo() throws IOException {
    conf.setBoolean(MobConstants.MOB_UNSAFE_DISCARD_MISS_KEY, true);
    conf.set(MobConstants.MOB_COMPACTION_TYPE_KEY, MobConstants.OPTIMIZED_MOB_COMPACTION_TYPE);
    assertLeavesOutOne();
  }

  @Test
  public void aCompactionFailsIfTheyMayNot() throws IOException {
    openWithoutAMobFile();
    assertThrows(IOException.class, this::compact);
    assertEquals(FILES, region.getStore(FAMILY).getStorefilesCount());
    assertFalse(conf.getBoolean(MobConstants.MOB_UNSAFE_DISCARD_MISS_KEY, false));
  }

  @Test
  public void anOptimizedCompactionFailsToo() throws IOException {
    conf.set(MobConstants.MOB_COMPACTION_TYPE_KEY, MobConstants.OPTIMIZED_MOB_COMPACTION_TYPE);
    openWithoutAMobFile();
    assertThrows(IOException.class, this::compact);
    assertEquals(FILES, region.getStore(FAMILY).getStorefilesCount());
  }
}
