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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** Ranges of rows in order, of which none overlaps another or begins where another ends. */
@InterfaceAudience.Private
final class MergedRowRanges {
  private MergedRowRanges() {
  }

  /** @param ranges of which each is valid; they are sorted */
  static List<RowRange> of(List<RowRange> ranges) {
    Collections.sort(ranges);
    List<RowRange> merged = new ArrayList<>(ranges.size());
    RowRange last = ranges.get(0);
    for (RowRange range : ranges.subList(1, ranges.size())) {
      if (isApart(last, range)) {
        merged.add(last);
        last = range;
      } else {
        last = merge(last, range);
      }
    }
    merged.add(last);
    return merged;
  }

  /** Returns true if a row is behind the one and before the other. */
  private static boolean isApart(RowRange range, RowRange next) {
    if (isOpen(range)) {
      return false;
    }
    int order = Bytes.compareTo(range.getStopRow(), next.getStartRow());
    return order < 0
      || order == 0 && !range.isStopRowInclusive() && !next.isStartRowInclusive();
  }

  /** @param next doesn't begin before the other */
  private static RowRange merge(RowRange range, RowRange next) {
    boolean withFirst = range.isStartRowInclusive()
      || next.isStartRowInclusive() && Bytes.equals(range.getStartRow(), next.getStartRow());
    RowRange longer = next;
    boolean withLast = next.isStopRowInclusive();
    if (!isOpen(next)) {
      int order = isOpen(range) ? 1 : Bytes.compareTo(range.getStopRow(), next.getStopRow());
      longer = order > 0 ? range : next;
      withLast = order == 0
        ? range.isStopRowInclusive() || next.isStopRowInclusive()
        : longer.isStopRowInclusive();
    }
    return new RowRange(range.getStartRow(), withFirst, longer.getStopRow(), withLast);
  }

  /** Returns true if it goes on to the last row. */
  private static boolean isOpen(RowRange range) {
    return range.getStopRow().length == 0;
  }
}
