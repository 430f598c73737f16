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
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue.Type;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.io.hfile.BlockCells;
import org.apache.hadoop.hbase.io.hfile.BlockSteps;
import org.apache.hadoop.hbase.io.hfile.EncodedCells;
import org.apache.hadoop.hbase.regionserver.querymatcher.RunRules;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher.MatchCode;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads runs of cells for a {@link StoreScanner}: those of a row that follow one another in a
 * block, and are puts that haven't been deleted. Not thread-safe.
 */
@InterfaceAudience.Private
final class ScanRuns {
  private static final Logger LOG = LoggerFactory.getLogger(ScanRuns.class);
  /** What the size of a cell has beside its bytes. */
  private static final int CELL_BYTES = Bytes.SIZEOF_INT;
  /** What {@link #readRow} returns if the copy of a cell has no room. */
  private static final int NO_ROOM = -1;
  /** After a row that wasn't one run, was at a limit or wasn't excluded, so many aren't tried. */
  private static final int ROWS_TO_PASS = 8;

  /** Null if cells are skipped only. */
  private final RunRules rules;
  private final ScanQueryMatcher matcher;
  private final CellComparator comparator;
  private final long cellsPerCheck;
  /** The number of scanned cells at which the time is looked at next. */
  private long nextCheck;
  private int rowsToPass;
  /** Of cells of encoded blocks, whose rows are read at once. */
  private final CellCopies copies;
  /** Where rows begin in a buffer, and how many cells they have; used again for other rows. */
  private int[] begins = new int[16];
  private int[] counts = new int[16];
  /** Is set to first cells of rows; null until it is needed. */
  private BlockCell row;
  private long runs;
  private long cellsOfRuns;
  private long rowsAtOnce;
  private long rowsPassed;

  // What the last row had that was read with others.
  private int rowCells;
  private long rowBytes;
  private int rowScannedCells;
  private long rowScannedBytes;
  private long rowHeapBytes;

  // What the last run did.
  private int scannedCells;
  private long scannedBytes;
  private int givenCells;
  private long givenBytes;
  private Cell last;
  /** What the matcher said about the cell that the heap is at; null if it wasn't asked. */
  private MatchCode match;
  private boolean atEndOfRow;
  private boolean atLimit;
  private boolean wholeRow;

  private ScanRuns(RunRules rules, ScanQueryMatcher matcher, CellComparator comparator,
    long cellsPerCheck, ByteBuffAllocator allocator) {
    this.rules = rules;
    this.matcher = matcher;
    this.comparator = comparator;
    this.cellsPerCheck = cellsPerCheck;
    copies = new CellCopies(allocator);
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
    // Of meta, as of other kinds, the rest of rows is skipped only.
    boolean isOfKind =
      scanner.getClass() == StoreScanner.class && !store.getRegionInfo().isMetaRegion();
    RunRules rules = isOfKind && !hasLimits ? RunRules.of(matcher) : null;
    if (rules == null) {
      metrics.incrOther(
        hasLimits ? MetricsScanRuns.Reason.LIMITS : MetricsScanRuns.Reason.KIND);
      if (scanner.getClass() != StoreScanner.class) {
        return null;
      }
    } else {
      metrics.incrPlain();
    }
    return new ScanRuns(rules, matcher, store.getComparator(), cellsPerCheck,
      store.getCacheConfig().getByteBuffAllocator());
  }

