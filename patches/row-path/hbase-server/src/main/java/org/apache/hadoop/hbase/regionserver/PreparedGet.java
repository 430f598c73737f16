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
import org.apache.hadoop.hbase.ipc.PreparedRead;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.ipc.ServerCall;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A get that was read before its call ran, or that turned out to need blocks that aren't in memory.
 * Of the latter it knows what was counted, so that a second reading doesn't count it again.
 */
@InterfaceAudience.Private
final class PreparedGet implements PreparedRead {
  private final HRegion region;
  /** Milliseconds since the epoch. */
  private final long start = EnvironmentEdgeManager.currentTime();
  /** Null if it wasn't read, or isn't this object's any more. */
  private GetBatch batch;
  private boolean notInMemory;
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

  PreparedGet(HRegion region) {
    this.region = region;
  }

  /** Returns what the call knows of an attempt, which it doesn't any more; null if nothing. */
  static PreparedGet take(RpcCallContext context) {
    PreparedRead prepared =
      context instanceof ServerCall ? ((ServerCall<?>) context).takePreparedRead() : null;
    return prepared instanceof PreparedGet ? (PreparedGet) prepared : null;
  }

  @Override
  public long getReadTime() {
    return isRead() ? start : 0;
  }

  HRegion getRegion() {
    return region;
  }

  /** Takes over what was read. */
  void setBatch(GetBatch batch) {
    this.batch = batch;
  }

  boolean isRead() {
    return batch != null;
  }

  /** Returns what was read, to be closed by the caller; null if it wasn't. */
  GetBatch takeBatch() {
    GetBatch taken = batch;
    batch = null;
    return taken;
  }

  /** Notes that it wasn't read, since something would have had to be waited for. */
  void setNotInMemory() {
    notInMemory = true;
  }

  boolean isNotInMemory() {
    return notInMemory;
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

  @Override
  public void discard() {
    GetBatch unused = takeBatch();
    if (unused != null) {
      unused.close();
    }
  }
}
