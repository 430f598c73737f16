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

import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Flushes a connection once for all that was written in a turn of its event loop, and for all that
 * was written while a read was processed. A message waits for other tasks of the same turn only,
 * never for a timer. At most as much waits as netty's high water mark of the channel allows, by
 * default 64 KB. Behind a TLS handler, closer to the tail of the pipeline, it saves TLS records,
 * too. Belongs to one channel.
 */
@InterfaceAudience.Private
final class RpcFlushConsolidationHandler extends FlushConsolidationHandler {

  RpcFlushConsolidationHandler() {
    super(DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES, true);
  }

  @Override
  public void flush(ChannelHandlerContext ctx) throws Exception {
    if (ctx.channel().isWritable()) {
      super.flush(ctx);
    } else {
      ctx.flush();
    }
  }
}