  /**
   * Reads a run.
   * @param cell        the first cell of the heap
   * @param previous    the cell that was scanned before
   * @param scanned     cells that were scanned before
   * @param maxBytes    of scanned cells
   * @param maxRowBytes of given cells
   * @return false if it did nothing, but maybe {@link #hasMatch}
   */
  boolean read(KeyValueHeap heap, Cell cell, Cell previous, long scanned, long maxBytes,
    long maxRowBytes, List<Cell> out, ScannerContext context) throws IOException {
    KeyValueScanner current = heap.getCurrentForTesting();
    BlockSteps cells = rules == null ? null : stepsOf(current);
    if (cells == null || !rules.include(cells) || !rules.isAt(cell)) {
      return false;
    }
    int cellsToCheck = cellsUntilCheck(scanned);
    long maxGivenBytes = Math.min(maxBytes, maxRowBytes);
    if (cellsToCheck == 0 || cells.getSize() + CELL_BYTES > maxGivenBytes) {
      return false;
    }
    StoreFileScanner file = (StoreFileScanner) current;
    boolean isAlone = isAlone(heap, cell);
    atEndOfRow = false;
    wholeRow = rules.isAtStart(cell);
    int unscanned = cell == previous ? 1 : 0;
    boolean hasRead = !rules.isMatching()
      ? readAll(heap, file, cells, cell, cellsToCheck + unscanned, isAlone, maxGivenBytes, out,
        context)
      : isAlone && context.bytesToLimit() > 0 && context.heapBytesToLimit() > 0
        && readMatching(heap, file, cells, cell, cellsToCheck + unscanned, maxGivenBytes, out,
          context);
    if (hasRead) {
      scannedCells -= unscanned;
      if (atEndOfRow) {
        last = heap.peek();
        scannedCells++;
        scannedBytes += PrivateCellUtil.estimatedSerializedSizeOf(last);
      }
      if (givenCells > 0) {
        runs++;
        cellsOfRuns += givenCells;
      }
    }
    return hasRead;
  }

  /**
   * Reads rows off the heap that are one run each, from the one whose first cell was scanned last,
   * until one isn't or a limit may be reached.
   * @param previous    the cell that was scanned last
   * @param scanned     cells that were scanned before
   * @param maxBytes    of scanned cells
   * @param maxRowBytes of a row's cells
   * @param isEnd       whether the scan ends before a row, by its first cell; null if it doesn't
   * @param filter      takes all rows; null if the scan has none
   * @param results     gets the rows, which are valid as long as cells of the scan are
   * @return how many rows it has read; the getters then tell of all of them
   */
  int readRows(KeyValueHeap heap, Cell previous, long scanned, long maxBytes, long maxRowBytes,
    int maxRows, Predicate<Cell> isEnd, RowsFilter filter, List<Result> results,
    ScannerContext context) throws IOException {
    if (rowsToPass > 0) {
      rowsToPass--;
      return 0;
    }
    boolean firstOnly = filter != null && filter.givesFirstCells();
    BlockSteps cells = isAtRow(heap, previous) ? stepsOf(heap.getCurrentForTesting()) : null;
    if (
      cells == null || !cells.isDirect() || firstOnly && !isBeforeBlock(heap)
        || context.cellsToLimit() != Integer.MAX_VALUE
    ) {
      return 0;
    }
    boolean looksAhead = isEnd != null || !heap.getHeap().isEmpty();
    boolean keysOnly = filter != null && filter.givesKeys();
    EncodedCells encoded = cells instanceof EncodedCells ? (EncodedCells) cells : null;
    int cellsToCheck = cellsUntilCheck(scanned);
    long bytesToLimit = context.bytesToLimit();
    long heapBytesToLimit = context.heapBytesToLimit();
    long heapBytes = 0;
    givenCells = 0;
    givenBytes = 0;
    scannedCells = 0;
    scannedBytes = 0;
    int rows = 0;
    int rowsInBuffer = 0;
    while (rows < maxRows && context.hasTimeForRun()) {
      int begin = cells.mark();
      int copyBegin = copies.getPosition();
      int step = readRow(cells, encoded, firstOnly, keysOnly);
      if (step == NO_ROOM && copyBegin > 0) {
        cells.goBack(begin);
        copies.goBack(copyBegin);
        addRows(cells, rowsInBuffer, keysOnly, results);
        rowsInBuffer = 0;
        copies.takeBuffer();
        continue;
      }
      int nextBytes = cells.getSize() + CELL_BYTES;
      boolean isRow = step == BlockSteps.ROW && scannedCells + rowScannedCells < cellsToCheck
        && scannedBytes + rowScannedBytes + nextBytes <= maxBytes && rowBytes <= maxRowBytes
        && givenBytes + rowBytes < bytesToLimit && heapBytes + rowHeapBytes < heapBytesToLimit;
      if (isRow && looksAhead) {
        Cell next = cells.make();
        isRow = isAlone(heap, next) && (isEnd == null || !isEnd.test(next));
      }
      if (!isRow) {
        // A row that ends in another block is decoded again.
        boolean isDecoded = encoded != null && rows == 0;
        rowsToPass = step == BlockSteps.STAYS && !isDecoded ? 0 : ROWS_TO_PASS;
        cells.goBack(begin);
        copies.goBack(copyBegin);
        break;
      }
      if (rowsInBuffer == begins.length) {
        begins = Arrays.copyOf(begins, 2 * rowsInBuffer);
        counts = Arrays.copyOf(counts, 2 * rowsInBuffer);
      }
      begins[rowsInBuffer] = encoded == null ? begin : copyBegin + Bytes.SIZEOF_INT;
      counts[rowsInBuffer++] = rowCells;
      givenCells += rowCells;
      givenBytes += rowBytes;
      scannedCells += rowScannedCells;
      scannedBytes += rowScannedBytes + nextBytes;
      heapBytes += rowHeapBytes;
      context.setBatchProgress(rowCells);
      context.onRun(false);
      rows++;
    }
    if (rows > 0) {
      addRows(cells, rowsInBuffer, keysOnly, results);
      goOn(heap, cells);
      context.incrementSizeProgress(givenBytes, heapBytes);
      runs += rows;
      rowsAtOnce += rows;
      cellsOfRuns += givenCells;
    }
    return rows;
  }

