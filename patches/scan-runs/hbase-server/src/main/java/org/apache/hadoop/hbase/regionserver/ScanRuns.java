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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.BlockCells;
import org.apache.hadoop.hbase.regionserver.querymatcher.PlainRules;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads runs of cells for a {@link StoreScanner}: those that follow one another in a block, and are
 * the first versions of all columns of a row. Not thread-safe.
 */
@InterfaceAudience.Private
final class ScanRuns {
  private static final Logger LOG = LoggerFactory.getLogger(ScanRuns.class);
  /** What the size of a cell has beside its bytes. */
  private static final int CELL_BYTES = Bytes.SIZEOF_INT;

  /** Null if cells are skipped only. */
  private final PlainRules rules;
  private final CellComparator comparator;
  private final long cellsPerCheck;
  /** The number of scanned cells at which the time is looked at next. */
  private long nextCheck;
  private long runs;
  private long cellsOfRuns;

  // What the last run did.
  private int scannedCells;
  private long scannedBytes;
  private int givenCells;
  private long givenBytes;
  private Cell last;
  private boolean atEndOfRow;
  private boolean atLimit;
  private boolean wholeRow;

  private ScanRuns(PlainRules rules, CellComparator comparator, long cellsPerCheck) {
    this.rules = rules;
    this.comparator = comparator;
    this.cellsPerCheck = cellsPerCheck;
  }

  /** Returns what the configuration says, or what was before if it says what isn't allowed. */
  static boolean isEnabled(Configuration conf, boolean before) {
    try {
      return ScanRunsSettings.ENABLED.read(conf);
    } catch (IllegalArgumentException e) {
      LOG.warn("Scans keep their settings: {}", e.getMessage());
      return before;
    }
  }

  /** Returns what reads the runs of a scan, or only skips cells; null if it does neither. */
  static ScanRuns of(StoreScanner scanner, HStore store, ScanQueryMatcher matcher, Scan scan,
    long cellsPerCheck) {
    if (!store.readsRuns() || scan.isGetScan()) {
      return null;
    }
    MetricsScanRuns metrics = MetricsScanRuns.getInstance();
    boolean hasLimits =
      scan.getMaxResultsPerColumnFamily() > -1 || scan.getRowOffsetPerColumnFamily() > 0;
    PlainRules rules =
      scanner.getClass() == StoreScanner.class && !hasLimits ? PlainRules.of(matcher) : null;
    if (rules == null) {
      metrics.incrOther(matcher.getFilter() != null ? MetricsScanRuns.Reason.FILTER
        : hasLimits ? MetricsScanRuns.Reason.LIMITS
        : PlainRules.namesColumns(matcher) ? MetricsScanRuns.Reason.COLUMNS
        : MetricsScanRuns.Reason.KIND);
      if (scanner.getClass() != StoreScanner.class) {
        return null;
      }
    } else {
      metrics.incrPlain();
    }
    return new ScanRuns(rules, store.getComparator(), cellsPerCheck);
  }

  /**
   * Reads a run.
   * @param cell        the first cell of the heap
   * @param previous    the cell that was scanned before
   * @param scanned     cells that were scanned before
   * @param maxBytes    of scanned cells
   * @param maxRowBytes of given cells
   * @return false if it did nothing
   */
  boolean read(KeyValueHeap heap, Cell cell, Cell previous, long scanned, long maxBytes,
    long maxRowBytes, List<Cell> out, ScannerContext context) throws IOException {
    KeyValueScanner current = heap.getCurrentForTesting();
    if (rules == null || current.getClass() != StoreFileScanner.class) {
      return false;
    }
    StoreFileScanner file = (StoreFileScanner) current;
    BlockCells cells = file.hasRecordedBlockSize() ? file.getBlockCells() : null;
    if (
      cells == null || !rules.include(cells.getType(), cells.getTimestamp()) || !rules.isAt(cell)
    ) {
      return false;
    }
    int cellsToCheck = cellsUntilCheck(scanned);
    long maxGivenBytes = Math.min(maxBytes, maxRowBytes);
    if (cellsToCheck == 0 || cells.getSize() + CELL_BYTES > maxGivenBytes) {
      return false;
    }
    // Once more were given, the time is to be looked at before the next one.
    int maxCells = cell == previous ? cellsToCheck : cellsToCheck - 1;
    boolean isAlone = isAlone(heap, cell);
    int cellsToLimit = context.cellsToLimit();
    long bytesToLimit = context.bytesToLimit();
    long heapBytesToLimit = context.heapBytesToLimit();
    long bytes = 0;
    long heapBytes = 0;
    int count = 0;
    atEndOfRow = false;
    wholeRow = rules.isAtStart(cell);
    Cell next = cell;
    while (true) {
      int size = cells.getSize() + CELL_BYTES;
      long heapSize = cells.getHeapSize(next);
      int step = cells.next();
      if (step == BlockCells.STAYS) {
        // More versions of its column may fill the next blocks, which are passed over then.
        if (count == 0) {
          return false;
        }
        file.goTo(cells, next);
        break;
      }
      bytes += size;
      heapBytes += heapSize;
      count++;
      out.add(next);
      last = next;
      next = cells.make();
      atLimit = count >= cellsToLimit || bytes >= bytesToLimit || heapBytes >= heapBytesToLimit;
      if (
        atLimit || step != BlockCells.COLUMN || !isAlone || count > maxCells
          || !rules.include(cells.getType(), cells.getTimestamp())
          || bytes + cells.getSize() + CELL_BYTES > maxGivenBytes
      ) {
        file.goTo(cells, next);
        if (step == BlockCells.ROW || !isAlone) {
          heap.settle();
          if (!atLimit && isAlone && count <= maxCells) {
            endRow(heap, maxBytes - bytes);
          }
        }
        break;
      }
    }
    context.incrementSizeProgress(bytes, heapBytes);
    context.incrementBatchProgress(count);
    runs++;
    cellsOfRuns += count;
    givenCells = count;
    givenBytes = bytes;
    scannedCells = cell == previous ? count - 1 : count;
    scannedBytes = bytes;
    if (atEndOfRow) {
      last = heap.peek();
      scannedCells++;
      scannedBytes += PrivateCellUtil.estimatedSerializedSizeOf(last);
    } else {
      rules.setLast(last);
    }
    return true;
  }

