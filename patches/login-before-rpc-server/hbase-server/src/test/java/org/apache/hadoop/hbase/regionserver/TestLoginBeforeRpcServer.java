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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.security.UserProvider;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.DNS;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** When a server logs in. Without the change each makes its RPC services first. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestLoginBeforeRpcServer {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestLoginBeforeRpcServer.class);

  private static final String RPC = "RPC";
  /** What the constructor of each server did, a login with its host. */
  private static final ConcurrentMap<HRegionServer, List<String>> STEPS =
    new ConcurrentHashMap<>();

  private final HBaseTestingUtility util = new HBaseTestingUtility();

  @Before
  @After
  public void forget() {
    STEPS.clear();
  }

  private static void record(HRegionServer server, String step) {
    STEPS.computeIfAbsent(server, s -> new CopyOnWriteArrayList<>()).add(step);
  }

  /** A region server that tells what it does. */
  public static class RegionServer extends MiniHBaseCluster.MiniHBaseClusterRegionServer {
    public RegionServer(Configuration conf) throws IOException, InterruptedException {
      super(conf);
    }

    @Override
    protected void login(UserProvider user, String host) throws IOException {
      record(this, host);
      super.login(user, host);
    }

    @Override
    protected RSRpcServices createRpcServices() throws IOException {
      record(this, RPC);
      return super.createRpcServices();
    }
  }

  /** A master that tells what it does. */
  public static class Master extends HMaster {
    public Master(Configuration conf) throws IOException {
      super(conf);
    }

    @Override
    protected void login(UserProvider user, String host) throws IOException {
      record(this, host);
      super.login(user, host);
    }

    @Override
    protected RSRpcServices createRpcServices() throws IOException {
      record(this, RPC);
      return super.createRpcServices();
    }
  }

  private void assertEachLogsInFirst() throws Exception {
    util.startMiniZKCluster();
    try {
      util.startMiniHBaseCluster(StartMiniClusterOption.builder().masterClass(Master.class)
        .rsClass(RegionServer.class).build());
      assertEquals(2, STEPS.size());
      STEPS.forEach((server, steps) -> assertEquals(
        Arrays.asList(server.getServerName().getHostname(), RPC), steps));
    } finally {
      util.shutdownMiniCluster();
    }
  }

  @Test
  public void aServerLogsInOnceByItsName() throws Exception {
    assertEachLogsInFirst();
  }

  @Test
  public void aServerLogsInOnceByItsAddress() throws Exception {
    util.getConfiguration().setBoolean(HConstants.HBASE_SERVER_USEIP_ENABLED_KEY, true);
    assertEachLogsInFirst();
  }

  @Test
  public void aNameThatIsGivenIsThatOfTheLogin() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set(DNS.UNSAFE_RS_HOSTNAME_KEY, "a");
    conf.set(DNS.MASTER_HOSTNAME_KEY, "b");
    assertEquals(Arrays.asList("a", "b"),
      Arrays.asList(ServerHostName.of(conf, false), ServerHostName.of(conf, true)));
  }

  @Test
  public void anAddressThatTheResolverGivesIsLoggedInByItsName() throws Exception {
    String local = "127.0.0.1";
    assertEquals(new InetSocketAddress(local, 0).getHostName(), ServerHostName.of(local, false));
    assertEquals(local, ServerHostName.of("localhost", true));
  }
}
