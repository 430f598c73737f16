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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hbase.regionserver.wal.HeldLogWriter;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A write-ahead log that stands for longer than its time-out. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestAsyncPutTimeout {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAsyncPutTimeout.class);

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final int PATIENCE_MS = 120_000;

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();

  @BeforeClass
  public static void start() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    HeldLogWriter.use(conf);
    conf.setLong(AbstractFSWAL.WAL_SYNC_TIMEOUT_MS, 4000);
    conf.setInt("hbase.wal.async.wait.on.shutdown.seconds", 1);
    conf.setBoolean(AsyncPutSettings.ENABLED.key(), true);
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster(
      StartMiniClusterOption.builder().numRegionServers(2).build());
  }

  @AfterClass
  public static void stop() throws Exception {
    HeldLogWriter.release();
    UTIL.shutdownMiniCluster();
  }

  @Test
  public void endsTheServerAndAcknowledgesNothing() throws Exception {
    TableName name = TableName.valueOf("t");
    UTIL.createTable(name, F).close();
    HRegionServer server = UTIL.getRSForFirstRegionInTable(name);
    HRegion region = server.getRegions(name).get(0);
    try (AsyncConnection connection =
      ConnectionFactory.createAsyncConnection(UTIL.getConfiguration()).get()) {
      AsyncTable<?> table = connection.getTable(name);
      assertTrue(table.get(new Get(ROW)).get(PATIENCE_MS, TimeUnit.MILLISECONDS).isEmpty());
      HeldLogWriter.hold();
      CompletableFuture<Void> put = table.put(new Put(ROW).addColumn(F, F, F));
      UTIL.waitFor(PATIENCE_MS, () -> region.getUnsyncedWrites() != null);
      CompletableFuture<?> waits = table.increment(new Increment(ROW).addColumn(F, Q, 1));
      UTIL.waitFor(PATIENCE_MS, server::isAborted);
      assertFalse(put.isDone());
      assertTrue(region.getMVCC().getReadPoint() < region.getMVCC().getWritePoint());
      // Nobody waits for what was never synced.
      UTIL.waitFor(PATIENCE_MS, () -> UTIL.getMiniHBaseCluster().getLiveRegionServerThreads()
        .stream().noneMatch(thread -> thread.getRegionServer() == server));
      assertTrue(region.getMVCC().getReadPoint() < region.getMVCC().getWritePoint());
      HeldLogWriter.release();
      waits.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
      // The client goes on to the server that has the region next.
      put.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
      assertArrayEquals(F,
        table.get(new Get(ROW).addColumn(F, F)).get(PATIENCE_MS, TimeUnit.MILLISECONDS).value());
      // The client repeated it on that server, with its nonce.
      assertEquals(1, Bytes.toLong(
        table.get(new Get(ROW).addColumn(F, Q)).get(PATIENCE_MS, TimeUnit.MILLISECONDS).value()));
    }
  }
}
