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

/** Keeps blocks that are read again, and remembers those that weren't yet when they went. */
@InterfaceAudience.Private
final class ReadAgainPolicy implements MemoryPolicy {
  /*
   * The policy is S3-FIFO's (Yang et al., FIFO queues are all you need for cache eviction, SOSP
   * 2023), by segment: new blocks go to the first queue, which gets a tenth of the memory once this
   * is full. Those that were read again meanwhile go on to the main queue, the others are
   * remembered as ghosts: if such a block is cached again it goes to the main queue at once. In the
   * main queue a block stays as often as it was read since it came, three times at most. Reads of
   * a block whose segment is open don't count, unless nothing has come to it for a second, so that
   * several gets of one request don't make a block look like one that is read often (Zhang et al.,
   * Clock2Q+).
   *
   * A segment most of whose blocks are gone is evicted first: little of it is lost. One of which
   * nearly all was read again goes to the main queue as it is, without being copied.
   *
   * Where other blocks are read than before, the main queue is full of blocks that nobody wants,
   * and the first one too small for those to come again that somebody does. So blocks that the
   * main queue lets go are remembered, too. The first queue grows by each block that comes back
   * after it left the first queue, and shrinks by each that comes back after it left the main one:
   * nine times as much, as that queue is nine times as big. (ARC adapts itself like this.) When
   * the first queue gets three tenths of the memory or more, the segment that was sealed first is
   * evicted, whichever queue it is in, and what was read until then counts as one read. That is
   * nearly LRU: only what was read often before the blocks became others, and isn't any more, stays
   * once too often.
   *
   * A block that left the first queue is forgotten once a quarter more has left it since than is in
   * the rest of the cache: the first queue wouldn't have the block even if it had all of that. So a
   * scan of more than the cache has changes nothing when it is repeated. (ARC's ghosts end there,
   * too.) While nearly all is in the first queue a block is remembered a little longer than that.
   */
  private static final double LEAST_FIRST_PART = 0.1;
  private static final double MOST_FIRST_PART = 0.9;
  private static final double BY_AGE_PART = 0.3;
  /** The part that the first queue gets more of by as many blocks as the cache remembers. */
  private static final double GROWTH = 16;
  private static final double SHRINKAGE = 9 * GROWTH;
  private static final double REMEMBERED_PART_OF_REST = 1.25;
  private static final double LEAST_REMEMBERED_PART = 0.125;
  private static final int IN_MEMORY_PART = 4;
  /** The part of a segment that must have been read again for all of it to stay. */
  private static final double KEPT_PART = 0.875;

  private final SegmentIndex index;
  /** Blocks that left the first queue, and those that left the main one. */
  private final GhostBlocks ghosts;
  private final GhostBlocks ghostsOfMain;
  private final SegmentQueue first;
  private final SegmentQueue main;
  private final int segmentCount;
  private final int segmentSize;
  private final long capacity;
  /** Where the victim's blocks that weren't read are remembered; null if they aren't. */
  private GhostBlocks ghostsOfVictim;
  /** The part of the memory that the first queue gets. Threads that change it at once lose some. */
  private volatile double firstPart = LEAST_FIRST_PART;

  /** @param blocks number of blocks that the cache holds */
  ReadAgainPolicy(int segmentCount, int segmentSize, SegmentIndex index, long blocks) {
    this.index = index;
    capacity = (long) segmentCount * segmentSize;
    ghosts = new GhostBlocks(blocks, capacity);
    ghostsOfMain = new GhostBlocks(blocks, capacity);
    this.segmentSize = segmentSize;
    this.segmentCount = segmentCount;
    first = new SegmentQueue(index.getOccupancy());
    main = new SegmentQueue(index.getOccupancy());
  }

