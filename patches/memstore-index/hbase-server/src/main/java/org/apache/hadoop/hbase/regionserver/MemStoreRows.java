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

import java.util.List;
import java.util.RandomAccess;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.yetus.audience.InterfaceAudience;

/** Adds a row's cells to a memstore at once, if its segment has a {@link CellTree}. */
@InterfaceAudience.Private
final class MemStoreRows {
  /** How many cells a tree takes at once. */
  private static final int MAX_CELLS = 64;

  private MemStoreRows() {
  }

  /**
   * Adds cells as {@link MemStore#add(Cell, MemStoreSizing)} does one after the other.
   * @return false if none was added, and that is to be done so
   */
  static boolean add(AbstractMemStore memStore, Iterable<Cell> cells, MemStoreSizing sizing) {
    if (
      !(cells instanceof List && cells instanceof RandomAccess) || !isKnown(memStore)
        || getTree(memStore.getActive()) == null
    ) {
      return false;
    }
    List<Cell> list = (List<Cell>) cells;
    int count = list.size();
    if (count < 2) {
      return false;
    }
    int added = 0;
    while (added < count) {
      MutableSegment active = memStore.getActive();
      int end = Math.min(added + MAX_CELLS, count);
      if (memStore instanceof DefaultMemStore) {
        add(active, list, added, end, false, sizing);
        added = end;
      } else {
        added = add((CompactingMemStore) memStore, active, list, added, end, sizing);
      }
    }
    return true;
  }

  /** Others may do something of their own before and after they add a cell. */
  private static boolean isKnown(AbstractMemStore memStore) {
    Class<?> its = memStore.getClass();
    return its == DefaultMemStore.class || its == CompactingMemStore.class;
  }

  private static CellTreeMap getTree(MutableSegment segment) {
    Object cells = segment.getCellSet().getDelegatee();
    return cells instanceof CellTreeMap ? (CellTreeMap) cells : null;
  }

  /**
   * Adds what a segment takes before it is flushed in memory, and has that done then. Nothing if it
   * is being done: the memstore gets another segment.
   * @return up to where cells were added
   */
  @SuppressWarnings("deprecation") // What isn't an ExtendedCell has these, too.
  private static int add(CompactingMemStore memStore, MutableSegment active, List<Cell> cells,
    int from, int to, MemStoreSizing sizing) {
    if (!active.sharedLock()) {
      return from;
    }
    try {
      // The segment may be copied with these as soon as its size is that of one to be flushed.
      for (int i = from; i < to; i++) {
        active.minSequenceId = Math.min(active.minSequenceId, cells.get(i).getSequenceId());
        if (cells.get(i).getTagsLength() > 0) {
          active.tagsPresent = true;
        }
      }
      int end = from;
      while (end < to && memStore.checkAndAddToActiveSize(active, cells.get(end), sizing)) {
        end++;
      }
      add(active, cells, from, end, true, sizing);
      return end;
    } finally {
      active.sharedUnlock();
    }
  }

  private static void add(MutableSegment active, List<Cell> cells, int from, int to,
    boolean sizesAdded, MemStoreSizing sizing) {
    Cell[] copies = new Cell[to - from];
    int count = 0;
    boolean inChunks = active.getMemStoreLAB() != null;
    for (int i = from; i < to; i++) {
      Cell cell = cells.get(i);
      Cell copy = active.maybeCloneWithAllocator(cell, false);
      boolean inChunk = copy != cell;
      if (!inChunk && cell instanceof ExtendedCell) {
        copy = ((ExtendedCell) cell).deepClone();
      }
      if (inChunk == inChunks) {
        copies[count++] = copy;
      } else {
        // It is too big for a chunk, and its size isn't counted as the others' are.
        addCopies(active, copies, count, inChunks, sizesAdded, sizing);
        count = 0;
        active.add(copy, inChunk, sizing, sizesAdded);
      }
    }
    addCopies(active, copies, count, inChunks, sizesAdded, sizing);
  }

  private static void addCopies(MutableSegment active, Cell[] copies, int count, boolean inChunks,
    boolean sizesAdded, MemStoreSizing sizing) {
    CellTreeMap tree = getTree(active);
    if (tree == null) {
      for (int i = 0; i < count; i++) {
        active.add(copies[i], inChunks, sizing, sizesAdded);
      }
      return;
    }
    long replaced = tree.putAll(copies, count);
    if (replaced == 0) {
      updateMetaInfo(active, copies, count, sizesAdded, sizing);
      return;
    }
    for (int i = 0; i < count; i++) {
      active.updateMetaInfo(copies[i], (replaced >>> i & 1) == 0, inChunks, sizing, sizesAdded);
    }
  }

  /** Does once for new cells what a segment does for each. */
  @SuppressWarnings("deprecation") // What isn't an ExtendedCell has these, too.
  private static void updateMetaInfo(MutableSegment active, Cell[] cells, int count,
    boolean sizesAdded, MemStoreSizing sizing) {
    long size = 0;
    long heapSize = 0;
    long offHeapSize = 0;
    for (int i = 0; i < count; i++) {
      Cell cell = cells[i];
      size += sizesAdded ? 0 : Segment.getCellLength(cell);
      heapSize += active.heapSizeChange(cell, true);
      offHeapSize += active.offHeapSizeChange(cell, true);
      active.getTimeRangeTracker().includeTimestamp(cell);
      active.minSequenceId = Math.min(active.minSequenceId, cell.getSequenceId());
      if (cell.getTagsLength() > 0) {
        active.tagsPresent = true;
      }
    }
    active.incMemStoreSize(size, heapSize, offHeapSize, count);
    if (sizing != null) {
      sizing.incMemStoreSize(size, heapSize, offHeapSize, count);
    }
  }
}
