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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;

/** Responses give their buffers back once, whether their client is connected or not. */
@Category({ RPCTests.class, SmallTests.class })
public class TestReleasedRpcResponse {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestReleasedRpcResponse.class);

  private static final byte[] BYTES = { 1, 2, 3 };

  /** A channel with a client's address. */
  private static final class ClientChannel extends EmbeddedChannel {
    @Override
    protected SocketAddress remoteAddress0() {
      return new InetSocketAddress("127.0.0.1", 1);
    }
  }

  private final class CountedResponse implements RpcResponse {
    @Override
    public BufferChain getResponse() {
      return new BufferChain(ByteBuffer.wrap(BYTES));
    }

    @Override
    public void done() {
      done++;
    }
  }

  private NettyRpcServer server;
  private ClientChannel channel;
  private NettyServerRpcConnection connection;
  private int done;

  @Before
  public void setUp() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    server = new NettyRpcServer(null, "test", Collections.emptyList(),
      new InetSocketAddress("127.0.0.1", 0), conf, new FifoRpcScheduler(conf, 1), true);
    channel = new ClientChannel();
    connection = new NettyServerRpcConnection(server, channel);
    channel.pipeline().addLast(NettyRpcServerResponseEncoder.NAME,
      new NettyRpcServerResponseEncoder(server.metrics));
  }

  @After
  public void tearDown() {
    channel.close();
    server.stop();
  }

  @Test
  public void aResponseIsDoneWhenItIsWritten() {
    connection.doRespond(new CountedResponse());
    ByteBuf written = channel.readOutbound();
    assertNotNull(written);
    assertEquals(BYTES.length, written.readableBytes());
    written.release();
    assertEquals(1, done);
  }

  @Test
  public void aResponseIsDoneWhenItsClientIsGone() {
    channel.close();
    assertNull(channel.pipeline().get(NettyRpcServerResponseEncoder.NAME));
    connection.doRespond(new CountedResponse());
    channel.runPendingTasks();
    assertNull(channel.readOutbound());
    assertEquals(1, done);
  }

  @Test
  public void aResponseIsDoneWhenItsClientReadsNothing() {
    channel.pipeline().addLast(NettyRpcServerChannelWritabilityHandler.NAME,
      new NettyRpcServerChannelWritabilityHandler(server.metrics, () -> 1, () -> false));
    // Isn't flushed, so the write stays pending.
    channel.write(Unpooled.wrappedBuffer(BYTES));
    connection.doRespond(new CountedResponse());
    channel.runPendingTasks();
    assertFalse(channel.isOpen());
    assertEquals(1, done);
  }
}