  @Override
  public SegmentQueue queue(BlockRecord block) {
    long since = ghosts.remove(block.getFile(), block.getOffset());
    boolean leftFirst = since != GhostBlocks.NONE && since <= rememberedBytes();
    if (leftFirst) {
      firstPart = Math.min(MOST_FIRST_PART, firstPart + GROWTH / ghosts.getSlots());
    } else if (ghostsOfMain.remove(block.getFile(), block.getOffset()) <= capacity) {
      firstPart = Math.max(LEAST_FIRST_PART, firstPart - SHRINKAGE / ghosts.getSlots());
    }
    return leftFirst || BlockClass.isInMemory(block.getBlockClass()) ? main : first;
  }

  /** Returns how much may leave the first queue until what left it before is forgotten. */
  private long rememberedBytes() {
    double rest = capacity - (double) first.size() * segmentSize;
    return (long) Math.max(rest * REMEMBERED_PART_OF_REST, capacity * LEAST_REMEMBERED_PART);
  }

  /** Returns the part of the memory that the first queue gets. */
  double getFirstPart() {
    return firstPart;
  }

  @Override
  public int frequencyOfSurvivor(long word) {
    return firstPart < BY_AGE_PART ? MemoryPolicy.super.frequencyOfSurvivor(word) : 0;
  }

  @Override
  public SegmentQueue queueOfSurvivors(long word) {
    return main;
  }

  @Override
  public MemorySegment pollVictim(int incoming, Predicate<MemorySegment> condition) {
    int half = segmentSize / 2;
    ghostsOfVictim = null;
    MemorySegment victim = first.pollDeadest(half, condition);
    if (victim == null) {
      victim = main.pollDeadest(half, condition);
    }
    return victim == null ? pollOldest(condition) : victim;
  }

  @Override
  public MemorySegment pollOldest(Predicate<MemorySegment> condition) {
    double part = firstPart;
    boolean isFirst = part < BY_AGE_PART
      ? first.size() >= (int) (segmentCount * part) || main.size() == 0
      : first.isOlderThan(main);
    MemorySegment victim = isFirst ? poll(first, condition) : poll(main, condition);
    if (victim == null) {
      victim = isFirst ? poll(main, condition) : poll(first, condition);
    }
    return victim;
  }

  /** Moves a segment to the end of the main queue if nearly all of it was read again. */
  @Override
  public boolean keep(MemorySegment victim) {
    SegmentBlocks blocks = new SegmentBlocks(victim, index);
    double least = segmentSize * KEPT_PART;
    if (
      index.getOccupancy().getLiveBytes(victim.getNumber()) < least
        || blocks.bytes(word -> EntryWord.frequency(word) > 0) < least
    ) {
      return false;
    }
    blocks.forEach((file, position, offset, word) -> file.setFrequency(offset, word,
      frequencyOfSurvivor(word)));
    main.add(victim);
    return true;
  }

  private MemorySegment poll(SegmentQueue queue, Predicate<MemorySegment> condition) {
    ghostsOfVictim = queue == first ? ghosts : ghostsOfMain;
    return queue.poll(condition);
  }

  /** Chooses those that were read most often since they came, and none that never was. */
  @Override
  public Survivors survivors(SegmentBlocks blocks, int most) {
    if (ghostsOfVictim != null) {
      blocks.forEach((file, position, offset, word) -> {
        if (EntryWord.frequency(word) == 0) {
          ghostsOfVictim.add(file, offset, EntryWord.length(word));
        }
      });
    }
    return MostRead.of(blocks, most, keepsInMemory() ? ReadAgainPolicy::frequency : READS);
  }

  /** Returns whether in-memory blocks count as read as often as possible. */
  private boolean keepsInMemory() {
    return index.getOccupancy().getInMemoryBytes()
      <= (long) segmentCount * segmentSize / IN_MEMORY_PART;
  }

  private static final MostRead.Frequency READS =
    (file, offset, word) -> EntryWord.frequency(word);

  private static int frequency(FileTable file, long offset, long word) {
    return BlockClass.isInMemory(EntryWord.blockClass(word))
      ? EntryWord.MAX_FREQUENCY
      : EntryWord.frequency(word);
  }

  @Override
  public boolean evict(FileTable file, long offset, long word) {
    return file.remove(offset, word);
  }

  @Override
  public void refused(int blockClass) {
    // Nobody else asks.
  }
}
