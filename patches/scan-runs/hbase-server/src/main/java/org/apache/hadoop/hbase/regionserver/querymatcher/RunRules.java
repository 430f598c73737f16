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
package org.apache.hadoop.hbase.regionserver.querymatcher;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue.Type;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.io.hfile.BlockCells;
import org.apache.hadoop.hbase.io.hfile.BlockSteps;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher.MatchCode;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the matcher of a scan decides about puts that haven't expired, as long as there is no delete
 * before them in their row. In a scan of all columns without a filter, the first version of each
 * column is given; otherwise the matcher's columns and its filter are asked. Not thread-safe.
 */
@InterfaceAudience.Private
public final class RunRules {
  private final NormalUserScanQueryMatcher matcher;
  /** Null if some of the columns are named. */
  private final ScanWildcardColumnTracker allColumns;
  private final DeleteTracker deletes;
  private final CellComparator comparator;
  private final long minTimestamp;
  private final long maxTimestamp;
  /** Of those named, and its first word. */
  private byte[] nextColumn;
  private long nextColumnWord;

  private RunRules(NormalUserScanQueryMatcher matcher) {
    this.matcher = matcher;
    allColumns = matcher.columns instanceof ScanWildcardColumnTracker
      ? (ScanWildcardColumnTracker) matcher.columns
      : null;
    deletes = matcher.getDeletes();
    comparator = matcher.rowComparator;
    TimeRange range = matcher.tr;
    // Those before 1970 are left to the matcher.
    long min = range.isAllTime() ? 0 : range.getMin();
    minTimestamp = Math.max(min, matcher.oldestUnexpiredTS);
    maxTimestamp = range.isAllTime() ? Long.MAX_VALUE : range.getMax() - 1;
  }

  /** Returns those of a matcher, or null if it decides in another way. */
  public static RunRules of(ScanQueryMatcher matcher) {
    if (!(matcher instanceof NormalUserScanQueryMatcher)) {
      return null;
    }
    NormalUserScanQueryMatcher normal = (NormalUserScanQueryMatcher) matcher;
    if (normal.isGet() || normal.getDeletes().getClass() != ScanDeleteTracker.class) {
      return null;
    }
    Class<?> columns = normal.columns.getClass();
    boolean areKnown = columns == ExplicitColumnTracker.class
      || columns == ScanWildcardColumnTracker.class
        && ((ScanWildcardColumnTracker) normal.columns).takesFirstVersions();
    return areKnown ? new RunRules(normal) : null;
  }

  /** Returns true if {@link #match} has to be asked about each cell. */
  public boolean isMatching() {
    return hasNamedColumns() || hasFilter();
  }

  /** Returns true if not all columns are asked for. */
  public boolean hasNamedColumns() {
    return allColumns == null;
  }

  public boolean hasFilter() {
    return matcher.getFilter() != null;
  }

  /**
   * Returns true if the matcher has come to a cell of its row, and has seen no delete that may
   * matter to it; and, if it isn't asked, no cell of its column.
   */
  public boolean isAt(Cell cell) {
    Cell row = matcher.currentRow();
    if (isMatching()) {
      return row != null && deletes.isEmpty()
        && (row == cell || comparator.compareRows(row, cell) == 0);
    }
    Cell column = allColumns.getColumn();
    if (row == cell) {
      return column == null;
    }
    return row != null && deletes.isEmpty() && comparator.compareRows(row, cell) == 0
      && (column == null || comparator.compareQualifiers(cell, column) > 0);
  }

  /** Returns true if the cell is the first one of its row. */
  public boolean isAtStart(Cell cell) {
    return matcher.currentRow() == cell;
  }

  /**
   * Returns true if a block's cell is a put without tags that has neither expired nor is outside of
   * the time range.
   */
  public boolean include(BlockSteps cells) {
    long timestamp = cells.getTimestamp();
    return cells.getType() == Type.Put.getCode() && timestamp >= minTimestamp
      && timestamp <= maxTimestamp && !cells.hasTags();
  }

  /** Returns true if a cell of the row is before the column that comes next of those named. */
  public boolean isBeforeColumn(BlockSteps cells) {
    if (allColumns != null) {
      return false;
    }
    ColumnCount column = matcher.columns.getColumnHint();
    if (column == null) {
      return false;
    }
    if (column.getBuffer() != nextColumn) {
      nextColumn = column.getBuffer();
      nextColumnWord = BlockCells.firstWord(nextColumn);
    }
    return cells.isBeforeColumn(nextColumn, nextColumnWord);
  }

  /** Returns true if the filter takes no more cells. */
  public boolean isFilterDone() throws IOException {
    return hasFilter() && matcher.getFilter().filterAllRemaining();
  }

  /** Returns what the matcher decides about such a cell, unless {@link #isFilterDone}. */
  public MatchCode match(Cell cell, byte type, long timestamp) throws IOException {
    return matcher.columns.done()
      ? MatchCode.SEEK_NEXT_ROW
      : matcher.matchColumn(cell, timestamp, type);
  }

  /** Returns the cell that is given, maybe another one by the filter. */
  public Cell transform(Cell cell) throws IOException {
    return hasFilter() ? matcher.getFilter().transformCell(cell) : cell;
  }

  /** Has a matcher that isn't asked know the last cell that was given. */
  public void setLast(Cell cell) {
    allColumns.setFirstVersion(cell);
  }
}
