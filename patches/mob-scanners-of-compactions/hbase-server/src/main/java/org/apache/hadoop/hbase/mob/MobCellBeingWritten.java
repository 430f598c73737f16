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
package org.apache.hadoop.hbase.mob;

import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.CellSink;
import org.apache.hadoop.hbase.regionserver.ShipperListener;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The cell of a MOB file that a compaction reads and writes. Its bytes are those of the block that
 * a scanner holds, so it is closed once it is written, and not before the writers have copied what
 * they keep of their last cells. For one thread.
 */
@InterfaceAudience.Private
final class MobCellBeingWritten {
  private MobCell cell;

  /**
   * Takes over a cell.
   * @return the cell
   */
  MobCell set(MobCell newCell) throws IOException {
    // One that was read and then skipped.
    closeCell();
    cell = newCell;
    return newCell;
  }

  /**
   * Closes the cell, if there is one. Both writers can be used on.
   * @param storeFile what the reference to the cell was written to; a ShipperListener
   * @param mobFile   what the cell was written to; null if it couldn't be created
   */
  void close(CellSink storeFile, StoreFileWriter mobFile) throws IOException {
    if (cell == null) {
      return;
    }
    try {
      ((ShipperListener) storeFile).beforeShipped();
      if (mobFile != null) {
        mobFile.beforeShipped();
      }
    } finally {
      closeCell();
    }
  }

  private void closeCell() throws IOException {
    MobCell closed = cell;
    cell = null;
    if (closed != null) {
      closed.close();
    }
  }
}
