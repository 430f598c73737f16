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
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.regionserver.MetricsRowPath.Reason;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker.DeleteResult;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanDeleteTracker;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads one family of the rows of a {@link RowReader}, one after another. Used by one thread at a
 * time.
 */
/*
 * The sources are what may have cells of the row: files and segments that pass the filters by key
 * range, time range, TTL and bloom. There are two ways to read them.
 *
 * Merged: all sources are sought at the row's start. The least cell of them is the next one, as for
 * the heap of a StoreScanner: by the comparator, and among equal cells by the order of the sources.
 * With one source there is nothing to compare. Delete markers, TTLs, the time range and versions
 * are applied to it one after another, as the matcher of a scan does.
 *
 * Newest first, for the latest version of named columns: column after column, the sources are asked
 * by descending latest timestamp, until the column was found later than the next source's. What is
 * left isn't sought. The bloom filter for family deletes tells whether a file has to be looked at
 * where the row begins. If it has a delete marker there, or one is met in a column, then the family
 * is read again, merged. A marker that isn't met is older than the cell that was found.
 */
@InterfaceAudience.Private
@SuppressWarnings("deprecation") // Cell.getTypeByte and getTagsLength
final class FamilyReader {
  private static final Comparator<RowSource> NEWEST_FIRST =
    (left, right) -> Long.compare(right.maxTimestamp, left.maxTimestamp);

  private final RowReader reader;
  private final FamilySources family;
  private GetBatch batch;
  private HStore store;
  /** What may have cells of the row. */
  private final List<RowSource> sources = new ArrayList<>(4);

  // Of the get that is read.
  private ScanInfo info;
  private CellComparator comparator;
  private byte[] row;
  private TimeRange range;
  private int maxVersions;
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
  /** Of the last version of the column, or {@link HConstants#LATEST_TIMESTAMP}, which none has. */
  private long lastTimestamp;
  private long cellBytes;
  private boolean onlyMemory;
  private boolean found;
  /** Whether a source is half a file. Its scanner can't seek back from the half's end. */
  private boolean hasHalfFile;

  FamilyReader(RowReader reader) {
    this.reader = reader;
    family = new FamilySources(reader);
  }

  /** @param ofBatch holds what is read */
  void open(GetBatch ofBatch, HStore ofStore) {
    batch = ofBatch;
    store = ofStore;
    found = false;
    family.setStore(ofBatch, ofStore);
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
    sources.clear();
    batch = null;
    store = null;
    info = null;
    comparator = null;
    row = null;
    range = null;
    columns = null;
    column = null;
    columnInBlock.clear();
  }

  /** @param wantedColumns null or empty to read all */
  private void begin(Get get, NavigableSet<byte[]> wantedColumns) {
    info = store.getScanInfo();
    comparator = info.getComparator();
    row = get.getRow();
    TimeRange ofFamily = get.getColumnFamilyTimeRange().get(info.getFamily());
    range = ofFamily == null ? get.getTimeRange() : ofFamily;
    maxVersions = Math.min(get.getMaxVersions(), info.getMaxVersions());
    oldest = reader.getTime() - info.getTtl();
    columns = wantedColumns == null || wantedColumns.isEmpty()
      ? null
      : wantedColumns.toArray(new byte[wantedColumns.size()][]);
    sources.clear();
    wanted = 0;
    column = null;
    versions = 0;
    cellBytes = 0;
    hasHalfFile = false;
  }

  /** Returns true if this class can read such a store. */
  static boolean canRead(HStore store) {
    ScanInfo info = store.getScanInfo();
    return store.getClass() == HStore.class && info.getMinVersions() == 0
      && !info.isNewVersionBehavior() && !info.isParallelSeekEnabled();
  }

  /**
   * Adds the family's cells of the reader's row to those of the reader.
   * @param wantedColumns null or empty to read all
   * @return null if it did; else why a region scanner has to read the row
   */
  Reason read(Get get, NavigableSet<byte[]> wantedColumns) throws IOException {
    begin(get, wantedColumns);
    Reason reason = findSources();
    if (reason != null || sources.isEmpty()) {
      return reason;
    }
    RowCells cells = reader.getCells();
    int before = cells.size();
    onlyMemory = true;
    if (!canReadNewestFirst() || !readNewestFirst()) {
      cells.dropFrom(before);
      onlyMemory = true;
      cellBytes = 0;
      reason = readMerged();
    }
    found = cells.size() > before;
    return reason;
  }

