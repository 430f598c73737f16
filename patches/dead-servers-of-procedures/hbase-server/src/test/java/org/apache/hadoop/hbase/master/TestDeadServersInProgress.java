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
package org.apache.hadoop.hbase.master;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.procedure.MasterProcedureEnv;
import org.apache.hadoop.hbase.master.procedure.ServerCrashProcedure;
import org.apache.hadoop.hbase.procedure2.Procedure;
import org.apache.hadoop.hbase.procedure2.ProcedureExecutor;
import org.apache.hadoop.hbase.procedure2.ProcedureMetrics;
import org.apache.hadoop.hbase.procedure2.SimpleProcedureScheduler;
import org.apache.hadoop.hbase.procedure2.store.NoopProcedureStore;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;

/**
 * Whether dead servers are in progress, which the balancer waits for. Without the change one is for
 * good that was expired without a procedure; if only procedures count, one isn't that is expired
 * at the moment.
 */
@Category({ MasterTests.class, SmallTests.class })
public class TestDeadServersInProgress {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestDeadServersInProgress.class);

  private static final ServerName SERVER = ServerName.valueOf("server.example.org", 16020, 1);

  private final Configuration conf = HBaseConfiguration.create();
  private final NoopProcedureStore store = new NoopProcedureStore();
  private final MasterServices bare = Stubs.of(MasterServices.class, "getConfiguration", conf);
  private final ProcedureExecutor<MasterProcedureEnv> procedures = new ProcedureExecutor<>(conf,
    new MasterProcedureEnv(bare, null), store, new SimpleProcedureScheduler());
  private final AssignmentManager assignments = new AssignmentManager(bare, null);
  private ServerManager servers;

  private ServerManager servers(AssignmentManager regions) {
    return new ServerManager(
      Stubs.of(MasterServices.class, "getConfiguration", conf, "getMasterProcedureExecutor",
        procedures, "getAssignmentManager", regions),
      Stubs.of(RegionServerList.class));
  }

  @Before
  public void setUp() throws Exception {
    servers = servers(assignments);
    store.start(1);
    // procedures are taken, and as nobody works, not executed
    procedures.init(1, false);
  }

  @After
  public void tearDown() {
    procedures.stop();
    store.stop(false);
  }

  @SuppressWarnings("unchecked")
  private void submitRecovery() {
    procedures.submitProcedure(new ServerCrashProcedure() {
      @Override
      public ServerName getServerName() {
        return SERVER;
      }

      @Override
      protected ProcedureMetrics getProcedureMetrics(MasterProcedureEnv environment) {
        return null;
      }
    });
  }

  @Test
  public void oneThatWasExpiredWithoutAProcedureIsNot() {
    servers.recordNewServerWithLock(SERVER, ServerMetricsBuilder.of(SERVER));
    // the master has forgotten its regions, so none would be recovered
    assignments.getRegionStates().removeServer(SERVER);
    assertEquals(Procedure.NO_PROC_ID, servers.expireServer(SERVER));
    assertTrue(servers.isServerDead(SERVER));
    assertFalse(servers.areDeadServersInProgress());
    // what an operator does, who clears dead servers
    assertTrue(servers.getDeadServers().removeDeadServer(SERVER));
  }

  @Test
  public void oneThatHasAProcedureIs() {
    servers.getDeadServers().putIfAbsent(SERVER);
    submitRecovery();
    assertTrue(servers.areDeadServersInProgress());
    // also if somebody else took it out of the list
    servers.getDeadServers().finish(SERVER);
    assertTrue(servers.areDeadServersInProgress());
  }

  @Test
  public void oneThatIsBeingExpiredIs() throws Exception {
    CountDownLatch submit = new CountDownLatch(1);
    servers = servers(new AssignmentManager(bare, null) {
      @Override
      public long submitServerCrash(ServerName server, boolean shouldSplitWal, boolean force) {
        // as where a report of the server is being handled
        Uninterruptibles.awaitUninterruptibly(submit);
        submitRecovery();
        return 1;
      }
    });
    servers.recordNewServerWithLock(SERVER, ServerMetricsBuilder.of(SERVER));
    Thread expiry = new Thread(() -> servers.expireServer(SERVER));
    FutureTask<Boolean> inProgress = new FutureTask<>(servers::areDeadServersInProgress);
    Thread asks = new Thread(inProgress);
    expiry.start();
    try {
      Waiter.waitFor(conf, 60_000, 10, () -> servers.getDeadServers().isDeadServer(SERVER));
      asks.start();
      Waiter.waitFor(conf, 60_000, 10,
        () -> inProgress.isDone() || asks.getState() == Thread.State.BLOCKED);
    } finally {
      submit.countDown();
    }
    assertTrue(inProgress.get());
    expiry.join();
  }

  @Test
  public void noneIsAtFirst() {
    assertFalse(servers.areDeadServersInProgress());
  }
}
