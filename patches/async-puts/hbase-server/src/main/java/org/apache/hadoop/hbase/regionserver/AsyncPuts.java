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

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.ipc.LateResponse;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.ipc.ServerCall;
import org.apache.hadoop.hbase.regionserver.wal.AsyncFSWAL;
import org.apache.hadoop.hbase.trace.NoopTracing;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/**
 * Says which writes of a region server don't hold their thread until they are synced; see
 * {@link AsyncPut}. Thread-safe.
 */
@InterfaceAudience.Private
final class AsyncPuts {
  private static final Logger LOG = LoggerFactory.getLogger(AsyncPuts.class);

  /** Event loops, handlers of high priority, flushes. */
  private static final int OTHER_THREADS = 100;

  private final HRegionServer server;
  /** About so many append and sync at the same time. */
  private final int threads;
  /** Metrics of users ask the current thread for its user. */
  private final boolean userMetrics;
  private final MetricsAsyncPuts metrics = MetricsAsyncPuts.getInstance();
  private final WaitingCalls waiting = new WaitingCalls();
  private volatile boolean enabled;

  /** @throws IllegalArgumentException if a setting isn't allowed */
  AsyncPuts(HRegionServer server) {
    this.server = server;
    threads = OTHER_THREADS + server.getConfiguration().getInt(
      HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    userMetrics = server.getConfiguration().getBoolean(
      MetricsUserAggregateFactory.METRIC_USER_ENABLED_CONF,
      MetricsUserAggregateFactory.DEFAULT_METRIC_USER_ENABLED_CONF);
    enabled = AsyncPutSettings.ENABLED.read(server.getConfiguration());
  }

  /** Applies changed settings of the server; none if a value isn't allowed. */
  void onConfigurationChange(Configuration conf) {
    try {
      enabled = AsyncPutSettings.ENABLED.read(conf);
    } catch (IllegalArgumentException e) {
      LOG.error("Puts keep their settings, since the new ones aren't allowed: {}", e.getMessage());
    }
  }

  /**
   * Has a put or delete not hold this thread, if that may be.
   * @param proto the mutation as it was sent. If not by the current call, but by a coprocessor that
   *              writes to a table of its own server, it is waited for.
   */
  void allow(HRegion region, MutationProto proto, Mutation mutation) {
    // An event loop has asked whether it may before it began, and must not wait now.
    boolean begun = PreparedPut.isRunning();
    if (!begun && !enabled) {
      return;
    }
    ServerCall<?> call = currentCallOf(proto);
    if (call != null && (begun || mayTake(region))) {
      AsyncPut.allow(waiting, call, region, mutation, false);
    }
  }

  /**
   * Likewise an increment or append. It reads what others have written to its row, synced or not:
   * so those of a row share a sync, if the table isn't replicated.
   */
  void allowDelta(HRegion region, MutationProto proto, Mutation mutation) {
    ServerCall<?> call = enabled ? currentCallOf(proto) : null;
    // A hook may read the row, or lock it for another write.
    if (call != null && !observesAny(region) && mayTake(region)) {
      // Replication may apply writes in another order, so each needs a timestamp of its own.
      AsyncPut.allow(waiting, call, region, mutation,
        !region.getTableDescriptor().hasGlobalReplicationScope());
    }
  }

  /** Likewise what is done if a row is as expected. If it isn't, nothing has to be synced. */
  void allowCheck(HRegion region, MutationProto proto, CheckAndMutate check) {
    ServerCall<?> call = enabled ? currentCallOf(proto) : null;
    if (call != null && !observesAny(region) && mayTake(region)) {
      AsyncPut.allow(waiting, call, region, (Mutation) check.getAction(), false);
    }
  }

  /** Returns null if a mutation isn't what the current call runs, or it is to be waited for. */
  private static ServerCall<?> currentCallOf(MutationProto proto) {
    ServerCall<?> call = currentCall();
    if (call == null) {
      return null;
    }
    WriteBatch batch = (WriteBatch) call.getBatch();
    boolean ofCall = batch != null
      ? batch.mayRun(proto)
      : call.getParam() instanceof MutateRequest
        && ((MutateRequest) call.getParam()).getMutation() == proto;
    return ofCall ? call : null;
  }

  /** Likewise puts and deletes of a batch that go to a region together. */
  void allow(HRegion region, List<Action> protos, Mutation[] mutations) {
    ServerCall<?> call =
      enabled && !protos.isEmpty() ? currentCallOf(protos.get(0).getMutation()) : null;
    // A hook of what is among them may read the rows of those before.
    if (
      call != null && (!((WriteBatch) call.getBatch()).isMixed() || !observesAny(region))
        && mayTake(region)
    ) {
      AsyncPut.allow(waiting, call, region, mutations[0], false);
    }
  }

  /** Tells that a batch comes to a region; does nothing if it isn't that of the current call. */
  void begin(MultiRequest request, RegionAction actions) {
    ServerCall<?> call = currentCall();
    if (call == null || call.getParam() != request) {
      return;
    }
    call.setWrites(null); // What is left of one that failed.
    if (enabled && call.getBatch() == null) {
      call.setBatch(new WriteBatch(request));
    }
    if (call.getBatch() != null) {
      ((WriteBatch) call.getBatch()).begin(actions);
    }
  }

  /** Tells that a batch comes to a write, with which others may go to the region. */
  void begin(RegionAction actions, Action action) {
    ServerCall<?> call = currentCall();
    WriteBatch batch = call == null ? null : (WriteBatch) call.getBatch();
    if (batch != null && batch.isAt(actions)) {
      call.setWrites(null);
      batch.begin(action);
    }
  }

  private static boolean observesAny(HRegion region) {
    RegionCoprocessorHost host = region.getCoprocessorHost();
    return host != null
      && (host.observesChecks() || host.observesDeltas() || host.observesWrites());
  }

  private boolean mayTake(HRegion region) {
    if (!takes(region)) {
      return false;
    }
    if (hasRoom(region)) {
      return true;
    }
    metrics.incrWaited();
    return false;
  }

  boolean isEnabled() {
    return enabled;
  }

  private static ServerCall<?> currentCall() {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    return call instanceof ServerCall ? (ServerCall<?>) call : null;
  }

  /** Whether writes of a region may be synced while no thread waits for them. */
  boolean takes(HRegion region) {
    RegionCoprocessorHost host = region.getCoprocessorHost();
    return enabled && !userMetrics && !region.getRegionInfo().getTable().isSystemTable()
      && region.getWAL() != null && region.getWAL().getClass() == AsyncFSWAL.class
      && (host == null || !host.observesSyncedWrites()) && NoopTracing.isNoop();
  }

  /** Whether one more write of a region that {@link #takes} accepts may wait for a sync. */
  boolean hasRoom(HRegion region) {
    return waiting.haveRoom() && ((AsyncFSWAL) region.getWAL()).hasRoom(threads);
  }

  /** Counts a put that took its time, as the server does for puts that were waited for. */
  void countPut(HRegion region, long start) {
    MetricsRegionServer serverMetrics = server.getMetrics();
    if (serverMetrics != null) {
      serverMetrics.updatePut(region, EnvironmentEdgeManager.currentTime() - start);
    }
  }

  /** Likewise a delete. */
  void countDelete(HRegion region, long start) {
    MetricsRegionServer serverMetrics = server.getMetrics();
    if (serverMetrics != null) {
      serverMetrics.updateDelete(region, EnvironmentEdgeManager.currentTime() - start);
    }
  }

  /**
   * Has an increment, append or mutation with a condition be counted when it is synced.
   * @param checked       whether it has a condition
   * @param context       of the call that it is of; may be null
   * @param scannedBefore bytes of blocks that the call had scanned before
   * @return false if the caller is to count it
   */
  boolean countsLater(HRegion region, MutationProto mutation, boolean checked, long start,
    RpcCallContext context, long scannedBefore) {
    long scanned = context == null ? 0 : context.getBlockBytesScanned() - scannedBefore;
    return LateResponse
      .defer(() -> count(region, mutation.getMutateType(), checked, start, scanned));
  }

  private void count(HRegion region, MutationType type, boolean checked, long start,
    long scanned) {
    MetricsRegionServer serverMetrics = server.getMetrics();
    if (serverMetrics == null) {
      return;
    }
    long time = EnvironmentEdgeManager.currentTime() - start;
    if (checked) {
      serverMetrics.updateCheckAndMutate(region, time, scanned);
      if (type == MutationType.PUT) {
        serverMetrics.updateCheckAndPut(region, time);
      } else if (type == MutationType.DELETE) {
        serverMetrics.updateCheckAndDelete(region, time);
      }
    } else if (type == MutationType.INCREMENT) {
      serverMetrics.updateIncrement(region, time, scanned);
    } else {
      serverMetrics.updateAppend(region, time, scanned);
    }
  }
}
