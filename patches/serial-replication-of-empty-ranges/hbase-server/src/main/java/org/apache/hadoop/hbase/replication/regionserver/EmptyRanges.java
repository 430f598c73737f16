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
package org.apache.hadoop.hbase.replication.regionserver;

import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Ranges of sequence ids between two openings of a region in which it wrote no edit.
 * <p>
 * A region that is opened with a sequence id writes its edits with those above it. So a range that
 * has this one only has none.
 */
@InterfaceAudience.Private
final class EmptyRanges {

  private EmptyRanges() {
  }

  /**
   * Returns the barriers of ranges that have edits: one without is the beginning of the next one.
   * @param barriers sequence ids that the region was opened with, in their order
   */
  static long[] merge(long[] barriers) {
    long[] merged = new long[barriers.length];
    int ranges = 0;
    for (int i = 0; i < barriers.length; i++) {
      if (i == 0 || barriers[i] != barriers[i - 1] + 1) {
        merged[ranges++] = barriers[i];
      }
    }
    return Arrays.copyOf(merged, ranges);
  }
}
