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

import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.yetus.audience.InterfaceAudience;

/** Where the blocks of a {@link SegmentCache} are. Thread-safe. */
@InterfaceAudience.Private
interface SegmentStore {
  /** Returns true if a block isn't too big, nor too far from the start of its file. */
  boolean fits(HFileBlock block, long offset);

  /**
   * Writes a block that {@link #fits}, and adds it to the index, unless it isn't worth that.
   * @param block  the caller holds it meanwhile
   * @param waitMs milliseconds to wait for room at most
   */
  WriteResult write(String file, long offset, HFileBlock block, BlockOrigin origin,
    boolean inMemory, long waitMs);

  /**
   * Returns the block of an entry, which the caller releases.
   * @param word what the index says of the block
   * @return null if the block isn't there anymore; if it never will be its entry is removed
   */
  HFileBlock read(FileTable file, long offset, long word);

  /** Returns about how many bytes more can be written before other blocks are evicted. */
  long getFreeBytes();

  /** Returns the number of records that weren't what they should have been. */
  default long getCorrupt() {
    return 0;
  }

  /** Returns the number of blocks that weren't written as they had been missed once. */
  default long getMissedOnce() {
    return 0;
  }

  /** Returns the number of blocks that weren't written as too much was written in a second. */
  default long getOverLimit() {
    return 0;
  }

  /** Returns how often a reader found no buffer in the pool. */
  default long getPoolExhausted() {
    return 0;
  }

  /** Returns the bytes that were written to files. */
  default long getWrittenBytes() {
    return 0;
  }

  /** Returns the bytes of records of blocks that came to files, once each. */
  default long getAdmittedBytes() {
    return 0;
  }

  /** Returns the number of files; 0 in memory. */
  default int getParts() {
    return 0;
  }

  /** Returns the number of files whose device fails. */
  default int getPartsOff() {
    return 0;
  }

  /** Returns the number of files that are read and written through the page cache. */
  default int getPartsBuffered() {
    return 0;
  }

  /** Returns the number of files in which blocks of an earlier process are still looked for. */
  default int getPartsRecovering() {
    return 0;
  }

  /** Writes what a restart needs, and lets go of memory and files. */
  void close();

  /** Has {@link #close()}, now or later, write nothing more. Doesn't wait. */
  default void abandon() {
  }
}
