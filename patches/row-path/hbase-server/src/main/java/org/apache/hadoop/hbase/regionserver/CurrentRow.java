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

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.io.hfile.BlockCells;
import org.apache.hadoop.hbase.io.hfile.GetBlocks;
import org.apache.hadoop.hbase.io.hfile.GetBudget;
import org.apache.hadoop.hbase.io.hfile.NotInMemoryError;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The row of the get that is read, and then of the next one: its cells as far as they have been
 * read, and what reading them has cost. Used by one thread at a time.
 */
@InterfaceAudience.Private
final class CurrentRow {
  private byte[] row;
  /** Milliseconds since the epoch. */
  private long time;
  private final GetFilter filter = new GetFilter();
  private RowCells cells;
  private long blockBytes;
  private GetBlocks blocks;
  /** Null if it may be waited for. */
  private GetBudget budget;
  /** Of the get that is read in memory only, or again; null for others. */
  private FirstReading first;

  /**
   * @param ofRows  reads the blocks of all rows from now on
   * @param reading what is noted of a get in memory only, or known of one that is read again; null
   *                for others
   */
  void open(GetBlocks ofRows, FirstReading reading) {
    blocks = ofRows;
    budget = ofRows.getBudget();
    first = reading;
    cells = new RowCells();
  }

  /** Forgets the last row, and what reads blocks. */
  void clear() {
    row = null;
    filter.clear();
    cells = null;
    blocks = null;
    budget = null;
    first = null;
  }

  /** Begins the row of a get, without cells. Until {@link #end} the thread reads its blocks. */
  void begin(Get get, HRegion region) {
    row = get.getRow();
    cells.clear();
    blockBytes = 0;
    filter.begin(get, region);
    time = EnvironmentEdgeManager.currentTime();
    blocks.begin();
  }

  /** Ends the reading of the row, whose cells stay. */
  void end() {
    blocks.end();
  }

  byte[] getRow() {
    return row;
  }

  /** Returns when reading began, in milliseconds since the epoch, which TTLs go by. */
  long getTime() {
    return time;
  }

  GetFilter getFilter() {
    return filter;
  }

  /** Returns the cells that have been read, to add to. */
  RowCells getCells() {
    return cells;
  }

  /** Returns false if the file has nothing of the row for a get, by its bloom filter. */
  boolean passesBloomFilter(StoreFileReader file, byte[][] columns) {
    if (first == null) {
      return file.passesGetBloomFilter(row, columns);
    }
    return budget != null
      ? first.askBloomFilter(file, row, columns, blocks)
      : first.recallBloomFilter(file, row, columns, blocks);
  }

  /** Counts a block that was looked at, by its bytes. */
  void countBlock(int bytes) {
    blockBytes += bytes;
  }

  /** Returns the bytes of the blocks that were counted. */
  long getBlockBytes() {
    return blockBytes;
  }

  /**
   * Counts that a source has gone to a cell of the row.
   * @throws NotInMemoryError if nothing may be waited for, and the get is too much work
   */
  void countCell(Cell cell) {
    if (budget != null) {
      budget.check();
      budget.countCell(PrivateCellUtil.estimatedSerializedSizeOf(cell));
    }
  }

  /** Does as {@link #countCell(Cell)} does. */
  void countCell(BlockCells cell) {
    if (budget != null) {
      budget.check();
      budget.countCell(CellRun.sizeOf(cell));
    }
  }

  /**
   * Counts that a source has gone to the end of the row. Throws as {@link #countCell(Cell)} does.
   */
  void countEnd() {
    if (budget != null) {
      budget.check();
    }
  }

  /** Counts a search in a source. Throws as {@link #countCell(Cell)} does. */
  void countSearch() {
    if (budget != null) {
      budget.countSearch();
    }
  }

  /** Sets the number of sources whose cells are compared from now on. */
  void setSources(int sources) {
    if (budget != null) {
      budget.setSources(sources + filter.size());
    }
  }

  /** Counts files that are looked at. Throws as {@link #countCell(Cell)} does. */
  void countFiles(int files) {
    if (budget != null) {
      budget.countFiles(files);
    }
  }
}
