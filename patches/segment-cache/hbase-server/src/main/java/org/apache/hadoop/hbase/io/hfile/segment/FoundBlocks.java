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
import org.apache.yetus.audience.InterfaceAudience;

/** Adds the blocks of a footer to the index, those of a file together. Used by one thread. */
@InterfaceAudience.Private
final class FoundBlocks implements SegmentFooter.Visitor {
  private final SegmentIndex index;
  private final DeviceSegment segment;
  private final int[] reads;
  /** The blocks of a file that aren't added yet, as {@link FileTable#putAllIfAbsent} has them. */
  private String file;
  private long[] words = new long[1 << 11];
  private int length;
  private long added;
  private long withoutRoom;

  /**
   * Begins with a segment.
   * @param reads how often its blocks were read, as {@link SavedReads#load} returns it
   */
  FoundBlocks(SegmentIndex index, DeviceSegment segment, int[] reads) {
    this.index = index;
    this.segment = segment;
    this.reads = reads;
  }

  @Override
  public void visit(String name, long offset, int sizeOnDisk, int position, int recordLength,
    int blockClass) {
    if (!name.equals(file)) {
      end();
      file = name;
    }
    if (length == words.length) {
      words = Arrays.copyOf(words, 2 * length);
    }
    long word = EntryWord.of(segment.getNumber(), position, recordLength, blockClass,
      (int) segment.getSequence());
    words[length++] = Entries.firstWord(offset, sizeOnDisk);
    words[length++] = EntryWord.withFrequency(word, SavedReads.frequency(reads, position));
  }

  /** Adds what isn't added yet. A block that is in the index stays what it is. */
  void end() {
    int next = 0;
    while (next < length) {
      Occupancy.Sum sum = index.getOccupancy().newSum();
      FileTable table = index.getOrCreate(file);
      int reached = table.putAllIfAbsent(words, next, length, sum);
      added += sum.getBlocks();
      next = Math.max(next, reached);
      // Tables have memory for entries that are expected; others may take what is given back.
      if (reached >= 0 && next < length && !index.trimToFewest()) {
        withoutRoom += (length - next) / 2;
        next = length;
      }
      index.removeIfEmpty(table);
    }
    length = 0;
  }

  /** Returns how many blocks were added. */
  long getAdded() {
    return added;
  }

  /** Returns how many blocks weren't added as the index has no memory for them. */
  long getWithoutRoom() {
    return withoutRoom;
  }
}
