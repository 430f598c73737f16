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
package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.BackgroundThreads;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.EventExecutor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Says which work of a region server is done in the background, by threads of a lower priority than
 * those that serve gets. Stateless.
 */
/*
 * Flushes aren't: writers wait for them once a memstore is full. Writers of the block cache aren't:
 * they take little, and what they have no time for isn't cached, so that gets read it again.
 */
@InterfaceAudience.Private
final class BackgroundWork {
  /** Calls after the first of a scan that is still short; with the first, 18 MB by default. */
  static final int SHORT_SCAN_CALLS = 8;

  private BackgroundWork() {
  }

  /**
   * Turns it on if the configuration asks for it.
   * @param loops the server's, which serve all connections, whichever thread starts them
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what to do
   */
  static void configure(Configuration conf, EventLoopGroup loops) {
    boolean enabled = BackgroundWorkSettings.ENABLED.read(conf);
    if (enabled) {
      for (EventExecutor loop : loops) {
        loop.execute(() -> {
        });
      }
    }
    BackgroundThreads.configure(enabled);
  }

  /** Begins a compaction in a thread of its pool. One that writers wait for isn't lowered. */
  static void startCompaction(HStore store) {
    if (store.getCompactPriority() <= 0) {
      BackgroundThreads.restore(Thread.NORM_PRIORITY);
    } else {
      BackgroundThreads.lower();
    }
  }

  /**
   * Begins a call of a scan, before its {@link BackgroundThreads#restore}.
   * @param calls how many it has made after the first
   * @return the priority of the thread
   */
  static int startScanCall(long calls) {
    return calls > SHORT_SCAN_CALLS
      ? BackgroundThreads.lowerForNow()
      : Thread.currentThread().getPriority();
  }
}
