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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Scanners whose reader a coprocessor made for the upper half of a file.
 * <p>
 * Those of Phoenix's local indexes show rows that begin with the start key of their region. The
 * file has another start key in its place, and a row is sought with that one. A row that begins
 * with the start key of the region is found so. Any other row of the region, as those of the table,
 * is behind all that the half shows, but the scanner stands before it.
 * <p>
 * A row sought that is shorter than the start key isn't handled: Phoenix's scanner throws an
 * {@link ArrayIndexOutOfBoundsException}.
 */
@InterfaceAudience.Private
final class HalfOfCoprocessor {
  private HalfOfCoprocessor() {
  }

  /**
   * Closes scanners that don't have what they were sought for, nor anything behind it.
   * @param sought the first cell that is wanted
   */
  static void closeBefore(List<? extends KeyValueScanner> scanners, Cell sought,
    CellComparator comparator) {
    for (KeyValueScanner scanner : scanners) {
      if (isBefore(scanner, sought, comparator)) {
        scanner.close();
      }
    }
  }

  /**
   * Returns true if a scanner doesn't have what it was sought for, nor anything behind it, and the
   * seek didn't move it. Another seek wouldn't, either.
   * @param top    where it stood before the seek
   * @param sought the first cell that is wanted
   */
  static boolean stays(KeyValueScanner scanner, Cell top, Cell sought, CellComparator comparator) {
    return isBefore(scanner, sought, comparator) && comparator.compare(scanner.peek(), top) == 0;
  }

  private static boolean isBefore(KeyValueScanner scanner, Cell sought, CellComparator comparator) {
    if (
      !(scanner instanceof StoreFileScanner)
        || !((StoreFileScanner) scanner).getReader().isTopHalfOfCoprocessor()
    ) {
      return false;
    }
    Cell first = scanner.peek();
    return first != null && comparator.compareRows(first, sought) < 0;
  }
}
