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
package org.apache.hadoop.hbase.master.procedure;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.hadoop.hbase.procedure2.ProcedureExecutor;
import org.apache.hadoop.hbase.procedure2.store.ProcedureStore;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresResponse;

/**
 * How often a master tries to reach a server before it takes it for dead. Without the change: five
 * times.
 */
@Category({ MasterTests.class, SmallTests.class })
public class TestTriesBeforeExpiry {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestTriesBeforeExpiry.class);

  private static final ServerName SERVER = ServerName.valueOf("server.example.org", 16020, 1);

  private final AtomicInteger tries = new AtomicInteger();

  private final class Dispatcher extends RSProcedureDispatcher {

    Dispatcher(MasterServices master) {
      super(master);
    }

    void call() {
      new ExecuteProceduresRemoteCall(SERVER, Collections.emptySet()) {
        @Override
        protected ExecuteProceduresResponse sendRequest(ServerName server,
          ExecuteProceduresRequest request) throws IOException {
          tries.incrementAndGet();
          throw new ConnectException("unreachable");
        }
      }.run();
    }
  }

  @Test
  public void aServerIsTriedTenTimesBeforeItIsExpired() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setLong("hbase.regionserver.rpc.retry.interval", 1);
    CountDownLatch expired = new CountDownLatch(1);
    ServerManager servers =
      new ServerManager(Stubs.of(MasterServices.class, "getConfiguration", conf), null) {
        @Override
        public boolean isServerOnline(ServerName server) {
          return true;
        }

        @Override
        public long expireServer(ServerName server) {
          expired.countDown();
          return 1;
        }
      };
    ProcedureExecutor<MasterProcedureEnv> procedures =
      new ProcedureExecutor<>(conf, null, Stubs.of(ProcedureStore.class));
    // of a master that is stopped, the dispatcher has its threads and doesn't look for servers
    Dispatcher dispatcher = new Dispatcher(Stubs.of(MasterServices.class, "getConfiguration", conf,
      "getServerManager", servers, "getMasterProcedureExecutor", procedures, "isStopped", true));
    dispatcher.start();
    try {
      dispatcher.call();
      assertTrue("Not expired after " + tries + " tries", expired.await(60, TimeUnit.SECONDS));
      assertEquals(10, tries.get());
    } finally {
      dispatcher.stop();
      dispatcher.join();
    }
  }
}
