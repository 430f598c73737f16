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
import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Entries of two words in pages off the heap: a hash table with linear probing. Look-ups take no
 * lock; changes take this object's, which the caller has where it says so. Thread-safe.
 */
@InterfaceAudience.Private
abstract class EntryTable {
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
  /** A table that gets many entries one after another grows by this part at least. */
  private static final int GROWTH = 8;
  /** Slots that are read with the lock held. */
  private static final int SLOTS_AT_ONCE = 1024;

  private static final int WORD = 0;
  private static final int SIZE = 1;
  private static final int COUNTED_WORD = 2;

  interface Visitor {
    /** Called for each entry. The table isn't locked, unless the caller has its lock. */
    void visit(long offset, int size, long word);
  }

  /** Keeps the pages' memory. */
  private final IndexPages memory;
  private volatile int version;
  /** Addresses of pages; never changed, but replaced. */
  private volatile long[] pages = NO_PAGES;
  @GuardedBy("this")
  private int entries;

  EntryTable(IndexPages memory) {
    this.memory = memory;
  }

  final boolean hasPagesOf(IndexPages other) {
    return memory == other;
  }

  /** Returns true if a read of the block makes it one that is read often. */
  abstract boolean countsRead(long word);

  /** Returns the entry's word, or {@link EntryWord#NONE}. */
  final long find(long offset) {
    return lookUp(offset, WORD);
  }

  /** Like {@link #find}, and counts the read. */
  final long findToRead(long offset) {
    return lookUp(offset, COUNTED_WORD);
  }

  /** Returns the size on disk of a block in bytes, 0 if it isn't in the table. */
  final int findSize(long offset) {
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
      long address = address(offset);
      return address == 0 ? 0 : read(address, what);
    }
  }

  private static long read(long address, int what) {
    return what == SIZE ? Entries.size(address) : Entries.word(address);
  }

  private void count(long address, long word) {
    int frequency = EntryWord.frequency(word);
    if (frequency < EntryWord.MAX_FREQUENCY && countsRead(word)) {
      // Whoever changed the word first has counted, or moved the block; one more doesn't matter.
      Entries.compareAndSetWord(address, word, EntryWord.withFrequency(word, frequency + 1));
    }
  }

  /** Returns the address of an entry, 0 if there is none. */
  @GuardedBy("this")
  final long address(long offset) {
    return Entries.find(pages, offset);
  }

  /** Adds an entry that isn't there, for which there is room. */
  @GuardedBy("this")
  final void insert(long offset, int size, long word) {
    Entries.insert(pages, offset, size, word);
    entries++;
  }

  /** Takes the memory that one more entry needs. */
  @GuardedBy("this")
  final boolean makeRoom() {
    return entries < TableSize.mostEntries(pages.length) || resize(TableSize.pages(entries + 1));
  }

  /** Like {@link #makeRoom()}, but takes no more than that if there is little memory. */
  @GuardedBy("this")
  final boolean makeLeastRoom() {
    return makeRoom() || resize(TableSize.fewestPages(entries + 1));
  }

  /** Takes the memory that several more entries need, if there is so much. */
  @GuardedBy("this")
  final void reserve(int more) {
    int wanted = entries + more;
    if (
      wanted > TableSize.mostEntries(pages.length)
        && !resize(TableSize.pages(Math.max(wanted, entries + entries / GROWTH)))
    ) {
      resize(TableSize.fewestPages(wanted));
    }
  }

  /** Gives back the memory that entries which were expected would have needed. */
  final synchronized void trim() {
    trimTo(TableSize.pages(entries));
  }

  /**
   * Gives back all memory that the entries don't need. The next one that comes needs some.
   * @return whether there was any
   */
  final synchronized boolean trimToFewest() {
    return trimTo(TableSize.fewestPages(entries));
  }

  @GuardedBy("this")
  private boolean trimTo(int count) {
    return count < pages.length && resize(count);
  }

  /**
   * Removes an entry that is there.
   * @param shrinks whether the table gives pages back that it doesn't need any more
   */
  @GuardedBy("this")
  final void removeEntry(long offset, boolean shrinks) {
    version++;
    Entries.remove(pages, offset);
    version++;
    entries--;
    if (shrinks && entries < TableSize.fewestEntries(pages.length)) {
      resize(TableSize.pages(entries));
    }
  }

  /** Gives the table this many pages. Returns false if there is no memory for them. */
  @GuardedBy("this")
  private boolean resize(int count) {
    long[] table = memory.take(count, isFirstPage(count));
    if (table == null) {
      return resizeInPlace(count);
    }
    Entries.copy(pages, table);
    replacePages(table);
    return true;
  }

  private boolean isFirstPage(int count) {
    return count == 1 && pages.length == 0;
  }

  /** Does what needs few free pages, or none, but keeps readers waiting. */
  @GuardedBy("this")
  private boolean resizeInPlace(int count) {
    long[] old = pages;
    int kept = Math.min(count, old.length);
    long[] more = memory.take(count - kept, isFirstPage(count));
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

  /** Removes all entries. */
  @GuardedBy("this")
  final void clear() {
    entries = 0;
    replacePages(NO_PAGES);
  }

  /**
   * Visits all entries, in no order. Each that is there all the time is visited once, and each that
   * comes or goes meanwhile once or never. Who adds entries, with locks that others need, waits for
   * a few slots only.
   */
  final void visit(Visitor visitor) {
    int slots = Math.max(1, Math.min(SLOTS_AT_ONCE, Entries.capacity(pages)));
    Entries.Words some = new Entries.Words(slots);
    long from = 0;
    while (from < Entries.HASHES) {
      some.clear();
      from = copySome(from, some);
      for (int i = 0; i < some.entries(); i++) {
        visitor.visit(Entries.offsetOf(some.first(i)), Entries.sizeOf(some.first(i)),
          some.second(i));
      }
    }
  }

  /**
   * Copies entries by their hashes, which stay when entries move.
   * @param from the hash to begin with
   * @return the next hash to begin with
   */
  private synchronized long copySome(long from, Entries.Words some) {
    long[] table = pages;
    if (table.length == 0) {
      return Entries.HASHES;
    }
    long to = Math.min(Entries.HASHES,
      from + Math.max(1, Entries.HASHES * SLOTS_AT_ONCE / Entries.capacity(table)));
    Entries.copyRange(table, from, to, some);
    return to;
  }

  final synchronized int getEntries() {
    return entries;
  }
}
