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
package org.apache.hadoop.hbase.client;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.IndexOnlyLruBlockCache;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * MapReduce over snapshots reads regions in its own process with the servers' configuration, and
 * takes no memory or disk for tiers of a block cache.
 */
@Category({ ClientTests.class, SmallTests.class })
public class TestClientSideRegionScannerWithTiers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestClientSideRegionScannerWithTiers.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @After
  public void tearDown() {
    UTIL.cleanupTestDir();
  }

  @Test
  public void aClientHasItsOwnSmallCacheAndNoTiers() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    TableDescriptor table = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build();
    RegionInfo region = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    Path root = UTIL.getDataTestDir();
    byte[] row = Bytes.toBytes("row");
    HRegion written = HBaseTestingUtility.createRegionAndWAL(region, root, conf, table);
    try {
      written.put(new Put(row).addColumn(FAMILY, row, row));
      written.flush(true);
    } finally {
      HBaseTestingUtility.closeRegionAndWAL(written);
    }

    File l2 = new File(UTIL.getDataTestDir("l2").toString());
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "32m");
    conf.set("hbase.bucketcache.l2.ioengine", "file:" + l2);
    conf.set("hbase.bucketcache.l2.size", "32m");
    try (ClientSideRegionScanner scanner = new ClientSideRegionScanner(conf,
      UTIL.getTestFileSystem(), root, table, region, new Scan(), null)) {
      assertArrayEquals(row, scanner.next().getValue(FAMILY, row));
      assertNull(scanner.next());
      assertEquals(IndexOnlyLruBlockCache.class, scanner.getRegion().getBlockCache().getClass());
    }
    assertFalse(l2.exists());
  }
}
