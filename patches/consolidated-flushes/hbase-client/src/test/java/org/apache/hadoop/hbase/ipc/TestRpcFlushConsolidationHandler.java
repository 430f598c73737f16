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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelFuture;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelOutboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.WriteBufferWaterMark;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;

/** What is written in one turn is flushed once, soon, and is never much. */
@Category({ ClientTests.class, SmallTests.class })
public class TestRpcFlushConsolidationHandler {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRpcFlushConsolidationHandler.class);

  private static final int MESSAGES = 50;
  private static final int HIGH_WATER_MARK = 64 * 1024;

  private int flushes;

  /** Answers each message of a read at once. */
  private final ChannelInboundHandlerAdapter echo = new ChannelInboundHandlerAdapter() {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
      ctx.writeAndFlush(msg);
    }
  };

  private final EmbeddedChannel channel =
    new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
      @Override
      public void flush(ChannelHandlerContext ctx) {
        flushes++;
        ctx.flush();
      }
    }, new RpcFlushConsolidationHandler(), echo);

  @After
  public void close() {
    channel.finishAndReleaseAll();
  }

  private static ByteBuf message(int length) {
    return Unpooled.buffer(length).writeZero(length);
  }

  private int sent() {
    return channel.outboundMessages().size();
  }

  @Test
  public void messagesOfOneTurnAreFlushedOnce() {
    List<ChannelFuture> written = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      channel.eventLoop().execute(() -> written.add(channel.writeAndFlush(message(1))));
    }
    assertEquals(0, sent());
    channel.runPendingTasks();
    assertEquals(MESSAGES, sent());
    assertEquals(1, flushes);
    assertTrue(written.stream().allMatch(ChannelFuture::isSuccess));
  }

  @Test
  public void answersToOneReadAreFlushedOnce() {
    Object[] requests = new Object[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
      requests[i] = message(1);
    }
    channel.writeInbound(requests);
    assertEquals(MESSAGES, sent());
    assertEquals(1, flushes);
  }

  @Test
  public void aLoneMessageIsSentInItsTurn() {
    channel.writeAndFlush(message(1));
    channel.runPendingTasks();
    assertEquals(1, sent());
    assertEquals(1, flushes);
  }

  @Test
  public void noMoreThanTheHighWaterMarkWaits() {
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, HIGH_WATER_MARK));
    channel.pipeline().fireChannelRead(message(HIGH_WATER_MARK / 2));
    assertEquals("a read is being processed", 0, sent());
    channel.pipeline().fireChannelRead(message(HIGH_WATER_MARK));
    assertEquals(2, sent());
    channel.pipeline().fireChannelReadComplete();
    assertEquals(2, sent());
  }

  @Test
  public void whatWaitsIsSentBeforeTheChannelIsClosed() {
    channel.pipeline().fireChannelRead(message(1));
    assertEquals(0, sent());
    channel.close();
    assertEquals(1, sent());
  }
}
