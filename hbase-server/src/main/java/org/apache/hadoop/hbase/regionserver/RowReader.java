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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.QueryMetrics;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.ipc.RpcCallback;
import org.apache.hadoop.hbase.regionserver.MetricsRowPath.Reason;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the row of one plain get, family after family, and holds the blocks and memstore chunks
 * that its cells are in until it is closed, which is when the response has been built. It is a
 * region scanner only so that the call-backs of a call can hold and close it: it can't be iterated.
 * Used by one thread at a time.
 */
/*
 * A region scanner keeps the scanners of its stores in step with flushes, since a client may take
 * long between two calls of it. A get is read at once. It takes the files and the memstore's
 * segments of a family together, under the lock of the store. From then on the references to them
 * keep them as they are: a file isn't archived, and the chunks of a segment aren't reused.
 *
 * The read point is registered with the region, as that of a region scanner is, so that an
 * increment doesn't drop the version from the memstore that this get is to see, and a flush or a
 * compaction doesn't write a file without it. Registering takes no lock: the current point is put
 * there first, and then the point to read at is taken, which is the same or a later one. What
 * calculates the region's smallest read point takes the current one, and then goes through those
 * registered. If it missed the one put here, then it took the current one before the point to read
 * at was taken, which isn't smaller, therefore. The point is removed when the row has been read:
 * the cells in hand don't change.
 */
@InterfaceAudience.Private
final class RowReader implements RegionScanner, RpcCallback, IntConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(RowReader.class);

  private final HRegion region;
  private final Get get;
  private final byte[] row;
  /** Milliseconds since the epoch; when the get came. */
  private final long start = EnvironmentEdgeManager.currentTime();
  /** Milliseconds since the epoch; when reading began, which TTLs go by. */
  private long now;
  private final List<FamilyReader> read = new ArrayList<>(2);
  private final List<Cell> cells = new ArrayList<>();
  /** Scanners to close; null once closed. */
  private List<KeyValueScanner> held = new ArrayList<>(4);
  private long readPoint;
  private long blockBytes;
  private boolean rowSeen;

  /** @param get a plain one, of families of the region, at least one */
  RowReader(HRegion region, Get get) {
    this.region = region;
    this.get = get;
    row = get.getRow();
  }

  /**
   * Reads the row.
   * @return null if it was read; else why a region scanner has to read it: this is closed, then,
   *         and nothing was counted
   * @throws IOException as a region scanner throws it; this is closed
   */
  Reason read() throws IOException {
    boolean complete = false;
    try {
      Reason reason = readInOperation();
      complete = reason == null;
      return reason;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  private Reason readInOperation() throws IOException {
    region.startRegionOperation(Operation.SCAN);
    try {
      now = EnvironmentEdgeManager.currentTime();
      registerReadPoint();
      return readFamilies();
    } catch (RuntimeException e) {
      LOG.debug("A region scanner reads {} of {} again, after an exception", get, region, e);
      return Reason.FAILED;
    } finally {
      region.scannerReadPoints.remove(this);
      region.closeRegionOperation(Operation.SCAN);
    }
  }

  private void registerReadPoint() {
    region.scannerReadPoints.put(this, region.getReadPoint(IsolationLevel.READ_COMMITTED));
    readPoint = region.getReadPoint(IsolationLevel.READ_COMMITTED);
  }

  private Reason readFamilies() throws IOException {
    Map<byte[], NavigableSet<byte[]>> families = get.getFamilyMap();
    // Looked at before anything is read.
    for (byte[] family : families.keySet()) {
      if (!FamilyReader.canRead(region.getStore(family))) {
        return Reason.FAMILY;
      }
    }
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : families.entrySet()) {
      region.checkInterrupt();
      FamilyReader reader =
        new FamilyReader(this, region.getStore(family.getKey()), family.getValue());
      read.add(reader);
      Reason reason = reader.read();
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  Get getGet() {
    return get;
  }

  byte[] getRow() {
    return row;
  }

  /** Returns when reading began, in milliseconds since the epoch. */
  long getTime() {
    return now;
  }

  /** Returns the cells that have been read, to add to. */
  List<Cell> getCells() {
    return cells;
  }

  /** Closes the scanner when this is closed. */
  void hold(KeyValueScanner scanner) {
    held.add(scanner);
  }

  /** Counts a block that was looked at, by its bytes. */
  @Override
  public void accept(int bytes) {
    blockBytes += bytes;
  }

  boolean isRowSeen() {
    return rowSeen;
  }

  /** Notes that something of the row was found, even if none of it belongs to the result. */
  void setRowSeen() {
    rowSeen = true;
  }

  /** Returns the result, once, after a successful {@link #read}, and counts the get. */
  Result takeResult(RpcCallContext context) {
    context.incrementBlockBytesScanned(blockBytes);
    for (int i = 0; i < read.size(); i++) {
      read.get(i).updateMetrics();
    }
    region.addReadRequestsCount(1);
    MetricsRegion metrics = region.getMetrics();
    if (metrics != null) {
      metrics.updateReadRequestCount();
    }
    if (cells.isEmpty() && rowSeen) {
      region.filteredReadRequestsCount.increment();
      if (metrics != null) {
        metrics.updateFilteredRecords();
      }
    }
    region.metricsUpdateForGet(cells, start);
    Result result = Result.create(cells, get.isCheckExistenceOnly() ? !cells.isEmpty() : null,
      region.getRegionInfo().getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID);
    if (get.isQueryMetricsEnabled()) {
      result.setMetrics(new QueryMetrics(blockBytes));
    }
    return result;
  }

  /** Releases what the cells are in. May be called again, and does nothing then. */
  @Override
  public void close() {
    List<KeyValueScanner> closing = held;
    held = null;
    if (closing != null) {
      for (int i = 0; i < closing.size(); i++) {
        try {
          closing.get(i).close();
        } catch (RuntimeException e) {
          LOG.error("A scanner of {} couldn't be closed, and may hold blocks or files", region, e);
        }
      }
    }
  }

  @Override
  public void run() {
    close();
  }

  @Override
  public RegionInfo getRegionInfo() {
    return region.getRegionInfo();
  }

  @Override
  public long getMvccReadPoint() {
    return readPoint;
  }

  @Override
  public long getMaxResultSize() {
    return -1;
  }

  @Override
  public int getBatch() {
    return -1;
  }

  @Override
  public boolean isFilterDone() {
    return false;
  }

  @Override
  public boolean reseek(byte[] row) {
    throw notIterable();
  }

  @Override
  public boolean next(List<Cell> result, ScannerContext scannerContext) {
    throw notIterable();
  }

  @Override
  public boolean nextRaw(List<Cell> result) {
    throw notIterable();
  }

  @Override
  public boolean nextRaw(List<Cell> result, ScannerContext scannerContext) {
    throw notIterable();
  }

  private static UnsupportedOperationException notIterable() {
    return new UnsupportedOperationException("The row has been read");
  }
}
