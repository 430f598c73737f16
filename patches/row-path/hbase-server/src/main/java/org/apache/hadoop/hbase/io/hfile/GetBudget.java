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
package org.apache.hadoop.hbase.io.hfile;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Bounds what a get does on a thread that others wait for. It counts work, not time, which other
 * work of the machine would take from it. What exceeds it ends the reading by
 * {@link NotInMemoryError}. Used by one thread.
 */
/*
 * A step is work of about half a microsecond. It is counted before it is done, if it is known then.
 * To find a cell in a block, all cells before may be looked at, so a data block is counted by its
 * cells, as many as its file has in so many bytes. Those of an encoded block are decoded one after
 * another. A block that is cached compressed is decompressed by each reader. Since a file's blocks
 * may differ, bytes count, too. Keys are compared some 50 times in a search, so long ones count.
 * The next cell of a row is found by comparing those of all files and segments, and all filters of
 * the get are asked about it.
 */
@InterfaceAudience.Private
public final class GetBudget {
  /** The most cells that are looked at, and bytes of them. */
  private static final int CELLS = 512;
  private static final int CELL_BYTES = 64 * 1024;
  private static final int STEPS = 1024;

  private static final int STEPS_OF_SEARCH = 8;
  private static final int SOURCES_OF_STEP = 4;
  private static final int STEPS_OF_BLOCK = 4;
  private static final int KEY_BYTES_OF_STEP = 64;
  private static final int CELLS_OF_STEP = 8;
  private static final int ENCODED_CELLS_OF_STEP = 2;
  private static final int BLOCK_BYTES_OF_STEP = 1024;
  private static final int ENCODED_BYTES_OF_STEP = 256;
  private static final int COMPRESSED_BYTES_OF_STEP = 128;

  /** For the key of each search, and for each block that is looked for. */
  private final int stepsOfKey;
  private int cellsLeft = CELLS;
  private int cellBytesLeft = CELL_BYTES;
  private long stepsLeft = STEPS;
  /** Files and segments among which the next cell is looked for, and filters that are asked. */
  private int sources;

  /** @param keyBytes length of the longest key that is searched for */
  public GetBudget(int keyBytes) {
    stepsOfKey = keyBytes / KEY_BYTES_OF_STEP;
  }

  /** Counts a cell of the row, of so many bytes. */
  public void countCell(int bytes) {
    cellBytesLeft -= bytes;
    if (--cellsLeft < 0 || cellBytesLeft < 0) {
      throw NotInMemoryError.get();
    }
    count(sources / SOURCES_OF_STEP);
  }

  /** Sets the number of files and segments whose cells are compared, and of filters. */
  public void setSources(int sources) {
    this.sources = sources;
  }

  /** Counts a search in a file or a segment. */
  public void countSearch() {
    count(STEPS_OF_SEARCH + stepsOfKey);
  }

  /** Counts files of which it is found out whether they have to be read. */
  public void countFiles(int files) {
    count(files);
  }

  /** Counts a block that is looked for in the cache. */
  void countBlock() {
    count(STEPS_OF_BLOCK + stepsOfKey);
  }

  /**
   * Counts a data block.
   * @param bytes      as it is when it is read
   * @param cells      about how many it has
   * @param compressed whether it was decompressed for this get
   */
  void countDataBlock(int bytes, long cells, boolean encoded, boolean compressed) {
    long steps = encoded
      ? Math.max(cells / ENCODED_CELLS_OF_STEP, bytes / ENCODED_BYTES_OF_STEP)
      : Math.max(cells / CELLS_OF_STEP, bytes / BLOCK_BYTES_OF_STEP);
    count(compressed ? steps + bytes / COMPRESSED_BYTES_OF_STEP : steps);
  }

  private void count(long steps) {
    stepsLeft -= steps;
    check();
  }

  /** Ends the reading if what was counted so far exceeds the budget. */
  public void check() {
    if (stepsLeft < 0) {
      throw NotInMemoryError.get();
    }
  }

  /**
   * Counts a cell that isn't to be seen, and isn't one of the row perhaps.
   * @return false if no further one may be looked at
   */
  boolean skipsCell() {
    return --stepsLeft >= 0;
  }
}
