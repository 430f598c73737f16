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
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/** What a server reads before it registers, and that nothing of it remains. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestStartupWarmup {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestStartupWarmup.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final MetricsStartupWarmup METRICS = MetricsStartupWarmup.getInstance();
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName WARMUP_TABLE = TableName.valueOf("startup-warmup");
  private static final int SECONDS = 2;
  /** What it may take on a busy machine until a row is read. */
  private static final int MOST_SECONDS = 64;
  private static final int TIMEOUT_MS = 180_000;

  /** The tables whose regions were opened with it. */
  public static class Opened implements RegionCoprocessor, RegionObserver {
    private static final Set<String> TABLES = ConcurrentHashMap.newKeySet();

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
      TABLES.add(context.getEnvironment().getRegionInfo().getTable().getNameAsString());
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.set("hbase.bucketcache.ioengine", "offheap");
    conf.setInt("hbase.bucketcache.size", 32);
    conf.setInt(StartupWarmupSettings.MAX_SECONDS.key(), SECONDS);
    conf.setStrings(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, Opened.class.getName());
    UTIL.startMiniCluster(
      StartMiniClusterOption.builder().numRegionServers(1).numDataNodes(1).build());
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  private static HRegionServer server() {
    return UTIL.getMiniHBaseCluster().getLiveRegionServerThreads().get(0).getRegionServer();
  }

  private static void assertNothingRemains(HRegionServer server) throws Exception {
    assertTrue(server.getOnlineRegions().values().stream()
      .noneMatch(region -> region.getTableDescriptor().getTableName().equals(WARMUP_TABLE)));
    Path temporary = new Path(server.getDataRootDir(), HConstants.HBASE_TEMP_DIRECTORY);
    FileSystem fs = server.getFileSystem();
    // A start doesn't wait long for it.
    UTIL.waitFor(TIMEOUT_MS, 10,
      () -> fs.globStatus(new Path(temporary, WARMUP_TABLE + "*")).length == 0);
    assertFalse(fs.exists(CommonFSUtils.getTableDir(server.getDataRootDir(), WARMUP_TABLE)));
    assertFalse(fs.exists(CommonFSUtils.getTableDir(server.getWALRootDir(), WARMUP_TABLE)));
    Set<String> cached = new HashSet<>();
    server.getBlockCache().get().forEach(block -> cached.add(block.getFilename()));
    // Afterwards: a region that opens meanwhile may have blocks already.
    Set<String> files = server.getOnlineRegions().values().stream()
      .flatMap(region -> region.getStores().stream())
      .flatMap(store -> store.getStorefiles().stream()).map(file -> file.getPath().getName())
      .collect(Collectors.toSet());
    cached.removeAll(files);
    assertEquals(Collections.emptySet(), cached);
  }

  private static void assertServes(String table) throws IOException {
    byte[] row = Bytes.toBytes("row");
    try (Table created = UTIL.createTable(TableName.valueOf(table), FAMILY)) {
      created.put(new Put(row).addColumn(FAMILY, FAMILY, row));
      assertArrayEquals(row, created.get(new Get(row)).getValue(FAMILY, FAMILY));
    }
  }

  /** Starts a server in place of the one whose time was over before it had read a row. */
  private static void giveMoreTime(int seconds) throws Exception {
    MiniHBaseCluster cluster = UTIL.getMiniHBaseCluster();
    HRegionServer old = server();
    cluster.getConfiguration().setInt(StartupWarmupSettings.MAX_SECONDS.key(), seconds);
    try {
      cluster.startRegionServer().waitForServerOnline();
    } finally {
      cluster.getConfiguration().setInt(StartupWarmupSettings.MAX_SECONDS.key(), SECONDS);
    }
    cluster.stopRegionServer(old.getServerName());
    cluster.waitForRegionServerToStop(old.getServerName(), TIMEOUT_MS);
  }

  @Test
  public void serverReadsItsOwnRowsAndThenServes() throws Exception {
    for (int seconds = 2 * SECONDS; METRICS.reads.value() == 0; seconds *= 2) {
      assertTrue("no row was read in " + seconds / 2 + " s", seconds <= MOST_SECONDS);
      giveMoreTime(seconds);
    }
    assertTrue(METRICS.millis.value() > 0);
    assertNothingRemains(server());
    assertServes("served");
    assertTrue(Opened.TABLES.contains("served"));
    assertFalse("no coprocessors", Opened.TABLES.contains(WARMUP_TABLE.getNameAsString()));
  }

  @Test
  public void serverThatAnswersNoClientsRegisters() throws Exception {
    Configuration conf = UTIL.getMiniHBaseCluster().getConfiguration();
    long failures = METRICS.failures.value();
    conf.setBoolean("hbase.regionserver.client.executorService", false);
    // The first get fails, and must be sent.
    conf.setInt(StartupWarmupSettings.MAX_SECONDS.key(), MOST_SECONDS);
    JVMClusterUtil.RegionServerThread thread;
    try {
      thread = UTIL.getMiniHBaseCluster().startRegionServer();
    } finally {
      conf.unset("hbase.regionserver.client.executorService");
      conf.setInt(StartupWarmupSettings.MAX_SECONDS.key(), SECONDS);
    }
    HRegionServer other = thread.getRegionServer();
    other.waitForServerOnline();

    assertEquals(failures + 1, METRICS.failures.value());
    assertNothingRemains(other);
    other.stop("it was tested");
    thread.join();
    assertServes("served-after-all");
  }

  @Test
  public void whatAKilledServerLeftIsRemoved() throws Exception {
    Path left = new Path(new Path(server().getDataRootDir(), HConstants.HBASE_TEMP_DIRECTORY),
      WARMUP_TABLE + "-" + server().getServerName().getHostname() + "-"
        + server().getServerName().getPort());
    assertTrue(server().getFileSystem().mkdirs(new Path(left, "data/default/table/region/f")));

    try (StartupWarmupRegion region = StartupWarmupRegion.open(server())) {
      Get last = new Get(StartupWarmupRegion.row(StartupWarmupRegion.ROWS - 1));
      assertEquals(StartupWarmupRegion.COLUMNS, region.getRegion().get(last).size());
      // A block that waits to be written to the cache can't be evicted.
      BucketCache cache = (BucketCache) server().getBlockCache().get().getBlockCaches()[1];
      UTIL.waitFor(TIMEOUT_MS, 10, () -> cache.heapSize() == 0);
    }

    assertNothingRemains(server());
  }

  @Test
  public void onlyGetsAreTakenBeforeTheServerIsOnline() throws Exception {
    byte[] row = Bytes.toBytes("row");
    HRegionServer server = server();
    try (Table table = UTIL.createTable(TableName.valueOf("before-online"), FAMILY)) {
      table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
      server.startupWarmup = StartupWarmup.create(server);
      server.online.set(false);
      try {
        assertArrayEquals(row, table.get(new Get(row)).getValue(FAMILY, FAMILY));
        assertThrows(ServerNotRunningYetException.class,
          () -> server.getRSRpcServices().checkOpen());
        assertThrows(ServerNotRunningYetException.class, () -> {
          try {
            server.getRSRpcServices().getOnlineRegion(null, null);
          } catch (ServiceException e) {
            throw e.getCause();
          }
        });
      } finally {
        server.online.set(true);
        server.startupWarmup = null;
      }
    }
  }

  @Test
  public void offUnlessSeconds() {
    assertEquals(0, (int) StartupWarmupSettings.MAX_SECONDS.read(new Configuration(false)));
    assertNotNull(StartupWarmup.create(server()));
    HMaster master = UTIL.getMiniHBaseCluster().getMaster();
    assertNull(StartupWarmup.create(master));
  }
}