  /** Adds rows that were read of a block, as far as they are in one buffer. */
  private void addRows(BlockSteps cells, int rows, boolean keysOnly, List<Result> results) {
    if (rows == 0) {
      return;
    }
    int[] rowBegins = Arrays.copyOf(begins, rows);
    int[] rowCounts = Arrays.copyOf(counts, rows);
    if (cells instanceof BlockCells) {
      BlockCells plain = (BlockCells) cells;
      ScanResults.add(new ResultsOfBlock(plain.getBuffer(), plain.hasTagsLengths(),
        plain.hasSequenceIds(), rowBegins, rowCounts, keysOnly), results);
    } else {
      ScanResults.add(new ResultsOfCopies(copies.getBuffer(), rowBegins, rowCounts,
        copies.getPosition(), keysOnly), results);
    }
  }

  /**
   * Reads the cells of a row that are given, and goes to the next row.
   * @param encoded the cells if they are copied; else null
   * @return what the next cell is; the row isn't one run unless it is of another row
   */
  private int readRow(BlockSteps cells, EncodedCells encoded, boolean firstOnly,
    boolean keysOnly) {
    rowCells = 0;
    rowBytes = 0;
    rowScannedCells = 0;
    rowScannedBytes = 0;
    rowHeapBytes = 0;
    int step = BlockSteps.COLUMN;
    while (step == BlockSteps.COLUMN && rules.include(cells)) {
      int size = cells.getSize() + CELL_BYTES;
      rowScannedBytes += size;
      if (firstOnly && rowCells == 1) {
        // Whatever follows the second cell isn't looked at.
        rowScannedCells++;
        do {
          rowScannedCells++;
          step = cells.nextRow();
        } while (step == BlockSteps.COLUMN);
        break;
      }
      if (encoded != null && !copies.add(encoded, keysOnly)) {
        return NO_ROOM;
      }
      rowCells++;
      rowScannedCells++;
      rowBytes += size;
      long heapSize = cells.getHeapSize(null);
      rowHeapBytes += keysOnly ? RowsFilter.heapSizeOfKey(heapSize) : heapSize;
      step = cells.next();
    }
    return step;
  }

