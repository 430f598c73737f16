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
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.bucket.FirstTierEngine.Evictions;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Keeps metadata, and in the room that it leaves the data that is read most often. What goes is
 * copied to the second tier if that is decided.
 */
@InterfaceAudience.Private
final class FirstTierPolicy implements MemoryPolicy {
  /*
   * Metadata and data have queues of their own, so that a segment has one of them. Data segments
   * are evicted first, the oldest first; of its blocks the half that is read most by the count of
   * Evictions stays. Without data segments metadata displaces metadata that wasn't read since it
   * came, and data is refused.
   *
   * Of a metadata segment that is evicted as most of it is gone all blocks stay: it may have been
   * chosen to make room for data.
   */
  private static final int IN_MEMORY_PART = 4;
  /** The count of a data block that was read once. */
  private static final int ONE_READ = 1;

  private final int segmentSize;
  private final long inMemoryLimit;
  private SegmentQueue data;
  private SegmentQueue metadata;
  private Occupancy occupancy;
  private volatile Evictions evictions;

  FirstTierPolicy(int segmentCount, int segmentSize) {
    this.segmentSize = segmentSize;
    inMemoryLimit = (long) segmentCount * segmentSize / IN_MEMORY_PART;
  }

  /** Has the policy be that of the cache with these counts, its only one. */
  FirstTierPolicy of(Occupancy counts) {
    occupancy = counts;
    data = new SegmentQueue(counts);
    metadata = new SegmentQueue(counts);
    return this;
  }

  /** Lets go of the segments, and so of their memory. */
  void clear() {
    data.clear();
    metadata.clear();
  }

  void setEvictions(Evictions evictions) {
    this.evictions = evictions;
  }

  @Override
  public SegmentQueue queue(BlockRecord block) {
    return queue(block.getBlockClass());
  }

  private SegmentQueue queue(int blockClass) {
    return BlockClass.isData(blockClass) ? data : metadata;
  }

  @Override
  public SegmentQueue queueOfSurvivors(long word) {
    return queue(EntryWord.blockClass(word));
  }

  @Override
  public MemorySegment pollVictim(int incoming, Predicate<MemorySegment> condition) {
    int half = segmentSize / 2;
    MemorySegment victim = data.pollDeadest(half, condition);
    if (victim == null) {
      victim = metadata.pollDeadest(half, condition);
    }
    if (victim == null) {
      victim = data.poll(condition);
    }
    return victim == null && !BlockClass.isData(incoming) ? metadata.poll(condition) : victim;
  }

  @Override
  public MemorySegment pollOldest(Predicate<MemorySegment> condition) {
    MemorySegment victim = data.poll(condition);
    return victim == null ? metadata.poll(condition) : victim;
  }

  @Override
  public Survivors survivors(SegmentBlocks blocks, int most) {
    if (!blocks.areData()) {
      boolean all = occupancy.getLiveBytes(blocks.getSegment()) < segmentSize / 2;
      boolean keepsInMemory = occupancy.getInMemoryBytes() <= inMemoryLimit;
      return MostRead.of(blocks, most, (file, offset, word) -> all
        || keepsInMemory && BlockClass.isInMemory(EntryWord.blockClass(word))
          ? EntryWord.MAX_FREQUENCY
          : EntryWord.frequency(word));
    }
    MostRead survivors = MostRead.of(blocks, Math.min(most, segmentSize / 2),
      this::reads);
    if (survivors.isAnyEvicted()) {
      evictions.onDataEvicted(survivors.getMostOfOthers());
    }
    return survivors;
  }

  /** Returns 0 for a block that was read once. */
  private int reads(FileTable file, long offset, long word) {
    int reads = evictions.frequency(key(file, offset, word));
    return reads > ONE_READ ? reads : 0;
  }

  private static BlockCacheKey key(FileTable file, long offset, long word) {
    return new BlockCacheKey(file.getName(), offset, true,
      BlockClass.type(EntryWord.blockClass(word)));
  }

  @Override
  public boolean evict(FileTable file, long offset, long word) {
    boolean evicted = evictions.evict(key(file, offset, word),
      BlockClass.isData(EntryWord.blockClass(word)), () -> file.remove(offset, word));
    if (!evicted && file.remove(offset, word)) {
      // Its memory is needed, and the file is in use by another thread that evicts.
      evictions.onDropped();
      return true;
    }
    return evicted;
  }

  @Override
  public void refused(int blockClass) {
    if (BlockClass.isData(blockClass)) {
      evictions.onDataRejected();
    }
  }
}
