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
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Metrics of a table with two stores. Without the change memStoreSize has the data and the heap
 * that it takes, and avgStoreFileAge is half the age of the files.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestMetricsOfTables {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMetricsOfTables.class);

  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[][] FAMILIES = { Bytes.toBytes("f"), Bytes.toBytes("g") };

  private final HBaseTestingUtility util = new HBaseTestingUtility();

  @Before
  public void setUp() throws Exception {
    util.startMiniCluster(StartMiniClusterOption.builder().build());
  }

  @After
  public void tearDown() throws Exception {
    util.shutdownMiniCluster();
  }

  private static void put(Table table, String row) throws Exception {
    Put put = new Put(Bytes.toBytes(row));
    for (byte[] family : FAMILIES) {
      put.addColumn(family, Bytes.toBytes("q"), new byte[1000]);
    }
    table.put(put);
  }

  @Test
  public void metricsAreOfAllStoresOnce() throws Exception {
    try (Table table = util.createTable(TABLE, FAMILIES)) {
      put(table, "flushed");
      util.flush(TABLE);
      put(table, "kept");
    }
    HRegionServer server = util.getRSForFirstRegionInTable(TABLE);
    MetricsTableWrapperAggregateImpl metrics = new MetricsTableWrapperAggregateImpl(server);
    try {
      String name = TABLE.getNameAsString();
      Runnable compute = metrics.new TableMetricsWrapperRunnable();
      // files of some age
      util.waitFor(60_000, 10, () -> {
        compute.run();
        return metrics.getMinStoreFileAge(name) >= 10;
      });
      // all ages at one time
      long now = EnvironmentEdgeManager.currentTime();
      EnvironmentEdgeManager.injectEdge(() -> now);
      compute.run();
      assertEquals(2, metrics.getNumStoreFiles(name));
      assertTrue(metrics.getAvgStoreFileAge(name) + " is less than each of the ages",
        metrics.getAvgStoreFileAge(name) >= metrics.getMinStoreFileAge(name));
      assertTrue(metrics.getAvgStoreFileAge(name) <= metrics.getMaxStoreFileAge(name));

      HRegion region = server.getRegions(TABLE).get(0);
      long size =
        region.getStores().stream().mapToLong(s -> s.getMemStoreSize().getDataSize()).sum();
      assertTrue(size >= 2000);
      assertEquals(size, metrics.getMemStoreSize(name));
    } finally {
      EnvironmentEdgeManager.reset();
      metrics.close();
    }
  }
}