  /**
   * Passes rows that a filter excludes by their row keys, from the one whose first cell was scanned
   * last, until one isn't excluded or ends in another block, or a limit may be reached.
   * @param previous the cell that was scanned last
   * @param scanned  cells that were scanned before
   * @param maxBytes of scanned cells
   * @param isEnd    whether the scan ends before a row, by its first cell; null if it doesn't
   * @return how many rows; the getters then tell of all of them
   */
  int passRows(KeyValueHeap heap, Cell previous, long scanned, long maxBytes,
    Predicate<Cell> isEnd, RowsFilter filter, ScannerContext context) throws IOException {
    if (rowsToPass > 0) {
      rowsToPass--;
      return 0;
    }
    BlockCells cells = isAtRow(heap, previous) ? cellsOf(heap.getCurrentForTesting()) : null;
    if (cells == null || !isBeforeBlock(heap) || isEnd != null && isEnd.test(heap.peek())) {
      return 0;
    }
    if (row == null) {
      row = new BlockCell();
    }
    boolean looksAhead = isEnd != null || !heap.getHeap().isEmpty();
    int cellsToCheck = cellsUntilCheck(scanned);
    givenCells = 0;
    givenBytes = 0;
    scannedCells = 0;
    scannedBytes = 0;
    int rows = 0;
    boolean isPassed = true;
    while (isPassed && context.hasTimeForRun() && rules.include(cells)) {
      if (!filter.excludes(cells.get(row))) {
        rowsToPass = rows == 0 ? ROWS_TO_PASS : 0;
        break;
      }
      int begin = cells.getPosition();
      int bytes = cells.getSize() + CELL_BYTES;
      int passed = 1;
      int step = BlockSteps.COLUMN;
      while (step == BlockSteps.COLUMN) {
        step = cells.nextRow();
        passed++;
      }
      bytes += cells.getSize() + CELL_BYTES;
      isPassed = step == BlockSteps.ROW && scannedCells + passed < cellsToCheck
        && scannedBytes + bytes <= maxBytes;
      if (isPassed && looksAhead) {
        Cell next = cells.get(row);
        isPassed = isAlone(heap, next) && (isEnd == null || !isEnd.test(next));
      }
      if (isPassed) {
        scannedCells += passed;
        scannedBytes += bytes;
        context.onRun(false);
        rows++;
      } else {
        cells.goBack(begin);
      }
    }
    if (rows > 0) {
      goOn(heap, cells);
      rowsPassed += rows;
    }
    return rows;
  }

  /**
   * Returns true if the heap is at the start of a row that no other scanner has cells of, and all
   * columns are asked for.
   * @param previous the cell that was scanned last
   */
  private boolean isAtRow(KeyValueHeap heap, Cell previous) {
    Cell cell = heap.peek();
    return rules != null && !rules.hasNamedColumns() && cell != null && cell == previous
      && matcher.currentRow() == null && isAlone(heap, cell);
  }

  /** Returns true if the first scanner isn't in its last block, in which the next row is sought. */
  private static boolean isBeforeBlock(KeyValueHeap heap) {
    return isBlock(heap.getCurrentForTesting().getNextIndexedKey());
  }

  /** Has the heap's first scanner go to the cell, which was scanned. */
  private void goOn(KeyValueHeap heap, BlockSteps cells) throws IOException {
    last = cells.make();
    ((StoreFileScanner) heap.getCurrentForTesting()).goTo(cells, last);
  }

  /**
   * Reads cells that are all given.
   * @param maxCells once so many were scanned, the time is to be looked at before the next one
   */
  private boolean readAll(KeyValueHeap heap, StoreFileScanner file, BlockSteps cells, Cell first,
    int maxCells, boolean isAlone, long maxBytes, List<Cell> out, ScannerContext context)
    throws IOException {
    int cellsToLimit = context.cellsToLimit();
    long bytesToLimit = context.bytesToLimit();
    long heapBytesToLimit = context.heapBytesToLimit();
    long bytes = 0;
    long heapBytes = 0;
    int count = 0;
    Cell next = first;
    while (true) {
      int size = cells.getSize() + CELL_BYTES;
      long heapSize = cells.getHeapSize(next);
      int step = cells.next();
      if (step == BlockSteps.STAYS) {
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
        atLimit || step != BlockSteps.COLUMN || !isAlone || count >= maxCells
          || !rules.include(cells) || bytes + cells.getSize() + CELL_BYTES > maxBytes
      ) {
        file.goTo(cells, next);
        if (step == BlockSteps.ROW || !isAlone) {
          heap.settle();
          if (!atLimit && isAlone && count < maxCells) {
            endRow(heap, maxBytes - bytes);
          }
        }
        break;
      }
    }
    context.incrementSizeProgress(bytes, heapBytes);
    context.incrementBatchProgress(count);
    givenCells = count;
    givenBytes = bytes;
    scannedCells = count;
    scannedBytes = bytes;
    rules.setLast(last);
    return true;
  }

