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
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.regionserver.MetricsRowPath.Reason;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads one family of the rows of a {@link RowReader}, one after another. Used by one thread at a
 * time.
 */
/*
 * The sources are what may have cells of the row: files and segments that pass the filters by key
 * range, time range, TTL and bloom. The least cell of all is the next one: by the comparator, and
 * among equal cells by the order of the sources. With one source there is nothing to compare.
 *
 * To read all of a family, all sources are sought at the row's start.
 *
 * Of named columns, files are sought as late as by a StoreScanner. One that is only requested
 * stands where it may have its first cell: at the column, at the file's latest timestamp. It is
 * sought when no other source is before. At the row's start one whose bloom filter knows no delete
 * of the row's family is ruled out, and stands behind the cells of the empty column.
 *
 * No block is read that a StoreScanner doesn't read, since sources leave a column by its rules:
 * cell by cell if the next column that is asked for doesn't begin behind the block, else by a seek.
 * The same rules decide which deletes of the family are seen behind a cell of the empty column.
 */
@InterfaceAudience.Private
final class FamilyReader {
  private final RowReader reader;
  private final FamilySources family;
  private final FamilyMatcher matcher = new FamilyMatcher();
  private GetBatch batch;
  private HStore store;
  /** What may have cells of the row. */
  private final List<RowSource> sources = new ArrayList<>(4);

  // Of the get that is read.
  private ScanInfo info;
  private CellComparator comparator;
  private byte[] row;
  /** The column that sources are requested at; null at the row's start. */
  private byte[] requested;
  /** What they are sought by; null before the first is. */
  private Cell requestedKey;
  /** In place of the cell that is left, whose source goes on. */
  private final BlockCell leftInBlock = new BlockCell();
  private long cellBytes;
  private boolean onlyMemory;
  private boolean found;

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
    matcher.clear();
    batch = null;
    store = null;
    info = null;
    comparator = null;
    row = null;
    requested = null;
    requestedKey = null;
    leftInBlock.clear();
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
   * Begins the reader's row, and reads no block.
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
    matcher.begin(get, info, columns, reader.getTime());
    Reason reason = family.isOpen() ? null : family.open(this);
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

