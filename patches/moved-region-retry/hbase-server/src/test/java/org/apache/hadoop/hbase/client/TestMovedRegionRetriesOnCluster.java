/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.client;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Clients follow a region that has moved without a pause: with one, each operation fails here, for
 * the pause is longer than the operation's timeout.
 */
@Category({ ClientTests.class, LargeTests.class })
public class TestMovedRegionRetriesOnCluster {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMovedRegionRetriesOnCluster.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName TABLE = TableName.valueOf("moves");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] VALUE = Bytes.toBytes("value");
  private static final int TIMEOUT_MS = 60_000;
  private static final int PAUSE_MS = 2 * TIMEOUT_MS;
  private static final int SESSION_TIMEOUT_MS = 300_000;

  private Configuration conf;

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    // On a busy machine no server is taken for dead.
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, SESSION_TIMEOUT_MS);
    conf.setInt("hbase.zookeeper.property.maxSessionTimeout", SESSION_TIMEOUT_MS);
    conf.setInt("hbase.master.start.timeout.localHBaseCluster", SESSION_TIMEOUT_MS);
    UTIL.startMiniCluster(
      StartMiniClusterOption.builder().numRegionServers(2).numDataNodes(1).build());
    UTIL.getAdmin().balancerSwitch(false, true);
    UTIL.createTable(TABLE, FAMILY).put(put());
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @Before
  public void configure() {
    conf = new Configuration(UTIL.getConfiguration());
    conf.setInt(MovedRegionRetries.MAX.key(), 10);
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, PAUSE_MS);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, TIMEOUT_MS);
  }

  @After
  public void awaitRegion() throws Exception {
    UTIL.waitUntilAllRegionsAssigned(TABLE);
  }

  private static Put put() {
    return new Put(ROW).addColumn(FAMILY, QUALIFIER, VALUE);
  }

  private static Get get() {
    return new Get(ROW);
  }

  private static void move() throws Exception {
    ServerName from = UTIL.getRSForFirstRegionInTable(TABLE).getServerName();
    ServerName to = UTIL.getAdmin().getRegionServers().stream()
      .filter(server -> !server.equals(from)).findFirst().get();
    byte[] region = UTIL.getAdmin().getRegions(TABLE).get(0).getEncodedNameAsBytes();
    UTIL.waitFor(TIMEOUT_MS, 10, () -> {
      // A master opens it where it was if the other server has only just registered, and a server
      // tells the master first that it has the region.
      UTIL.getAdmin().move(region, to);
      HRegionServer now = UTIL.getRSForFirstRegionInTable(TABLE);
      return now != null && to.equals(now.getServerName());
    });
  }

  /** An operation knows the region's place, which then changes. */
  private static void assertFollows(Callable<Result[]> operation) throws Exception {
    operation.call();
    move();
    for (Result result : operation.call()) {
      assertArrayEquals(VALUE, result.getValue(FAMILY, QUALIFIER));
    }
  }

  @Test
  public void blockingClientsFollow() throws Exception {
    List<Get> batch = Arrays.asList(get(), get());
    try (Connection connection = ConnectionFactory.createConnection(conf);
      Table table = connection.getTable(TABLE)) {
      assertFollows(() -> new Result[] { table.get(get()) });
      assertFollows(() -> table.get(batch));
      assertFollows(() -> {
        table.put(put());
        return new Result[0];
      });
    }
  }

  @Test
  public void asynchronousClientsFollow() throws Exception {
    List<Get> batch = Arrays.asList(get(), get());
    try (AsyncConnection connection =
      ConnectionFactory.createAsyncConnection(conf).get(TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
      AsyncTable<?> table = connection.getTable(TABLE);
      assertFollows(() -> new Result[] { table.get(get()).get() });
      assertFollows(() -> table.getAll(batch).get().toArray(new Result[0]));
    }
  }

  @Test
  public void withoutTheKeyClientsPause() throws Exception {
    conf.unset(MovedRegionRetries.MAX.key());
    try (Connection connection = ConnectionFactory.createConnection(conf);
      Table table = connection.getTable(TABLE)) {
      table.get(get());
      move();
      assertThrows(IOException.class, () -> table.get(get()));
    }
  }
}
