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
import static org.junit.Assert.assertSame;

import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.monitoring.MonitoredRPCHandler;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;

/** The client that a handler is said to serve is that of the call. */
@Category({ RPCTests.class, SmallTests.class })
public class TestAddressOfCalls {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAddressOfCalls.class);

  @Test
  public void itIsThatOfTheConnection() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    AtomicReference<ServerCall<?>> received = new AtomicReference<>();
    AtomicReference<String> client = new AtomicReference<>();
    ClientService.BlockingInterface service = (ClientService.BlockingInterface) Proxy
      .newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] { ClientService.BlockingInterface.class }, (proxy, method, arguments) -> {
          received.set((ServerCall<?>) RpcServer.getCurrentCall().get());
          MonitoredRPCHandler handler = RpcServer.MONITORED_RPC.get();
          client.set(handler.getClient());
          return GetResponse.getDefaultInstance();
        });
    NettyRpcServer server = new NettyRpcServer(null, "test", Collections.singletonList(
      new RpcServer.BlockingServiceAndInterface(ClientService.newReflectiveBlockingService(service),
        ClientService.BlockingInterface.class)),
      new InetSocketAddress("127.0.0.1", 0), conf, new FifoRpcScheduler(conf, 1), true);
    server.start();
    try (NettyRpcClient rpcClient = new NettyRpcClient(conf)) {
      InetSocketAddress address = server.getListenerAddress();
      ClientService.BlockingInterface stub = ClientService.newBlockingStub(
        rpcClient.createBlockingRpcChannel(ServerName.valueOf(address.getAddress().getHostAddress(),
          address.getPort(), 1), User.getCurrent(), 0));
      byte[] name = Bytes.toBytes("t,,1.0123456789abcdef0123456789abcdef.");
      stub.get(new HBaseRpcControllerImpl(), RequestConverter.buildGetRequest(name, new Get(name)));
      ServerCall<?> call = received.get();
      assertEquals("127.0.0.1", call.getHostAddress());
      assertSame(call.getHostAddress(), call.getHostAddress());
      assertEquals("127.0.0.1:" + call.getRemotePort(), client.get());
    } finally {
      server.stop();
    }
  }
}
