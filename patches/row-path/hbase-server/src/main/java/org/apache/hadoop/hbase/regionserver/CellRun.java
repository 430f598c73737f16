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

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.io.hfile.BlockCells;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Takes cells of a row that follow each other in a block, for as long as each is the first of a
 * later column, and none needs more than a look at its timestamp and its column: no other source
 * has cells of the row any more, no delete was seen, and all columns up to some end are asked for.
 * Used by one thread at a time.
 */
@InterfaceAudience.Private
final class CellRun {
  private static final byte PUT = KeyValue.Type.Put.getCode();

  // What is asked for.
  private long minTimestamp;
  private long maxTimestamp;
  /** A column from which on this takes nothing; null to take all of the row. */
  private byte[] end;
  private long firstWordOfEnd;

  private RowCells cells;
  private long bytesLeft;
  // What was taken.
  private int size;
  private long bytes;
  private final BlockCell lastInBlock = new BlockCell();
  private ByteBuffer buffer;
  private int lastOffset;

  /**
   * Begins a run, without cells.
   * @param min      in milliseconds since the epoch, the least timestamp of a cell; not negative
   * @param max      in milliseconds since the epoch, the latest one
   * @param atColumn the run ends before it; null if it ends with the row
   */
  void begin(long min, long max, byte[] atColumn) {
    minTimestamp = min;
    maxTimestamp = max;
    if (atColumn != null && atColumn != end) {
      firstWordOfEnd = BlockCells.firstWord(atColumn);
    }
    end = atColumn;
    size = 0;
    bytes = 0;
  }

  /**
   * Sets where the cells are added to.
   * @param maxBytes the most bytes of cells that are added
   */
  void setTarget(RowCells target, long maxBytes) {
    cells = target;
    bytesLeft = maxBytes;
  }

  void clear() {
    end = null;
    cells = null;
    buffer = null;
    lastInBlock.clear();
  }

  /** Returns what a cell counts for, in bytes. */
  static int sizeOf(BlockCells cell) {
    return cell.getSize() + Bytes.SIZEOF_INT;
  }

  /**
   * Takes a cell, which is the first one of its column, if it can.
   * @return false if not, and then the run is over
   */
  boolean takes(BlockCells cell) {
    long timestamp = cell.getTimestamp();
    int cellBytes = sizeOf(cell);
    if (
      cell.getType() != PUT || timestamp < minTimestamp || timestamp > maxTimestamp
        || bytes + cellBytes > bytesLeft || end != null && !cell.isBeforeColumn(end, firstWordOfEnd)
    ) {
      return false;
    }
    cells.add(cell);
    size++;
    bytes += cellBytes;
    buffer = cell.getBuffer();
    lastOffset = cell.getOffset();
    return true;
  }

  /** Returns the number of cells that were taken. */
  int size() {
    return size;
  }

  /** Returns what these count for, in bytes. */
  long bytes() {
    return bytes;
  }

  /** Returns the last cell that was taken, which is another one after the next run. */
  Cell last() {
    return lastInBlock.set(buffer, lastOffset);
  }
}
