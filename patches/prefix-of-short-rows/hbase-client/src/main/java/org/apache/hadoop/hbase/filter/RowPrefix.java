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
package org.apache.hadoop.hbase.filter;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.client.ClientUtil;
import org.apache.yetus.audience.InterfaceAudience;

/** Where the rows with a prefix are among the others. */
@InterfaceAudience.Private
final class RowPrefix {
  private RowPrefix() {
  }

  /**
   * Returns the first row that is behind all with the prefix; the prefix itself if there is none.
   */
  static byte[] end(byte[] prefix) {
    byte[] end = ClientUtil.calculateTheClosestNextRowKeyForPrefix(prefix);
    return end.length == 0 ? prefix : end;
  }

  /** Returns true if the row of a cell is before the prefix. */
  static boolean isBefore(Cell cell, byte[] prefix) {
    return CellComparator.getInstance().compareRows(cell, prefix, 0, prefix.length) < 0;
  }
}
