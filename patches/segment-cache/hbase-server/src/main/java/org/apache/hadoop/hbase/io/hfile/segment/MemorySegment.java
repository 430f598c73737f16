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
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.hadoop.hbase.io.ByteBuffAllocator.Recycler;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Direct memory for records that are written one behind another, and evicted together.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class MemorySegment {
  /*
   * Who reads or writes a record pins the segment. A pin counts in one of a few counters, so that
   * readers of one segment don't wait for each other's cache line. An eviction makes the generation
   * another one, and then looks at the counters: a reader raises its counter before it looks at the
   * generation, so either it sees the new one and lets go, or the eviction sees its pin. Memory
   * that is pinned isn't used again until the pin is gone.
   *
   * Space is reserved, and the header of its record written, under the lock. So a sealed segment
   * has a header for each record. A block whose copy wasn't finished then isn't in the index yet;
   * its writer looks at isEvicted after it has added it, and the eviction looks into the index
   * after it has set that, so one of them removes it.
   */
  private static final int STRIPES = 4;
  /** Counters in a cache line. */
  private static final int SPREAD = 16;

  private final int number;
  private final ByteBuffer memory;
  private final AtomicIntegerArray pins = new AtomicIntegerArray(STRIPES * SPREAD);
  private final Recycler[] releases = new Recycler[STRIPES];
  private volatile int generation = 1;
  private volatile boolean evicted;
  @GuardedBy("this")
  private int used;
  @GuardedBy("this")
  private boolean sealed;
  private volatile long sealedNanos;

  MemorySegment(int number, ByteBuffer memory) {
    this.number = number;
    this.memory = memory;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      int counter = stripe * SPREAD;
      releases[stripe] = () -> pins.decrementAndGet(counter);
    }
  }

  /** Returns the segment's number in its cache. */
  int getNumber() {
    return number;
  }

  /** Returns the memory. Who reads from it has a pin; nobody changes its position. */
  ByteBuffer getMemory() {
    return memory;
  }

  /**
   * Pins the segment.
   * @param word of an entry of the index
   * @return what unpins it; null if the record has been evicted
   */
  Recycler pin(long word) {
    Recycler pin = pin();
    if (EntryWord.isOf(word, generation)) {
      return pin;
    }
    pin.free();
    return null;
  }

  private Recycler pin() {
    int stripe = (int) Thread.currentThread().getId() & STRIPES - 1;
    pins.incrementAndGet(stripe * SPREAD);
    return releases[stripe];
  }

  boolean isPinned() {
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      if (pins.get(stripe * SPREAD) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Space for one record, pinned. */
  static final class Space {
    private final MemorySegment segment;
    private final int position;
    private final int generation;
    private final Recycler pin;

    private Space(MemorySegment segment, int position, Recycler pin) {
      this.segment = segment;
      this.position = position;
      this.pin = pin;
      generation = segment.generation;
    }

    /**
     * Writes the block.
     * @return the word of its entry
     */
    long write(BlockRecord block) {
      ByteBuffer target = segment.memory.duplicate();
      int start = position + RecordHeader.SIZE;
      target.limit(start + block.getLength()).position(start);
      block.copyTo(target.slice());
      RecordHeader.complete(segment.memory, position, generation, block.getLength());
      return EntryWord.of(segment.number, position, RecordHeader.recordLength(block.getLength()),
        block.getBlockClass(), generation);
    }

    /** Returns true if what was written may not have been seen by an eviction. */
    boolean isEvicted() {
      return segment.evicted;
    }

    void release() {
      pin.free();
    }
  }

  /** Reserves space, which the caller releases. Returns null if the segment is full or sealed. */
  synchronized Space reserve(BlockRecord block) {
    int length = RecordHeader.recordLength(block.getLength());
    if (sealed || memory.capacity() - used < length) {
      return null;
    }
    int position = used;
    RecordHeader.write(memory, position, generation, block);
    used += length;
    return new Space(this, position, pin());
  }

  /** Takes no more records. */
  synchronized void seal() {
    sealed = true;
    sealedNanos = System.nanoTime();
  }

  /** Returns when the segment was sealed, by System.nanoTime. */
  long getSealedNanos() {
    return sealedNanos;
  }

  /** Returns the bytes of all records. */
  synchronized int getUsed() {
    return used;
  }

  int getGeneration() {
    return generation;
  }

  /** Has writers that are late remove their blocks themselves. */
  void startEviction() {
    evicted = true;
  }

  /** Turns away readers that come late. The caller checks {@link #isPinned} afterwards. */
  void endEviction() {
    generation++;
  }

  /** Makes an evicted segment that isn't pinned ready for records. */
  synchronized void open() {
    used = 0;
    sealed = false;
    evicted = false;
  }
}