  /**
   * Reads cells that the matcher is asked about. What it says to do at the last one may be left to
   * the scanner.
   * @param maxCells once so many were scanned, the time is to be looked at before the next one
   */
  private boolean readMatching(KeyValueHeap heap, StoreFileScanner file, BlockSteps cells,
    Cell first, int maxCells, long maxBytes, List<Cell> out, ScannerContext context)
    throws IOException {
    // Columns and rows that may begin in another block are sought.
    boolean passes = isRowInBlock(file, first);
    int cellsToLimit = context.cellsToLimit();
    long bytesToLimit = context.bytesToLimit();
    long heapBytesToLimit = context.heapBytesToLimit();
    long heapBytes = 0;
    atLimit = false;
    givenCells = 0;
    givenBytes = 0;
    scannedCells = 0;
    scannedBytes = 0;
    Cell next = first;
    int step = BlockSteps.COLUMN;
    boolean isBlockPassed = false;
    while (
      step != BlockSteps.ROW && !atLimit && scannedCells < maxCells
        && scannedBytes + cells.getSize() + CELL_BYTES <= maxBytes && rules.include(cells)
    ) {
      if (rules.isFilterDone()) {
        match = MatchCode.DONE_SCAN;
        break;
      }
      MatchCode code = MatchCode.SEEK_NEXT_COL;
      if (!passes || !rules.isBeforeColumn(cells)) {
        next = next == null ? cells.make() : next;
        code = rules.match(next, cells.getType(), cells.getTimestamp());
        match = code;
      }
      boolean isLast = code == MatchCode.SEEK_NEXT_ROW
        || code == MatchCode.INCLUDE_AND_SEEK_NEXT_ROW;
      boolean isLastVersion = code == MatchCode.SEEK_NEXT_COL
        || code == MatchCode.INCLUDE_AND_SEEK_NEXT_COL;
      if (
        isLast || isLastVersion
          ? !passes || isLast && !matcher.moreRowsMayExistAfter(next)
          : code != MatchCode.INCLUDE && code != MatchCode.SKIP
      ) {
        break;
      }
      int at = cells.getPosition();
      int size = cells.getSize() + CELL_BYTES;
      int passed = 0;
      if (isLast) {
        do {
          step = cells.nextRow();
          passed++;
        } while (step == BlockSteps.COLUMN);
      } else if (isLastVersion) {
        do {
          step = cells.next();
          passed++;
        } while (step == BlockSteps.VERSION && !isDeleteOfFamily(cells.getType()));
      } else {
        step = cells.next();
      }
      if (step == BlockSteps.STAYS) {
        if (cells.goBack(at)) {
          break;
        }
        // The rest of the row was passed, and ends with the block.
        step = BlockSteps.ROW;
        isBlockPassed = true;
      }
      match = null;
      if (
        code == MatchCode.INCLUDE || code == MatchCode.INCLUDE_AND_SEEK_NEXT_COL
          || code == MatchCode.INCLUDE_AND_SEEK_NEXT_ROW
      ) {
        Cell cell = rules.transform(next);
        out.add(cell);
        givenCells++;
        givenBytes += size;
        heapBytes += cell.heapSize();
        atLimit = givenCells >= cellsToLimit || givenBytes >= bytesToLimit
          || heapBytes >= heapBytesToLimit;
      }
      if (isLast) {
        matcher.clearCurrentRow();
      }
      scannedCells += 1 + passed;
      scannedBytes += size;
      last = next == null ? last : next;
      next = null;
    }
    if (scannedCells == 0) {
      return false;
    }
    file.goTo(cells, next == null ? cells.make() : next);
    context.incrementSizeProgress(givenBytes, heapBytes);
    context.incrementBatchProgress(givenCells);
    if (step == BlockSteps.ROW) {
      if (isBlockPassed) {
        heap.next();
      } else {
        heap.settle();
      }
      if (!atLimit && scannedCells < maxCells && !rules.isFilterDone() && heap.peek() != null) {
        endRow(heap, maxBytes - scannedBytes);
      }
    }
    return true;
  }

