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

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.security.User;

import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;

/** An RPC server on this machine that answers all calls of clients in one way, and a client. */
final class ClientServiceServer implements Closeable {
  private final NettyRpcServer server;
  private final NettyRpcClient client;

  /** What a call is answered with, by a handler of the server. */
  interface Answer {
    Message to(HBaseRpcController controller, Message request) throws Exception;
  }

  ClientServiceServer(Answer answer) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    ClientService.BlockingInterface service = (ClientService.BlockingInterface) Proxy
      .newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] { ClientService.BlockingInterface.class }, (proxy, method,
          arguments) -> answer.to((HBaseRpcController) arguments[0], (Message) arguments[1]));
    server = new NettyRpcServer(null, "test", Collections.singletonList(
      new RpcServer.BlockingServiceAndInterface(ClientService.newReflectiveBlockingService(service),
        ClientService.BlockingInterface.class)),
      new InetSocketAddress("127.0.0.1", 0), conf, new FifoRpcScheduler(conf, 1), true);
    server.start();
    client = new NettyRpcClient(conf);
  }

  ClientService.BlockingInterface connect() throws IOException {
    InetSocketAddress address = server.getListenerAddress();
    return ClientService.newBlockingStub(client.createBlockingRpcChannel(ServerName.valueOf(
      address.getAddress().getHostAddress(), address.getPort(), 1), User.getCurrent(), 0));
  }

  @Override
  public void close() {
    client.close();
    server.stop();
  }
}
