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
package org.apache.hadoop.hbase.io.hfile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.yetus.audience.InterfaceAudience;

/*
 * Memory is taken in chunks, until the limit is reached. A chunk is divided into slots of one of a
 * few sizes. A slot's words are
 *
 *   version | header | sample | sample | ... | rows
 *
 * A version is the slot's generation and whether the slot is free. A handle is generation, chunk
 * and slot; it is good for as long as the version has its generation and isn't free. Whoever gives
 * a slot to another index raises the generation before he writes the rest. So a reader that finds
 * the version unchanged after it has read words knows that they are those of its index: a seqlock,
 * as in H.-J. Boehm, "Can seqlocks get along with programming language memory models?", 2012, whose
 * data are read by volatile reads and written by ordered writes. A chunk that is divided anew
 * begins with a generation that no slot had before, so a handle of its former slots is good for
 * none of the new ones, wherever their versions are.
 *
 * No slot knows its owner, and a cache that is cleared as a whole tells of none of its blocks. When
 * no slot is free, a clock hand (Corbato, "A paging experiment with the Multics system", 1968)
 * takes one that wasn't read since the hand last passed; its owner finds out when next asked.
 */

/**
 * The memory of all seek indexes of a process: arrays of 256 KB, and no object for an index. What
 * changes it takes its lock for about a microsecond; readers take none. Thread-safe.
 */
@InterfaceAudience.Private
final class SeekIndexStore {
  static final int CHUNK_WORDS = 1 << 15;
  static final int CHUNK_BYTES = CHUNK_WORDS * Long.BYTES;
  static final long MAX_BYTES = (1L << 16) * CHUNK_BYTES;

  /** Words before the first sample of a slot: its version and its header. */
  static final int HEADER_WORDS = 2;
  static final int MAX_SAMPLES = 64;
  /** Samples, and where rows begin. */
  static final int MAX_WORDS = 2 * MAX_SAMPLES;
  /**
   * Under 1/200 of blocks of 8, 16, 32 and 64 KB, and 64 samples for bigger ones; the last one is
   * only for indexes with rows.
   */
  private static final int[] SLOT_WORDS =
    { 5, 10, 20, 40, HEADER_WORDS + MAX_SAMPLES, HEADER_WORDS + MAX_WORDS };
  private static final int MIN_BLOCK_BYTES_PER_INDEX_BYTE = 200;

  private static final int SLOT_BITS = 13;
  private static final int CHUNK_BITS = 16;
  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
  private static final int CHUNK_MASK = (1 << CHUNK_BITS) - 1;
  /** Handles are bigger than each state of a {@link SeekIndexOwner}. */
  private static final long FIRST_GENERATION = 1;
  private static final long FREE = 1;

  /** The hand takes a slot after this many, even if all of them were read. */
  private static final int MAX_SWEPT = 64;
  /** A slot size with fewer chunks than a quarter of another's takes one of them. */
  private static final int MAX_CHUNKS_RATIO = 4;
  /** When memory is full, one of so many blocks that want an index gets one. */
  private static final int ADMITTED_WHEN_FULL = 16;

  /** Returned in place of a handle if there is no slot. */
  static final long NONE = 0;

  /** An array, divided into slots. */
  static final class Chunk {
    private final int number;
    private final SlotSize size;
    private final int slots;
    private final AtomicLongArray words = new AtomicLongArray(CHUNK_WORDS);
    /** By slot, whether it was read since the hand passed. Racy: it is only a hint. */
    private final byte[] read;
    private int slotsEverUsed;
    private int firstFree = -1;

    private Chunk(int number, SlotSize size, long generation) {
      this.number = number;
      this.size = size;
      slots = CHUNK_WORDS / size.words;
      read = new byte[slots];
      for (int i = 0; i < slots; i++) {
        words.set(i * size.words, generation << 1 | FREE);
      }
    }

    private boolean hasFree() {
      return firstFree >= 0 || slotsEverUsed < slots;
    }
  }

  /** Slots of the same size. */
  private static final class SlotSize {
    private final int words;
    private final List<Chunk> chunks = new ArrayList<>();
    /** Chunks that may have free slots. */
    private final Set<Chunk> roomy = new LinkedHashSet<>();
    private int handChunk;
    private int handSlot;

    private SlotSize(int words) {
      this.words = words;
    }
  }

  /** Reads an index. Not thread-safe. */
  static final class View {
    private AtomicLongArray words;
    private int base;
    private long version;

    /** Returns the header, which is only to be trusted if {@link #isValid} is true after. */
    long header() {
      return words.get(base + 1);
    }

