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

import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.EventLoopReads;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.ipc.ServerCall;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;

/**
 * Has short puts written by the event loop that received them, if nothing has to be waited for. An
 * event loop may also be what brings the answers of DataNodes, so it must never wait for a sync,
 * nor for a lock that is held until one. Thread-safe.
 */
@InterfaceAudience.Private
final class EventLoopPuts implements EventLoopReads.Reader {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoopPuts.class);

  /** Of a request with its header and cells, in bytes. */
  private static final int MOST_BYTES = 16 << 10;
  private static final int MOST_CELLS = 64;
  private static final int MOST_STORES = 8;

  private final HRegionServer server;
  private final AsyncPuts puts;
  /** Whether a quota may refuse a put, or count it. */
  private final boolean quotas;

  private EventLoopPuts(HRegionServer server, AsyncPuts puts) {
    this.server = server;
    this.puts = puts;
    quotas = QuotaUtil.isQuotaEnabled(server.getConfiguration());
  }

  /** Has a server's event loops write puts, if they answer calls at all. */
  static void add(RSRpcServices services, HRegionServer server, AsyncPuts puts) {
    EventLoopReads reads = services.rpcServer instanceof RpcServer
      ? ((RpcServer) services.rpcServer).getEventLoopReads()
      : null;
    if (reads != null) {
      reads.add(new EventLoopPuts(server, puts));
    }
  }

  @Override
  public boolean takes(RpcCall call) {
    return puts.isEnabled() && !quotas && call.getParam() instanceof MutateRequest
      && call.getPriority() <= HConstants.NORMAL_QOS && call.getSize() <= MOST_BYTES
      && isShortPut((MutateRequest) call.getParam());
  }

  private static boolean isShortPut(MutateRequest request) {
    MutationProto put = request.getMutation();
    return put.getMutateType() == MutationType.PUT && put.hasRow() && !request.hasCondition()
      && put.getAssociatedCellCount() <= MOST_CELLS;
  }

  @Override
  public boolean waits(RpcScheduler scheduler) {
    int calls = scheduler.getGeneralQueueLength();
    return calls > 0
      && calls > scheduler.getReadQueueLength() + scheduler.getScanQueueLength();
  }

  @Override
  public boolean isTriedInVain() {
    return false;
  }

  @Override
  public EventLoopReads.Outcome read(ServerCall<?> call) {
    PreparedPut prepared = null;
    try {
      prepared = prepare((MutateRequest) call.getParam());
    } catch (Throwable e) {
      // Whatever it is, a handler meets it in its usual place.
      LOG.debug("A handler writes {}, after an exception", call, e);
    }
    if (prepared == null) {
      return EventLoopReads.Outcome.NOT_TRIED;
    }
    call.setPreparedRead(prepared);
    MetricsAsyncPuts.getInstance().incrOnEventLoop();
    return EventLoopReads.Outcome.READ;
  }

  private PreparedPut prepare(MutateRequest request) {
    HRegion region = server.getOnlineRegion(request.getRegion().getValue().toByteArray());
    return region != null && mayWrite(region)
      ? PreparedPut.tryAcquire(region, request.getMutation().getRow().toByteArray())
      : null;
  }

  private boolean mayWrite(HRegion region) {
    RegionCoprocessorHost host = region.getCoprocessorHost();
    return puts.takes(region) && puts.hasRoom(region)
      && region.getTableDescriptor().getColumnFamilyCount() <= MOST_STORES
      && (host == null || !host.observesWrites())
      && server.getRegionServerAccounting().isAboveLowWaterMark() == FlushType.NORMAL;
  }
}
