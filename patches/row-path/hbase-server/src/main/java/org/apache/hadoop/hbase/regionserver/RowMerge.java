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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What may have cells of a family of a row, in the order of the cells. Used by one thread at a
 * time.
 */
/*
 * The least cell of all is the next one: by the comparator, and among equal cells by the order of
 * the sources. With one source there is nothing to compare.
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
final class RowMerge {
  private final FamilyMatcher matcher;
  private final List<RowSource> sources = new ArrayList<>(4);
  private ScanInfo info;
  private CellComparator comparator;
  private byte[] row;
  /** The column that sources are requested at; null at the row's start. */
  private byte[] requested;
  /** What they are sought by; null before the first is. */
  private Cell requestedKey;
  /** In place of the cell that is left, whose source goes on. */
  private final BlockCell leftInBlock = new BlockCell();

  /** @param matcher says which columns are asked for */
  RowMerge(FamilyMatcher matcher) {
    this.matcher = matcher;
  }

  /** Begins a row, without sources. */
  void begin(byte[] ofRow, ScanInfo ofFamily) {
    sources.clear();
    row = ofRow;
    info = ofFamily;
    comparator = info.getComparator();
    requested = null;
    requestedKey = null;
  }

  void clear() {
    sources.clear();
    info = null;
    comparator = null;
    row = null;
    requested = null;
    requestedKey = null;
    leftInBlock.clear();
  }

  /** Adds a source that has begun the row. */
  void add(RowSource source) {
    sources.add(source);
  }

  int size() {
    return sources.size();
  }

  /** Goes to the row's start, and reads no more blocks than that takes. */
  void start() throws IOException {
    if (matcher.getColumns() == null) {
      seekAll();
    } else {
      requestAll();
    }
  }

  private void seekAll() throws IOException {
    long sought = 0;
    for (int i = 0; i < sources.size(); i++) {
      if (sought >= info.getTableMaxRowSize()) {
        throw tooBig(row, info);
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

  /** Returns the source of the next cell, or one that is ruled out before that; null if none. */
  RowSource least() throws IOException {
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

  /** Returns true if no other source has cells left, once all have been sought. */
  boolean isAlone(RowSource source) {
    for (int i = 0; i < sources.size(); i++) {
      if (sources.get(i) != source && !sources.get(i).isPast()) {
        return false;
      }
    }
    return true;
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
  void leaveColumn(RowSource source) throws IOException {
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
    Cell key = left.getQualifierLength() == 0 && !matcher.isFamilyDeleted(left)
      ? PrivateCellUtil.createNextOnRowCol(left)
      : left;
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
  private boolean isRestOfColumn(Cell cell, Cell left) {
    return CellUtil.matchingQualifier(cell, left)
      && (!StoreScanner.isDeleteOfFamily(cell) || matcher.isFamilyDeleted(cell));
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
  void requestColumn() throws IOException {
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

  /**
   * Goes ahead to a key, as far as sources may have a cell there.
   * @param hint of a filter; not behind the cells of the row's family
   */
  void seekHint(Cell hint) throws IOException {
    byte[] stood = requested == null ? HConstants.EMPTY_BYTE_ARRAY : requested;
    boolean lazy = matcher.getColumns() != null;
    if (lazy) {
      requested = CellUtil.cloneQualifier(hint);
      requestedKey = hint;
    }
    for (int i = 0; i < sources.size(); i++) {
      RowSource source = sources.get(i);
      if (source.cell() == null ? isRequestedBefore(hint, stood, source)
        : comparator.compare(source.cell(), hint) < 0) {
        if (!lazy) {
          advance(source, hint);
          continue;
        }
        source.request();
        if (source.maxTimestamp >= hint.getTimestamp()) {
          seekRequested(source);
        }
      }
    }
  }

  /** @param stood column that the source was requested at, or is ruled out in */
  private static boolean isRequestedBefore(Cell hint, byte[] stood, RowSource source) {
    if (source.isPast()) {
      return false;
    }
    int difference = CellUtil.compareQualifiers(hint, stood, 0, stood.length);
    return difference > 0 || difference == 0 && !source.isRuledOut()
      && source.maxTimestamp > hint.getTimestamp();
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
  Cell rowStart() {
    return PrivateCellUtil.createFirstDeleteFamilyCellOnRow(row, info.getFamily());
  }

  private Cell keyOf(byte[] qualifier) {
    byte[] ofFamily = info.getFamily();
    return PrivateCellUtil.createFirstOnRow(row, 0, (short) row.length, ofFamily, 0,
      (byte) ofFamily.length, qualifier, 0, qualifier.length);
  }

  static RowTooBigException tooBig(byte[] row, ScanInfo family) {
    return new RowTooBigException("Row " + Bytes.toStringBinary(row) + " of family "
      + Bytes.toString(family.getFamily()) + " is bigger than the limit of "
      + family.getTableMaxRowSize() + " bytes");
  }
}
