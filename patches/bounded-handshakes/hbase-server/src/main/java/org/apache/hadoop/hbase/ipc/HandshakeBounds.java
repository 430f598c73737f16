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

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.NettyFutureUtils;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.ScheduledFuture;

/**
 * Bounds what a connection takes before its client has told who it is: the time until its header
 * was read, and the size of a token of SASL. Immutable.
 */
@InterfaceAudience.Private
final class HandshakeBounds {
  /** Those of Kerberos and of delegation tokens have some KB. */
  static final int MOST_TOKEN_BYTES = 1 << 20;

  private final int timeoutMillis;

  /** @throws IllegalArgumentException if a value of the configuration isn't allowed */
  HandshakeBounds(Configuration conf) {
    timeoutMillis = HandshakeSettings.TIMEOUT.read(conf);
  }

  private boolean isEnabled() {
    return timeoutMillis > 0;
  }

  /** Has a new connection closed if its header wasn't read in time. */
  void watch(Channel channel, ServerRpcConnection connection, MetricsHBaseServer metrics) {
    if (!isEnabled()) {
      return;
    }
    ScheduledFuture<?> end = channel.eventLoop().schedule(() -> {
      if (!connection.connectionHeaderRead) {
        NettyRpcServer.LOG.debug("Connection {} closed: no header in {} ms",
          channel.remoteAddress(), timeoutMillis);
        metrics.authenticationFailure();
        NettyFutureUtils.safeClose(channel);
      }
    }, timeoutMillis, TimeUnit.MILLISECONDS);
    NettyFutureUtils.addListener(channel.closeFuture(), closed -> end.cancel(false));
  }

  /** Returns the decoder of a connection's tokens, the given one if they aren't bounded. */
  LengthFieldBasedFrameDecoder forTokens(LengthFieldBasedFrameDecoder unbounded) {
    return isEnabled()
      ? new LengthFieldBasedFrameDecoder(MOST_TOKEN_BYTES, 0, Integer.BYTES, 0, Integer.BYTES)
      : unbounded;
  }
}
