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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.QueryMetrics;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.hfile.GetBlocks;
import org.apache.hadoop.hbase.io.hfile.NotInMemoryError;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.regionserver.MetricsRowPath.Reason;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the rows of plain gets, one after another. Used by one thread at a time. A thread that
 * closes one keeps it, without anything of the region, for the next request.
 */
@InterfaceAudience.Private
final class RowReader {
  private static final Logger LOG = LoggerFactory.getLogger(RowReader.class);
  private static final ThreadLocal<RowReader> CLOSED = new ThreadLocal<>();
  /** Families whose readers are kept. */
  private static final int MAX_KEPT = 2;

  private HRegion region;
  private GetTerms terms;
  /** Of all families that were read, and behind these such as are closed. */
  private final List<FamilyReader> families = new ArrayList<>(1);
  private int opened;
  /** Those of the families that the get asks for. */
  private final List<FamilyReader> ofRow = new ArrayList<>(1);

  // Of the get that is read.
  private Get get;
  private final CurrentRow row = new CurrentRow();
  /** Milliseconds since the epoch; since when the get's latency counts. */
  private long start;
  /** Whether there is something of the row, even if none of it belongs to the result. */
  private boolean rowSeen;

  private RowReader() {
  }

  /**
   * Opens a reader.
   * @param blocks of all gets
   * @param first  what is noted of a get in memory only, or known of one that is read again; null
   *               for others
   */
  static RowReader open(HRegion region, GetTerms terms, GetBlocks blocks, FirstReading first) {
    RowReader reader = CLOSED.get();
    if (reader == null) {
      reader = new RowReader();
    } else {
      CLOSED.set(null);
    }
    reader.region = region;
    reader.terms = terms;
    reader.row.open(blocks, first);
    return reader;
  }

  /** Returns false if a store has other files than when a get was read, or may have. */
  boolean isCurrent() {
    for (int i = 0; i < opened; i++) {
      if (!families.get(i).isCurrent()) {
        return false;
      }
    }
    return true;
  }

  /** Releases what the cells of all rows are in. This isn't used afterwards by who opened it. */
  void close() {
    for (int i = 0; i < opened; i++) {
      families.get(i).close();
    }
    opened = 0;
    ofRow.clear();
    if (families.size() > MAX_KEPT) {
      families.subList(MAX_KEPT, families.size()).clear();
    }
    region = null;
    terms = null;
    get = null;
    row.clear();
    CLOSED.set(this);
  }

  /**
   * Reads the row of a get, in an operation of the region.
   * @param next a plain one, of one family at least
   * @return null if it was read; else why a region scanner has to read it, and nothing was counted
   * @throws IOException as a region scanner throws it
   */
  Reason read(Get next) throws IOException {
    get = next;
    start = EnvironmentEdgeManager.currentTime();
    for (int i = 0; i < opened; i++) {
      families.get(i).beginRow();
    }
    rowSeen = false;
    row.begin(get, region);
    try {
      return readFamilies();
    } catch (NotInMemoryError e) {
      return Reason.FAILED; // A handler reads it.
    } catch (RuntimeException e) {
      LOG.debug("A region scanner reads {} of {} again, after an exception", get, region, e);
      row.getFilter().renew(get);
      return Reason.FAILED;
    } finally {
      row.end();
    }
  }

  private Reason readFamilies() throws IOException {
    ofRow.clear();
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : get.getFamilyMap().entrySet()) {
      region.checkInterrupt();
      HStore store = region.getStore(family.getKey());
      if (store == null) {
        return Reason.FAILED; // The region scanner's get says so.
      }
      FamilyReader reader = readerOf(store);
      Reason reason = reader.begin(get, family.getValue());
      if (reason != null) {
        return reason;
      }
      ofRow.add(reader);
    }
    if (row.getFilter().get() == null) {
      for (int i = 0; i < ofRow.size(); i++) {
        region.checkInterrupt();
        rowSeen |= ofRow.get(i).start();
        ofRow.get(i).read();
      }
    } else {
      readFiltered();
    }
    return null;
  }

  /** Reads the families that the filter needs; if it takes the row by these, the others, too. */
  private void readFiltered() throws IOException {
    GetFilter filter = row.getFilter();
    Cell first = null;
    for (int i = 0; i < ofRow.size(); i++) {
      region.checkInterrupt();
      FamilyReader family = ofRow.get(i);
      family.setEssential(filter.isEssential(family.getFamily()));
      if (family.isEssential() && family.start() && first == null) {
        first = family.firstCell();
      }
    }
    rowSeen = first != null;
    if (!rowSeen || !filter.takesRow(first)) {
      return;
    }
    boolean hasOthers = readFamilies(true);
    RowCells cells = row.getCells();
    if (!filter.takesCells(cells)) {
      cells.clear();
    } else if (hasOthers) {
      readFamilies(false);
      cells.asList().sort(region.getCellComparator());
    }
  }

  /** Returns true if there are families of the other kind. */
  private boolean readFamilies(boolean essential) throws IOException {
    boolean hasOthers = false;
    for (int i = 0; i < ofRow.size(); i++) {
      FamilyReader family = ofRow.get(i);
      if (family.isEssential() != essential) {
        hasOthers = true;
        continue;
      }
      region.checkInterrupt();
      if (!essential) {
        family.start();
      }
      family.read();
    }
    return hasOthers;
  }

  private FamilyReader readerOf(HStore store) {
    for (int i = 0; i < opened; i++) {
      if (families.get(i).isOf(store)) {
        return families.get(i);
      }
    }
    if (opened == families.size()) {
      families.add(new FamilyReader(row));
    }
    FamilyReader reader = families.get(opened++);
    reader.open(terms, store);
    return reader;
  }

  /** Sets since when the latency counts, in milliseconds since the epoch, if not since reading. */
  void setStart(long start) {
    this.start = start;
  }

  /** Returns the result, once, after a successful {@link #read(Get)}, and counts the get. */
  Result takeResult(RpcCallContext context) {
    RowCells cells = row.getCells();
    countRow(context);
    region.metricsUpdateForGet(Collections.emptyList(), start); // It counts the get only.
    boolean stale = region.getRegionInfo().getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID;
    Result result = get.isCheckExistenceOnly()
      ? Result.create((Cell[]) null, cells.size() > 0, stale)
      : cells.takeResult(stale);
    if (get.isQueryMetricsEnabled()) {
      result.setMetrics(new QueryMetrics(row.getBlockBytes()));
    }
    return result;
  }

  /**
   * Returns the cells, once, after a successful {@link #read(Get)}, and counts the row, but no get.
   * @param context null if there is no call
   */
  List<Cell> takeCells(RpcCallContext context) {
    countRow(context);
    return row.getCells().asList();
  }

  private void countRow(RpcCallContext context) {
    if (context != null) {
      context.incrementBlockBytesScanned(row.getBlockBytes());
    }
    for (int i = 0; i < opened; i++) {
      families.get(i).updateMetrics();
    }
    region.addReadRequestsCount(1);
    MetricsRegion metrics = region.getMetrics();
    if (metrics != null) {
      metrics.updateReadRequestCount();
    }
    if (row.getCells().size() == 0 && rowSeen) {
      region.filteredReadRequestsCount.increment();
      if (metrics != null) {
        metrics.updateFilteredRecords();
      }
    }
  }
}
