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
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.CellCursor;
import org.apache.hadoop.hbase.regionserver.querymatcher.DroppedCells;
import org.apache.yetus.audience.InterfaceAudience;

/** Writes the cells of cursors to a file, but for those that are dropped. Not thread-safe. */
@InterfaceAudience.Private
final class CursorWriter {
  /** After so many cells, or bytes of them, it is asked whether it may go on. */
  private static final int CELLS_OF_STEP = 100;
  private static final int BYTES_OF_STEP = 64 * 1024;

  /** What is done every now and then. */
  interface Steps {
    /**
     * Waits if it has to.
     * @param cells that were written since the last time
     * @param bytes of them
     * @return false to write no more
     */
    boolean mayGoOn(int cells, long bytes) throws InterruptedException;
  }

  private final StoreFileWriter file;
  private final DroppedCells rules;
  private final List<CellCursor> cursors;
  private long written;
  private long dropped;

  /** @param file has no cells, and takes bytes */
  CursorWriter(StoreFileWriter file, DroppedCells rules, List<CellCursor> cursors) {
    this.file = file;
    this.rules = rules;
    this.cursors = cursors;
  }

  /**
   * Writes the cells.
   * @param cleaned sequence ids up to it are written as 0
   * @return false if it wasn't to go on
   */
  boolean write(Steps steps, long cleaned) throws IOException, InterruptedException {
    StoreFileBytesWriter out = file.startBytes();
    try {
      return write(new CursorMerge(cursors), out, steps, cleaned);
    } finally {
      file.finishBytes(out);
    }
  }

  private boolean write(CursorMerge merge, StoreFileBytesWriter out, Steps steps, long cleaned)
    throws IOException, InterruptedException {
    int cells = 0;
    int cellsWritten = 0;
    long bytes = 0;
    for (CellCursor cell = merge.current(); cell != null; cell = merge.current()) {
      if (drops(cell, merge.common(), out)) {
        dropped++;
      } else {
        long sequenceId = cell.getSequenceId();
        out.append(cell, sequenceId <= cleaned ? 0 : sequenceId);
        cellsWritten++;
        bytes += cell.getSize();
      }
      if (++cells >= CELLS_OF_STEP || bytes >= BYTES_OF_STEP) {
        written += cellsWritten;
        if (!steps.mayGoOn(cellsWritten, bytes)) {
          return false;
        }
        cells = 0;
        cellsWritten = 0;
        bytes = 0;
      }
      merge.next();
    }
    written += cellsWritten;
    return steps.mayGoOn(cellsWritten, bytes);
  }

  private boolean drops(CellCursor cell, int common, StoreFileBytesWriter out) throws IOException {
    if (common == CursorMerge.NOTHING) {
      rules.startRow();
      out.startRow();
    } else if (common == CursorMerge.ROW) {
      rules.startColumn();
      out.startColumn();
    } else if (common == CursorMerge.COLUMN) {
      out.startKey();
    }
    return rules.drops(cell.getQualifierLength() > 0, cell.getTimestamp(), cell.getType(),
      cell.getSequenceId(), cell.hasTags() && cell.isExpiredByTag(rules.getNow()));
  }

  /** Returns how many cells were written. */
  long getWritten() {
    return written;
  }

  /** Returns how many cells were dropped. */
  long getDropped() {
    return dropped;
  }
}
