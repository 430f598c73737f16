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
package org.apache.hadoop.hbase.regionserver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;

/**
 * Has a call wait whose region this server is opening or closing: until the region is open and
 * serves it, or is closed, so that the client is told where the region is now. Off unless
 * {@link RegionMoveWaitSettings#MAX_MILLIS} is set. Thread-safe.
 */
/*
 * A call that waits keeps its handler. So only a part of the handlers may wait at the same time,
 * and calls of a region wait no longer than the time that is set after the first one began to:
 * what takes longer, as an open that replays edits, hangs for all they know. All others are
 * refused at once, as without waits. Nor does a call wait longer than that time after it was
 * received, be it for one region or for many. Calls of priority handlers, as those for system
 * tables, never wait, since the master's calls are behind them. Open, a failure to open, and close
 * wake all calls that wait, which then look again.
 */
@InterfaceAudience.Private
public final class RegionMoveWaits {
  /** One of so many handlers may wait. */
  private static final int HANDLERS_PER_WAIT = 4;

  private final HRegionServer server;
  private final int maxMillis;
  private final int maxCalls;
  private final MetricsRegionMoveWaits metrics = MetricsRegionMoveWaits.getInstance();
  /** When the first call of a region began to wait, by the region's encoded name. */
  @GuardedBy("this")
  private final Map<String, Long> begins = new HashMap<>();
  @GuardedBy("this")
  private int waiting;

  RegionMoveWaits(HRegionServer server, int maxMillis, int maxCalls) {
    this.server = server;
    this.maxMillis = maxMillis;
    this.maxCalls = maxCalls;
  }

  /**
   * Creates it if the configuration asks for it.
   * @return null if it is off, or for a master
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what to do
   */
  static RegionMoveWaits create(HRegionServer server, Configuration conf) {
    int maxMillis = RegionMoveWaitSettings.MAX_MILLIS.read(conf);
    if (maxMillis == 0 || server instanceof HMaster) {
      return null;
    }
    return new RegionMoveWaits(server, maxMillis, maxCalls(conf));
  }

  /** Returns a quarter of the handlers that one kind of call has, writes, gets or scans. */
  static int maxCalls(Configuration conf) {
    int handlers = conf.getInt(HConstants.REGION_SERVER_HANDLER_COUNT,
      HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    float reads = conf.getFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0);
    if (reads > 0) {
      float scans = conf.getFloat(RWQueueRpcExecutor.CALL_QUEUE_SCAN_SHARE_CONF_KEY, 0);
      float least = Math.min(1 - reads, reads * (scans > 0 ? Math.min(scans, 1 - scans) : 1));
      handlers = (int) (handlers * least);
    }
    return Math.max(1, handlers / HANDLERS_PER_WAIT);
  }

  /** Has calls look again whether their region is open or closed, if a server has them wait. */
  public static void wake(HRegionServer server) {
    if (server.regionMoveWaits != null) {
      server.regionMoveWaits.wake();
    }
  }

  private synchronized void wake() {
    begins.keySet().removeIf(encodedName -> !isMoving(encodedName));
    notifyAll();
  }

  /** Has the call of this thread wait for a region, if it has to and may. */
  void await(RegionSpecifier called) {
    if (server.getRegionsInTransitionInRS().isEmpty()) {
      return;
    }
    // An event loop has no call: it only looks for the priority of one.
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call == null || call.getPriority() > HConstants.QOS_THRESHOLD) {
      return;
    }
    String encodedName = RegionInfo.encodeRegionName(called.getValue().toByteArray());
    if (isMoving(encodedName) && !holdsUp(encodedName)) {
      await(encodedName, Math.min(call.getReceiveTime() + maxMillis, call.getDeadline())
        - EnvironmentEdgeManager.currentTime());
    }
  }

  /** A coprocessor may call the region that its own call reads, which doesn't close meanwhile. */
  private boolean holdsUp(String encodedName) {
    HRegion region = server.getRegion(encodedName);
    return region != null && region.lock.getReadHoldCount() > 0;
  }

  /** What moved elsewhere and comes back is opening. */
  private boolean isMoving(String encodedName) {
    HRegion region = server.getRegion(encodedName);
    return region != null
      ? region.isClosing()
      : Boolean.TRUE.equals(server.getRegionsInTransitionInRS().get(Bytes.toBytes(encodedName)));
  }

  private synchronized void await(String encodedName, long millis) {
    // Whatever ends the move wakes after that, and so finds the begin that is noted here.
    if (!isMoving(encodedName) || server.isStopped() || server.isAborted()) {
      return;
    }
    long now = System.nanoTime();
    long begin = begins.getOrDefault(encodedName, now);
    long end = Math.min(now + TimeUnit.MILLISECONDS.toNanos(Math.min(maxMillis, millis)),
      begin + TimeUnit.MILLISECONDS.toNanos(maxMillis));
    if (waiting >= maxCalls || end - now <= 0) {
      metrics.refused.incr();
      return;
    }
    begins.put(encodedName, begin);
    waiting++;
    try {
      while (isMoving(encodedName)) {
        long left = end - System.nanoTime();
        if (left <= 0 || server.isStopped() || server.isAborted()) {
          metrics.vain.incr();
          return;
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      metrics.ended.incr();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting--;
    }
  }

  /** Returns how many calls wait at this moment. */
  synchronized int getWaitingCalls() {
    return waiting;
  }
}
