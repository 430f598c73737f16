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
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.regionserver.querymatcher.CoveredDeletes;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanDeleteTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher.MatchCode;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Says which cells of a family of a row a get asks for: by its columns, time range and versions, by
 * TTLs and by delete markers. It is given the cells in order, as the matcher of a scan is, and says
 * the same. It also says which files and segments may have such cells. Not thread-safe.
 */
@InterfaceAudience.Private
@SuppressWarnings("deprecation") // Cell.getTypeByte and getTagsLength
final class FamilyMatcher {
  private ScanInfo info;
  private CellComparator comparator;
  private TimeRange range;
  /** That are looked at; more than are asked for if a filter may leave out some. */
  private int maxVersions;
  /** Milliseconds since the epoch. */
  private long now;
  /** Milliseconds since the epoch; cells before have expired. */
  private long oldest;
  /** Named columns in order; null to read all. */
  private byte[][] columns;
  /** Index of the named column that is next, or is being read. */
  private int wanted;
  /** The column that is being read, by its first cell, if all are read; null before the first. */
  private Cell column;
  /** In place of the column's first cell, whose source goes on. */
  private final BlockCell columnInBlock = new BlockCell();
  /** Of the column that is being read. */
  private int versions;
  /** Of the last version of the column, or {@link HConstants#LATEST_TIMESTAMP}. */
  private long lastTimestamp;
  /** Null if there is none. */
  private Filter filter;
  /** That are asked for, of those that the filter takes. */
  private int maxFiltered;
  /** Of the column of the last one that the filter took. */
  private int filtered;
  /** That column, by its first such cell; null before the first. */
  private Cell filteredColumn;
  private final BlockCell filteredInBlock = new BlockCell();
  /** Null before the first delete marker. */
  private ScanDeleteTracker deletes;
  /** Null as long as that is. */
  private CoveredDeletes covered;

  /**
   * Begins a row.
   * @param wantedColumns null or empty to read all
   * @param time          milliseconds since the epoch, which TTLs go by
   */
  void begin(Get get, ScanInfo ofFamily, NavigableSet<byte[]> wantedColumns, long time) {
    info = ofFamily;
    comparator = info.getComparator();
    TimeRange ofGet = get.getColumnFamilyTimeRange().get(info.getFamily());
    range = ofGet == null ? get.getTimeRange() : ofGet;
    filter = get.getFilter();
    maxFiltered = Math.min(get.getMaxVersions(), info.getMaxVersions());
    maxVersions = filter == null ? maxFiltered : info.getMaxVersions();
    filteredColumn = null;
    now = time;
    oldest = now - info.getTtl();
    columns = wantedColumns == null || wantedColumns.isEmpty()
      ? null
      : wantedColumns.toArray(new byte[wantedColumns.size()][]);
    wanted = 0;
    column = null;
    versions = 0;
    lastTimestamp = HConstants.LATEST_TIMESTAMP;
    deletes = null;
    covered = null;
  }

  /** Forgets the row. */
  void clear() {
    info = null;
    comparator = null;
    range = null;
    columns = null;
    column = null;
    columnInBlock.clear();
    filter = null;
    filteredColumn = null;
    filteredInBlock.clear();
    deletes = null;
    covered = null;
  }

  /** Returns false if the file has nothing of the row that the get asks for. */
  boolean isInRange(StoreFileReader file, byte[] row) {
    if (!file.passesTimerangeFilter(range, oldest)) {
      return false;
    }
    if (file.getClass() != StoreFileReader.class) {
      return true; // Half a file would have to read its first and last key.
    }
    Optional<Cell> first = file.getFirstKey();
    Optional<Cell> last = file.getLastKey();
    return first.isPresent() && last.isPresent()
      && comparator.compareRows(first.get(), row, 0, row.length) <= 0
      && comparator.compareRows(last.get(), row, 0, row.length) >= 0;
  }

  /** Returns false if the segment has nothing that the get asks for. */
  boolean isInRange(Segment segment) {
    return segment.shouldSeek(range, oldest);
  }

  /** Returns the named columns in order; null to read all. */
  byte[][] getColumns() {
    return columns;
  }

  /** Returns the named column that is next, or is being read. */
  byte[] getWanted() {
    return columns[wanted];
  }