  /** Returns false if the file has nothing of the row that the get asks for. */
  boolean isInRange(StoreFileReader file) {
    if (!file.passesTimerangeFilter(matcher.getRange(), matcher.getOldest())) {
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

  /** Adds the family's cells of the row to those of the reader, once it has begun. */
  void read() throws IOException {
    findSources();
    requested = null;
    requestedKey = null;
    cellBytes = 0;
    onlyMemory = true;
    if (matcher.getColumns() == null) {
      seekAll();
    } else {
      requestAll();
    }
    int before = reader.getCells().size();
    readCells();
    found = reader.getCells().size() > before;
  }

  private void findSources() {
    sources.clear();
    List<FamilySources.OfFile> files = family.getFiles();
    for (int i = 0; i < files.size(); i++) {
      FamilySources.OfFile file = files.get(i);
      if (
        isInRange(file.reader) && batch.passesBloomFilter(file.reader, row, matcher.getColumns())
      ) {
        sources.add(file.begin());
      }
    }
    List<RowSource> segments = family.getSegments();
    for (int i = 0; i < segments.size(); i++) {
      RowSource segment = segments.get(i);
      if (segment.segment.shouldSeek(matcher.getRange(), matcher.getOldest())) {
        segment.begin();
        sources.add(segment);
      }
    }
    reader.setSources(sources.size());
  }

  private void seekAll() throws IOException {
    long sought = 0;
    for (int i = 0; i < sources.size(); i++) {
      if (sought >= info.getTableMaxRowSize()) {
        throw tooBig();
      }
      Cell first = sources.get(i).seek(rowStart());
      if (first != null) {
        sought += PrivateCellUtil.estimatedSerializedSizeOf(first);
      }
    }
  }

  private void requestAll() throws IOException {
    for (int i = 0; i < sources.size(); i++) {
      RowSource source = sources.get(i);
      if (mayHaveEmptyColumn(source.file)) {
        request(source);
      } else {
        source.ruleOut();
      }
    }
  }

  /** Returns false if it has neither a delete of the family nor a cell that is asked for there. */
  private boolean mayHaveEmptyColumn(StoreFileReader file) {
    if (file == null) {
      return true;
    }
    if (file.getBloomFilterType() == BloomType.ROWCOL) {
      return file.passesGeneralRowColBloomFilter(rowStart());
    }
    return matcher.getWanted().length == 0
      || file.passesDeleteFamilyBloomFilter(row, 0, row.length);
  }

  private void readCells() throws IOException {
    RowSource source = least();
    if (source != null) {
      reader.setRowSeen();
    }
    for (; source != null; source = least()) {
      if (source.isRuledOut()) {
        if (matcher.getWanted().length == 0) {
          matcher.endColumn();
        }
        if (matcher.isDone()) {
          return;
        }
        requestColumn();
        continue;
      }
      source.countBlock();
      Cell cell = source.cell();
      switch (matcher.match(cell)) {
        case INCLUDE:
          include(cell, source);
          source.next();
          break;
        case INCLUDE_AND_SEEK_NEXT_COL:
          include(cell, source);
          if (matcher.isDone()) {
            return;
          }
          leaveColumn(source);
          break;
        case SKIP:
          source.next();
          break;
        default:
          if (matcher.isDone()) {
            return;
          }
          leaveColumn(source);
      }
    }
  }

  private void include(Cell cell, RowSource source) throws RowTooBigException {
    reader.getCells().add(cell);
    onlyMemory &= source.file == null;
    cellBytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
    if (cellBytes > info.getTableMaxRowSize()) {
      throw tooBig();
    }
  }

  private RowTooBigException tooBig() {
    return new RowTooBigException("Row " + Bytes.toStringBinary(row) + " of " + store
      + " is bigger than the limit of " + info.getTableMaxRowSize() + " bytes");
  }

  /** Returns the source of the next cell, or one that is ruled out before that; null if none. */
  private RowSource least() throws IOException {
    while (true) {
      RowSource least = null;
      for (int i = 0; i < sources.size(); i++) {
        RowSource source = sources.get(i);
        if (!source.isPast() && (least == null || isBefore(source, least))) {
          least = source;
        }
      }
      if (least == null || !least.isRequested()) {
        return least;
      }
      seekRequested(least);
    }
  }

  private boolean isBefore(RowSource left, RowSource right) {
    Cell ofLeft = left.cell();
    Cell ofRight = right.cell();
    if (ofLeft == null) {
      return ofRight == null ? isBeforeUnsought(left, right) : !isBeforeUnsought(ofRight, left);
    }
    if (ofRight == null) {
      return isBeforeUnsought(ofLeft, right);
    }
    int difference = comparator.compare(ofLeft, ofRight);
    return difference < 0 || difference == 0 && left.order() > right.order();
  }

  private static boolean isBeforeUnsought(RowSource left, RowSource right) {
    if (left.isRuledOut() != right.isRuledOut()) {
      return right.isRuledOut();
    }
    return left.maxTimestamp > right.maxTimestamp
      || left.maxTimestamp == right.maxTimestamp && left.order() > right.order();
  }

  private boolean isBeforeUnsought(Cell cell, RowSource source) {
    byte[] qualifier = requested == null ? HConstants.EMPTY_BYTE_ARRAY : requested;
    int difference = CellUtil.compareQualifiers(cell, qualifier, 0, qualifier.length);
    return difference < 0
      || difference == 0 && (source.isRuledOut() || source.maxTimestamp < cell.getTimestamp());
  }

  /** @param cell may be null, which isn't before anything */
  private boolean isBefore(Cell cell, Cell key) {
    return cell != null && comparator.compare(cell, key) < 0;
  }

  /** Goes behind what is left of the column of the source's cell, whose turn it is. */
  private void leaveColumn(RowSource source) throws IOException {
    Cell left = FamilyMatcher.hold(source.cell(), leftInBlock);
    RowSource next = source;
    Cell indexed = null;
    while (isNextColumnWithin(next, indexed)) {
      indexed = next.nextIndexedKey();
      next.next();
      next = least();
      if (next == null || next.isRuledOut() || !isRestOfColumn(next.cell(), left)) {
        return;
      }
    }
    // A delete of the family may be behind a cell of the empty column.
    Cell key = left.getQualifierLength() == 0 ? PrivateCellUtil.createNextOnRowCol(left) : left;
    if (key == left && matcher.getColumns() != null) {
      requestColumn();
      return;
    }
    if (key == left) {
      key = PrivateCellUtil.createLastOnRowCol(left);
    }
    for (int i = 0; i < sources.size(); i++) {
      if (isBefore(sources.get(i).cell(), key)) {
        advance(sources.get(i), key);
      }
    }
  }

  /** A delete of the family is in the column without a name, and deletes in others. */
  private static boolean isRestOfColumn(Cell cell, Cell left) {
    return CellUtil.matchingQualifier(cell, left) && !StoreScanner.isDeleteOfFamily(cell);
  }

  /**
   * Returns true if the next column that is asked for doesn't begin behind the source's block.
   * @param known an indexed key for which that is known
   */
  private boolean isNextColumnWithin(RowSource source, Cell known) {
    Cell indexed = source.nextIndexedKey();
    if (indexed == null || indexed == KeyValueScanner.NO_NEXT_INDEXED_KEY) {
      return false;
    }
    if (indexed == known) {
      return true;
    }
    int difference = comparator.compareRows(indexed, row, 0, row.length);
    if (difference != 0 || matcher.getColumns() == null) {
      return difference > 0;
    }
    return !isBeforeColumn(indexed, matcher.getWanted());
  }

  /** Has all that stand before the next named column stand there. */
  private void requestColumn() throws IOException {
    byte[] wanted = matcher.getWanted();
    requested = wanted;
    requestedKey = null;
    for (int i = 0; i < sources.size(); i++) {
      RowSource source = sources.get(i);
      if (source.cell() == null ? !source.isPast() : isBeforeColumn(source.cell(), wanted)) {
        request(source);
      }
    }
  }

  private static boolean isBeforeColumn(Cell cell, byte[] qualifier) {
    return CellUtil.compareQualifiers(cell, qualifier, 0, qualifier.length) < 0;
  }

  private void request(RowSource source) throws IOException {
    source.request();
    if (source.maxTimestamp == HConstants.LATEST_TIMESTAMP) {
      seekRequested(source);
    }
  }

  private void seekRequested(RowSource source) throws IOException {
    if (requestedKey == null) {
      requestedKey = requested == null ? rowStart() : keyOf(requested);
    }
    if (source.isSought()) {
      advance(source, requestedKey);
    } else {
      source.seek(requestedKey);
    }
  }

  /** Goes to the key, which is ahead, or behind it. */
  private void advance(RowSource source, Cell key) throws IOException {
    Cell indexed = source.nextIndexedKey();
    boolean within = source.file == null || indexed == KeyValueScanner.NO_NEXT_INDEXED_KEY
      || indexed != null && comparator.compare(indexed, key) >= 0;
    // Often it is the next one, which is found without a search.
    if (!within || isBefore(source.next(), key)) {
      source.reseek(key);
    }
  }

  /** The key before the row's first cell, which may be a delete of the family. */
  private Cell rowStart() {
    return PrivateCellUtil.createFirstDeleteFamilyCellOnRow(row, info.getFamily());
  }

  private Cell keyOf(byte[] qualifier) {
    byte[] ofFamily = info.getFamily();
    return PrivateCellUtil.createFirstOnRow(row, 0, (short) row.length, ofFamily, 0,
      (byte) ofFamily.length, qualifier, 0, qualifier.length);
  }
}
