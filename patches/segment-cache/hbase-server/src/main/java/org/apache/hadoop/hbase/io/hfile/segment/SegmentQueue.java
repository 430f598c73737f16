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
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.io.hfile.segment.MemorySegment.Space;
import org.apache.yetus.audience.InterfaceAudience;

/** Segments in the order in which they were filled, the last one open. Thread-safe. */
@InterfaceAudience.Private
final class SegmentQueue {
  private final Occupancy occupancy;
  @GuardedBy("this")
  private final ArrayDeque<MemorySegment> sealed = new ArrayDeque<>();
  /** Null until the first one is offered. */
  private volatile MemorySegment open;

  SegmentQueue(Occupancy occupancy) {
    this.occupancy = occupancy;
  }

  /** Reserves space in the open segment. Returns null if it has too little. */
  Space reserve(BlockRecord block) {
    MemorySegment current = open;
    return current == null ? null : current.reserve(block);
  }

  /**
   * Makes a segment the open one, if the one that is open has no room.
   * @return space in the open segment; null if there is too little in a fresh one
   */
  synchronized Space reserveIn(MemorySegment fresh, BlockRecord block, Runnable notNeeded) {
    Space space = reserve(block);
    if (space != null) {
      notNeeded.run();
      return space;
    }
    if (open != null) {
      open.seal();
      occupancy.countReads(open.getNumber());
      sealed.add(open);
    }
    occupancy.begin(fresh.getNumber());
    open = fresh;
    return reserve(block);
  }

  /** Adds a sealed segment behind all others. */
  synchronized void add(MemorySegment segment) {
    segment.seal();
    sealed.add(segment);
  }

  /** Lets go of all segments. */
  synchronized void clear() {
    sealed.clear();
    open = null;
  }

  /** Returns true if the longest sealed segment of this queue was sealed before that of another. */
  synchronized boolean isOlderThan(SegmentQueue other) {
    MemorySegment oldest = sealed.peek();
    MemorySegment ofOther = other.oldest();
    return oldest != null
      && (ofOther == null || oldest.getSealedNanos() - ofOther.getSealedNanos() < 0);
  }

  private synchronized MemorySegment oldest() {
    return sealed.peek();
  }

  /** Returns the number of sealed segments. */
  synchronized int size() {
    return sealed.size();
  }

  /** Removes the longest sealed segment that a condition holds for. Returns null if none is. */
  synchronized MemorySegment poll(Predicate<MemorySegment> condition) {
    for (Iterator<MemorySegment> all = sealed.iterator(); all.hasNext();) {
      MemorySegment segment = all.next();
      if (condition.test(segment)) {
        all.remove();
        return segment;
      }
    }
    return null;
  }

  /** Removes the sealed segment with the fewest live bytes, if these are below a limit. */
  synchronized MemorySegment pollDeadest(int limit, Predicate<MemorySegment> condition) {
    MemorySegment deadest = null;
    int fewest = limit;
    for (MemorySegment segment : sealed) {
      int live = occupancy.getLiveBytes(segment.getNumber());
      if (live < fewest && condition.test(segment)) {
        fewest = live;
        deadest = segment;
      }
    }
    if (deadest != null) {
      sealed.remove(deadest);
    }
    return deadest;
  }
}