  /** Returns false if the family is to be read merged, and no source be sought before. */
  private boolean canReadNewestFirst() {
    return columns != null && columns[0].length > 0 && maxVersions == 1 && !hasHalfFile;
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

  private Reason findSources() throws IOException {
    if (!family.isOpen()) {
      Reason reason = family.open(this);
      if (reason != null) {
        return reason;
      }
    }
    List<FamilySources.OfFile> files = family.getFiles();
    for (int i = 0; i < files.size(); i++) {
      FamilySources.OfFile file = files.get(i);
      if (isInRange(file.reader) && batch.passesBloomFilter(file.reader, row, columns)) {
        sources.add(file.begin());
        hasHalfFile |= file.isHalf();
      }
    }
    List<RowSource> segments = family.getSegments();
    for (int i = 0; i < segments.size(); i++) {
      RowSource segment = segments.get(i);
      if (segment.segment.shouldSeek(range, oldest)) {
        segment.begin();
        sources.add(segment);
      }
    }
    return null;
  }

  /** Returns false if the file has nothing of the row that the get asks for. */
  boolean isInRange(StoreFileReader file) {
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

  /**
   * Reads the latest version of the named columns.
   * @return false if the family has to be read again, merged
   */
  private boolean readNewestFirst() throws IOException {
    if (sources.size() > 1) {
      sources.sort(NEWEST_FIRST);
    }
    for (byte[] qualifier : columns) {
      Cell key = keyOf(qualifier);
      Cell best = null;
      RowSource bestSource = null;
      for (int i = 0; i < sources.size(); i++) {
        RowSource source = sources.get(i);
        if (best != null && best.getTimestamp() > source.maxTimestamp) {
          break;
        }
        if (source.isExhausted() || !passesColumnBloomFilter(source, key)) {
          continue;
        }
        if (!seekColumn(source, key)) {
          return false;
        }
        if (!goToLatest(source, qualifier)) {
          return false;
        }
        Cell found = source.cell();
        if (
          found != null && CellUtil.matchingQualifier(found, qualifier) && !isBeforeRange(found)
            && (best == null || isBefore(found, source, best, bestSource))
        ) {
          best = found;
          bestSource = source;
        }
      }
      if (best != null && !include(best, bestSource)) {
        return false;
      }
    }
    boolean empty = reader.getCells().size() == 0;
    for (int i = 0; empty && !reader.isRowSeen() && i < sources.size(); i++) {
      noteRow(sources.get(i).seek(rowStart())); // The columns may be behind those that it has.
    }
    return true;
  }

  private void noteRow(Cell cell) {
    if (cell != null) {
      reader.setRowSeen();
    }
  }

  private boolean passesColumnBloomFilter(RowSource source, Cell key) {
    // A single column was looked up before the file was opened.
    return columns.length == 1 || source.file == null
      || source.file.getBloomFilterType() != BloomType.ROWCOL
      || source.file.passesGeneralRowColBloomFilter(key);
  }

  /**
   * Goes to the column, or to what is behind it.
   * @return false if there may be deletes of the family
   */
  private boolean seekColumn(RowSource source, Cell key) throws IOException {
    if (!source.isSought()) {
      if (source.file != null && !source.file.passesDeleteFamilyBloomFilter(row, 0, row.length)) {
        noteRow(source.seek(key));
        return true;
      }
      Cell first = source.seek(rowStart());
      noteRow(first);
      if (first != null && first.getQualifierLength() == 0) {
        return false;
      }
    }
    if (source.cell() != null && comparator.compare(source.cell(), key) < 0) {
      source.reseek(key);
    }
    return true;
  }

  /**
   * Goes to the latest version of the column that is to be seen, or beyond those that may be.
   * @return false if there is a delete, or an unusual cell
   */
  private boolean goToLatest(RowSource source, byte[] qualifier) throws IOException {
    Cell cell = source.cell();
    while (cell != null && CellUtil.matchingQualifier(cell, qualifier)) {
      if (isUnusual(cell.getTimestamp()) || cell.getTypeByte() != KeyValue.Type.Put.getCode()) {
        return false;
      }
      if (isBeforeRange(cell) || range.compare(cell.getTimestamp()) == 0 && !isTtlExpired(cell)) {
        return true;
      }
      cell = source.next();
    }
    return true;
  }

  private boolean isBeforeRange(Cell cell) {
    return cell.getTimestamp() < oldest || range.compare(cell.getTimestamp()) < 0;
  }

  /** Returns null if all was read; else why a region scanner has to read the row. */
  private Reason readMerged() throws IOException {
    lastTimestamp = HConstants.LATEST_TIMESTAMP;
    long sought = 0;
    for (int i = sources.size() - 1; i >= 0; i--) {
      Cell first = sources.get(i).seek(rowStart());
      if (first == null) {
        sources.remove(i);
      } else {
        reader.setRowSeen();
        sought += PrivateCellUtil.estimatedSerializedSizeOf(first);
      }
    }
    if (sought >= info.getTableMaxRowSize()) {
      return Reason.ROW_TOO_BIG;
    }
    ScanDeleteTracker deletes = null;
    boolean emptyColumnSeen = false;
    for (RowSource source = least(); source != null; source = least()) {
      Cell cell = source.cell();
      long timestamp = cell.getTimestamp();
      byte type = cell.getTypeByte();
      // A scan may or may not see a family's delete that is behind a version of the empty column.
      if (isUnusual(timestamp) || emptyColumnSeen && isFamilyDelete(type)) {
        return Reason.CELL;
      }
      emptyColumnSeen |= cell.getQualifierLength() == 0 && !PrivateCellUtil.isDelete(type);
      int skip;
      if (timestamp < oldest) {
        skip = -1;
      } else if (isTtlExpired(cell)) {
        skip = 1;
      } else if (PrivateCellUtil.isDelete(type)) {
        if (deletes == null) {
          deletes = new ScanDeleteTracker(comparator);
        }
        addDelete(deletes, cell);
        skip = 1;
      } else if (type != KeyValue.Type.Put.getCode()) {
        return Reason.CELL;
      } else {
        skip = deletes == null || deletes.isEmpty() ? 0 : checkDeleted(deletes, cell);
        if (skip == 0) {
          skip = range.compare(timestamp);
        }
        if (skip == 0) {
          skip = checkColumn(cell, timestamp);
        }
      }
      if (skip == 0) {
        if (!include(cell, source)) {
          return Reason.ROW_TOO_BIG;
        }
        if (columns != null && versions == maxVersions) {
          endColumn();
        }
        if (isDone()) {
          return null;
        }
        source.next();
      } else if (skip > 0) {
        source.next();
      } else if (!skipColumn(source)) {
        return null;
      }
    }
    return null;
  }

  private static boolean isFamilyDelete(byte type) {
    return type == KeyValue.Type.DeleteFamily.getCode()
      || type == KeyValue.Type.DeleteFamilyVersion.getCode();
  }

  /** Returns the source of the next cell, or null. */
  private RowSource least() {
    RowSource least = null;
    for (int i = 0; i < sources.size(); i++) {
      RowSource source = sources.get(i);
      if (
        source.cell() != null
          && (least == null || isBefore(source.cell(), source, least.cell(), least))
      ) {
        least = source;
      }
    }
    return least;
  }

  private boolean isBefore(Cell left, RowSource ofLeft, Cell right, RowSource ofRight) {
    int difference = comparator.compare(left, right);
    return difference < 0 || difference == 0 && ofLeft.order() > ofRight.order();
  }

  private void addDelete(ScanDeleteTracker deletes, Cell cell) {
    long timestamp = cell.getTimestamp();
    boolean applies = info.getKeepDeletedCells() == KeepDeletedCells.FALSE
      ? range.withinOrAfterTimeRange(timestamp)
      : range.withinTimeRange(timestamp);
    if (applies) {
      deletes.add(keep(cell));
    }
  }

  /** Returns a cell for longer than until its source goes on. */
  private static Cell keep(Cell cell) {
    return cell instanceof BlockCell ? ((BlockCell) cell).keep() : cell;
  }

  /** Returns 0 if it isn't deleted, 1 if it is, -1 if the rest of its column is, too. */
  private static int checkDeleted(ScanDeleteTracker deletes, Cell cell) {
    DeleteResult result = deletes.isDeleted(cell);
    switch (result) {
      case NOT_DELETED:
        return 0;
      case FAMILY_DELETED:
      case COLUMN_DELETED:
        return -1;
      default:
        return 1;
    }
  }

  /** Returns 0 to include the cell, 1 to skip it, -1 to skip the rest of its column. */
  private int checkColumn(Cell cell, long timestamp) {
    if (columns == null) {
      if (column == null || !CellUtil.matchingQualifier(cell, column)) {
        column = firstOfColumn(cell);
        versions = 0;
        lastTimestamp = HConstants.LATEST_TIMESTAMP;
      }
    } else {
      int difference = compareToWanted(cell);
      while (difference > 0) {
        endColumn();
        if (isDone()) {
          return -1;
        }
        difference = compareToWanted(cell);
      }
      if (difference < 0) {
        return -1;
      }
    }
    if (timestamp == lastTimestamp) {
      return 1; // Written more than once.
    }
    if (versions == maxVersions) {
      return -1;
    }
    versions++;
    lastTimestamp = timestamp;
    return 0;
  }

  private Cell firstOfColumn(Cell cell) {
    if (cell instanceof BlockCell) {
      columnInBlock.set((BlockCell) cell);
      return columnInBlock;
    }
    return cell;
  }

  private int compareToWanted(Cell cell) {
    return CellUtil.compareQualifiers(cell, columns[wanted], 0, columns[wanted].length);
  }

  private void endColumn() {
    wanted++;
    versions = 0;
    lastTimestamp = HConstants.LATEST_TIMESTAMP;
  }

  private boolean isDone() {
    return columns != null && wanted == columns.length;
  }

  /**
   * Goes to the column behind that of the source's cell.
   * @return false if there is none to read
   */
  private boolean skipColumn(RowSource source) throws IOException {
    Cell cell = source.cell();
    while (columns != null && !isDone() && compareToWanted(cell) >= 0) {
      endColumn();
    }
    if (isDone()) {
      return false;
    }
    if (cell.getQualifierLength() == 0) {
      source.next(); // Among these cells are the deletes of the family.
      return true;
    }
    Cell key =
      columns == null ? PrivateCellUtil.createLastOnRowCol(keep(cell)) : keyOf(columns[wanted]);
    for (int i = 0; i < sources.size(); i++) {
      RowSource behind = sources.get(i);
      if (isBefore(behind.cell(), key)) {
        // Often it is the next one, which is found without a search.
        if (isBefore(behind.next(), key)) {
          behind.reseek(key);
        }
      }
    }
    return true;
  }

  /** @param cell may be null, which isn't before anything */
  private boolean isBefore(Cell cell, Cell key) {
    return cell != null && comparator.compare(cell, key) < 0;
  }

  /** Returns false if the row exceeds its limit. */
  private boolean include(Cell cell, RowSource source) {
    reader.getCells().add(cell);
    onlyMemory &= source.file == null;
    cellBytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
    return cellBytes <= info.getTableMaxRowSize();
  }

  /** The ends of the range have meanings of their own in scans. */
  private static boolean isUnusual(long timestamp) {
    return timestamp < 0 || timestamp == HConstants.LATEST_TIMESTAMP;
  }

  private boolean isTtlExpired(Cell cell) {
    if (cell.getTagsLength() == 0) {
      return false;
    }
    Optional<Tag> ttl = PrivateCellUtil.getTag(cell, TagType.TTL_TAG_TYPE);
    return ttl.isPresent()
      && cell.getTimestamp() + Tag.getValueAsLong(ttl.get()) < reader.getTime();
  }

  /** The key before the row's first cell, which may be a delete of the family. */
  private Cell rowStart() {
    return PrivateCellUtil.createFirstDeleteFamilyCellOnRow(row, info.getFamily());
  }

  private Cell keyOf(byte[] qualifier) {
    byte[] family = info.getFamily();
    return PrivateCellUtil.createFirstOnRow(row, 0, (short) row.length, family, 0,
      (byte) family.length, qualifier, 0, qualifier.length);
  }
}
