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

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.VersionInfoUtil;
import org.apache.hadoop.hbase.ipc.EventLoopReads;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.ipc.RpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.ipc.RpcServerInterface;
import org.apache.hadoop.hbase.ipc.ServerCall;
import org.apache.hadoop.hbase.ipc.SimpleRpcScheduler;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hbase.thirdparty.com.google.protobuf.RpcController;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;

/**
 * Reads single gets on the event loop that received them, if {@link RowPath} can read them and all
 * of their blocks are in memory. Their calls then run there, too, and answer with what was read.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class EventLoopGets implements EventLoopReads.Reader {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoopGets.class);

  /** Has blocks in another process, which a look-up waits for. */
  private static final String EXTERNAL_BLOCKCACHE_KEY = "hbase.blockcache.use.external";

  private final RSRpcServices services;
  private final HRegionServer server;
  private final RowPath rowPath;
  /** Whether a quota may refuse a get, or count it. */
  private final boolean quotas;
  private final MetricsEventLoopGets metrics = MetricsEventLoopGets.getInstance();
  private volatile boolean enabled;

  /** @throws IllegalArgumentException if a setting isn't allowed */
  private EventLoopGets(RSRpcServices services, HRegionServer server, RowPath rowPath) {
    this.services = services;
    this.server = server;
    this.rowPath = rowPath;
    quotas = QuotaUtil.isQuotaEnabled(server.getConfiguration());
    enabled = EventLoopGetSettings.ENABLED.read(server.getConfiguration());
  }

  /** Creates what a region server has; null for a master, which reads no gets of tables. */
  static EventLoopGets create(RSRpcServices services, HRegionServer server, RowPath rowPath) {
    if (server instanceof HMaster) {
      return null;
    }
    EventLoopGets gets = new EventLoopGets(services, server, rowPath);
    if (
      services.rpcServer instanceof RpcServer && hasUsualQueues(services.rpcServer, server)
        && !server.getConfiguration().getBoolean(EXTERNAL_BLOCKCACHE_KEY, false)
    ) {
      ((RpcServer) services.rpcServer).setEventLoopReads(new EventLoopReads(gets));
    }
    return gets;
  }

  /** Another scheduler, or a queue of another class, may treat calls by rules of its own. */
  private static boolean hasUsualQueues(RpcServerInterface rpcServer, HRegionServer server) {
    return rpcServer.getScheduler().getClass() == SimpleRpcScheduler.class
      && !RpcExecutor.isPluggableQueueType(
        server.getConfiguration().get(RpcExecutor.CALL_QUEUE_TYPE_CONF_KEY, ""));
  }

  /** Applies changed settings of the server; none if a value isn't allowed. */
  void onConfigurationChange(Configuration conf) {
    try {
      enabled = EventLoopGetSettings.ENABLED.read(conf);
    } catch (IllegalArgumentException e) {
      LOG.error("Gets keep their settings, since the new ones aren't allowed: {}", e.getMessage());
    }
  }

  @Override
  public boolean takes(RpcCall call) {
    return enabled && !quotas && call.getParam() instanceof GetRequest
      && call.getPriority() <= HConstants.NORMAL_QOS
      && ShortGets.isShort(((GetRequest) call.getParam()).getGet(), call.getSize());
  }

  @Override
  public EventLoopReads.Outcome read(ServerCall<?> call) {
    GetRequest request = (GetRequest) call.getParam();
    PreparedGet prepared = null;
    try {
      HRegion region = findRegion(request, call);
      if (region == null) {
        return EventLoopReads.Outcome.NOT_TRIED;
      }
      prepared = rowPath.readInMemory(ProtobufUtil.toGet(request.getGet()), region, call);
    } catch (Throwable e) {
      // Whatever it is, a handler meets it in its usual place.
      LOG.debug("A handler reads {}, after an exception", call, e);
    }
    call.setPreparedRead(prepared);
    if (prepared != null && prepared.isRead()) {
      metrics.incrRead();
      return EventLoopReads.Outcome.READ;
    }
    metrics.incrNotInMemory();
    return EventLoopReads.Outcome.IN_VAIN;
  }

  /** Returns the region of a get that may be read here; null if a handler has to. */
  private HRegion findRegion(GetRequest request, RpcCallContext call) {
    HRegion region = server.getOnlineRegion(request.getRegion().getValue().toByteArray());
    boolean reads = region != null && !region.getRegionInfo().getTable().isSystemTable()
      && rowPath.canReadInMemory(region, call)
      && ShortGets.isOfPlainFamilies(request.getGet(), region);
    return reads ? region : null;
  }

  /**
   * Answers a get that was read ahead, as {@link RSRpcServices#get} does, without quotas and
   * coprocessors.
   * @param controller of the call; may be null
   * @return null if the get of the current call wasn't read
   * @throws IOException if the server or the region takes no gets any more
   */
  GetResponse answer(RpcController controller, GetRequest request) throws IOException {
    ServerCall<?> call = currentCall();
    if (call == null || !(call.getPreparedRead() instanceof PreparedGet)) {
      return null;
    }
    PreparedGet prepared = (PreparedGet) call.getPreparedRead();
    if (!prepared.isRead()) {
      return null;
    }
    long start = prepared.getReadTime();
    services.checkOpen();
    services.requestCount.increment();
    services.rpcGetRequestCount.increment();
    HRegion region = prepared.getRegion();
    try {
      return build(rowPath.takeResult(prepared, call), request.getGet(), region, call, controller);
    } finally {
      MetricsRegionServer serverMetrics = server.getMetrics();
      if (serverMetrics != null) {
        serverMetrics.updateGet(region, EnvironmentEdgeManager.currentTime() - start,
          call.getBlockBytesScanned());
      }
    }
  }

  private static ServerCall<?> currentCall() {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    return call instanceof ServerCall ? (ServerCall<?>) call : null;
  }

  private GetResponse build(Result result, ClientProtos.Get get, HRegion region,
    ServerCall<?> call, RpcController controller) {
    ClientProtos.Result answer;
    if (get.getExistenceOnly()) {
      answer = ProtobufUtil.toResult(result.getExists(),
        region.getRegionInfo().getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID);
    } else if (
      call.isClientCellBlockSupported() && controller instanceof HBaseRpcController
        && VersionInfoUtil.hasMinimumVersion(call.getClientVersionInfo(), 1, 3)
    ) {
      answer = ProtobufUtil.toResultNoData(result);
      ((HBaseRpcController) controller).setCellScanner(result.cellScanner());
      services.addSize(call, result);
    } else {
      answer = ProtobufUtil.toResult(result);
    }
    return GetResponse.newBuilder().setResult(answer).build();
  }
}
