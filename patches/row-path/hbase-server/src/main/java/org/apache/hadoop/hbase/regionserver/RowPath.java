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

import io.opentelemetry.api.trace.Span;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.MetricsRowPath.Reason;
import org.apache.hadoop.hbase.regionserver.RSRpcServices.RegionScannersCloseCallBack;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves plain gets by a {@link RowReader} in place of a region scanner. A get that isn't plain, or
 * whose row turns out not to be, is left to the caller, which reads it by a region scanner from the
 * beginning. Each get is counted, with the reason if it was left. Thread-safe.
 */
@InterfaceAudience.Private
final class RowPath {
  private static final Logger LOG = LoggerFactory.getLogger(RowPath.class);

  private final MetricsRowPath metrics = MetricsRowPath.getInstance();
  private volatile boolean enabled;

  /** @throws IllegalArgumentException if a setting isn't allowed */
  RowPath(Configuration conf) {
    enabled = RowPathSettings.ENABLED.read(conf);
  }

  /**
   * Creates what a server has. A master, which reads no gets of tables, has it switched off, and
   * ends by no bad value.
   */
  static RowPath create(HRegionServer server) {
    return new RowPath(
      server instanceof HMaster ? new Configuration(false) : server.getConfiguration());
  }

  /** Applies changed settings of the server; none if a value isn't allowed. */
  void onConfigurationChange(Configuration conf) {
    try {
      enabled = RowPathSettings.ENABLED.read(conf);
    } catch (IllegalArgumentException e) {
      LOG.error("Gets keep their settings, since the new ones aren't allowed: {}", e.getMessage());
    }
  }

  /**
   * Reads a get.
   * @param get           may have no family yet, which means all, or such as the region hasn't got
   * @param closeCallBack takes what holds the blocks of the result; null if the context does
   * @param context       the current call of this thread
   * @return the result; null if a region scanner has to read the get, and nothing has been done
   * @throws IOException if the region doesn't take reads, as a region scanner throws it, or the
   *                     thread was interrupted
   */
  Result get(Get get, HRegion region, RegionScannersCloseCallBack closeCallBack,
    RpcCallContext context) throws IOException {
    PreparedGet attempt = enabled ? PreparedGet.take(context) : null;
    if (!enabled || isObservedFirst(region)) {
      return null;
    }
    GetBatch batch = read(get, region, closeCallBack, context, attempt);
    return batch == null ? null : takeResult(batch, context);
  }

  /**
   * Reads a get that {@link #get} leaves to coprocessors, whose hooks have seen it since, and may
   * have changed it. They see no cells.
   * @param added what the hooks put into the result, to which a region scanner adds
   * @param start when the get came, in milliseconds since the epoch
   * @return as there
   */
  Result getObserved(Get get, List<Cell> added, long start, HRegion region,
    RegionScannersCloseCallBack closeCallBack, RpcCallContext context) throws IOException {
    if (!enabled || !isObservedFirst(region)) {
      return null;
    }
    if (!added.isEmpty()) {
      metrics.incrScanner(Reason.COPROCESSOR);
      return null;
    }
    GetBatch batch = read(get, region, closeCallBack, context, null);
    if (batch == null) {
      return null;
    }
    batch.getReader().setStart(start);
    return takeResult(batch, context);
  }

  /** Returns what reads the rows of a region's writes; null if there is no server. */
  static RowPath of(RegionServerServices services) {
    return services instanceof HRegionServer
      ? ((HRegionServer) services).getRSRpcServices().rowPath
      : null;
  }

  /** Returns true if rows that writes read may be read without a region scanner. */
  static boolean isOn(HRegion region) {
    RowPath path = region.rowPath;
    return path != null && path.enabled;
  }

  /**
   * Reads what an increment or append adds to.
   * @param get as for {@link #read(HRegion, Get)}
   * @return what gives the row's cells, which are good until it is closed
   */
  static RegionScanner open(HRegion region, Get get) throws IOException {
    RegionCoprocessorHost host = region.getCoprocessorHost();
    RegionScanner row = host != null && host.observesAdding() ? null : read(region, get);
    return row != null ? row : region.getScanner(new Scan(get));
  }

