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
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Delete markers that delete nothing, since a marker before them does: of the family, or of all
 * versions of their column. A tracker doesn't need them. Cells of a column come from the latest to
 * the oldest, so what follows such a marker in its column is deleted as well. For one thread.
 */
@InterfaceAudience.Private
public final class CoveredDeletes {
  /** Markers of a column that are passed one by one, which costs as much as a seek. */
  private static final int FEW = 10;

  /** Null if no marker is passed by. */
  private final ScanDeleteTracker deletes;
  /** The first covered marker of the column, or a cell that was given for it; may be null. */
  private Cell column;
  /** Covered markers of the column. */
  private int count;

  /**
   * @param tracker  knows the markers before; others than ScanDeleteTracker don't go by time alone
   * @param reversed whether a seek may go by way of the next row, and read a block for it
   */
  public CoveredDeletes(DeleteTracker tracker, boolean reversed) {
    deletes = !reversed && tracker.getClass() == ScanDeleteTracker.class
      ? (ScanDeleteTracker) tracker
      : null;
  }

  /** Begins a row. */
  void reset() {
    column = null;
    count = 0;
  }

  /** Blocks of cells that were seen may be released. */
  void beforeShipped() {
    if (column != null) {
      column = KeyValueUtil.toNewKeyCell(column);
    }
  }

  /** Returns true if a delete of the family was seen that is not earlier than the cell. */
  public boolean isFamilyDeleted(Cell cell) {
    return deletes != null && deletes.hasFamilyStamp && cell.getTimestamp() <= deletes.familyStamp;
  }

  /**
   * Returns true if neither the marker deletes anything nor what follows it in its column. In the
   * column without a name, a delete of the family may follow a delete of the column.
   */
  public boolean isCovered(Cell marker) {
    return isFamilyDeleted(marker) || marker.getQualifierLength() > 0 && isColumnDeleted(marker);
  }

  private boolean isColumnDeleted(Cell marker) {
    return deletes != null && deletes.deleteCell != null
      && deletes.deleteType == KeyValue.Type.DeleteColumn.getCode()
      && marker.getTimestamp() <= deletes.deleteTimestamp
      && CellUtil.matchingQualifier(marker, deletes.deleteCell);
  }

  /**
   * Counts a covered marker, and returns true if its column had a few before.
   * @param marker stays as it is, or is a copy
   */
  public boolean isOneOfMany(Cell marker) {
    if (column == null || !CellUtil.matchingQualifier(marker, column)) {
      column = marker;
      count = 0;
    }
    return ++count >= FEW;
  }
}