  /** Returns true if nothing else of the row is asked for. */
  boolean isDone() {
    return columns != null && wanted == columns.length;
  }

  /** Returns true if the filter takes nothing else. */
  boolean isFilterDone() throws IOException {
    return filter != null && filter.filterAllRemaining();
  }

  /**
   * Looks at the next cell.
   * @return what to do with it; then this may be done. Codes other than INCLUDE, SKIP, and those
   *         that seek the next column come from a filter only
   * @throws IOException of the filter
   */
  MatchCode match(Cell cell) throws IOException {
    if (isFilterDone()) {
      return MatchCode.DONE_SCAN;
    }
    MatchCode code = matchUnfiltered(cell);
    boolean includes =
      code == MatchCode.INCLUDE || code == MatchCode.INCLUDE_AND_SEEK_NEXT_COL;
    return filter != null && includes ? matchFilter(cell, code) : code;
  }

  /**
   * Has a run take cells of later columns, after one that was included.
   * @return false if the cells have to be looked at by {@link #match}
   */
  boolean begin(CellRun run) {
    if (columns != null || deletes != null && !deletes.isEmpty()) {
      return false;
    }
    byte[] end = null;
    if (filter != null) {
      if (filter.getClass() != ColumnRangeFilter.class) {
        return false;
      }
      // It has taken a column, so it takes all those behind that one and before this.
      end = ((ColumnRangeFilter) filter).getMaxColumn();
    }
    long min = range.isAllTime() ? 0 : range.getMin();
    run.begin(Math.max(min, oldest), range.isAllTime() ? Long.MAX_VALUE : range.getMax() - 1, end);
    return true;
  }

  /** Knows the last cell that a run took, as if all of it had been included. */
  void end(CellRun run) {
    Cell last = run.last();
    column = hold(last, columnInBlock);
    versions = 1;
    lastTimestamp = last.getTimestamp();
    if (filter != null && maxFiltered < maxVersions) {
      filteredColumn = hold(last, filteredInBlock);
      filtered = 1;
    }
  }

  private MatchCode matchUnfiltered(Cell cell) {
    long timestamp = cell.getTimestamp();
    if (timestamp < oldest) {
      return leave(cell);
    }
    if (isTtlExpired(cell, timestamp)) {
      return MatchCode.SKIP;
    }
    if (PrivateCellUtil.isDelete(cell.getTypeByte())) {
      return matchDelete(cell, timestamp);
    }
    if (deletes != null && !deletes.isEmpty()) {
      switch (deletes.isDeleted(cell)) {
        case NOT_DELETED:
          break;
        case FAMILY_DELETED:
        case COLUMN_DELETED:
          return leave(cell);
        default:
          return MatchCode.SKIP;
      }
    }
    int inRange = range.compare(timestamp);
    if (inRange != 0) {
      return inRange > 0 ? MatchCode.SKIP : leave(cell);
    }
    return columns == null ? matchVersion(cell, timestamp) : matchNamed(cell, timestamp);
  }

  /** Nothing else of the cell's column is asked for, nor of named columns before it. */
  private MatchCode leave(Cell cell) {
    while (columns != null && !isDone() && compareToWanted(cell) >= 0) {
      endColumn();
    }
    return MatchCode.SEEK_NEXT_COL;
  }

  private int compareToWanted(Cell cell) {
    return CellUtil.compareQualifiers(cell, columns[wanted], 0, columns[wanted].length);
  }

  /** Nothing else of the named column is asked for. */
  void endColumn() {
    wanted++;
    versions = 0;
    lastTimestamp = HConstants.LATEST_TIMESTAMP;
  }

  private MatchCode matchVersion(Cell cell, long timestamp) {
    if (column == null || !CellUtil.matchingQualifier(cell, column)) {
      column = hold(cell, columnInBlock);
      versions = 0;
    } else if (timestamp == lastTimestamp) {
      return MatchCode.SKIP; // Written more than once.
    }
    if (versions == maxVersions) {
      return MatchCode.SEEK_NEXT_COL;
    }
    versions++;
    lastTimestamp = timestamp;
    return MatchCode.INCLUDE;
  }