  /**
   * Reads a row for a write, if it is on, as a region scanner would read a scan of the get.
   * @param get of any isolation; what it doesn't say is set; its filter is reset afterwards
   * @return what gives the row's cells once, which are good until it is closed; null if a region
   *         scanner has to read the get, and nothing has been done
   */
  static RegionScanner read(HRegion region, Get get) throws IOException {
    if (!isOn(region) || findReason(region, RpcServer.getCurrentCall().orElse(null)) != null) {
      return null;
    }
    prepare(get, region);
    if (get.getLoadColumnFamiliesOnDemandValue() == null) {
      get.setLoadColumnFamiliesOnDemand(false);
    }
    Filter filter = get.getFilter();
    GetBatch batch = null;
    boolean complete = false;
    try {
      region.startRegionOperation(Operation.SCAN);
      boolean hasRow;
      try {
        batch = new GetBatch(region, get, false, null);
        hasRow = read(get, batch) == null;
        if (filter != null) {
          filter.reset();
        }
      } finally {
        region.closeRegionOperation(Operation.SCAN);
      }
      complete = hasRow;
    } finally {
      if (batch != null && !complete) {
        batch.close();
      }
    }
    if (complete) {
      MetricsRowPath.getInstance().incrWrite();
    }
    return complete ? batch : null;
  }

  /** Whether coprocessors have hooks that are called before a row is read, and no others. */
  private static boolean isObservedFirst(HRegion region) {
    RegionCoprocessorHost host = region.getCoprocessorHost();
    return host != null && host.observesGets() && !host.observesCells();
  }

  /** Returns what has read the get; null if a region scanner has to, which is counted. */
  private GetBatch read(Get get, HRegion region, RegionScannersCloseCallBack closeCallBack,
    RpcCallContext context, PreparedGet attempt) throws IOException {
    Reason reason = findReason(get, region, context);
    if (reason == null) {
      prepare(get, region);
      GetBatch batch;
      region.startRegionOperation(Operation.SCAN);
      try {
        batch = batchFor(get, region, closeCallBack, attempt);
        reason = read(get, batch);
        if (reason == null) {
          hold(batch, closeCallBack, context);
        }
      } finally {
        region.closeRegionOperation(Operation.SCAN);
      }
      if (reason == null) {
        return batch;
      }
    }
    metrics.incrScanner(reason);
    return null;
  }

  private Result takeResult(GetBatch batch, RpcCallContext context) {
    metrics.incrRowPath();
    return batch.getReader().takeResult(context);
  }

  /**
   * Reads a get of a call that hasn't begun, if it is plain. Waits for nothing: neither for blocks
   * that aren't in memory nor for locks.
   * <p>
   * A region that closes interrupts the threads in its operations, perhaps when this one is in none
   * any more. The thread isn't a handler's, and nothing else interrupts it, so an interrupt is
   * cleared, whenever it came.
   * @param call of the get
   * @return what was read, or is known of the attempt; null if there was none
   */
  PreparedGet readInMemory(Get get, HRegion region, RpcCallContext call) {
    if (!canReadInMemory(region, call) || isUncommitted(get)) {
      return null;
    }
    Thread.interrupted();
    try {
      return FreeLocks.tryLock(region.lock.readLock()) ? readLocked(get, region) : null;
    } finally {
      Thread.interrupted();
    }
  }

  /** Returns true if gets of the region may be read in memory. Costs next to nothing. */
  boolean canReadInMemory(HRegion region, RpcCallContext call) {
    return enabled && !region.isClosing() && findReason(region, call) == null
      && !observesGets(region);
  }

  /** Reads a get, and releases the region's lock. */
  private static PreparedGet readLocked(Get get, HRegion region) {
    PreparedGet attempt = new PreparedGet(region);
    boolean complete = false;
    try {
      readInMemory(get, attempt);
      complete = true;
    } catch (IOException e) {
      LOG.debug("A handler reads {} of {} again, after an exception", get, region, e);
    } finally {
      region.lock.readLock().unlock();
      if (!complete) {
        attempt.discard();
      }
    }
    return attempt;
  }

