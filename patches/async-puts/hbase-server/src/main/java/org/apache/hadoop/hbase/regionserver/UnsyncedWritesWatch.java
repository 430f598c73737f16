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

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ScheduledChore;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Ends a server whose write-ahead log doesn't sync within its time-out, as a thread does that waits
 * for a sync. For writes that no thread waits for.
 */
@InterfaceAudience.Private
final class UnsyncedWritesWatch extends ScheduledChore {
  private static final String FORMER_TIMEOUT_MS = "hbase.regionserver.hlog.sync.timeout";
  private static final long DEFAULT_TIMEOUT_MS = TimeUnit.MINUTES.toMillis(5);
  private static final int LOOKS_PER_TIMEOUT = 30;
  private static final int MOST_PERIOD_MS = 10_000;

  private final HRegionServer server;
  private final long timeoutMs;

  private UnsyncedWritesWatch(HRegionServer server, long timeoutMs) {
    super("UnsyncedWritesWatch", server,
      (int) Math.max(1, Math.min(MOST_PERIOD_MS, timeoutMs / LOOKS_PER_TIMEOUT)));
    this.server = server;
    this.timeoutMs = timeoutMs;
  }

  static UnsyncedWritesWatch create(HRegionServer server) {
    Configuration conf = server.getConfiguration();
    return new UnsyncedWritesWatch(server,
      conf.getLong(AbstractFSWAL.WAL_SYNC_TIMEOUT_MS,
        conf.getLong(FORMER_TIMEOUT_MS, DEFAULT_TIMEOUT_MS)));
  }

  @Override
  protected void chore() {
    for (HRegion region : server.getOnlineRegionsLocalContext()) {
      UnsyncedWrites writes = region.getUnsyncedWrites();
      long waited = writes == null ? 0 : writes.getMillisWithoutProgress();
      if (waited > timeoutMs) {
        server.abort("No write of region " + region.getRegionInfo().getRegionNameAsString()
          + " was synced in " + waited + " ms (" + AbstractFSWAL.WAL_SYNC_TIMEOUT_MS + " = "
          + timeoutMs + "), WAL system stuck?");
        return;
      }
    }
  }
}
