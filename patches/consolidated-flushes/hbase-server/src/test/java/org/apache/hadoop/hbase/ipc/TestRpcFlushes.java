/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.ipc;

import static org.apache.hadoop.hbase.ipc.TestProtobufRpcServiceImpl.SERVICE;
import static org.apache.hadoop.hbase.ipc.TestProtobufRpcServiceImpl.newStub;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.common.collect.Lists;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelOutboundBuffer;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;

import org.apache.hadoop.hbase.shaded.ipc.protobuf.generated.TestProtos.EchoRequestProto;
import org.apache.hadoop.hbase.shaded.ipc.protobuf.generated.TestProtos.EchoResponseProto;
import org.apache.hadoop.hbase.shaded.ipc.protobuf.generated.TestRpcServiceProtos.TestProtobufRpcProto.Interface;

/** Both ends of a connection send together what a turn of their event loop writes. */
@Category({ RPCTests.class, MediumTests.class })
public class TestRpcFlushes {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRpcFlushes.class);

  private static final int CALLS = 50;
  private static final long PATIENCE_SECONDS = 120;
  private static final AtomicInteger CLIENT_FLUSHES = new AtomicInteger();

  /** Counts how often bytes are handed to the socket. */
  public static final class CountingChannel extends NioSocketChannel {
    @Override
    protected void doWrite(ChannelOutboundBuffer in) throws Exception {
      CLIENT_FLUSHES.incrementAndGet();
      super.doWrite(in);
    }
  }

  private final Configuration conf = HBaseConfiguration.create();
  private final NioEventLoopGroup loop = new NioEventLoopGroup(1);
  private NettyRpcServer server;
  private NettyRpcClient client;

  @Before
  public void setUp() throws IOException {
    // A call counts until its handler goes on, which may be after its answer.
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 2 * CALLS);
    server = new NettyRpcServer(null, "test",
      Lists.newArrayList(new RpcServer.BlockingServiceAndInterface(SERVICE, null)),
      new InetSocketAddress("localhost", 0), conf, new FifoRpcScheduler(conf, 1), true);
    server.start();
    NettyRpcClientConfigHelper.setEventLoopConfig(conf, loop, CountingChannel.class);
    client = new NettyRpcClient(conf);
  }

  @After
  public void tearDown() {
    client.close();
    server.stop();
    NettyRpcClientConfigHelper.createEventLoopPerClient(conf);
    loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }

  private void callInOneTurn(Interface stub, int calls) throws Exception {
    CountDownLatch answered = new CountDownLatch(calls);
    AtomicInteger right = new AtomicInteger();
    loop.next().submit(() -> {
      for (int i = 0; i < calls; i++) {
        String text = Integer.toString(i);
        stub.echo(new HBaseRpcControllerImpl(),
          EchoRequestProto.newBuilder().setMessage(text).build(), (EchoResponseProto response) -> {
            if (response != null && response.getMessage().equals(text)) {
              right.incrementAndGet();
            }
            answered.countDown();
          });
      }
    }).get();
    assertTrue(answered.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertEquals(calls, right.get());
  }

  @Test
  public void requestsOfOneTurnAreSentTogether() throws Exception {
    Interface stub = newStub(client, server.getListenerAddress());
    callInOneTurn(stub, 1);
    CLIENT_FLUSHES.set(0);
    callInOneTurn(stub, CALLS);
    assertTrue(CALLS + " requests took " + CLIENT_FLUSHES, CLIENT_FLUSHES.get() <= 2);
  }

  @Test
  public void serverConsolidatesFlushes() throws Exception {
    callInOneTurn(newStub(client, server.getListenerAddress()), 1);
    assertFalse(server.allChannels.isEmpty());
    for (Channel channel : server.allChannels) {
      assertNotNull(channel.pipeline().get(RpcFlushConsolidationHandler.class));
    }
  }
}
