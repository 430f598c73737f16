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

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.hash.Hashing;

/**
 * The cached blocks of one HFile, as entries of two words in pages off the heap: a hash table with
 * linear probing. Look-ups take no lock; changes take this object's. Thread-safe.
 */
@InterfaceAudience.Private
final class FileTable {
  /*
   * Entries move only when one is removed, or when the table gets other pages. Either changes
   * version, which is odd while entries move. A reader notes version, reads, and reads version
   * again: if it is another one, what it read may be of a moved entry, or of the table that has the
   * page now, and it reads again. After some tries it takes the lock. Adding an entry moves none,
   * so it disturbs no reader.
   *
   * The frequency is raised by a compare-and-set of the second word. Words of two records differ,
   * so that a reader that comes late changes nothing, or the frequency of a block that it doesn't
   * read. The last thing that a look-up reads is version, so this object, and by it the memory, is
   * reachable until then.
   */
  private static final int OPTIMISTIC_READS = 16;
  private static final long[] NO_PAGES = new long[0];

  private static final int WORD = 0;
  private static final int SIZE = 1;
  private static final int COUNTED_WORD = 2;

  interface Visitor {
    /** Called for each entry with the table locked: must not wait for who uses the table. */
    void visit(long offset, int size, long word);
  }

  private final String name;
  private final long id;
  private final long hash;
  /** Keeps the pages' memory. */
  private final IndexPages memory;
  private final Occupancy occupancy;
  private volatile int version;
  /** Addresses of pages; never changed, but replaced. */
  private volatile long[] pages = NO_PAGES;
  private int entries;
  private int dataBlocks;
  private volatile boolean dropped;
  /** The region and the bytes of a file all of whose data is cached; else null. */
  private volatile Pair<String, Long> fullyCached;

