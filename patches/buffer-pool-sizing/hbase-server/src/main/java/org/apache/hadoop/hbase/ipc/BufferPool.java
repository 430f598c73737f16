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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.util.DirectMemoryUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sizes and shows the buffer pool of a region server's {@link RpcServer} (HBASE-21879), not that of
 * a master.
 */
@InterfaceAudience.Private
final class BufferPool {
  private static final Logger LOG = LoggerFactory.getLogger(BufferPool.class);

  private BufferPool() {
  }

  /**
   * Sizes the pool that is about to be created.
   * @param server    null if the RPC server belongs to none
   * @param scheduler that of the RPC server
   * @param pooled    whether the RPC server has a pool at all
   * @return {@code conf}, or a copy of it that sets the size and the number of the buffers
   * @throws IllegalArgumentException if a setting isn't allowed; the message names the key, the
   *                                  value and what to do
   */
  static Configuration size(Server server, RpcScheduler scheduler, Configuration conf,
    boolean pooled) {
    if (!pooled || server instanceof MasterServices) {
      return conf;
    }
    BufferPoolSizing sizing = sizing(conf, scheduler);
    if (!sizing.isEnabled()) {
      return conf;
    }
    LOG.info("Pool: {}", sizing);
    if (sizing.isCut()) {
      LOG.warn("{}", sizing.cutAdvice());
    }
    Configuration sized = new Configuration(conf);
    sized.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, sizing.getBufferSize());
    sized.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, sizing.getBufferCount());
    return sized;
  }

  /**
   * Shows a pool in the metrics, and sets the advice that it logs when it is empty.
   * @param server    null if the RPC server belongs to none
   * @param scheduler that of the RPC server
   */
  static void show(Server server, RpcScheduler scheduler, Configuration conf,
    ByteBuffAllocator pool) {
    if (pool.isReservoirEnabled() && !(server instanceof MasterServices)) {
      pool.getHeapFallbacks()
        .setAdvice(sizing(conf, scheduler).advice(pool.getTotalBufferCount()));
      MetricsBufferPool.get().show(pool);
    }
  }

  private static BufferPoolSizing sizing(Configuration conf, RpcScheduler scheduler) {
    return new BufferPoolSizing(conf, AddedHandlers.count(scheduler),
      DirectMemoryUtils.getDirectMemorySize());
  }
}
