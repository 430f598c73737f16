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
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.DroppedSnapshotException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** On a disk that has room for a part of a file each try leaves as many files as there were. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestFilesThatCouldNotBeEnded {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFilesThatCouldNotBeEnded.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 100;

  private final Configuration conf = HBaseConfiguration.create(UTIL.getConfiguration());
  private HRegion region;

  private void open(ColumnFamilyDescriptor family) throws IOException {
    FullDisk.set(conf);
    CommonFSUtils.setRootDir(conf, UTIL.getDataTestDir());
    conf.setInt("hbase.hstore.flush.retries.number", 3);
    conf.setInt(HConstants.HBASE_SERVER_PAUSE, 1);
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(), conf,
      TableDescriptorBuilder.newBuilder(table).setColumnFamily(family).build());
  }

  @After
  public void close() throws IOException {
    FullDisk.setLeft(Long.MAX_VALUE);
    if (!region.isClosed()) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
    UTIL.cleanupTestDir();
  }

  private void put(int valueBytes) throws IOException {
    for (int row = 0; row < ROWS; row++) {
      region.put(new Put(Bytes.toBytes(row)).addColumn(F, F, new byte[valueBytes]));
    }
  }

  /** The files of all families, in folders of temporary files too. */
  private List<String> files() throws IOException {
    FileSystem fs = region.getFilesystem();
    List<String> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all = fs.listFiles(UTIL.getDataTestDir(), true);
    while (all.hasNext()) {
      FileStatus file = all.next();
      String path = file.getPath().toString();
      if (path.contains("/" + HConstants.HBASE_TEMP_DIRECTORY + "/") || path.contains("/f/")) {
        files.add(path);
      }
    }
    Collections.sort(files);
    return files;
  }

  private void assertFailedFlushLeavesNothing(long room) throws IOException {
    List<String> before = files();
    FullDisk.setLeft(room);
    assertThrows(DroppedSnapshotException.class, () -> region.flush(true));
    assertEquals(before, files());
  }

  @Test
  public void aFlushThatFailsLeavesNothing() throws IOException {
    open(ColumnFamilyDescriptorBuilder.of(F));
    put(1_000);
    assertFailedFlushLeavesNothing(10_000);
  }

  @Test
  public void aFlushThatFailsAtItsEndLeavesNothing() throws IOException {
    open(ColumnFamilyDescriptorBuilder.of(F));
    put(10);
    assertFailedFlushLeavesNothing(100);
  }

  @Test
  public void aFlushOfMobFilesThatFailsLeavesNothing() throws IOException {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setMobEnabled(true).setMobThreshold(500)
      .build());
    put(1_000);
    assertFailedFlushLeavesNothing(10_000);
  }

  @Test
  public void aCompactionThatFailsAtItsEndLeavesNothing() throws IOException {
    open(ColumnFamilyDescriptorBuilder.of(F));
    for (int file = 0; file < 2; file++) {
      put(10);
      region.flush(true);
    }
    List<String> before = files();
    FullDisk.setLeft(100);
    assertThrows(IOException.class, () -> region.compact(true));
    assertEquals(before, files());

    FullDisk.setLeft(Long.MAX_VALUE);
    region.compact(true);
    assertEquals(1, region.getStore(F).getStorefilesCount());
  }
}