  /** Returns true if none of the other scanners has cells of the row. */
  private boolean isAlone(KeyValueHeap heap, Cell cell) {
    KeyValueScanner other = heap.getHeap().peek();
    return other == null || comparator.compareRows(other.peek(), cell) > 0;
  }

  /**
   * Goes on to the next row, or towards it, if the rest of this row is in the block.
   * @param cell of the row where the heap is
   * @return how many cells it went on
   */
  int skipRow(KeyValueHeap heap, Cell cell, ScanQueryMatcher matcher) throws IOException {
    atEndOfRow = false;
    KeyValueScanner current = heap.getCurrentForTesting();
    if (current == null || current.getClass() != StoreFileScanner.class) {
      return 0;
    }
    Cell nextBlock = current.getNextIndexedKey();
    if (
      nextBlock == null || nextBlock == KeyValueScanner.NO_NEXT_INDEXED_KEY
        || matcher.compareKeyForNextRow(nextBlock, cell) < 0 || !isAlone(heap, cell)
    ) {
      return 0;
    }
    StoreFileScanner file = (StoreFileScanner) current;
    BlockCells cells = file.hasRecordedBlockSize() ? file.getBlockCells() : null;
    if (cells == null) {
      return 0;
    }
    int skipped = 0;
    int step = cells.next();
    while (step == BlockCells.COLUMN || step == BlockCells.VERSION) {
      skipped++;
      step = cells.next();
    }
    atEndOfRow = step == BlockCells.ROW;
    if (atEndOfRow) {
      skipped++;
    }
    if (skipped > 0) {
      file.goTo(cells, cells.make());
    }
    if (atEndOfRow) {
      heap.settle();
    }
    return skipped;
  }

  /** Has the first cell of another row be scanned, unless there is more to do about it. */
  private void endRow(KeyValueHeap heap, long maxBytes) {
    KeyValueScanner current = heap.getCurrentForTesting();
    atEndOfRow = (!(current instanceof StoreFileScanner)
      || ((StoreFileScanner) current).hasRecordedBlockSize())
      && PrivateCellUtil.estimatedSerializedSizeOf(heap.peek()) <= maxBytes;
  }

  /** Returns how many cells may be scanned before the time is looked at. */
  private int cellsUntilCheck(long scanned) {
    if (scanned > nextCheck || scanned < nextCheck - cellsPerCheck) {
      nextCheck = (scanned + cellsPerCheck - 1) / cellsPerCheck * cellsPerCheck;
    }
    return (int) Math.min(nextCheck - scanned, Integer.MAX_VALUE);
  }

  /** Counts what was read since it was counted last. */
  void count() {
    MetricsScanRuns.getInstance().addRuns(runs, cellsOfRuns);
    runs = 0;
    cellsOfRuns = 0;
  }

  /** Returns how many cells were scanned: those that were given, and maybe that of the next row. */
  int getScannedCells() {
    return scannedCells;
  }

  long getScannedBytes() {
    return scannedBytes;
  }

  int getGivenCells() {
    return givenCells;
  }

  long getGivenBytes() {
    return givenBytes;
  }

  /** Returns the cell that was scanned last. */
  Cell getLast() {
    return last;
  }

  /** Returns true if the next row's first cell was scanned. */
  boolean isAtEndOfRow() {
    return atEndOfRow;
  }

  /** Returns true if the run began with its row. */
  boolean isWholeRow() {
    return wholeRow;
  }

  /** Returns true if the call's limit of cells or bytes is reached. */
  boolean isAtLimit() {
    return atLimit;
  }
}
