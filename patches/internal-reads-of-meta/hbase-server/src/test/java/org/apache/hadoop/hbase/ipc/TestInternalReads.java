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
package org.apache.hadoop.hbase.ipc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.InternalConnection;
import org.apache.hadoop.hbase.client.RegionServerCallable;
import org.apache.hadoop.hbase.client.ServerConnectionUtils.ShortCircuitingClusterConnection;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/**
 * Reads of hbase:meta by servers and by clients: their priority, and the queue that they wait in.
 * Without the change both have one priority and one queue.
 */
@Category({ RPCTests.class, SmallTests.class })
public class TestInternalReads {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestInternalReads.class);

  /** The connection of a server. */
  private interface ConnectionOfServer extends ClusterConnection, InternalConnection {
  }

  private final Configuration conf = HBaseConfiguration.create();

  private MetaRWQueueRpcExecutor executor(int handlers) {
    return new MetaRWQueueRpcExecutor("priority", handlers, 100, Stubs.of(PriorityFunction.class),
      conf, null);
  }

  private static CallRunner call(Message param, int priority) {
    RequestHeader header = RequestHeader.newBuilder().setPriority(priority).build();
    return new CallRunner(null,
      Stubs.of(RpcCall.class, "getHeader", header, "getParam", param, "getReceiveTime",
        EnvironmentEdgeManager.currentTime(), "getRequestUser", Optional.empty()));
  }

  private static int priority(Connection connection, TableName table) throws IOException {
    HBaseRpcController controller = new HBaseRpcControllerImpl();
    new RegionServerCallable<Void, Void>(connection, table, HConstants.EMPTY_BYTE_ARRAY,
      controller, Collections.emptyMap()) {
      @Override
      protected void setStubByServiceName(ServerName name) {
      }

      @Override
      protected Void rpcCall() {
        return null;
      }
    }.call(1000);
    return controller.getPriority();
  }

  @Test
  public void serversReadMetaWithAPriorityOfTheirOwn() throws IOException {
    assertTrue(InternalConnection.class.isAssignableFrom(ShortCircuitingClusterConnection.class));
    Connection server = Stubs.of(ConnectionOfServer.class);
    assertEquals(InternalConnection.READ_QOS, priority(server, TableName.META_TABLE_NAME));
    assertEquals(HConstants.NORMAL_QOS, priority(server, TableName.valueOf("t")));
    Connection client = Stubs.of(ClusterConnection.class);
    assertEquals(HConstants.SYSTEMTABLE_QOS, priority(client, TableName.META_TABLE_NAME));
  }

  @Test
  public void readsOfServersDoNotWaitBehindThoseOfClients() throws Exception {
    MetaRWQueueRpcExecutor executor = executor(20);
    for (Message read : new Message[] { GetRequest.getDefaultInstance(),
      ScanRequest.getDefaultInstance() }) {
      assertTrue(executor.dispatch(call(read, HConstants.SYSTEMTABLE_QOS)));
    }
    assertEquals(2, executor.getReadQueueLength());
    assertEquals(0, executor.getScanQueueLength());
    for (Message read : new Message[] { GetRequest.getDefaultInstance(),
      ScanRequest.getDefaultInstance() }) {
      assertTrue(executor.dispatch(call(read, InternalConnection.READ_QOS)));
    }
    assertEquals(2, executor.getReadQueueLength());
    assertEquals(2, executor.getScanQueueLength());
  }

  @Test
  public void readsOfServersAreServedWhileClientsFillTheirQueue() throws Exception {
    MetaRWQueueRpcExecutor executor = executor(20);
    int accepted = 0;
    while (
      executor.dispatch(call(ScanRequest.getDefaultInstance(), HConstants.SYSTEMTABLE_QOS))
    ) {
      accepted++;
      assertTrue("no limit", accepted < 10_000);
    }
    assertTrue(executor.dispatch(call(ScanRequest.getDefaultInstance(),
      InternalConnection.READ_QOS)));
  }

  @Test
  public void writesWaitAmongWrites() throws Exception {
    MetaRWQueueRpcExecutor executor = executor(20);
    executor.dispatch(call(MutateRequest.getDefaultInstance(), InternalConnection.READ_QOS));
    assertEquals(1, executor.getWriteQueueLength());
  }

  @Test
  public void withAConfiguredShareScansOfAllHaveTheirHandlers() throws Exception {
    conf.setFloat(MetaRWQueueRpcExecutor.META_CALL_QUEUE_SCAN_SHARE_CONF_KEY, 0.5f);
    MetaRWQueueRpcExecutor executor = executor(20);
    executor.dispatch(call(ScanRequest.getDefaultInstance(), HConstants.SYSTEMTABLE_QOS));
    executor.dispatch(call(GetRequest.getDefaultInstance(), HConstants.SYSTEMTABLE_QOS));
    executor.dispatch(call(GetRequest.getDefaultInstance(), InternalConnection.READ_QOS));
    assertEquals(2, executor.getScanQueueLength());
    assertEquals(1, executor.getReadQueueLength());
  }

  @Test
  public void withFewHandlersOrWithoutAShareAllReadsWaitTogether() throws Exception {
    MetaRWQueueRpcExecutor few = executor(2);
    conf.setFloat(MetaRWQueueRpcExecutor.META_CALL_QUEUE_SCAN_SHARE_CONF_KEY, 0);
    MetaRWQueueRpcExecutor none = executor(20);
    for (MetaRWQueueRpcExecutor executor : new MetaRWQueueRpcExecutor[] { few, none }) {
      executor.dispatch(call(ScanRequest.getDefaultInstance(), InternalConnection.READ_QOS));
      executor.dispatch(call(ScanRequest.getDefaultInstance(), HConstants.SYSTEMTABLE_QOS));
      assertEquals(2, executor.getReadQueueLength());
    }
  }
}
