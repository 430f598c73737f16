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

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.FileReads;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

/**
 * A cluster whose HDFS, ZooKeeper and master the tests of a class share, since starting these takes
 * longer than most tests. Each test has region servers of its own, with settings of its own. What
 * they read from HDFS is counted.
 */
public final class ServersOfTests extends ExternalResource {
  private static final int TIMEOUT_MS = 180_000;
  private static final int SESSION_TIMEOUT_MS = 300_000;

  private final String[] ofAllTests;
  /** Outlives the servers, which still write to it. */
  private final TemporaryFolder folder = new TemporaryFolder();
  /** The values of what a test has set, before it did; null if there was none. */
  private final Map<String, String> before = new HashMap<>();
  private HBaseTestingUtility util;

  /** @param keysAndValues settings of all tests */
  public ServersOfTests(String... keysAndValues) {
    ofAllTests = keysAndValues;
  }

  public HBaseTestingUtility util() {
    return util;
  }

  public MiniHBaseCluster cluster() {
    return util.getMiniHBaseCluster();
  }

  /** Returns those that run. */
  public List<HRegionServer> servers() {
    return cluster().getLiveRegionServerThreads().stream().map(RegionServerThread::getRegionServer)
      .collect(Collectors.toList());
  }

  /** Returns a folder that is empty, for files of caches. */
  public File newFolder() throws IOException {
    return folder.newFolder();
  }

  /** Starts servers for a test. Those of the test before, and its tables, are gone. */
  public void start(int servers, String... keysAndValues) throws Exception {
    if (util == null) {
      startCluster(servers, keysAndValues);
      return;
    }
    try {
      replaceServers(servers, keysAndValues);
    } catch (Exception | AssertionError e) {
      // What this or an earlier test left isn't the next one's.
      after();
      before();
      throw e;
    }
  }

  private void startCluster(int servers, String... keysAndValues) throws Exception {
    HBaseTestingUtility started = new HBaseTestingUtility();
    Configuration conf = started.getConfiguration();
    conf.setClass("fs.hdfs.impl", FileReads.CountedHdfs.class, FileSystem.class);
    // On a busy machine no server is taken for dead.
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, SESSION_TIMEOUT_MS);
    conf.setInt("hbase.zookeeper.property.maxSessionTimeout", SESSION_TIMEOUT_MS);
    set(conf, ofAllTests);
    before.clear();
    set(conf, keysAndValues);
    try {
      started.startMiniCluster(
        StartMiniClusterOption.builder().numRegionServers(servers).numDataNodes(1).build());
    } catch (Exception e) {
      started.shutdownMiniCluster();
      throw e;
    }
    util = started;
    util.getAdmin().balancerSwitch(false, true);
  }

  private void replaceServers(int servers, String... keysAndValues) throws Exception {
    for (TableName table : util.getAdmin().listTableNames()) {
      util.deleteTable(table);
    }
    List<HRegionServer> old = servers();
    for (Map.Entry<String, String> setting : new ArrayList<>(before.entrySet())) {
      set(setting.getKey(), setting.getValue());
    }
    before.clear();
    set(keysAndValues);
    for (int i = 0; i < servers; i++) {
      cluster().startRegionServerAndWait(TIMEOUT_MS);
    }
    for (HRegionServer server : old) {
      stop(server);
    }
    util.waitFor(TIMEOUT_MS, 10, () -> {
      // A server that stops takes regions of the system along until others open them.
      List<ServerName> online = cluster().getMaster().getServerManager().getOnlineServersList();
      return online.size() == servers
        && cluster().getMaster().getMasterProcedureExecutor().getActiveProcIds().isEmpty();
    });
  }

  /** Sets keys for servers that this test starts from now on; a null value unsets. */
  public void set(String... keysAndValues) {
    set(cluster().getConfiguration(), keysAndValues);
  }

  private void set(Configuration conf, String... keysAndValues) {
    for (int i = 0; i < keysAndValues.length; i += 2) {
      String key = keysAndValues[i];
      if (!before.containsKey(key)) {
        before.put(key, conf.getRaw(key));
      }
      if (keysAndValues[i + 1] == null) {
        conf.unset(key);
      } else {
        conf.set(key, keysAndValues[i + 1]);
      }
    }
  }

  public HRegionServer startOne() throws Exception {
    return cluster().startRegionServerAndWait(TIMEOUT_MS).getRegionServer();
  }

  public void stop(HRegionServer server) throws Exception {
    cluster().stopRegionServer(server.getServerName());
    cluster().waitForRegionServerToStop(server.getServerName(), TIMEOUT_MS);
  }

  @Override
  protected void before() throws IOException {
    folder.create();
  }

  @Override
  protected void after() {
    FileReads.CountedHdfs.READS.clear();
    try {
      if (util != null) {
        util.shutdownMiniCluster();
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      util = null;
      folder.delete();
    }
  }
}
