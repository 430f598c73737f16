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
import org.apache.hadoop.hbase.util.Pair;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/** The cached blocks of one HFile, which it counts. Thread-safe. */
@InterfaceAudience.Private
final class FileTable extends EntryTable {
  /** Returned where a table takes no more blocks. */
  static final int DROPPED = -1;

  private final String name;
  private final long id;
  private final long hash;
  private final Occupancy occupancy;
  @GuardedBy("this")
  private int dataBlocks;
  private volatile boolean dropped;
  /** The region and the bytes of a file all of whose data is cached; else null. */
  private volatile Pair<String, Long> fullyCached;

  FileTable(String name, long id, IndexPages memory, Occupancy occupancy) {
    super(memory);
    this.name = name;
    this.id = id;
    hash = Hashing.murmur3_128().hashUnencodedChars(name).asLong();
    this.occupancy = occupancy;
  }

  /** Returns the name of the HFile. */
  String getName() {
    return name;
  }

  /** Returns a number that no other table of the cache has or had. */
  long getId() {
    return id;
  }

  /** Returns 64 bits of a hash of the name, the same in each process. */
  long getHash() {
    return hash;
  }

  @Override
  boolean countsRead(long word) {
    return occupancy.countsRead(word);
  }

  /**
   * Adds a block, or replaces the word of one that is there.
   * @return the word of the replaced one; {@link EntryWord#NONE} if there was none;
   *         {@link EntryWord#REFUSED} if the table was dropped, or there is no memory for an entry
   */
  long put(long offset, int size, long word) {
    return put(offset, size, word, true);
  }

  /** Like {@link #put}, but leaves a block that is there as it is. */
  long putIfAbsent(long offset, int size, long word) {
    return put(offset, size, word, false);
  }

  private synchronized long put(long offset, int size, long word, boolean replaces) {
    if (dropped) {
      return EntryWord.REFUSED;
    }
    long address = address(offset);
    if (address != 0) {
      long old = Entries.word(address);
      if (replaces) {
        countRemoved(old);
        Entries.setWord(address, word);
        countAdded(word);
      }
      return old;
    }
    if (!makeRoom()) {
      return EntryWord.REFUSED;
    }
    insert(offset, size, word);
    countAdded(word);
    return EntryWord.NONE;
  }

  /**
   * Takes the memory that an entry needs, so that {@link #put} finds it.
   * @return false if there is none
   */
  synchronized boolean makeRoom(long offset) {
    return dropped || address(offset) != 0 || makeRoom();
  }

  /**
   * Adds those of some blocks that aren't there, in order, until there is no memory for more.
   * @param blocks two words of each, as those of {@link Entries}; all of one segment
   * @param sum    gets those that are added
   * @return where it ended: {@code to}, or the first block that there is no memory for;
   *         {@link #DROPPED} if the table takes no more
   */
  synchronized int putAllIfAbsent(long[] blocks, int from, int to, Occupancy.Sum sum) {
    if (dropped) {
      return DROPPED;
    }
    reserve((to - from) / 2);
    int next = from;
    boolean isRoom = true;
    while (next < to && isRoom) {
      long offset = Entries.offsetOf(blocks[next]);
      boolean isNew = address(offset) == 0;
      isRoom = !isNew || makeLeastRoom();
      if (isNew && isRoom) {
        insert(offset, Entries.sizeOf(blocks[next]), blocks[next + 1]);
        sum.add(blocks[next + 1]);
      }
      next += isRoom ? 2 : 0;
    }
    dataBlocks += sum.count();
    return next;
  }

  /** Has an entry point to another record. Returns false if it isn't of the old record anymore. */
  synchronized boolean move(long offset, long oldWord, long newWord) {
    long address = address(offset);
    if (address == 0 || !EntryWord.isSameRecord(Entries.word(address), oldWord)) {
      return false;
    }
    countRemoved(oldWord);
    Entries.setWord(address, newWord);
    countAdded(newWord);
    return true;
  }

  /** Has a block count as read this often. Returns false if another record has taken its place. */
  synchronized boolean setFrequency(long offset, long word, int frequency) {
    long address = address(offset);
    if (address == 0 || !EntryWord.isSameRecord(Entries.word(address), word)) {
      return false;
    }
    Entries.setWord(address, EntryWord.withFrequency(word, frequency));
    return true;
  }

  /** Removes a block. Returns its word, or {@link EntryWord#NONE} if it wasn't there. */
  synchronized long remove(long offset) {
    long address = address(offset);
    if (address == 0) {
      return EntryWord.NONE;
    }
    long word = Entries.word(address);
    removeEntry(offset, word);
    return word;
  }

  /** Removes a block if its entry is of this record. Returns false if it isn't. */
  synchronized boolean remove(long offset, long word) {
    long address = address(offset);
    if (address == 0 || !EntryWord.isSameRecord(Entries.word(address), word)) {
      return false;
    }
    removeEntry(offset, Entries.word(address));
    return true;
  }

  @GuardedBy("this")
  private void removeEntry(long offset, long word) {
    countRemoved(word);
    removeEntry(offset, !dropped);
    fullyCached = null;
  }

  /** Removes all entries; the table takes no more. Returns how many there were. */
  int drop() {
    synchronized (this) {
      dropped = true;
      fullyCached = null;
    }
    int[] count = new int[1];
    visit((offset, size, word) -> count[0] += remove(offset) == EntryWord.NONE ? 0 : 1);
    synchronized (this) {
      clear();
    }
    return count[0];
  }

  /** Drops the table if it has no entry. Returns false if it has some. */
  synchronized boolean dropIfEmpty() {
    return getEntries() == 0 && drop() == 0;
  }

  @GuardedBy("this")
  private void countAdded(long word) {
    occupancy.added(word);
    dataBlocks += BlockClass.isData(EntryWord.blockClass(word)) ? 1 : 0;
  }

  @GuardedBy("this")
  private void countRemoved(long word) {
    occupancy.removed(word);
    dataBlocks -= BlockClass.isData(EntryWord.blockClass(word)) ? 1 : 0;
  }

  /** Returns true if the table is one of these pages' index, and wasn't dropped. */
  boolean isIn(IndexPages index) {
    return hasPagesOf(index) && !dropped;
  }

  /** Returns true if the table takes no more blocks. */
  boolean isDropped() {
    return dropped;
  }

  /** Marks the file as fully cached until a block is removed, if this many data blocks are here. */
  synchronized void setFullyCached(String region, long bytes, int blocks) {
    if (dataBlocks == blocks) {
      fullyCached = new Pair<>(region, bytes);
    }
  }

  /** Returns the region and the bytes of a file that is fully cached, null for another. */
  Pair<String, Long> getFullyCached() {
    return fullyCached;
  }
}
