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

  /** The limit of a queue is that of the handlers which it has. */
  private static final int BY_HANDLERS = -1;

  private CallQueueLimits() {
  }

  /** Returns the configured limit, or what {@link #ofEach} takes for none. */
  static int configured(Configuration conf, String key) {
    return conf.getInt(key, BY_HANDLERS);
  }

  /**
   * Returns the limit of each queue.
   * @param limit    what was {@link #configured}
   * @param handlers of all queues together
   * @param queues   how many there are
   */
  static int ofEach(int limit, int handlers, int queues) {
    return limit == BY_HANDLERS
      ? Math.max(1, handlers * RpcServer.DEFAULT_MAX_CALLQUEUE_LENGTH_PER_HANDLER / queues)
      : limit;
  }

  /** Tells queues that must know it the limit, and logs it. */
  static void apply(String executor, List<BlockingQueue<CallRunner>> queues, int limit) {
    for (BlockingQueue<CallRunner> queue : queues) {
      if (queue instanceof AdaptiveLifoCoDelCallQueue) {
        ((AdaptiveLifoCoDelCallQueue) queue).setLimit(limit);
      }
    }
    LOG.info("{}: queues={}, limit of each={} calls", executor, queues.size(), limit);
  }
}
