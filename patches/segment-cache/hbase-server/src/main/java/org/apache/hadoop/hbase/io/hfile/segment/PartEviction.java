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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Deque;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFile;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Makes segments of a part free: the one with most dead bytes, if these are more than half of it,
 * else the one that has been full for longest. Its blocks that were read again since it was full
 * are written again, those that were read most: on average 12 % of a segment at most. Used by the
 * part's thread.
 */
@InterfaceAudience.Private
final class PartEviction {
  private static final int STAYING_PERCENT = 12;
  private static final int HUNDRED = 100;

  private final PartState part;
  private final PartOutput output;
  private final PartErrors errors;
  /** With a buffer of its own: a footer is written while another is read. */
  private final SegmentFooters footers;
  private final DeviceAdmission admission;
  private final CacheStats stats;
  private final SegmentIndex index;
  private final Occupancy occupancy;
  private final ByteBuffer memory = SegmentFile.newBuffer(SegmentStream.CHUNK_MEMORY);
  private final ByteBuffer record = SegmentFile.newBuffer(SegmentStream.CHUNK_MEMORY);
  private final SegmentStream staying;
  /** Bytes that may be written again: what earlier victims left, up to a segment. */
  private int spare;
  /** Blocks of the victim that were read as often as this stay. */
  private int allStayFrom;
  /** Bytes for those that were read one time less. */
  private int spareForOthers;

  PartEviction(PartState part, PartOutput output, PartErrors errors, DeviceAdmission admission,
    CacheStats stats) {
    this.part = part;
    this.output = output;
    this.errors = errors;
    this.admission = admission;
    this.stats = stats;
    index = part.getIndex();
    occupancy = index.getOccupancy();
    footers = new SegmentFooters(part.getFile());
    // A chunk is written when it is full, before the next one needs the memory.
    staying = new SegmentStream(part.getFile().getSegmentSize(), () -> part.takeFree(0),
      () -> memory, output);
  }

  /** Evicts one segment. */
  void evict(Deque<DeviceSegment> sealed) {
    evict(choose(sealed));
  }

  /** Evicts the segment that has been full for longest, most of whose blocks go. */
  void evictOldest(Deque<DeviceSegment> sealed) {
    spare = 0;
    evict(sealed.poll());
  }

  private void evict(DeviceSegment victim) {
    stats.evict();
    long sequence = victim.getSequence();
    int whole = part.getFile().getSegmentSize();
    spare = Math.min(whole, spare + whole / HUNDRED * STAYING_PERCENT);
    boolean known = false;
    try {
      known = footers.read(victim, sequence);
      if (known) {
        chooseStaying(victim);
        footers.visit((file, offset, size, position, length, blockClass) -> evict(victim, file,
          offset, position));
      }
    } catch (IOException e) {
      errors.readFailed(e);
    }
    if (!known) {
      index.removeSegments(victim.getNumber(), 1);
    }
    victim.setSequence(0);
    try {
      footers.invalidate(victim);
    } catch (IOException e) {
      errors.writeFailed(e);
    }
    part.addFree(victim);
  }

  private DeviceSegment choose(Deque<DeviceSegment> sealed) {
    DeviceSegment deadest = null;
    int fewest = part.getFile().getSegmentSize() / 2;
    for (DeviceSegment segment : sealed) {
      int live = occupancy.getLiveBytes(segment.getNumber());
      if (live < fewest) {
        fewest = live;
        deadest = segment;
      }
    }
    if (deadest == null) {
      return sealed.poll();
    }
    sealed.remove(deadest);
    return deadest;
  }

  /** Finds how often a block must have been read so that those which were stay. */
  private void chooseStaying(DeviceSegment victim) {
    int[] bytes = new int[EntryWord.MAX_FREQUENCY + 1];
    footers.visit((name, offset, size, position, length, blockClass) -> {
      long word = find(victim, index.get(name), offset, position);
      bytes[EntryWord.frequency(word)] += EntryWord.length(word);
    });
    allStayFrom = EntryWord.MAX_FREQUENCY + 1;
    spareForOthers = spare;
    while (allStayFrom > 1 && bytes[allStayFrom - 1] <= spareForOthers) {
      allStayFrom--;
      spareForOthers -= bytes[allStayFrom];
    }
  }

  /** Returns true if a block is read often enough for what may be written again. */
  private boolean stays(long word) {
    int frequency = EntryWord.frequency(word);
    int length = EntryWord.length(word);
    if (frequency > 0 && frequency == allStayFrom - 1 && spareForOthers >= length) {
      spareForOthers -= length;
      return true;
    }
    return frequency >= allStayFrom;
  }

  /** Returns the word of a block that is in the victim; {@link EntryWord#NONE} for another. */
  private static long find(DeviceSegment victim, FileTable file, long offset, int position) {
    long word = file == null ? EntryWord.NONE : file.find(offset);
    boolean isThere = word != EntryWord.NONE && EntryWord.segment(word) == victim.getNumber()
      && EntryWord.position(word) == position
      && EntryWord.isOf(word, (int) victim.getSequence());
    return isThere ? word : EntryWord.NONE;
  }

  private void evict(DeviceSegment victim, String name, long offset, int position) {
    FileTable file = index.get(name);
    long word = find(victim, file, offset, position);
    if (word == EntryWord.NONE) {
      return;
    }
    boolean wanted = stays(word) && spare >= EntryWord.length(word)
      && admission.mayWrite(EntryWord.length(word), 0);
    if (wanted) {
      // So that new blocks don't wait until all that stay are read and written.
      output.runWaitingTask();
    }
    if (!wanted || !rewrite(victim, file, offset, word)) {
      if (file.remove(offset, word)) {
        stats.evicted(occupancy.getBegun(word), true);
      }
      index.removeIfEmpty(file);
    }
  }

  private boolean rewrite(DeviceSegment victim, FileTable file, long offset, long word) {
    int start = EntryWord.position(word) % SegmentFile.PAGE;
    record.clear().limit((int) DirectFile.align(start + EntryWord.length(word)));
    try {
      part.getFile().read(record, victim.getFileOffset() + EntryWord.position(word) - start);
    } catch (IOException e) {
      errors.readFailed(e);
      return false;
    }
    if (
      !DeviceRecord.isOf(record, start, record.limit() - start, victim.getSequence(), file, offset)
    ) {
      return false;
    }
    ByteBuffer block = record.duplicate();
    block.limit(start + DeviceRecord.HEADER + DeviceRecord.blockLength(record, start))
      .position(start + DeviceRecord.HEADER);
    long newWord = staying.append(BlockRecord.of(file, offset,
      DeviceRecord.sizeOnDisk(record, start), DeviceRecord.blockClass(record, start), block));
    if (newWord == EntryWord.NONE) {
      return false;
    }
    spare -= EntryWord.length(word);
    file.move(offset, word, newWord);
    return true;
  }

  /** Writes what isn't written of blocks that stay. */
  void seal() {
    staying.seal();
  }

  /** Forgets what isn't written. */
  void reset() {
    staying.reset();
  }
}
