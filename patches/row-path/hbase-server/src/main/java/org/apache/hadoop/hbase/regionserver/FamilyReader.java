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
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.MetricsRowPath.Reason;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads one family of rows, one after another, as a {@link RowReader} has it do. Used by one thread
 * at a time.
 */
/*
 * Sources of cells are the files and segments that pass the filters by key range, time range, TTL
 * and bloom.
 */
@InterfaceAudience.Private
final class FamilyReader {
  private final CurrentRow current;
  private final FamilySources family;
  private final FamilyMatcher matcher = new FamilyMatcher();
  private final RowMerge merge = new RowMerge(matcher);
  private final CellRun run = new CellRun();
  private HStore store;

  // Of the get that is read.
  private ScanInfo info;
  private CellComparator comparator;
  private byte[] row;
  /** Negative if there is none. */
  private int cellLimit;
  private int cellOffset;
  /** The source of the first cell, once it has started; null if there is none. */
  private RowSource first;
  /** Cells that are asked for, with those before the offset. */
  private int matched;
  private long cellBytes;
  private boolean onlyMemory;
  private boolean found;
  /** Whether the filter needs the family to decide about the row. */
  private boolean essential;

  /** @param current the row that is read, which cells are added to */
  FamilyReader(CurrentRow current) {
    this.current = current;
    family = new FamilySources(current);
  }

  /** @param ofGets terms on which all rows are read */
  void open(GetTerms ofGets, HStore ofStore) {
    store = ofStore;
    found = false;
    family.setStore(ofGets, ofStore);
  }

  boolean isOf(HStore other) {
    return store == other;
  }

  /** Returns false if the store has other files than when they were opened, or may have. */
  boolean isCurrent() {
    return family.isCurrent();
  }

  /** Releases what cells are in. */
  void close() {
    family.close();
    merge.clear();
    matcher.clear();
    run.clear();
    store = null;
    info = null;
    comparator = null;
    row = null;
    first = null;
  }

  /** Another row is read, perhaps without this family. */
  void beginRow() {
    found = false;
  }

  /** Counts the read in the store's metrics, if it found cells. For when the row is complete. */
  void updateMetrics() {
    if (found) {
      store.updateMetricsStore(onlyMemory);
    }
  }

  /**
   * Begins the current row, and reads no block.
   * @param columns null or empty to read all
   * @return null if this can read it; else why a region scanner has to
   */
  Reason begin(Get get, NavigableSet<byte[]> columns) throws IOException {
    info = store.getScanInfo();
    if (!canRead(store)) {
      return Reason.FAMILY;
    }
    comparator = info.getComparator();
    row = get.getRow();
    cellLimit = get.getMaxResultsPerColumnFamily();
    cellOffset = get.getRowOffsetPerColumnFamily();
    matcher.begin(get, info, columns, current.getTime());
    merge.begin(row, info);
    Reason reason = family.isOpen() ? null : family.open(matcher);
    return reason == null && asksForEachColumn() ? Reason.FAMILY : reason;
  }

  /** Returns false if a region scanner has to read gets of the store, whatever they ask for. */
  static boolean canRead(HStore store) {
    ScanInfo info = store.getScanInfo();
    return store.getClass() == HStore.class && info.getMinVersions() == 0
      && !info.isNewVersionBehavior() && !info.isParallelSeekEnabled();
  }

  /** Whether a file has a bloom filter that is to be asked for each column. */
  private boolean asksForEachColumn() {
    if (matcher.getColumns() == null || matcher.getColumns().length == 1) {
      return false;
    }
    List<FamilySources.OfFile> files = family.getFiles();
    for (int i = 0; i < files.size(); i++) {
      if (files.get(i).reader.getBloomFilterType() == BloomType.ROWCOL) {
        return true;
      }
    }
    return false;
  }

  byte[] getFamily() {
    return info.getFamily();
  }

  boolean isEssential() {
    return essential;
  }

  void setEssential(boolean essential) {
    this.essential = essential;
  }

  /** Goes to the first cell of the row, once it has begun; returns false if there is none. */
  boolean start() throws IOException {
    findSources();
    merge.start();
    first = merge.least();
    return first != null;
  }

  /**
   * Returns the first cell of a row that has started, which is another one when more is read; or a
   * key at the row's start if a file may have a cell behind it.
   */
  Cell firstCell() {
    return first.isRuledOut() ? merge.rowStart() : first.cell();
  }