  private static void readInMemory(Get get, PreparedGet attempt) throws IOException {
    HRegion region = attempt.getRegion();
    prepare(get, region);
    region.startRegionOperation(Operation.SCAN);
    try {
      GetBatch batch = GetBatch.inMemory(region, get, attempt.getReading());
      Reason reason = read(get, batch);
      attempt.getReading().setCountedLookups(batch.getBlocks().getCountedLookups());
      if (reason == null) {
        attempt.setBatch(batch);
      } else if (reason == Reason.FAILED) {
        attempt.setNotInMemory();
      }
    } finally {
      region.closeRegionOperation(Operation.SCAN);
    }
  }

  /** Whether a hook would be called, which might wait. */
  private static boolean observesGets(HRegion region) {
    RegionCoprocessorHost host = region.getCoprocessorHost();
    return host != null && host.observesGets();
  }

  /**
   * Takes what was read, and counts the get.
   * @param context the current call of this thread, which holds the blocks of the result
   */
  Result takeResult(PreparedGet prepared, RpcCallContext context) {
    GetBatch batch = prepared.takeBatch();
    hold(batch, null, context);
    return takeResult(batch, context);
  }

  /** Throws as a region scanner's get does if the row isn't in the region. */
  private static void prepare(Get get, HRegion region) throws IOException {
    if (get.hasFamilies()) {
      region.checkRow(get.getRow(), "Get");
    } else {
      region.prepareGet(get);
    }
  }

  private static GetBatch batchFor(Get get, HRegion region,
    RegionScannersCloseCallBack closeCallBack, PreparedGet attempt) {
    GetBatch last = closeCallBack == null ? null : closeCallBack.getBatch;
    return last != null && last.serves(region, get)
      ? last
      : new GetBatch(region, get, closeCallBack != null,
        attempt == null ? null : attempt.getReading());
  }

  /** Closes a new batch if its first get wasn't read. */
  private static Reason read(Get get, GetBatch batch) throws IOException {
    Reason reason = Reason.FAILED;
    try {
      reason = batch.getReader().read(get);
      return reason;
    } finally {
      if (reason == Reason.FAILED) {
        batch.setFailed();
      }
      if (reason != null && !batch.isHeld()) {
        batch.close();
      }
    }
  }

  /** Has the batch closed when the response has been built. */
  private static void hold(GetBatch batch, RegionScannersCloseCallBack closeCallBack,
    RpcCallContext context) {
    if (batch.isHeld()) {
      return;
    }
    batch.setHeld();
    if (closeCallBack == null) {
      context.setCallBack(batch);
      return;
    }
    if (closeCallBack.getBatch != null) {
      closeCallBack.getBatch.getBlocks().close(); // No cell is in them.
    }
    closeCallBack.addScanner(batch);
    closeCallBack.getBatch = batch;
  }

  private static Reason findReason(Get get, HRegion region, RpcCallContext context) {
    return isUncommitted(get) ? Reason.UNCOMMITTED : findReason(region, context);
  }

  private static boolean isUncommitted(Get get) {
    return get.getIsolationLevel() != IsolationLevel.READ_COMMITTED;
  }

  /**
   * Returns why no get of the region is plain now, or null. Hooks of operations are called for each
   * of the two that a region scanner has for a get.
   */
  private static Reason findReason(HRegion region, RpcCallContext context) {
    if (region.getClass() != HRegion.class) {
      return Reason.OTHER;
    }
    if (region.getRegionInfo().isMetaRegion()) {
      return Reason.META;
    }
    RegionCoprocessorHost host = region.getCoprocessorHost();
    if (host != null && (host.observesCells() || host.observesOperations())) {
      return Reason.COPROCESSOR;
    }
    if (context != null && context.disconnectSince() >= 0) {
      return Reason.FAILED;
    }
    return Span.current().isRecording() ? Reason.TRACED : null;
  }
}
