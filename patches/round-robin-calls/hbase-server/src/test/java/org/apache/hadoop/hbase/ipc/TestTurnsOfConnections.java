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

import static org.apache.hadoop.hbase.ipc.TestProtobufRpcServiceImpl.newStub;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.common.collect.Lists;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcController;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

import org.apache.hadoop.hbase.shaded.ipc.protobuf.generated.TestProtos.EchoRequestProto;
import org.apache.hadoop.hbase.shaded.ipc.protobuf.generated.TestProtos.EchoResponseProto;
import org.apache.hadoop.hbase.shaded.ipc.protobuf.generated.TestRpcServiceProtos.TestProtobufRpcProto;
import org.apache.hadoop.hbase.shaded.ipc.protobuf.generated.TestRpcServiceProtos.TestProtobufRpcProto.Interface;

/** A server with one handler, which is busy until the calls of two clients wait. */
@Category({ RPCTests.class, MediumTests.class })
public class TestTurnsOfConnections {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestTurnsOfConnections.class);

  private static final long PATIENCE_MS = 60_000;
  private static final String HOLD = "hold";

  private final Configuration conf = HBaseConfiguration.create();
  private final CountDownLatch released = new CountDownLatch(1);
  private final List<String> served = Collections.synchronizedList(new ArrayList<>());
  private final List<NettyRpcClient> clients = new ArrayList<>();
  private SimpleRpcScheduler scheduler;
  private NettyRpcServer server;

  /** Notes in which order calls are served. */
  private final class Notes extends TestProtobufRpcServiceImpl {
    @Override
    public EchoResponseProto echo(RpcController controller, EchoRequestProto request)
      throws ServiceException {
      served.add(request.getMessage());
      if (request.getMessage().equals(HOLD)) {
        try {
          released.await(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          throw new ServiceException(e);
        }
      }
      return EchoResponseProto.newBuilder().setMessage(request.getMessage()).build();
    }
  }

  private void start(String queueType) throws Exception {
    conf.set(RpcExecutor.CALL_QUEUE_TYPE_CONF_KEY, queueType);
    scheduler =
      new SimpleRpcScheduler(conf, 1, 1, 1, 1, Stubs.of(PriorityFunction.class), null, 10);
    server = new NettyRpcServer(null, "test",
      Lists.newArrayList(new RpcServer.BlockingServiceAndInterface(
        TestProtobufRpcProto.newReflectiveBlockingService(new Notes()), null)),
      new InetSocketAddress("localhost", 0), conf, scheduler, true);
    server.start();
  }

  private Interface client() throws Exception {
    NettyRpcClient client = new NettyRpcClient(conf);
    clients.add(client);
    return newStub(client, server.getListenerAddress());
  }

  @After
  public void stop() {
    released.countDown();
    clients.forEach(NettyRpcClient::close);
    server.stop();
  }

  private void send(Interface client, String message, CountDownLatch answers) {
    client.echo(new HBaseRpcControllerImpl(),
      EchoRequestProto.newBuilder().setMessage(message).build(), answer -> answers.countDown());
  }

  private void awaitWaiting(int calls) {
    Waiter.waitFor(conf, PATIENCE_MS, 1, () -> scheduler.getGeneralQueueLength() == calls);
  }

  /** Returns the order in which calls are served that came in the order of their names. */
  private String order() throws Exception {
    CountDownLatch answers = new CountDownLatch(6);
    Interface flood = client();
    Interface polite = client();
    send(flood, HOLD, answers);
    Waiter.waitFor(conf, PATIENCE_MS, 1, () -> !served.isEmpty());
    for (int i = 1; i <= 4; i++) {
      send(flood, "flood" + i, answers);
      awaitWaiting(i);
    }
    send(polite, "polite", answers);
    awaitWaiting(5);
    released.countDown();
    assertTrue(answers.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
    return String.join(" ", served);
  }

  @Test
  public void connectionsTakeTurns() throws Exception {
    start(RoundRobinCallQueue.TYPE);
    assertEquals("hold flood1 polite flood2 flood3 flood4", order());
  }

  @Test
  public void callsOfAQueueOfAnotherTypeAreServedAsTheyCame() throws Exception {
    start(RpcExecutor.CALL_QUEUE_TYPE_FIFO_CONF_VALUE);
    assertEquals("hold flood1 flood2 flood3 flood4 polite", order());
  }
}