    /** Returns a word, which is only to be trusted if {@link #isValid} is true after. */
    long word(int index) {
      return words.get(base + HEADER_WORDS + index);
    }

    /** Returns true if all that was read before is of the index that was opened. */
    boolean isValid() {
      return words.get(base) == version;
    }

    /** Lets go of the memory that was read. */
    void close() {
      words = null;
    }
  }

  private final AtomicReferenceArray<Chunk> chunks = new AtomicReferenceArray<>(1 << CHUNK_BITS);
  private final SlotSize[] sizes = new SlotSize[SLOT_WORDS.length];
  @GuardedBy("this")
  private int chunkCount;
  @GuardedBy("this")
  private int maxChunks;
  @GuardedBy("this")
  private long newestGeneration = FIRST_GENERATION;
  /** Whether a block may be without an index for lack of memory. */
  private volatile boolean isFull = true;
  private int refused;
  @GuardedBy("this")
  private long indexes;
  @GuardedBy("this")
  private long reclaimed;

  SeekIndexStore() {
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = new SlotSize(SLOT_WORDS[i]);
    }
  }

  /** Sets how much memory may be taken, in bytes. What is taken already and exceeds it is freed. */
  synchronized void setMaxBytes(long bytes) {
    maxChunks = (int) (Math.min(bytes, MAX_BYTES) / CHUNK_BYTES);
    while (chunkCount > maxChunks) {
      chunkCount--;
      drop(chunks.get(chunkCount));
      chunks.set(chunkCount, null);
    }
    isFull = chunkCount == maxChunks;
  }

  /** Returns the number of samples that a block of this many bytes may have. */
  static int maxSamples(int blockBytes) {
    int samples = 0;
    for (int words : SLOT_WORDS) {
      if (words * Long.BYTES <= blockBytes / MIN_BLOCK_BYTES_PER_INDEX_BYTE) {
        samples = Math.min(words - HEADER_WORDS, MAX_SAMPLES);
      }
    }
    return samples;
  }

  /**
   * Returns whether an index is worth building: always while there is memory, and rarely if that of
   * another block would go for it.
   */
  boolean admits() {
    // A lost update only changes which block is refused.
    return !isFull || (++refused & ADMITTED_WHEN_FULL - 1) == 0;
  }

  /** Returns whether there may be memory that no index has. */
  boolean mayHaveRoom() {
    return !isFull;
  }

  /**
   * Keeps an index.
   * @param words      its samples, and what is behind them
   * @param count      number of words, from 1 to {@link #MAX_WORDS}
   * @param mayReclaim whether another index may lose its memory for it
   * @return its handle, or {@link #NONE}
   */
  synchronized long put(long header, long[] words, int count, boolean mayReclaim) {
    SlotSize size = sizeFor(count);
    Chunk chunk = chunkWithFree(size);
    if (chunk == null && mayReclaim) {
      reclaim(size);
      chunk = chunkWithFree(size);
    }
    if (chunk == null) {
      return NONE;
    }
    int slot = takeFree(chunk);
    int base = slot * size.words;
    long generation = (chunk.words.get(base) >>> 1) + 1;
    newestGeneration = Math.max(newestGeneration, generation);
    chunk.words.set(base, generation << 1 | FREE);
    chunk.words.lazySet(base + 1, header);
    for (int i = 0; i < count; i++) {
      chunk.words.lazySet(base + HEADER_WORDS + i, words[i]);
    }
    chunk.read[slot] = 1;
    chunk.words.set(base, generation << 1);
    indexes++;
    return (generation << CHUNK_BITS | chunk.number) << SLOT_BITS | slot;
  }

  private SlotSize sizeFor(int words) {
    for (SlotSize size : sizes) {
      if (words + HEADER_WORDS <= size.words) {
        return size;
      }
    }
    throw new IllegalArgumentException(words + " words");
  }

  @GuardedBy("this")
  private Chunk chunkWithFree(SlotSize size) {
    for (Iterator<Chunk> roomy = size.roomy.iterator(); roomy.hasNext(); roomy.remove()) {
      Chunk chunk = roomy.next();
      if (chunk.hasFree()) {
        return chunk;
      }
    }
    if (chunkCount < maxChunks) {
      Chunk chunk = add(chunkCount, size);
      chunkCount++;
      isFull = chunkCount == maxChunks;
      return chunk;
    }
    isFull = true;
    return null;
  }

  @GuardedBy("this")
  private Chunk add(int number, SlotSize size) {
    Chunk chunk = new Chunk(number, size, newestGeneration);
    chunks.set(number, chunk);
    size.chunks.add(chunk);
    size.roomy.add(chunk);
    return chunk;
  }

  private static int takeFree(Chunk chunk) {
    int slot = chunk.firstFree;
    if (slot < 0) {
      return chunk.slotsEverUsed++;
    }
    chunk.firstFree = (int) chunk.words.get(slot * chunk.size.words + 1);
    return slot;
  }

  /** Makes room for an index: in the slot of another, or in a chunk of slots of another size. */
  @GuardedBy("this")
  private void reclaim(SlotSize size) {
    SlotSize biggest = size;
    for (SlotSize other : sizes) {
      if (other.chunks.size() > biggest.chunks.size()) {
        biggest = other;
      }
    }
    int most = biggest.chunks.size();
    if (most > 1 && most > MAX_CHUNKS_RATIO * size.chunks.size()) {
      Chunk taken = biggest.chunks.get(biggest.handChunk % biggest.chunks.size());
      reclaimed += drop(taken);
      add(taken.number, size);
      return;
    }
    for (int swept = 0; !size.chunks.isEmpty(); swept++) {
      if (size.handChunk >= size.chunks.size()) {
        size.handChunk = 0;
      }
      Chunk chunk = size.chunks.get(size.handChunk);
      int slot = size.handSlot++;
      if (slot >= chunk.slots) {
        size.handSlot = 0;
        size.handChunk++;
      } else if (chunk.read[slot] == 0 || swept >= MAX_SWEPT) {
        // No slot is free, or it would have been taken.
        free(chunk, slot);
        reclaimed++;
        return;
      } else {
        chunk.read[slot] = 0;
      }
    }
  }

  /** Takes a chunk out of use; returns how many indexes were in it. */
  @GuardedBy("this")
  private int drop(Chunk chunk) {
    chunk.size.chunks.remove(chunk);
    chunk.size.roomy.remove(chunk);
    int dropped = 0;
    for (int i = 0; i < chunk.slots; i++) {
      long version = chunk.words.get(i * chunk.size.words);
      if ((version & FREE) == 0) {
        chunk.words.set(i * chunk.size.words, version | FREE);
        dropped++;
      }
    }
    indexes -= dropped;
    return dropped;
  }

  @GuardedBy("this")
  private void free(Chunk chunk, int slot) {
    int base = slot * chunk.size.words;
    chunk.words.set(base, chunk.words.get(base) | FREE);
    chunk.words.lazySet(base + 1, chunk.firstFree);
    chunk.firstFree = slot;
    indexes--;
    chunk.size.roomy.add(chunk);
  }

  /** Frees an index; does nothing if its slot has been taken from it. */
  synchronized void remove(long handle) {
    Chunk chunk = chunkOf(handle);
    int slot = (int) handle & SLOT_MASK;
    if (
      chunk != null && slot < chunk.slots
        && chunk.words.get(slot * chunk.size.words) == versionOf(handle)
    ) {
      free(chunk, slot);
      isFull = false;
    }
  }

  private Chunk chunkOf(long handle) {
    return chunks.get((int) (handle >>> SLOT_BITS) & CHUNK_MASK);
  }

  private static long versionOf(long handle) {
    return handle >>> CHUNK_BITS + SLOT_BITS << 1;
  }

  /**
   * Opens an index to read it.
   * @return false if its slot has been taken from it
   */
  boolean open(long handle, View view) {
    Chunk chunk = chunkOf(handle);
    int slot = (int) handle & SLOT_MASK;
    if (chunk == null || slot >= chunk.slots) {
      return false;
    }
    view.words = chunk.words;
    view.base = slot * chunk.size.words;
    view.version = versionOf(handle);
    if (!view.isValid()) {
      view.close();
      return false;
    }
    // Written only if need be, since other readers have the cache line, too.
    if (chunk.read[slot] == 0) {
      chunk.read[slot] = 1;
    }
    return true;
  }

  /** Returns the bytes that are taken. */
  synchronized long getBytes() {
    return (long) chunkCount * CHUNK_BYTES;
  }

  /** Returns the chunks that can be reached, whether they count or not. */
  synchronized int countChunks() {
    Set<Chunk> reachable = new LinkedHashSet<>();
    for (SlotSize size : sizes) {
      reachable.addAll(size.chunks);
      reachable.addAll(size.roomy);
    }
    return reachable.size();
  }

  synchronized long getIndexes() {
    return indexes;
  }

  /** Returns how many indexes gave their memory to others. */
  synchronized long getReclaimed() {
    return reclaimed;
  }
}
