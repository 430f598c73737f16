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
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What servers tell about a region that has moved to another server and back. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestMovedRegions {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMovedRegions.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] FIRST = Bytes.toBytes("a");
  private static final byte[] LAST = Bytes.toBytes("z");
  /** Less than the two minutes for which servers tell about a move. */
  private static final int LESS_MILLIS = 30_000;
  private static final int TIMEOUT_MS = 180_000;

  private RegionInfo region;
  private HRegionServer home;
  private HRegionServer other;

  @BeforeClass
  public static void startCluster() throws Exception {
    // On the local file system: no test here is about HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster(StartMiniClusterOption.builder().numRegionServers(2).build());
    UTIL.getAdmin().balancerSwitch(false, true);
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @Before
  public void createTable() throws Exception {
    if (UTIL.getAdmin().tableExists(TABLE)) {
      UTIL.deleteTable(TABLE);
    }
    try (Table table = UTIL.createTable(TABLE, FAMILY)) {
      table.put(new Put(FIRST).addColumn(FAMILY, FAMILY, FIRST));
      table.put(new Put(LAST).addColumn(FAMILY, FAMILY, LAST));
    }
    region = UTIL.getAdmin().getRegions(TABLE).get(0);
    home = UTIL.getRSForFirstRegionInTable(TABLE);
    other = UTIL.getOtherRegionServer(home);
  }

  private void move(HRegionServer to) throws Exception {
    UTIL.waitFor(TIMEOUT_MS, 10, () -> {
      // A master opens it where it was if the other server has only just registered, and a server
      // tells the master first that it has the region.
      UTIL.getAdmin().move(region.getEncodedNameAsBytes(), to.getServerName());
      return to.getOnlineRegion(region.getRegionName()) != null;
    });
  }

  private RegionMovedException moved(HRegionServer server) {
    return assertThrows(RegionMovedException.class,
      () -> server.getRegionByEncodedName(region.getEncodedName()));
  }

  @Test
  public void aServerTellsWhereARegionIs() throws Exception {
    move(other);
    assertEquals(other.getServerName(), moved(home).getServerName());
    move(home);
    assertEquals(home.getServerName(), moved(other).getServerName());
  }

  @Test
  public void aRegionThatCameBackAndWasClosedHasNotMoved() throws Exception {
    move(other);
    move(home);
    UTIL.getAdmin().disableTable(TABLE);
    NotServingRegionException e = assertThrows(NotServingRegionException.class,
      () -> home.getRegionByEncodedName(region.getEncodedName()));
    assertEquals(NotServingRegionException.class, e.getClass());
  }

  /** A client with its own cache of locations. */
  private interface Client {
    byte[] get(Get get) throws Exception;

    ServerName location() throws Exception;
  }

  @Test
  public void aTableFindsTheDaughtersOfARegionThatCameBack() throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(UTIL.getConfiguration());
      RegionLocator locator = connection.getRegionLocator(TABLE); Table table =
        connection.getTableBuilder(TABLE, null).setOperationTimeout(LESS_MILLIS).build()) {
      assertFindsDaughters(new Client() {
        @Override
        public byte[] get(Get get) throws IOException {
          return table.get(get).getValue(FAMILY, FAMILY);
        }

        @Override
        public ServerName location() throws IOException {
          return locator.getRegionLocation(LAST).getServerName();
        }
      });
    }
  }

  @Test
  public void anAsyncTableFindsTheDaughtersOfARegionThatCameBack() throws Exception {
    try (AsyncConnection connection =
      ConnectionFactory.createAsyncConnection(UTIL.getConfiguration()).get()) {
      AsyncTable<?> table = connection.getTableBuilder(TABLE)
        .setOperationTimeout(LESS_MILLIS, TimeUnit.MILLISECONDS).build();
      assertFindsDaughters(new Client() {
        @Override
        public byte[] get(Get get) throws Exception {
          return table.get(get).get().getValue(FAMILY, FAMILY);
        }

        @Override
        public ServerName location() throws Exception {
          return connection.getRegionLocator(TABLE).getRegionLocation(LAST).get().getServerName();
        }
      });
    }
  }

  private void assertFindsDaughters(Client client) throws Exception {
    assertArrayEquals(LAST, client.get(new Get(LAST)));
    move(other);
    assertArrayEquals(LAST, client.get(new Get(LAST)));
    move(home);
    assertArrayEquals(LAST, client.get(new Get(LAST)));
    assertEquals(home.getServerName(), client.location());
    UTIL.getAdmin().splitRegionAsync(region.getRegionName(), Bytes.toBytes("m")).get();
    assertArrayEquals(LAST, client.get(new Get(LAST)));
    assertArrayEquals(FIRST, client.get(new Get(FIRST)));
  }
}
