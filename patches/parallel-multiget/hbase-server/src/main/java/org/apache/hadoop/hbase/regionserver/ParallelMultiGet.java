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

import java.util.function.DoubleSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.ipc.ServerCall;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.MetricsParallelMultiGet.Reason;
import org.apache.hadoop.hbase.regionserver.RSRpcServices.RegionScannersCloseCallBack;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;

/**
 * Spreads the gets of a region server's multi requests over threads (HBASE-23063).
 * <p>
 * A request whose gets may be spread gets a {@link ParallelGets} as its call-back. For other
 * requests, or if this is off, {@link RSRpcServices} works as it does without this class.
 * {@link GetPlanner#isParallelizable} tells which gets may be spread. Masters serve their few
 * tables without helpers. Thread-safe.
 */
@InterfaceAudience.Private
final class ParallelMultiGet {
  private static final Logger LOG = LoggerFactory.getLogger(ParallelMultiGet.class);

  private final RSRpcServices services;
  private final RegionGetter getter;
  private final DoubleSupplier load;

  /** Null while off. */
  private volatile MultiGetPool pool;
  private boolean stopped;

  /** @throws IllegalArgumentException if a setting isn't allowed */
  ParallelMultiGet(RSRpcServices services, RegionGetter getter) {
    this(services, getter, null);
  }

  /** @param load read by {@link IdleCpus}; null for {@link CpuLoad} */
  ParallelMultiGet(RSRpcServices services, RegionGetter getter, DoubleSupplier load) {
    this.services = services;
    this.getter = getter;
    this.load = load;
    configure(services.regionServer.getConfiguration());
  }

  /**
   * Applies settings. Requests that are being served continue with the settings that they began
   * with.
   * @throws IllegalArgumentException if a setting isn't allowed; all settings stay as they were
   */
  private synchronized void configure(Configuration conf) {
    if (stopped || services.regionServer instanceof HMaster) {
      return;
    }
    ParallelMultiGetSettings settings = new ParallelMultiGetSettings(conf);
    MultiGetPool before = pool;
    if (before != null && before.getSettings().equals(settings)) {
      return;
    }
    pool = settings.isEnabled() ? start(settings) : null;
    if (before != null) {
      before.shutdown();
    }
    if (before != null && pool == null) {
      LOG.info("Multigets are served by one thread each, since {} is false",
        ParallelMultiGetSettings.ENABLED.key());
    }
  }

  /** Applies changed settings of the server; none if a value isn't allowed. */
  void onConfigurationChange(Configuration conf) {
    try {
      configure(conf);
    } catch (IllegalArgumentException e) {
      LOG.error("Multigets keep their settings, since the new ones aren't allowed: {}",
        e.getMessage());
    }
  }

  private MultiGetPool start(ParallelMultiGetSettings settings) {
    MultiGetPool started = new MultiGetPool(settings,
      () -> services.rpcServer.getScheduler().getActiveRpcHandlerCount(),
      new IdleCpus(settings.getCpus(), load == null ? new CpuLoad() : load),
      MetricsParallelMultiGet.getInstance());
    LOG.info("Multigets are spread over {} threads, up to {} for one", settings.getThreads(),
      settings.getMaxPerRequest());
    return started;
  }

  /** Stops helping for good. From then on handlers serve all gets alone. */
  synchronized void stop() {
    stopped = true;
    MultiGetPool current = pool;
    pool = null;
    if (current != null) {
      current.shutdownNow();
    }
  }

  /** Returns the pool, or null while off. */
  MultiGetPool getPool() {
    return pool;
  }

  /**
   * Creates the call-back of a request.
   * @param closeCallBack the call-back that the request has without this
   * @param context       the call of the request
   * @return the call-back to use: the same if no get of the request may be spread
   */
  RegionScannersCloseCallBack createCallBack(RegionScannersCloseCallBack closeCallBack,
    MultiRequest request, RpcCallContext context) {
    MultiGetPool current = pool;
    if (current == null || !(context instanceof RpcCall) || context instanceof GetCall) {
      return closeCallBack;
    }
    int parallelizable = 0;
    int others = 0;
    for (RegionAction actions : request.getRegionActionList()) {
      if (GetPlanner.isParallelizable(actions)) {
        parallelizable += actions.getActionCount();
      } else {
        others += GetPlanner.countGets(actions);
      }
    }
    if (parallelizable < current.getSettings().getMinGets()) {
      if (parallelizable + others > 0) {
        current.getMetrics().incrSerial(others > parallelizable ? Reason.MIXED : Reason.FEW_GETS,
          parallelizable + others);
      }
      return closeCallBack;
    }
    ParallelGets gets = new ParallelGets(services, getter, current, (RpcCall) context, request);
    if (context instanceof ServerCall) {
      ((ServerCall<?>) context).setRequestReader(gets);
    }
    return gets;
  }
}