  private MatchCode matchNamed(Cell cell, long timestamp) {
    int difference = compareToWanted(cell);
    while (difference > 0) {
      endColumn();
      if (isDone()) {
        return MatchCode.SEEK_NEXT_COL;
      }
      difference = compareToWanted(cell);
    }
    if (difference < 0) {
      return MatchCode.SEEK_NEXT_COL;
    }
    if (timestamp == lastTimestamp) {
      return MatchCode.SKIP; // Written more than once.
    }
    lastTimestamp = timestamp;
    if (++versions < maxVersions) {
      return MatchCode.INCLUDE;
    }
    endColumn();
    return MatchCode.INCLUDE_AND_SEEK_NEXT_COL;
  }

  /** @param code without the filter: INCLUDE, or INCLUDE_AND_SEEK_NEXT_COL */
  private MatchCode matchFilter(Cell cell, MatchCode code) throws IOException {
    switch (filter.filterCell(cell)) {
      case INCLUDE:
        return countFiltered(cell, code);
      case INCLUDE_AND_NEXT_COL:
        return countFiltered(cell, MatchCode.INCLUDE_AND_SEEK_NEXT_COL);
      case INCLUDE_AND_SEEK_NEXT_ROW:
        return countFiltered(cell, MatchCode.INCLUDE_AND_SEEK_NEXT_ROW);
      case SKIP:
        return code == MatchCode.INCLUDE ? MatchCode.SKIP : MatchCode.SEEK_NEXT_COL;
      case NEXT_COL:
        return leave(cell);
      case NEXT_ROW:
        return MatchCode.SEEK_NEXT_ROW;
      default:
        return MatchCode.SEEK_NEXT_USING_HINT;
    }
  }

  /** Leaves out a version that is too many, which the filter has taken. */
  private MatchCode countFiltered(Cell cell, MatchCode code) {
    boolean includes = true;
    if (maxFiltered < maxVersions) {
      if (filteredColumn == null || !CellUtil.matchingQualifier(cell, filteredColumn)) {
        filteredColumn = hold(cell, filteredInBlock);
        filtered = 0;
      }
      includes = ++filtered <= maxFiltered;
    }
    if (code == MatchCode.INCLUDE_AND_SEEK_NEXT_ROW) {
      return includes ? code : MatchCode.SEEK_NEXT_ROW;
    }
    if (includes && code == MatchCode.INCLUDE) {
      return code;
    }
    leave(cell);
    return includes ? MatchCode.INCLUDE_AND_SEEK_NEXT_COL : MatchCode.SEEK_NEXT_COL;
  }

  /**
   * Returns a cell that stays when the source of the given one goes on.
   * @param holder becomes it, if the cell is one that changes
   */
  static Cell hold(Cell cell, BlockCell holder) {
    if (!(cell instanceof BlockCell)) {
      return cell;
    }
    holder.set((BlockCell) cell);
    return holder;
  }

  /** Returns true if a delete of the family was seen that covers what isn't later than the cell. */
  boolean isFamilyDeleted(Cell cell) {
    return covered != null && covered.isFamilyDeleted(cell);
  }

  private MatchCode matchDelete(Cell cell, long timestamp) {
    if (covered == null || !covered.isCovered(cell)) {
      addDelete(cell, timestamp);
      return MatchCode.SKIP;
    }
    return covered.isOneOfMany(keep(cell)) ? leave(cell) : MatchCode.SKIP;
  }

  private static Cell keep(Cell cell) {
    return cell instanceof BlockCell ? ((BlockCell) cell).keep() : cell;
  }

  private void addDelete(Cell cell, long timestamp) {
    boolean applies = info.getKeepDeletedCells() == KeepDeletedCells.FALSE
      ? range.withinOrAfterTimeRange(timestamp)
      : range.withinTimeRange(timestamp);
    if (!applies) {
      return;
    }
    if (deletes == null) {
      deletes = new ScanDeleteTracker(comparator);
      covered = new CoveredDeletes(deletes, false);
    }
    deletes.add(keep(cell));
  }

  private boolean isTtlExpired(Cell cell, long timestamp) {
    if (cell.getTagsLength() == 0) {
      return false;
    }
    Optional<Tag> ttl = PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE);
    return ttl.isPresent() && timestamp + Tag.getValueAsLong(ttl.get()) < now;
  }
}
