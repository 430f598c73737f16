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
import java.util.Optional;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.io.hfile.BlockCells;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A file or a segment of the memstore, as {@link FamilyReader} reads one row of it, and then the
 * next. Used by one thread at a time.
 */
@InterfaceAudience.Private
final class RowSource implements IntConsumer {
  /** Null for a segment. */
  final StoreFileReader file;
  /** Null for a file. */
  final Segment segment;
  /** No cell has a later timestamp. */
  final long maxTimestamp;

  private final KeyValueScanner scanner;
  private final CurrentRow row;
  /** Null if only one get is read, or for a segment. */
  private final CountedBlocks counted;
  private boolean sought;
  /** Whether the scanner's indexed key is of a search in this row. */
  private boolean indexed;
  private boolean requested;
  private boolean ruledOut;
  private Cell cell;
  /** Goes through the block ahead of the scanner; null if the scanner goes. */
  private BlockCells ahead;
  /** Where that is; null as long as it has not been needed, as for a row of one cell. */
  private BlockCell blockCell;

  /** @param counted of the file; null if only one get is read */
  RowSource(CurrentRow row, StoreFileScanner scanner, StoreFileReader file,
    CountedBlocks counted) {
    this.row = row;
    this.counted = counted;
    this.scanner = scanner;
    this.file = file;
    segment = null;
    maxTimestamp = file.getMaxTimestamp();
  }

  RowSource(CurrentRow row, SegmentScanner scanner) {
    this.row = row;
    this.scanner = scanner;
    file = null;
    counted = null;
    segment = scanner.segment;
    maxTimestamp = Long.MAX_VALUE;
  }

  /** Is to read another row, which the reader has by now. */
  void begin() {
    sought = false;
    indexed = false;
    requested = false;
    ruledOut = false;
    cell = null;
  }

  /** Returns the current cell; null if none of the row is left, or if it has to be sought. */
  Cell cell() {
    return cell;
  }

  /** Returns true if none of the row is left. */
  boolean isPast() {
    return cell == null && !requested && !ruledOut;
  }

  boolean isSought() {
    return sought;
  }

  /** Is to be sought ahead of where it is, at a key that the reader knows. */
  void request() {
    requested = true;
    ruledOut = false;
    cell = null;
  }

  /** Returns true if this has been requested, and not been sought since. */
  boolean isRequested() {
    return requested;
  }

  /** Needn't be sought at the row's start. */
  void ruleOut() {
    ruledOut = true;
  }

  /** Returns true if this has been ruled out, and not been requested since. */
  boolean isRuledOut() {
    return ruledOut;
  }

  /** Returns a key that isn't behind the next block; null if a new scanner wouldn't know it. */
  Cell nextIndexedKey() {
    return indexed ? scanner.getNextIndexedKey() : null;
  }

  /** Counts the block that the current cell is in, if it wasn't. */
  void countBlock() {
    scanner.recordBlockSize(this);
  }

  /** Counts the block's bytes, unless a get of the request has counted the same memory. */
  @Override
  public void accept(int bytes) {
    HFileBlock block = counted == null ? null : ((StoreFileScanner) scanner).getBlock();
    if (block == null || !block.isSharedMem() || counted.add(block.getOffset())) {
      row.countBlock(bytes);
    }
  }

  /** Returns the first cell of the row at or after the key, or null. The key may be before. */
  Cell seek(Cell key) throws IOException {
    sought = true;
    // Before the file's first key no index is asked, so that the key of another row would stay.
    indexed = scanner.getNextIndexedKey() == null || !isBeforeFile(key);
    row.countSearch();
    followAhead();
    return take(scanner.seek(key));
  }

  private boolean isBeforeFile(Cell key) {
    Optional<Cell> first = file.getFirstKey();
    return first.isPresent() && file.getComparator().compare(key, first.get()) < 0;
  }

  /** Returns the first cell of the row at or after the key, or null. The key must be ahead. */
  Cell reseek(Cell key) throws IOException {
    indexed = true;
    row.countSearch();
    followAhead();
    return take(scanner.reseek(key));
  }

  /** Returns the cell of the row after the current one, or null. */
  Cell next() throws IOException {
    return next(null);
  }

  /**
   * Returns the cell of the row after the current one, and after those that the run takes; or null.
   * @param run null if it takes none
   */
  Cell next(CellRun run) throws IOException {
    if (ahead == null && file != null) {
      ahead = ((StoreFileScanner) scanner).getBlockCells();
      blockCell = blockCell == null && ahead != null ? new BlockCell() : blockCell;
    }
    if (ahead != null) {
      int step = ahead.next();
      while (step == BlockCells.COLUMN && run != null && run.takes(ahead)) {
        row.countCell(ahead);
        step = ahead.next();
      }
      if (step == BlockCells.COLUMN || step == BlockCells.VERSION) {
        return goTo(ahead.get(blockCell));
      }
      if (step == BlockCells.ROW) {
        followAhead();
        return end();
      }
      followAhead();
    }
    scanner.next();
    return take(true);
  }

  /** Has the scanner go where the current cell is, if it is behind. */
  private void followAhead() {
    if (ahead != null) {
      ((StoreFileScanner) scanner).goTo(ahead, ahead.get(blockCell));
      ahead = null;
    }
  }

  private Cell take(boolean found) {
    Cell next = found ? scanner.peek() : null;
    return next != null && CellUtil.matchingRows(next, row.getRow()) ? goTo(next) : end();
  }

  private Cell goTo(Cell next) {
    requested = false;
    row.countCell(next);
    cell = next;
    return next;
  }

  private Cell end() {
    requested = false;
    row.countEnd();
    cell = null;
    return null;
  }

  /** Returns the order among cells with the same key: that of the higher one goes first. */
  long order() {
    return scanner.getScannerOrder();
  }
}
