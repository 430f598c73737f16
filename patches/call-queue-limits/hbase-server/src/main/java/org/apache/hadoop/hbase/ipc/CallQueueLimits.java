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

import java.util.List;
import java.util.concurrent.BlockingQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From how many calls on the queues of an executor refuse further ones. */
@InterfaceAudience.Private
final class CallQueueLimits {

  private static final Logger LOG = LoggerFactory.getLogger(CallQueueLimits.class);

  /** In place of a limit: that of the handlers which a queue has. */
  static final int BY_HANDLERS = -1;

  private CallQueueLimits() {
  }

  /** Returns the configured limit, or {@link #BY_HANDLERS} if there is none. */
  static int configured(Configuration conf, String key) {
    return conf.getInt(key, BY_HANDLERS);
  }

  /** Returns the limit by default of queues that share handlers. */
  static int byHandlers(int handlers, int queues) {
    return queues == 0
      ? 1
      : Math.max(1, handlers * RpcServer.DEFAULT_MAX_CALLQUEUE_LENGTH_PER_HANDLER / queues);
  }

  /**
   * Returns the limit of each queue.
   * @param limit      what was {@link #configured}
   * @param byHandlers what was {@link #byHandlers}
   */
  static int ofEach(int limit, int byHandlers) {
    return limit == BY_HANDLERS ? byHandlers : limit;
  }

  /** Tells the limit to queues that must know it. */
  static void apply(List<BlockingQueue<CallRunner>> queues, int limit) {
    for (BlockingQueue<CallRunner> queue : queues) {
      if (queue instanceof AdaptiveLifoCoDelCallQueue) {
        ((AdaptiveLifoCoDelCallQueue) queue).setLimit(limit);
      }
    }
  }

  /** Logs the limit in force. */
  static void log(String executor, List<BlockingQueue<CallRunner>> queues, int limit) {
    LOG.info("{}: queues={}, limit of each={} calls", executor, queues.size(), limit);
  }
}
