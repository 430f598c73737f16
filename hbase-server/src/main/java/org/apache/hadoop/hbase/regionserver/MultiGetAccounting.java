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
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.apache.hadoop.hbase.regionserver.MetricsParallelMultiGet.Reason;
import org.apache.hadoop.hbase.regionserver.MetricsParallelMultiGet.Stop;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts the gets of a request: for the call and the region server's metrics, as if the handler had
 * served all; for quotas; and for the metrics of parallel multiget. Of the handler's thread.
 */
@InterfaceAudience.Private
final class MultiGetAccounting {
  private final RSRpcServices services;
  private final RpcCall call;

  private int byHandlerUnplanned;
  private int byHandler;
  private int byHelpers;
  private int dropped;

  // Of the region action.
  private long nanosSaved;
  private long droppedBlockBytes;

  MultiGetAccounting(RSRpcServices services, RpcCall call) {
    this.services = services;
    this.call = call;
  }

  /** The handler begins with another region action, which may have another quota. */
  void startRegionAction() {
    nanosSaved = 0;
    droppedBlockBytes = 0;
  }

  /** RSRpcServices serves a get, and counts it. */
  void addUnplanned() {
    byHandlerUnplanned++;
  }

  /** The handler takes the result of a planned get. */
  void add(PlannedGet get) {
    if (get.byHelper) {
      byHelpers++;
      nanosSaved += get.nanos;
      ThreadLocalServerSideScanMetrics.addFsReadTime(get.fsReadMillis);
    } else {
      byHandler++;
    }
    call.incrementBlockBytesScanned(get.blockBytes);
    call.incrementResponseCellSize(get.responseCellBytes);
    call.incrementResponseExceptionSize(get.responseExceptionBytes);
    MetricsRegionServer metrics = services.regionServer.getMetrics();
    if (metrics != null) {
      metrics.updateGet(get.region, get.millis, get.blockBytes);
    }
  }

  /** Nobody asked for the result of a planned get. */
  void addDropped(PlannedGet get) {
    dropped++;
    droppedBlockBytes += get.blockBytes;
    // A handler alone wouldn't have run it.
    nanosSaved -= get.byHelper ? 0 : get.nanos;
  }

  /** The handler waited for a helper. */
  void addWaited(long nanos) {
    nanosSaved -= nanos;
  }

  /** Returns Milliseconds by which the region action would have taken longer without helpers. */
  long getMillisSaved() {
    return TimeUnit.NANOSECONDS.toMillis(nanosSaved);
  }

  /** Returns Bytes of blocks that gets of the region action read that were dropped. */
  long getDroppedBlockBytes() {
    return droppedBlockBytes;
  }

  /**
   * The request is over.
   * @param reason why there was no help, if there was none
   * @param stop   why no more gets were begun, or null
   */
  void update(MetricsParallelMultiGet metrics, Reason reason, Stop stop) {
    int byHandlerInAll = byHandlerUnplanned + byHandler;
    if (byHelpers > 0) {
      metrics.incrParallel(byHelpers, byHandlerInAll);
    } else if (byHandlerInAll > 0) {
      metrics.incrSerial(reason, byHandlerInAll);
    }
    metrics.incrDropped(dropped);
    if (stop != null) {
      metrics.incrStop(stop);
    }
  }
}