  private static boolean isDeleteOfFamily(byte type) {
    return type == Type.DeleteFamily.getCode() || type == Type.DeleteFamilyVersion.getCode();
  }

  /** Returns true if the matcher has been asked about the cell that the heap is at. */
  boolean hasMatch() {
    return match != null;
  }

  /** Returns what it said, once. */
  MatchCode takeMatch() {
    MatchCode taken = match;
    match = null;
    return taken;
  }

  /** Returns the cells of a file's block that has been counted, encoded or not; or null. */
  private static BlockSteps stepsOf(KeyValueScanner scanner) {
    BlockSteps cells = cellsOf(scanner);
    if (cells != null || scanner.getClass() != StoreFileScanner.class) {
      return cells;
    }
    StoreFileScanner file = (StoreFileScanner) scanner;
    return file.hasRecordedBlockSize() ? file.getEncodedCells() : null;
  }

  /** Returns the cells of a file's block that has them as they are and was counted, or null. */
  private static BlockCells cellsOf(KeyValueScanner scanner) {
    if (scanner.getClass() != StoreFileScanner.class) {
      return null;
    }
    StoreFileScanner file = (StoreFileScanner) scanner;
    return file.hasRecordedBlockSize() ? file.getBlockCells() : null;
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
  int skipRow(KeyValueHeap heap, Cell cell) throws IOException {
    atEndOfRow = false;
    KeyValueScanner current = heap.getCurrentForTesting();
    if (current == null || current.getClass() != StoreFileScanner.class) {
      return 0;
    }
    if (!isRowInBlock(current, cell) || !isAlone(heap, cell)) {
      return 0;
    }
    BlockSteps cells = stepsOf(current);
    int skipped = cells == null ? 0 : skipRow((StoreFileScanner) current, cells);
    atEndOfRow = skipped > 0 && comparator.compareRows(current.peek(), cell) != 0;
    if (atEndOfRow) {
      heap.settle();
    }
    return skipped;
  }

  private int skipRow(StoreFileScanner file, BlockSteps cells) throws IOException {
    int skipped = 0;
    int step = cells.nextRow();
    while (step == BlockSteps.COLUMN) {
      skipped++;
      step = cells.nextRow();
    }
    if (step == BlockSteps.ROW) {
      skipped++;
    }
    if (skipped > 0) {
      file.goTo(cells, cells.make());
    }
    return skipped;
  }

  /** Returns true if the cell's row ends in the block or before the next one. */
  private boolean isRowInBlock(KeyValueScanner file, Cell cell) {
    Cell nextBlock = file.getNextIndexedKey();
    return isBlock(nextBlock) && matcher.compareKeyForNextRow(nextBlock, cell) >= 0;
  }

  private static boolean isBlock(Cell indexedKey) {
    return indexedKey != null && indexedKey != KeyValueScanner.NO_NEXT_INDEXED_KEY;
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

  /** Lets go of what it has copied: no cell of the scan is used any more. */
  void shipped() {
    copies.release();
  }

  /** Counts what was read since it was counted last. */
  void count() {
    MetricsScanRuns.getInstance().addRuns(runs, cellsOfRuns, rowsAtOnce, rowsPassed);
    runs = 0;
    cellsOfRuns = 0;
    rowsAtOnce = 0;
    rowsPassed = 0;
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

  /** Returns true if a filter is asked about the cells. */
  boolean hasFilter() {
    return rules.hasFilter();
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
