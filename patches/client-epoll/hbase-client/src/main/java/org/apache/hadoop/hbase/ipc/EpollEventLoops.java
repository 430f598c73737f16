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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.epoll.Epoll;
import org.apache.hbase.thirdparty.io.netty.channel.epoll.EpollEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.epoll.EpollSocketChannel;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Event loops of clients that use epoll, as those of servers do, where it is available: they need
 * fewer system calls and less garbage than those of Java's selectors. Thread-safe.
 */
@InterfaceAudience.Private
final class EpollEventLoops {
  /** Servers read the same key. */
  static final String NATIVE_TRANSPORT_KEY = "hbase.netty.nativetransport";
  static final boolean NATIVE_TRANSPORT_DEFAULT = true;

  private EpollEventLoops() {
  }

  /**
   * Creates the event loops of a process's clients.
   * @param threadCount 0 for twice the processors
   * @return the group and the class of its channels; null if epoll isn't available, or the
   *         configuration says not to use it
   */
  static Pair<EventLoopGroup, Class<? extends Channel>> create(Configuration conf,
    int threadCount) {
    if (
      !conf.getBoolean(NATIVE_TRANSPORT_KEY, NATIVE_TRANSPORT_DEFAULT) || !Epoll.isAvailable()
    ) {
      return null;
    }
    return new Pair<>(
      new EpollEventLoopGroup(threadCount,
        new DefaultThreadFactory("RPCClient-EpollEventLoopGroup", true, Thread.NORM_PRIORITY)),
      EpollSocketChannel.class);
  }
}
