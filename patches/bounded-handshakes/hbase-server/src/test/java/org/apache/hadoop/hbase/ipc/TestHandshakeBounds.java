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

import static org.apache.hadoop.hbase.ipc.TestProtobufRpcServiceImpl.SERVICE;
import static org.apache.hadoop.hbase.ipc.TestProtobufRpcServiceImpl.newBlockingStub;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.common.collect.Lists;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.hbase.thirdparty.io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import org.apache.hbase.thirdparty.io.netty.handler.codec.TooLongFrameException;

import org.apache.hadoop.hbase.shaded.ipc.protobuf.generated.TestProtos.EchoRequestProto;
import org.apache.hadoop.hbase.shaded.ipc.protobuf.generated.TestRpcServiceProtos.TestProtobufRpcProto.BlockingInterface;

/** A connection that doesn't come to its header is closed, and others stay. */
@Category({ RPCTests.class, MediumTests.class })
public class TestHandshakeBounds {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHandshakeBounds.class);

  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int PATIENCE_MILLIS = 120_000;

  private static Configuration conf(int timeoutMillis) {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt(HandshakeSettings.TIMEOUT.key(), timeoutMillis);
    return conf;
  }

  private static void echo(BlockingInterface stub) throws Exception {
    EchoRequestProto request = EchoRequestProto.newBuilder().setMessage("text").build();
    assertEquals("text", stub.echo(null, request).getMessage());
  }

  /** Begins a connection with some bytes. */
  private static Socket begin(NettyRpcServer server, int... bytes) throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(server.getListenerAddress());
    for (int next : bytes) {
      socket.getOutputStream().write(next);
    }
    return socket;
  }

  @Test
  public void closesConnectionsWithoutHeaderOnly() throws Exception {
    Configuration conf = conf(TIMEOUT_MILLIS);
    NettyRpcServer server = new NettyRpcServer(null, "test",
      Lists.newArrayList(new RpcServer.BlockingServiceAndInterface(SERVICE, null)),
      new InetSocketAddress("localhost", 0), conf, new FifoRpcScheduler(conf, 1), true);
    server.start();
    try (NettyRpcClient client = new NettyRpcClient(conf)) {
      BlockingInterface stub = newBlockingStub(client, server.getListenerAddress());
      // On a busy machine its own header may be late.
      Waiter.waitFor(conf, PATIENCE_MILLIS, 10, () -> {
        try {
          echo(stub);
          return true;
        } catch (ServiceException e) {
          return false;
        }
      });
      List<Channel> before = new ArrayList<>(server.allChannels);
      // The last is in the midst of the length of a header.
      try (Socket silent = begin(server); Socket half = begin(server, 'H', 'B', 'a');
        Socket headless = begin(server, 'H', 'B', 'a', 's', 0, 80, 0, 0, 1)) {
        for (Socket socket : Arrays.asList(silent, half, headless)) {
          assertEquals(-1, socket.getInputStream().read());
        }
      }
      // They are older, so their time is over, too.
      for (Channel channel : before) {
        assertTrue(channel.isOpen());
      }
      echo(stub);
    } finally {
      server.stop();
    }
  }

  @Test
  public void nothingIsBoundUnlessSet() {
    HandshakeBounds bounds = new HandshakeBounds(HBaseConfiguration.create());
    EmbeddedChannel channel = new EmbeddedChannel();
    bounds.watch(channel, null, null);
    assertEquals("a task is scheduled", -1, channel.runScheduledPendingTasks());
    LengthFieldBasedFrameDecoder decoder = new LengthFieldBasedFrameDecoder(1, 0, 1);
    assertSame(decoder, bounds.forTokens(decoder));
    assertFalse(channel.finish());
  }

  @Test
  public void closedConnectionIsForgotten() {
    EmbeddedChannel channel = new EmbeddedChannel();
    new HandshakeBounds(conf(PATIENCE_MILLIS)).watch(channel, null, null);
    assertTrue(channel.runScheduledPendingTasks() > TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS));
    channel.close();
    assertEquals(-1, channel.runScheduledPendingTasks());
  }

  @Test
  public void tokensAreBounded() {
    HandshakeBounds bounds = new HandshakeBounds(conf(TIMEOUT_MILLIS));
    EmbeddedChannel channel = new EmbeddedChannel(bounds.forTokens(null));
    byte[] token = new byte[HandshakeBounds.MOST_TOKEN_BYTES - Integer.BYTES];
    assertTrue(channel.writeInbound(
      Unpooled.wrappedBuffer(Unpooled.copyInt(token.length), Unpooled.wrappedBuffer(token))));
    ByteBuf decoded = channel.readInbound();
    assertEquals(token.length, decoded.readableBytes());
    decoded.release();
    // Its length is enough.
    assertThrows(TooLongFrameException.class,
      () -> channel.writeInbound(Unpooled.copyInt(token.length + 1)));
    channel.finishAndReleaseAll();
  }

  @Test
  public void badValueIsRefused() {
    IllegalArgumentException e =
      assertThrows(IllegalArgumentException.class, () -> new HandshakeBounds(conf(-1)));
    assertTrue(e.getMessage(), e.getMessage().contains(HandshakeSettings.TIMEOUT.key()));
  }
}
