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
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.hfile.GetBlocks;
import org.apache.hadoop.hbase.io.hfile.GetBudget;
import org.apache.hadoop.hbase.ipc.RpcCallback;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the gets of a request that one thread reads from one region have in common: the read point,
 * segments of memstores, files and their scanners, and index and bloom blocks. It holds what the
 * cells of all these gets are in until it is closed, which is when the response has been built. It
 * is a region scanner only so that the call-backs of a call can hold and close it: it can't be
 * iterated. Used by one thread at a time.
 */
/*
 * A region scanner keeps the scanners of its stores in step with flushes, since a client may take
 * long between two calls of it. Here, the references to segments and files keep them as they are: a
 * file isn't archived, and the chunks of a segment aren't reused. A get that comes when the region
 * has a later read point, or a store has other files, as after a bulk load, gets another batch. So
 * each get sees all that was written before it came.
 *
 * The read point is registered with the region, as that of a region scanner is, so that an
 * increment doesn't drop the version from the memstore that a get is to see, and a flush or a
 * compaction doesn't write a file without it. Registering takes no lock: the current point is put
 * there first, and then the point to read at is taken, which is the same or a later one. What
 * calculates the region's smallest read point takes the current one, and then goes through those
 * registered. If it missed the one put here, then it took the current one before the point to read
 * at was taken, which isn't smaller, therefore.
 */
@InterfaceAudience.Private
final class GetBatch implements RegionScanner, RpcCallback {
  private final HRegion region;
  private final GetTerms terms;
  private final GetBlocks blocks;
  private final RowReader reader;
  private boolean held;
  private boolean failed;
  private boolean closed;

  /**
   * @param get    the first one
   * @param shared whether others may follow
   * @param first  what is known of reading the get in memory; null if it wasn't tried
   */
  GetBatch(HRegion region, Get get, boolean shared, FirstReading first) {
    this(region, get, shared, first == null
      ? new GetBlocks(shared)
      : GetBlocks.again(shared, first.getCountedLookups()), first);
  }

  /**
   * Creates what reads one get in memory only.
   * @param first is told what bloom filters say
   */
  static GetBatch inMemory(HRegion region, Get get, FirstReading first) {
    GetBudget budget = new GetBudget(findKeyBytes(get));
    return new GetBatch(region, get, false, GetBlocks.inMemory(budget), first);
  }

  /** Returns the length of the longest key that the get searches for. */
  private static int findKeyBytes(Get get) {
    int longest = 0;
    for (NavigableSet<byte[]> columns : get.getFamilyMap().values()) {
      if (columns != null) {
        for (byte[] column : columns) {
          longest = Math.max(longest, column.length);
        }
      }
    }
    return get.getRow().length + longest;
  }

  private GetBatch(HRegion region, Get get, boolean shared, GetBlocks blocks,
    FirstReading first) {
    this.region = region;
    this.blocks = blocks;
    region.scannerReadPoints.put(this, region.getReadPoint(get.getIsolationLevel()));
    boolean opened = false;
    try {
      long readPoint = region.getReadPoint(get.getIsolationLevel());
      terms = new GetTerms(get, shared, blocks.getBudget() != null, readPoint);
      reader = RowReader.open(region, terms, blocks, first);
      opened = true;
    } finally {
      if (!opened) {
        region.scannerReadPoints.remove(this);
      }
    }
  }

  /**
   * Returns true if the get can be read with this, and would see the same without. Called in an
   * operation of the region, in which no files are bulk loaded.
   */
  boolean serves(HRegion region, Get get) {
    return !closed && !failed && this.region == region
      && terms.fit(get, region.getReadPoint(get.getIsolationLevel())) && reader.isCurrent();
  }

  /** Returns true if a call-back closes this. */
  boolean isHeld() {
    return held;
  }

  void setHeld() {
    held = true;
  }

  /** No other get is read with this, since an exception may have left a scanner anywhere. */
  void setFailed() {
    failed = true;
  }

  /** Returns what reads the gets. */
  RowReader getReader() {
    return reader;
  }

  /** Returns what reads the gets' blocks. */
  GetBlocks getBlocks() {
    return blocks;
  }

  /** Releases what the cells are in. May be called again, and does nothing then. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    region.scannerReadPoints.remove(this);
    reader.close();
    blocks.close();
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
    return terms.getReadPoint();
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

  /** Gives the cells of the one get, once and without limits. Counts its row, but no get. */
  @Override
  public boolean next(List<Cell> result, ScannerContext scannerContext) {
    result.addAll(reader.takeCells(RpcServer.getCurrentCall().orElse(null)));
    return false;
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
    return new UnsupportedOperationException("Gets have been read");
  }
}
