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

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue.Type;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the matcher of a scan of all columns decides about the first version of a column, as long as
 * there is no delete before it in its row: whether it is given depends on its timestamp alone. Not
 * thread-safe.
 */
@InterfaceAudience.Private
public final class PlainRules {
  private final NormalUserScanQueryMatcher matcher;
  private final ScanWildcardColumnTracker columns;
  private final DeleteTracker deletes;
  private final CellComparator comparator;
  private final long minTimestamp;
  private final long maxTimestamp;

  private PlainRules(NormalUserScanQueryMatcher matcher) {
    this.matcher = matcher;
    columns = (ScanWildcardColumnTracker) matcher.columns;
    deletes = matcher.getDeletes();
    comparator = matcher.rowComparator;
    TimeRange range = matcher.tr;
    // Those before 1970 are left to the matcher.
    long min = range.isAllTime() ? 0 : range.getMin();
    minTimestamp = Math.max(min, matcher.oldestUnexpiredTS);
    maxTimestamp = range.isAllTime() ? Long.MAX_VALUE : range.getMax() - 1;
  }

  /** Returns those of a matcher, or null if it decides in another way. */
  public static PlainRules of(ScanQueryMatcher matcher) {
    if (!(matcher instanceof NormalUserScanQueryMatcher)) {
      return null;
    }
    NormalUserScanQueryMatcher normal = (NormalUserScanQueryMatcher) matcher;
    if (
      normal.getFilter() != null || normal.isGet()
        || normal.columns.getClass() != ScanWildcardColumnTracker.class
        || normal.getDeletes().getClass() != ScanDeleteTracker.class
    ) {
      return null;
    }
    ScanWildcardColumnTracker columns = (ScanWildcardColumnTracker) normal.columns;
    return columns.takesFirstVersions() ? new PlainRules(normal) : null;
  }

  /** Returns true if the matcher decides by the names of columns. */
  public static boolean namesColumns(ScanQueryMatcher matcher) {
    return matcher.columns instanceof ExplicitColumnTracker;
  }

  /**
   * Returns true if the matcher has come to a cell of its row and of a column that it hasn't seen,
   * and has seen no delete that may matter to it.
   */
  public boolean isAt(Cell cell) {
    Cell row = matcher.currentRow();
    Cell column = columns.getColumn();
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

  /** Returns true if such a cell is given. */
  public boolean include(byte type, long timestamp) {
    return type == Type.Put.getCode() && timestamp >= minTimestamp && timestamp <= maxTimestamp;
  }

  /** Has the matcher know the last cell that was given. */
  public void setLast(Cell cell) {
    columns.setFirstVersion(cell);
  }
}