  FileTable(String name, long id, IndexPages memory, Occupancy occupancy) {
    this.name = name;
    this.id = id;
    hash = Hashing.murmur3_128().hashUnencodedChars(name).asLong();
    this.memory = memory;
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

  /** Returns the entry's word, or {@link EntryWord#NONE}. */
  long find(long offset) {
    return lookUp(offset, WORD);
  }

  /** Like {@link #find}, and counts the read. */
  long findToRead(long offset) {
    return lookUp(offset, COUNTED_WORD);
  }

  /** Returns the size on disk of a block in bytes, 0 if it isn't in the table. */
  int findSize(long offset) {
    return (int) lookUp(offset, SIZE);
  }

  private long lookUp(long offset, int what) {
    for (int i = 0; i < OPTIMISTIC_READS; i++) {
      int seen = version;
      if ((seen & 1) == 0) {
        long[] table = pages;
        long address = Entries.find(table, offset);
        long found = address == 0 ? 0 : read(address, what);
        if (what == COUNTED_WORD && found != 0) {
          count(address, found);
        }
        if (version == seen) {
          return found;
        }
      }
    }
    synchronized (this) {
      long address = Entries.find(pages, offset);
      return address == 0 ? 0 : read(address, what);
    }
  }

  private static long read(long address, int what) {
    return what == SIZE ? Entries.size(address) : Entries.word(address);
  }

  private void count(long address, long word) {
    int frequency = EntryWord.frequency(word);
    if (frequency < EntryWord.MAX_FREQUENCY && occupancy.countsRead(word)) {
      // Whoever changed the word first has counted, or moved the block; one more doesn't matter.
      Entries.compareAndSetWord(address, word, EntryWord.withFrequency(word, frequency + 1));
    }
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
    long address = Entries.find(pages, offset);
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
    Entries.insert(pages, offset, size, word);
    entries++;
    countAdded(word);
    return EntryWord.NONE;
  }

  /**
   * Takes the memory that an entry needs, so that {@link #put} finds it.
   * @return false if there is none
   */
  synchronized boolean makeRoom(long offset) {
    return dropped || Entries.find(pages, offset) != 0 || makeRoom();
  }

  private boolean makeRoom() {
    return entries < TableSize.mostEntries(pages.length) || resize(entries + 1);
  }

  /** Has an entry point to another record. Returns false if it isn't of the old record anymore. */
  synchronized boolean move(long offset, long oldWord, long newWord) {
    long address = Entries.find(pages, offset);
    if (address == 0 || !EntryWord.isSameRecord(Entries.word(address), oldWord)) {
      return false;
    }
    countRemoved(oldWord);
    Entries.setWord(address, newWord);
    countAdded(newWord);
    return true;
  }

  /** Removes a block. Returns its word, or {@link EntryWord#NONE} if it wasn't there. */
  synchronized long remove(long offset) {
    long address = Entries.find(pages, offset);
    if (address == 0) {
      return EntryWord.NONE;
    }
    long word = Entries.word(address);
    removeEntry(offset, word);
    return word;
  }

  /** Removes a block if its entry is of this record. Returns false if it isn't. */
  synchronized boolean remove(long offset, long word) {
    long address = Entries.find(pages, offset);
    if (address == 0 || !EntryWord.isSameRecord(Entries.word(address), word)) {
      return false;
    }
    removeEntry(offset, Entries.word(address));
    return true;
  }

  private void removeEntry(long offset, long word) {
    countRemoved(word);
    version++;
    Entries.remove(pages, offset);
    version++;
    fullyCached = null;
    entries--;
    if (entries < TableSize.fewestEntries(pages.length)) {
      resize(entries);
    }
  }

  /** Gives the table the pages that it needs. Returns false if there is no memory for them. */
  private boolean resize(int wanted) {
    int count = TableSize.pages(wanted);
    long[] table = memory.take(count);
    if (table == null) {
      return resizeInPlace(count);
    }
    visit((offset, size, word) -> Entries.insert(table, offset, size, word));
    replacePages(table);
    return true;
  }

  /** Does what needs few free pages, or none, but keeps readers waiting. */
  private boolean resizeInPlace(int count) {
    long[] old = pages;
    int kept = Math.min(count, old.length);
    long[] more = memory.take(count - kept);
    if (more == null) {
      return false;
    }
    long[] table = Arrays.copyOf(old, count);
    System.arraycopy(more, 0, table, kept, more.length);
    version++;
    Entries.rearrange(old, table);
    pages = table;
    version++;
    memory.giveBack(Arrays.copyOfRange(old, kept, old.length));
    return true;
  }

  private void replacePages(long[] table) {
    long[] old = pages;
    version++;
    pages = table;
    version++;
    memory.giveBack(old);
  }

  /** Removes all entries; the table takes no more. Returns how many there were. */
  synchronized int drop() {
    visit((offset, size, word) -> countRemoved(word));
    int count = entries;
    entries = 0;
    dropped = true;
    fullyCached = null;
    replacePages(NO_PAGES);
    return count;
  }

  /** Drops the table if it has no entry. Returns false if it has some. */
  synchronized boolean dropIfEmpty() {
    return entries == 0 && drop() == 0;
  }

  /** Visits all entries, in no order. */
  synchronized void visit(Visitor visitor) {
    long[] table = pages;
    int capacity = Entries.capacity(table);
    for (int slot = 0; slot < capacity; slot++) {
      long address = Entries.address(table, slot);
      if (!Entries.isEmpty(address)) {
        visitor.visit(Entries.offset(address), Entries.size(address), Entries.word(address));
      }
    }
  }

  private void countAdded(long word) {
    occupancy.added(word);
    dataBlocks += BlockClass.isData(EntryWord.blockClass(word)) ? 1 : 0;
  }

  private void countRemoved(long word) {
    occupancy.removed(word);
    dataBlocks -= BlockClass.isData(EntryWord.blockClass(word)) ? 1 : 0;
  }

  /** Returns true if the table takes no more blocks. */
  boolean isDropped() {
    return dropped;
  }

  synchronized int getEntries() {
    return entries;
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
