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
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assume.assumeTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.epoll.Epoll;
import org.apache.hbase.thirdparty.io.netty.channel.epoll.EpollSocketChannel;

/** Which event loops a client has by default. */
@Category({ RPCTests.class, SmallTests.class })
public class TestEpollEventLoops {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEpollEventLoops.class);

  @Test
  public void epollIsTheDefaultWhereItIsAvailable() {
    assumeTrue(Epoll.isAvailable());
    Configuration conf = new Configuration(false);
    conf.setInt(NettyRpcClientConfigHelper.HBASE_NETTY_EVENTLOOP_RPCCLIENT_THREADCOUNT_KEY, 1);
    Pair<EventLoopGroup, Class<? extends Channel>> config =
      NettyRpcClientConfigHelper.getEventLoopConfig(conf);
    assertEquals(EpollSocketChannel.class, config.getSecond());
    assertSame(config, NettyRpcClientConfigHelper.getEventLoopConfig(conf));
  }

  @Test
  public void theKeyOfServersSwitchesItOff() {
    Configuration conf = new Configuration(false);
    conf.setBoolean("hbase.netty.nativetransport", false);
    assertNull(EpollEventLoops.create(conf, 1));
  }
}
