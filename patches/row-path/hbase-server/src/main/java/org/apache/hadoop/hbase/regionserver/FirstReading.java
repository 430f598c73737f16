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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.GetBlocks;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What reading a get in memory has counted: look-ups of blocks, and what bloom filters said. If the
 * get is read again, this isn't counted again. Used by one thread at a time.
 */
@InterfaceAudience.Private
final class FirstReading {
  private int countedLookups;
  private final List<Filtered> filtered = new ArrayList<>(2);

  /** What the bloom filter of a file said of a row, and how many look-ups that took. */
  private static final class Filtered {
    final StoreFileReader file;
    final byte[] row;
    final byte[][] columns;
    final boolean passes;
    final int lookups;

    Filtered(StoreFileReader file, byte[] row, byte[][] columns, boolean passes, int lookups) {
      this.file = file;
      this.row = row;
      this.columns = columns;
      this.passes = passes;
      this.lookups = lookups;
    }

    boolean isOf(StoreFileReader otherFile, byte[] otherRow, byte[][] otherColumns) {
      return file == otherFile && Arrays.equals(row, otherRow)
        && Arrays.deepEquals(columns, otherColumns);
    }
  }

  void setCountedLookups(int countedLookups) {
    this.countedLookups = countedLookups;
  }

  /** Returns the number of look-ups that the block cache has counted. */
  int getCountedLookups() {
    return countedLookups;
  }

  /** Asks the file's bloom filter, whose blocks are read by the given, and notes what it says. */
  boolean askBloomFilter(StoreFileReader file, byte[] row, byte[][] columns, GetBlocks blocks) {
    int before = blocks.getCountedLookups();
    boolean passes = file.passesGetBloomFilter(row, columns);
    filtered.add(
      new Filtered(file, row, columns, passes, blocks.getCountedLookups() - before));
    return passes;
  }

  /** Returns what the file's bloom filter said if it was asked the same first; else asks it. */
  boolean recallBloomFilter(StoreFileReader file, byte[] row, byte[][] columns, GetBlocks blocks) {
    for (int i = 0; i < filtered.size(); i++) {
      Filtered first = filtered.get(i);
      if (first.isOf(file, row, columns)) {
        blocks.skipCounted(first.lookups);
        return first.passes;
      }
    }
    return file.passesGetBloomFilter(row, columns);
  }
}
