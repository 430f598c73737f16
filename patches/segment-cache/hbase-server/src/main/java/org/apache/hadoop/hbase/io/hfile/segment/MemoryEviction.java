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
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.segment.MemoryPolicy.Survivors;
import org.apache.hadoop.hbase.io.hfile.segment.MemorySegment.Space;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Finds segments in memory that new records can be written to, and evicts the blocks of others for
 * them. Thread-safe.
 */
@InterfaceAudience.Private
final class MemoryEviction {
  /*
   * If a few segments in a row made too little room, since nearly all of their blocks stay, only
   * three quarters of each further one do, so that an eviction ends soon.
   *
   * One thread evicts at a time. It takes the locks of queues, segments and tables; nobody who has
   * one of these waits for an eviction.
   */
  private static final int MOST_WAITING_PART = 20;
  /** Segments that only blocks which stay are written to. */
  static final int RESERVE = 1;
  /** Segments of which all blocks may stay, in one eviction. */
  private static final int WHOLE_VICTIMS = 8;
  /** Segments that stay as they are, in one eviction. */
  private static final int MOST_KEPT = 32;
  /** Segments that one block evicts at most to get an entry in the index. */
  private static final int VICTIMS_FOR_AN_ENTRY = 2;

  private final SegmentIndex index;
  private final Occupancy occupancy;
  private final CacheStats stats;
  private final MemoryPolicy policy;
  private final int segmentCount;
  private final int segmentSize;
  private final ReentrantLock evictionLock = new ReentrantLock();
  @GuardedBy("itself")
  private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
  @GuardedBy("evictionLock")
  private final ArrayDeque<MemorySegment> waiting = new ArrayDeque<>();

  MemoryEviction(Collection<MemorySegment> segments, int segmentSize, SegmentIndex index,
    MemoryPolicy policy, CacheStats stats) {
    this.index = index;
    this.policy = policy;
    this.stats = stats;
    this.segmentSize = segmentSize;
    occupancy = index.getOccupancy();
    segmentCount = segments.size();
    free.addAll(segments);
  }

  /**
   * Reserves space for a block, and evicts others if need be.
   * @param waits whether to wait for a thread that evicts
   * @return space, which the caller releases; null if all segments are pinned, or have blocks that
   *         this one may not displace
   */
  Space reserve(BlockRecord block, boolean waits) {
    SegmentQueue queue = policy.queue(block);
    Space space = queue.reserve(block);
    while (space == null) {
      MemorySegment fresh = pollFree(RESERVE);
      if (fresh != null) {
        space = queue.reserveIn(fresh, block, () -> giveBack(fresh));
      } else if (!evict(block.getBlockClass(), waits)) {
        policy.refused(block.getBlockClass());
        return null;
      }
    }
    return space;
  }

  private MemorySegment pollFree(int reserve) {
    synchronized (free) {
      return free.size() > reserve ? free.poll() : null;
    }
  }

  private void giveBack(MemorySegment segment) {
    synchronized (free) {
      free.add(segment);
    }
  }

  /** Evicts segments until one is free. Returns false if none could be. */
  private boolean evict(int incoming, boolean waits) {
    if (waits) {
      evictionLock.lock();
    } else if (!evictionLock.tryLock()) {
      return false;
    }
    try {
      freeWaiting();
      int kept = 0;
      for (int i = 0; i < segmentCount + kept; i++) {
        synchronized (free) {
          if (free.size() > RESERVE) {
            return true;
          }
        }
        MemorySegment victim = policy.pollVictim(incoming, condition());
        if (victim == null) {
          return false;
        }
        if (kept < MOST_KEPT && policy.keep(victim)) {
          kept++;
        } else {
          evict(victim, i - kept < WHOLE_VICTIMS ? segmentSize : segmentSize / 4 * 3);
        }
      }
      return false;
    } finally {
      evictionLock.unlock();
    }
  }

  /**
   * Evicts the oldest segments until a condition holds, but few: blocks of many files may have to
   * go until the index has room, and the caller is a reader.
   * @param enough called with a lock: must not wait for an eviction
   * @return false if it doesn't hold yet
   */
  boolean evictForAnEntry(BooleanSupplier enough) {
    evictionLock.lock();
    try {
      for (int i = 0; i < VICTIMS_FOR_AN_ENTRY && !enough.getAsBoolean(); i++) {
        MemorySegment victim = policy.pollOldest(segment -> !segment.isPinned());
        if (victim == null) {
          return false;
        }
        // A half goes, however little the segment has: the index may be what is full.
        evict(victim, occupancy.getLiveBytes(victim.getNumber()) / 2);
      }
      return enough.getAsBoolean();
    } finally {
      evictionLock.unlock();
    }
  }

  /** Returns the number of segments that are free for new blocks. */
  int getFree() {
    synchronized (free) {
      return Math.max(0, free.size() - RESERVE);
    }
  }

  @GuardedBy("evictionLock")
  private void freeWaiting() {
    for (Iterator<MemorySegment> all = waiting.iterator(); all.hasNext();) {
      MemorySegment segment = all.next();
      if (!segment.isPinned()) {
        all.remove();
        segment.open();
        giveBack(segment);
      }
    }
  }

  @GuardedBy("evictionLock")
  private Predicate<MemorySegment> condition() {
    // Few segments may wait: their memory caches nothing.
    boolean mayWait = waiting.size() < Math.max(1, segmentCount / MOST_WAITING_PART);
    return segment -> mayWait || !segment.isPinned();
  }

  /** Evicts the blocks of a segment but for this many bytes of them. */
  @GuardedBy("evictionLock")
  private void evict(MemorySegment victim, int most) {
    victim.startEviction();
    stats.evict();
    boolean done = false;
    try {
      evictBlocks(victim, most);
      done = true;
    } finally {
      if (!done) {
        index.removeSegments(victim.getNumber(), 1);
      }
      victim.endEviction();
      waiting.add(victim);
      freeWaiting();
    }
  }

  private void evictBlocks(MemorySegment victim, int most) {
    SegmentBlocks blocks = new SegmentBlocks(victim, index);
    Survivors survivors = policy.survivors(blocks, most);
    blocks.forEach((file, position, offset, word) -> {
      if (
        !survivors.stays(file, offset, word)
          || !rewrite(victim.getMemory(), file, position, offset, word)
      ) {
        if (policy.evict(file, offset, word)) {
          stats.evicted(occupancy.getBegun(word), true);
        }
        index.removeIfEmpty(file);
      }
    });
  }

  /** Writes a block that stays. Returns false if there is no room. */
  private boolean rewrite(ByteBuffer source, FileTable file, int position, long offset, long word) {
    BlockRecord block = RecordHeader.record(source, position, file);
    SegmentQueue queue = policy.queueOfSurvivors(word);
    Space space = queue.reserve(block);
    if (space == null) {
      MemorySegment fresh = pollFree(0);
      if (fresh == null) {
        return false;
      }
      space = queue.reserveIn(fresh, block, () -> giveBack(fresh));
      if (space == null) {
        return false;
      }
    }
    try {
      int frequency = policy.frequencyOfSurvivor(word);
      // If the entry isn't of this record anymore, what was written is dead.
      file.move(offset, word, EntryWord.withFrequency(space.write(block), frequency));
      return true;
    } finally {
      space.release();
    }
  }
}
