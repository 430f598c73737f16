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

import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Decides which segments in memory are evicted, and which of their blocks are written again. All
 * but {@link #queue} and {@link #refused} are called by one thread at a time.
 */
@InterfaceAudience.Private
interface MemoryPolicy {
  /** Which blocks of a segment are written again when it is evicted. */
  interface Survivors {
    /** Asked once for each block, in order. */
    boolean stays(FileTable file, long offset, long word);
  }

  /** Returns the queue that a block which comes to the cache is written to. */
  SegmentQueue queue(BlockRecord block);

  /** Returns the queue that a block which stays is written to. */
  SegmentQueue queueOfSurvivors(long word);

  /**
   * Takes the segment to evict out of its queue.
   * @param incoming  class of the block that needs room
   * @param condition holds for the segments that can be evicted
   * @return null if there is none that such a block may displace
   */
  MemorySegment pollVictim(int incoming, Predicate<MemorySegment> condition);

  /** Takes the segment that was filled first, of those that lose least. Null if there is none. */
  MemorySegment pollOldest(Predicate<MemorySegment> condition);

  /**
   * Keeps a victim as it is, if that loses little room. Its blocks then count as ones that stay.
   * @return false if the victim is to be evicted
   */
  default boolean keep(MemorySegment victim) {
    return false;
  }

  /**
   * Chooses blocks of a victim that stay.
   * @param most bytes of them
   */
  Survivors survivors(SegmentBlocks blocks, int most);

  /** Returns how often a block that stays counts as read. */
  default int frequencyOfSurvivor(long word) {
    return Math.max(0, EntryWord.frequency(word) - 1);
  }

  /** Removes a block that doesn't stay from the index. Returns false if it wasn't there anymore. */
  boolean evict(FileTable file, long offset, long word);

  /** Takes note that there is no room for a block. */
  void refused(int blockClass);
}