  /** Adds the family's cells to those of the row, once it has started. */
  void read() throws IOException {
    current.setSources(merge.size()); // Other families may have started since this one.
    matched = 0;
    cellBytes = 0;
    onlyMemory = true;
    int before = current.getCells().size();
    readCells();
    found = current.getCells().size() > before;
  }

  private void findSources() {
    List<FamilySources.OfFile> files = family.getFiles();
    for (int i = 0; i < files.size(); i++) {
      FamilySources.OfFile file = files.get(i);
      if (
        matcher.isInRange(file.reader, row)
          && current.passesBloomFilter(file.reader, matcher.getColumns())
      ) {
        merge.add(file.begin());
      }
    }
    List<RowSource> segments = family.getSegments();
    for (int i = 0; i < segments.size(); i++) {
      RowSource segment = segments.get(i);
      if (matcher.isInRange(segment.segment)) {
        segment.begin();
        merge.add(segment);
      }
    }
    current.setSources(merge.size());
  }

  private void readCells() throws IOException {
    for (RowSource source = first; source != null; source = merge.least()) {
      if (!readCell(source)) {
        return;
      }
    }
  }

  /**
   * Adds the source's cell, if it is asked for, and goes on to what may be the next one.
   * @return false if nothing else is asked for
   */
  private boolean readCell(RowSource source) throws IOException {
    if (source.isRuledOut()) {
      return !matcher.isFilterDone() && leaveRuledOut();
    }
    source.countBlock();
    Cell cell = current.getFilter().cellFor(source.cell());
    switch (matcher.match(cell)) {
      case INCLUDE:
        if (!include(cell, source)) {
          return false;
        }
        leaveIncluded(source);
        return true;
      case INCLUDE_AND_SEEK_NEXT_COL:
        if (!include(cell, source) || matcher.isDone()) {
          return false;
        }
        merge.leaveColumn(source);
        return true;
      case INCLUDE_AND_SEEK_NEXT_ROW:
        include(cell, source);
        return false;
      case SKIP:
        source.next();
        return true;
      case SEEK_NEXT_COL:
        if (matcher.isDone()) {
          return false;
        }
        merge.leaveColumn(source);
        return true;
      case SEEK_NEXT_USING_HINT:
        return seekHint(cell, source);
      default:
        return false;
    }
  }

  /** Goes on behind a cell that was included, and has a run take what it can of those behind it. */
  private void leaveIncluded(RowSource source) throws IOException {
    if (
      source.file == null || cellLimit >= 0 || matched < cellOffset || !merge.isAlone(source)
        || !matcher.begin(run)
    ) {
      source.next();
      return;
    }
    run.setTarget(current.getCells(), info.getTableMaxRowSize() - cellBytes);
    source.next(run);
    if (run.size() > 0) {
      matched += run.size();
      cellBytes += run.bytes();
      onlyMemory = false;
      matcher.end(run);
    }
  }

  private boolean leaveRuledOut() throws IOException {
    if (matcher.getWanted().length == 0) {
      matcher.endColumn();
    }
    if (matcher.isDone()) {
      return false;
    }
    merge.requestColumn();
    return true;
  }

  /**
   * Goes to where the filter hints at.
   * @return false if nothing is asked for there
   */
  private boolean seekHint(Cell cell, RowSource source) throws IOException {
    Cell hint = current.getFilter().get().getNextCellHint(cell);
    if (matcher.isDone()) {
      return false;
    }
    if (hint == null || comparator.compare(hint, cell) <= 0) {
      source.next();
      return true;
    }
    if (!CellUtil.matchingRows(hint, cell) || !CellUtil.matchingFamily(hint, cell)) {
      return false;
    }
    merge.seekHint(hint);
    return true;
  }

  /** Returns false if this was the last one by the limit of cells. */
  private boolean include(Cell cell, RowSource source) throws IOException {
    Cell transformed = current.getFilter().transform(cell);
    if (++matched <= cellOffset) {
      return true;
    }
    current.getCells().add(transformed);
    onlyMemory &= source.file == null;
    cellBytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
    if (cellBytes > info.getTableMaxRowSize()) {
      throw RowMerge.tooBig(row, info);
    }
    return cellLimit < 0 || matched < cellLimit + cellOffset;
  }
}
