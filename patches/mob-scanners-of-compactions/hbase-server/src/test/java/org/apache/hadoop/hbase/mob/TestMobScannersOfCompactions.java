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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.regionserver.ChunkCreator;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServicesForStores;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * A compaction of MOB files gives back what it reads. There is no block cache, so blocks are read
 * to the pool. Without the change the first compaction of these 40 cells leaves 40 of its buffers
 * in use.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestMobScannersOfCompactions {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMobScannersOfCompactions.class);

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int ROWS = 40;
  private static final int FILES = 3;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final Configuration conf = util.getConfiguration();
  private ByteBuffAllocator pool;
  private HRegion region;
  private WAL wal;

  @Before
  public void createPool() {
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 16 * 1024);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 1024);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    pool = ByteBuffAllocator.create(conf, true);
  }

  @After
  public void closeRegion() throws IOException {
    if (region != null) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
    util.cleanupTestDir();
  }

  @SuppressWarnings("deprecation") // HRegion.initialize is for tests.
  private void open(int mobThreshold) throws IOException {
    ChunkCreator.initialize(MemStoreLAB.CHUNK_SIZE_DEFAULT, false, 0, 0, 0, null,
      MemStoreLAB.INDEX_CHUNK_SIZE_PERCENTAGE_DEFAULT);
    Path root = util.getDataTestDir();
    CommonFSUtils.setRootDir(conf, root);
    FileSystem fs = root.getFileSystem(conf);
    TableDescriptor table = TableDescriptorBuilder.newBuilder(TABLE)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMobEnabled(true)
        .setMobThreshold(mobThreshold).setBlocksize(1024).build())
      .build();
    RegionInfo info;
    HRegionFileSystem regionFs;
    Path tableDir = CommonFSUtils.getTableDir(root, TABLE);
    if (region == null) {
      info = RegionInfoBuilder.newBuilder(TABLE).build();
      wal = HBaseTestingUtility.createWal(conf, root, info);
      regionFs = HRegionFileSystem.createRegionOnFileSystem(conf, fs, tableDir, info);
    } else {
      info = region.getRegionInfo();
      regionFs = region.getRegionFileSystem();
      region.close();
    }
    region = new HRegion(regionFs, wal, conf, table, null) {
      @Override
      public RegionServicesForStores getRegionServicesForStores() {
        return new RegionServicesForStores(this, null) {
          @Override
          public ByteBuffAllocator getByteBuffAllocator() {
            return pool;
          }
        };
      }
    };
    region.setMobFileCache(new MobFileCache(conf));
    region.initialize();
  }

  private static byte[] value(int row) {
    byte[] value = new byte[300];
    Bytes.putInt(value, 0, row);
    return value;
  }

  private int buffersInUse() {
    return pool.getUsedBufferCount() - pool.getFreeBufferCount();
  }

  /** Writes rows to files of a part each. */
  private void putRows() throws IOException {
    for (int file = 0; file < FILES; file++) {
      for (int row = file; row < ROWS; row += FILES) {
        region.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, value(row)));
      }
      region.flush(true);
    }
  }

  private void compact() throws IOException {
    HStore store = region.getStore(FAMILY);
    store.triggerMajorCompaction();
    CompactionContext compaction = store
      .requestCompaction(HStore.PRIORITY_USER, CompactionLifeCycleTracker.DUMMY, null).get();
    assertTrue(
      region.compact(compaction, store, NoLimitThroughputController.INSTANCE, null));
    store.closeAndArchiveCompactedFiles();
  }

  private void assertRowsAreThere() throws IOException {
    for (int row = 0; row < ROWS; row++) {
      assertArrayEquals(value(row),
        region.get(new Get(Bytes.toBytes(row))).getValue(FAMILY, FAMILY));
    }
    List<Cell> cells = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(new Scan())) {
      while (scanner.next(cells)) {
        // Each adds its cells.
      }
    }
    assertEquals(ROWS, cells.size());
  }

  private Path[] mobFiles() throws IOException {
    Path folder = MobUtils.getMobFamilyPath(conf, TABLE, Bytes.toString(FAMILY));
    FileStatus[] files = folder.getFileSystem(conf).listStatus(folder);
    Path[] paths = new Path[files.length];
    for (int i = 0; i < paths.length; i++) {
      paths[i] = files[i].getPath();
    }
    return paths;
  }

  @Test
  public void noBufferOfThePoolStaysInUse() throws IOException {
    open(100);
    putRows();
    assertEquals(0, buffersInUse());
    for (int i = 0; i < 3; i++) {
      compact();
      assertEquals(0, buffersInUse());
    }
    assertRowsAreThere();
    assertTrue("reads use the pool", pool.getFreeBufferCount() > 0);
  }

  @Test
  public void cellsThatAreNoLongerLargeAreGivenBack() throws IOException {
    open(100);
    putRows();
    assertEquals(0, buffersInUse());
    open(1000);
    compact();
    assertEquals(0, buffersInUse());
    assertRowsAreThere();
  }

  @Test
  public void aCompactionThatFailsKeepsNoBuffer() throws IOException {
    open(100);
    putRows();
    assertEquals(0, buffersInUse());
    Path[] files = mobFiles();
    assertEquals(FILES, files.length);
    // Cells of the other files are read before the one that is missing.
    FileSystem fs = files[0].getFileSystem(conf);
    Path gone = new Path(util.getDataTestDir(), "gone");
    assertTrue(fs.rename(files[1], gone));
    for (int i = 0; i < 3; i++) {
      assertThrows(IOException.class, this::compact);
      assertEquals(0, buffersInUse());
    }
    assertTrue(fs.rename(gone, files[1]));
    compact();
    assertEquals(0, buffersInUse());
    assertRowsAreThere();
  }
}
