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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.io.hfile.BlockCells;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The cells of a row that is read, and then of the next row. As long as all of them are in one
 * block off the heap, only where they begin is kept. Used by one thread at a time.
 */
@InterfaceAudience.Private
final class RowCells {
  /** All cells, unless they are in the block. */
  private final List<Cell> cells = new ArrayList<>(0);
  /** Where the cells are; null if the list has them, or there are none. */
  private ByteBuffer block;
  /** Where cells begin in the block; null before the first is there. */
  private int[] offsets;
  /** Number of the cells in the block. */
  private int inBlock;
  /** Cells of the last row, or a guess. */
  private int expectedSize = 10;

  /** Drops all cells. */
  void clear() {
    cells.clear();
    block = null;
  }

  int size() {
    return block == null ? cells.size() : inBlock;
  }

  /** Adds a cell, which may be set to another one afterwards. */
  void add(Cell cell) {
    if (cell instanceof BlockCell) {
      add((BlockCell) cell);
    } else {
      asList().add(cell);
    }
  }

  private void add(BlockCell cell) {
    if (!add(cell.getBuffer(), cell.getOffset())) {
      asList().add(cell.keep());
    }
  }

  /** Adds the current cell. */
  void add(BlockCells cell) {
    if (!cell.isDirect() || !add(cell.getBuffer(), cell.getOffset())) {
      asList().add(cell.make());
    }
  }

  /** Returns false if there are cells that aren't in the block. */
  private boolean add(ByteBuffer buffer, int offset) {
    if (size() == 0) {
      block = buffer;
      inBlock = 0;
    }
    if (block != buffer) {
      return false;
    }
    if (offsets == null) {
      offsets = new int[expectedSize];
    } else if (inBlock == offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * inBlock);
    }
    offsets[inBlock++] = offset;
    return true;
  }

  /** Returns the cells, each an object that stays, in a list that may be changed. */
  List<Cell> asList() {
    if (block != null) {
      BlockCell cell = new BlockCell();
      for (int i = 0; i < inBlock; i++) {
        cells.add(cell.set(block, offsets[i]).keep());
      }
      block = null;
    }
    return cells;
  }

  /** Takes the cells as a result. */
  Result takeResult(boolean stale) {
    if (block == null || stale) {
      return Result.create(asList(), null, stale);
    }
    Result result = new RowResult(block, offsets, inBlock);
    expectedSize = inBlock;
    offsets = null;
    clear();
    return result;
  }
}
