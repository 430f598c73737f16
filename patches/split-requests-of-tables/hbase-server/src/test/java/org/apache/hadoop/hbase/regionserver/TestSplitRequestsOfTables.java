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

import org.apache.hadoop.hbase.CompatibilityFactory;
import org.apache.hadoop.hbase.CompatibilitySingletonFactory;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.test.MetricsAssertHelper;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What a table's metrics say of requests to split its regions. Without the change it is 0.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestSplitRequestsOfTables {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSplitRequestsOfTables.class);

  private static final MetricsAssertHelper METRICS =
    CompatibilityFactory.getInstance(MetricsAssertHelper.class);

  private final HBaseTestingUtility util = new HBaseTestingUtility();

  @Before
  public void setUp() throws Exception {
    METRICS.init();
    util.startMiniCluster(StartMiniClusterOption.builder().build());
  }

  @After
  public void tearDown() throws Exception {
    util.shutdownMiniCluster();
  }

  @Test
  public void theyAreCountedForTheirTable() throws Exception {
    for (String name : new String[] { "t", "other" }) {
      TableName table = TableName.valueOf(name);
      util.createTable(table, Bytes.toBytes("f")).close();
      HRegionServer server = util.getRSForFirstRegionInTable(table);
      HRegion region = server.getRegions(table).get(0);
      new SplitRequest(region, Bytes.toBytes("m"), server, null).run();
      METRICS.assertCounter("Namespace_default_table_" + name + "_metric_splitRequestCount", 1,
        CompatibilitySingletonFactory.getInstance(MetricsRegionServerSourceFactory.class)
          .getTableAggregate());
    }
  }
}
