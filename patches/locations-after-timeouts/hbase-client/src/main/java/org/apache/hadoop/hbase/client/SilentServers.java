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
package org.apache.hadoop.hbase.client;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.exceptions.ClientExceptionsUtil;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The servers that haven't answered the last batches in time. A batch that had less time than an
 * RPC may take, because its operation had no more, says nothing about where its regions are, so
 * their locations are kept. But a server that hangs while its regions are opened elsewhere may keep
 * its connections, and then nothing else tells: after {@link #MOST_SILENCE_MS} without an answer,
 * to one batch or to several, they aren't. For any thread.
 */
@InterfaceAudience.Private
final class SilentServers {
  static final long MOST_SILENCE_MS = 10_000;
  /** A call's time-out is that much early or late. */
  private static final long TICK_MS = 10;

  /** When the first of the batches that weren't answered was sent, by System.nanoTime. */
  private final ConcurrentMap<ServerName, Long> silentSince = new ConcurrentHashMap<>();

  /** A server has answered a batch. */
  void answered(ServerName server) {
    if (!silentSince.isEmpty()) {
      silentSince.remove(server);
    }
  }

  /**
   * A batch has failed as a whole. Returns true if the locations of its regions are kept.
   * @param remainingMs time that the operation has left; 1 if none, 0 if it has no limit
   * @param sentNs      when the batch was sent, by System.nanoTime
   */
  boolean keepsLocations(ServerName server, Throwable exception, long remainingMs, long sentNs) {
    return keepsLocations(server, exception, remainingMs, sentNs, System.nanoTime());
  }

  boolean keepsLocations(ServerName server, Throwable exception, long remainingMs, long sentNs,
    long nowNs) {
    boolean operationIsOver = remainingMs > 0 && remainingMs <= TICK_MS;
    if (
      !operationIsOver
        || !(ClientExceptionsUtil.findException(exception) instanceof CallTimeoutException)
    ) {
      silentSince.remove(server);
      return false;
    }
    long sinceNs =
      silentSince.merge(server, sentNs, (first, other) -> other - first < 0 ? other : first);
    if (nowNs - sinceNs < TimeUnit.MILLISECONDS.toNanos(MOST_SILENCE_MS)) {
      return true;
    }
    silentSince.remove(server);
    return false;
  }
}
