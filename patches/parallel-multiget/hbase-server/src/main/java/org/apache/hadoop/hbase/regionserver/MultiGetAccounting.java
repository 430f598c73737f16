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
 * served all; for quotas; and for the metrics of parallel multiget. Used by the handler's thread
 * only.
 */
@InterfaceAudience.Private
final class MultiGetAccounting {
  private final RSRpcServices services;
  private final RpcCall call;

  private int byHandlerUnplanned;
  private int byHandler;
  private int byHelpers;
  private int dropped;

  // Of the current region action.
  private long nanosSaved;
  private long droppedBlockBytes;

  MultiGetAccounting(RSRpcServices services, RpcCall call) {
    this.services = services;
    this.call = call;
  }

  /** Begins another region action, which may have another quota. */
  void startRegionAction() {
    nanosSaved = 0;
    droppedBlockBytes = 0;
  }

  /** Counts a get that RSRpcServices serves. */
  void addUnplanned() {
    byHandlerUnplanned++;
  }

  /** Counts a planned get whose result the handler takes. */
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

  /** Counts a planned get whose result the handler doesn't take. */
  void addDropped(PlannedGet get) {
    dropped++;
    droppedBlockBytes += get.blockBytes;
    // Without helpers the handler wouldn't have run it.
    nanosSaved -= get.byHelper ? 0 : get.nanos;
  }

  /** Adds the time that the handler waited for a helper. */
  void addWaited(long nanos) {
    nanosSaved -= nanos;
  }

  /** Returns the milliseconds that helpers saved the region action; may be negative. */
  long getMillisSaved() {
    return TimeUnit.NANOSECONDS.toMillis(nanosSaved);
  }

  /** Returns the bytes of blocks that the dropped gets of the region action read. */
  long getDroppedBlockBytes() {
    return droppedBlockBytes;
  }

  /**
   * Updates the metrics at the end of the request.
   * @param reason why there were no helpers, if there were none
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
