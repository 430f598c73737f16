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
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
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
import org.junit.function.ThrowingRunnable;

/** On a disk that has room for a part of a file each try leaves as many files as there were. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestFilesThatCouldNotBeEnded {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFilesThatCouldNotBeEnded.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 100;
  private static final int VALUE_BYTES = 1_000;
  private static final int STEP_BYTES = 509;

  private final Configuration conf = HBaseConfiguration.create(UTIL.getConfiguration());
  private HRegion region;

  private void open(ColumnFamilyDescriptor family) throws IOException {
    FullDisk.set(conf);
    CommonFSUtils.setRootDir(conf, UTIL.getDataTestDir());
    conf.setInt("hbase.hstore.flush.retries.number", 2);
    conf.setInt(HConstants.HBASE_SERVER_PAUSE, 1);
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(), conf,
      TableDescriptorBuilder.newBuilder(table).setColumnFamily(family).build());
  }

  @After
  public void close() throws IOException {
    FullDisk.setLeft(Long.MAX_VALUE);
    if (region != null) {
      HBaseTestingUtility.closeRegionAndWAL(region);
      region = null;
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

  /** Tries with room for a part of what is written, up to all but its last byte. */
  private void assertNothingIsLeft(ThrowingRunnable write) throws Throwable {
    List<String> before = files();
    int steps = 0;
    for (long room = 0; !isWritten(write, room); room += STEP_BYTES) {
      steps++;
      assertEquals("with room for " + room, before, files());
    }
    assertTrue(steps + " steps", steps > 10);
  }

  private static boolean isWritten(ThrowingRunnable write, long room) throws Throwable {
    FullDisk.setLeft(room);
    try {
      write.run();
      return true;
    } catch (IOException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      assertEquals(cause.toString(), "No space left on device", cause.getMessage());
      return false;
    }
  }

  /** A region whose flush failed isn't flushed any more, since its server aborts. */
  private void assertNothingIsLeftOfFlushes(ColumnFamilyDescriptor family, int valueBytes)
    throws Throwable {
    int steps = 0;
    boolean written = false;
    for (long room = 0; !written; room += STEP_BYTES) {
      open(family);
      put(valueBytes);
      List<String> before = files();
      written = isWritten(() -> region.flush(true), room);
      if (!written) {
        steps++;
        assertEquals("with room for " + room, before, files());
      }
      close();
    }
    assertTrue(steps + " steps", steps > 10);
  }

  @Test
  public void aFlushThatFailsLeavesNothing() throws Throwable {
    assertNothingIsLeftOfFlushes(ColumnFamilyDescriptorBuilder.of(F), 10);
  }

  /** But for a MOB file that is whole: a chore removes it. */
  @Test
  public void aFlushOfMobFilesThatFailsLeavesNothing() throws Throwable {
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setMobEnabled(true).setMobThreshold(500).build();
    for (long room = 0; room < ROWS * VALUE_BYTES; room += ROWS * VALUE_BYTES / 8) {
      open(family);
      put(VALUE_BYTES);
      List<String> before = files();
      assertFalse(isWritten(() -> region.flush(true), room));
      assertEquals("with room for " + room, before, files());
      close();
    }
  }

  @Test
  public void aCompactionThatFailsLeavesNothing() throws Throwable {
    open(ColumnFamilyDescriptorBuilder.of(F));
    for (int file = 0; file < 2; file++) {
      put(10);
      region.flush(true);
    }
    assertNothingIsLeft(() -> region.compact(true));
    assertEquals(1, region.getStore(F).getStorefilesCount());
  }

  @Test
  public void aCompactionToStripesThatFailsLeavesNothing() throws Throwable {
    conf.set(StoreEngine.STORE_ENGINE_CLASS_KEY, StripeStoreEngine.class.getName());
    open(ColumnFamilyDescriptorBuilder.of(F));
    for (int file = 0; file < 5; file++) {
      put(10);
      region.flush(true);
    }
    assertNothingIsLeft(() -> region.compact(true));
  }
}
