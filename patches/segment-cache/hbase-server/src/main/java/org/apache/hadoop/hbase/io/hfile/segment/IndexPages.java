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

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.unsafe.HBasePlatformDependent;
import org.apache.hadoop.hbase.util.UnsafeAccess;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Direct memory for index entries, in pages that tables of files take and give back. The memory is
 * taken as it is needed, and never given back while this object lives, so that the address of a
 * page stays readable: a reader that comes late reads another table's entries, which it finds out
 * by its own table's version. Who reads an address keeps this object reachable. Thread-safe.
 */
@InterfaceAudience.Private
final class IndexPages {
  private static final Logger LOG = LoggerFactory.getLogger(IndexPages.class);

  static final int ENTRY_BYTES = 16;
  static final int ENTRIES_PER_PAGE_SHIFT = 6;
  static final int ENTRIES_PER_PAGE = 1 << ENTRIES_PER_PAGE_SHIFT;
  static final int PAGE_BYTES = ENTRIES_PER_PAGE * ENTRY_BYTES;
  private static final int CHUNK_BYTES = 1 << 20;
  /** The part of all pages that only tables which have none get. */
  static final int FIRST_PAGES_PART = 128;

  @GuardedBy("this")
  private long maxBytes;
  private final int firstPages;
  /** Owns the memory. */
  @GuardedBy("this")
  private final List<ByteBuffer> chunks = new ArrayList<>();
  /** Addresses of pages that no table has. */
  @GuardedBy("this")
  private long[] free = new long[CHUNK_BYTES / PAGE_BYTES];
  @GuardedBy("this")
  private int freeCount;

  /**
   * Creates pages of which none has memory yet.
   * @param maxBytes that all pages together may take
   */
  IndexPages(long maxBytes) {
    this.maxBytes = maxBytes;
    firstPages = (int) (maxBytes / PAGE_BYTES / FIRST_PAGES_PART);
  }

  /**
   * Returns the addresses of pages full of zeros. So that a new file needn't wait until big tables
   * give pages back, some pages are only for tables that have none.
   * @param first whether the table has none
   * @return null if there is no memory for them
   */
  long[] take(int count, boolean first) {
    long[] taken = poll(count, first || count == 0 ? 0 : firstPages);
    if (taken != null) {
      clear(taken);
    }
    return taken;
  }

  private synchronized long[] poll(int count, int left) {
    while (freeCount < count + left) {
      if (!addChunk()) {
        return null;
      }
    }
    freeCount -= count;
    return Arrays.copyOfRange(free, freeCount, freeCount + count);
  }

  /** Fills pages with zeros. */
  static void clear(long[] pages) {
    for (long page : pages) {
      HBasePlatformDependent.setMemory(page, PAGE_BYTES, (byte) 0);
    }
  }

  @GuardedBy("this")
  private boolean addChunk() {
    if (getBytes() + CHUNK_BYTES > maxBytes) {
      return false;
    }
    ByteBuffer chunk;
    try {
      chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    } catch (OutOfMemoryError e) {
      // The cache takes no more blocks than it has entries for; the server serves on.
      LOG.error("The block cache's index has no direct memory beyond its {} MB. Raise"
        + " HBASE_OFFHEAPSIZE (-XX:MaxDirectMemorySize).", getBytes() >> 20, e);
      // Another try would collect garbage again, with locks held.
      maxBytes = getBytes();
      return false;
    }
    chunks.add(chunk);
    long address = UnsafeAccess.directBufferAddress(chunk);
    for (int page = CHUNK_BYTES - PAGE_BYTES; page >= 0; page -= PAGE_BYTES) {
      give(address + page);
    }
    return true;
  }

  /** Gives pages back. The caller has seen to it that later readers don't use what they read. */
  synchronized void giveBack(long[] pages) {
    for (long page : pages) {
      give(page);
    }
  }

  @GuardedBy("this")
  private void give(long page) {
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = page;
  }

  /** Returns the bytes of direct memory that were taken. */
  synchronized long getBytes() {
    return (long) chunks.size() * CHUNK_BYTES;
  }

  /** Returns the bytes of pages that tables have. */
  synchronized long getUsedBytes() {
    return getBytes() - (long) freeCount * PAGE_BYTES;
  }
}
