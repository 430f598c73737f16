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
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells where a scanner may put a cell of its own making in place of what a file has, because the
 * file's bloom filter says that it needn't seek. Filters of rows see the row of the first cell of
 * all; it must be one that exists, unless it is the row of a get.
 */
@InterfaceAudience.Private
final class MadeUpCells {
  private MadeUpCells() {
  }

  /** Returns true if no filter can tell a row that is made up from one that is there. */
  static boolean areUnseen(Scan scan) {
    return scan.getFilter() == null || scan.isGetScan();
  }

  /**
   * Returns true if no filter can tell whether the cell is made up.
   * @param key  what the scanner is to seek, and makes a cell for
   * @param heap has the cell that it is at, if any
   */
  static boolean areUnseen(Scan scan, Cell key, KeyValueHeap heap) {
    if (areUnseen(scan)) {
      return true;
    }
    Cell top = heap.peek();
    return top != null && CellUtil.matchingRows(top, key);
  }
}
