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
package org.apache.hadoop.hbase.io.hfile.segment;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How many pages a table of entries has. A table is at most four fifths full, and grows by a
 * thirty-second part, so that an entry takes 21 bytes at most in all but the smallest tables.
 */
@InterfaceAudience.Private
final class TableSize {
  private static final int SLOTS = IndexPages.ENTRIES_PER_PAGE;
  /** Entries of 100 slots. */
  private static final int FULL = 80;
  private static final int SPARSE = 70;
  private static final int HUNDRED = 100;
  private static final int GROWTH = 32;

  private TableSize() {
  }

  /** Returns the number of entries beyond which the table needs more pages. */
  static int mostEntries(int pages) {
    return (int) ((long) pages * SLOTS * FULL / HUNDRED);
  }

  /** Returns the number of entries below which the table gives pages back. */
  static int fewestEntries(int pages) {
    return pages <= 1 ? 0 : (int) ((long) (pages - 1) * SLOTS * SPARSE / HUNDRED);
  }

  /** Returns the pages for this many entries and some more. */
  static int pages(int entries) {
    return fewestPages(entries + entries / GROWTH);
  }

  /** Returns the pages for this many entries. */
  static int fewestPages(int entries) {
    long slots = (long) entries * HUNDRED / FULL + 1;
    return (int) ((slots + SLOTS - 1) / SLOTS);
  }
}
