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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.ReaderFile;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The index of a cache of segments: a {@link FileTable} for each HFile that has blocks in it, all
 * in one pool of pages. Thread-safe.
 */
@InterfaceAudience.Private
class SegmentIndex {
  private final IndexPages pages;
  private final Occupancy occupancy;
  private final ConcurrentMap<String, FileTable> byName = new ConcurrentHashMap<>();
  /** For those who know a block by its record. */
  private final ConcurrentMap<Long, FileTable> byId = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final boolean ofSecondTier;

  /** Creates an empty index of a cache that is no second tier. */
  SegmentIndex(long maxBytes, Occupancy occupancy) {
    this(maxBytes, occupancy, false);
  }

  /**
   * Creates an empty index.
   * @param maxBytes of direct memory that the entries may take
   */
  SegmentIndex(long maxBytes, Occupancy occupancy, boolean ofSecondTier) {
    ReaderFile.want();
    pages = new IndexPages(maxBytes);
    this.occupancy = occupancy;
    this.ofSecondTier = ofSecondTier;
  }

  /**
   * Returns the table of a block's file; null if it has no blocks here. If the key is a reader's,
   * the reader has the table, and the name isn't looked for.
   */
  FileTable get(BlockCacheKey key) {
    ReaderFile reader = key.getReaderFile();
    if (reader == null) {
      return get(key.getHfileName());
    }
    Object known = reader.get(ofSecondTier);
    if (known instanceof FileTable && ((FileTable) known).isIn(pages)) {
      return (FileTable) known;
    }
    FileTable table = get(key.getHfileName());
    if (table != null) {
      reader.set(ofSecondTier, table);
    }
    return table;
  }

  /** Returns the table of a file; null if it has no blocks here. */
  FileTable get(String file) {
    return byName.get(file);
  }

  /** Returns the table with this number; null if it was dropped. */
  FileTable get(long id) {
    return byId.get(id);
  }

  /** Returns the table of a file, a new one if there is none. It may be dropped meanwhile. */
  FileTable getOrCreate(String file) {
    FileTable table = byName.get(file);
    return isUsable(table) ? table
      : byName.compute(file, (name, there) -> isUsable(there) ? there : create(name));
  }

  private static boolean isUsable(FileTable table) {
    return table != null && !table.isDropped();
  }

  private FileTable create(String file) {
    FileTable table = new FileTable(file, lastId.incrementAndGet(), pages, occupancy);
    byId.put(table.getId(), table);
    return table;
  }

  /** Removes a file with all of its blocks. Returns how many there were. */
  int remove(String file) {
    FileTable table = byName.get(file);
    if (table == null) {
      return 0;
    }
    // Found until it has no entries: an eviction that comes meanwhile waits for the table's lock.
    int count = table.drop();
    forget(table);
    return count;
  }

  private void forget(FileTable table) {
    byName.remove(table.getName(), table);
    byId.remove(table.getId());
  }

  /** Removes the blocks of a file from one offset to another, both included. Returns how many. */
  int removeRange(String file, long from, long to) {
    FileTable table = byName.get(file);
    return table == null ? 0
      : removeIf(table, (offset, word) -> offset >= from && offset <= to);
  }

  /** Removes the blocks of segments, by going through all blocks. */
  void removeSegments(int first, int count) {
    removeSegments(segment -> segment >= first && segment < first + count);
  }

  /** Removes the blocks of the segments with some numbers, by going once through all blocks. */
  void removeSegments(IntPredicate numbers) {
    for (FileTable table : byName.values()) {
      removeIf(table, (offset, word) -> numbers.test(EntryWord.segment(word)));
    }
  }

  private interface Condition {
    boolean test(long offset, long word);
  }

  private int removeIf(FileTable table, Condition condition) {
    List<Long> offsets = new ArrayList<>();
    List<Long> words = new ArrayList<>();
    table.visit((offset, size, word) -> {
      if (condition.test(offset, word)) {
        offsets.add(offset);
        words.add(word);
      }
    });
    int removed = 0;
    for (int i = 0; i < offsets.size(); i++) {
      removed += table.remove(offsets.get(i), words.get(i)) ? 1 : 0;
    }
    removeIfEmpty(table);
    return removed;
  }

  /** Removes a table that has no blocks, so that names of files that are gone aren't kept. */
  void removeIfEmpty(FileTable table) {
    if (table.dropIfEmpty()) {
      forget(table);
    }
  }

  /**
   * Has no table keep memory that its entries don't need.
   * @return whether any did
   */
  boolean trimToFewest() {
    boolean any = false;
    for (FileTable table : tables()) {
      any |= table.trimToFewest();
    }
    return any;
  }

  /** Returns a view of all tables. */
  Collection<FileTable> tables() {
    return byName.values();
  }

  Occupancy getOccupancy() {
    return occupancy;
  }

  /** Returns the bytes of direct memory that were taken for entries. */
  long getBytes() {
    return pages.getBytes();
  }

  /** Returns the bytes of pages that tables have. */
  long getUsedBytes() {
    return pages.getUsedBytes();
  }

  /** Removes all files. */
  void clear() {
    byName.keySet().forEach(this::remove);
  }
}
