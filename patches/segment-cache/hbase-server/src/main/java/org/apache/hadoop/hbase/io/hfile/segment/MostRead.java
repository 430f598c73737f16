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

import org.apache.yetus.audience.InterfaceAudience;

/** The blocks of a segment that were read most often, as many as may stay. Used by one thread. */
@InterfaceAudience.Private
final class MostRead implements MemoryPolicy.Survivors {
  /** Frequencies above it count as this one. */
  private static final int MAX_FREQUENCY = 63;
  private static final int NONE = -1;

  /** Tells how often a block was read. */
  interface Frequency {
    /** Returns 0 for a block that doesn't stay, however much may. */
    int of(FileTable file, long offset, long word);
  }

  private final Frequency frequency;
  /** From this frequency on all blocks stay. */
  private int least = MAX_FREQUENCY + 1;
  /** Bytes for blocks with a frequency one less. */
  private int spare;
  private int mostOfOthers = NONE;

  private MostRead(Frequency frequency) {
    this.frequency = frequency;
  }

  /**
   * Chooses the blocks.
   * @param most bytes that may stay
   */
  static MostRead of(SegmentBlocks blocks, int most, Frequency frequency) {
    MostRead chosen = new MostRead(frequency);
    int[] bytes = new int[MAX_FREQUENCY + 1];
    blocks.forEach((file, position, offset, word) -> bytes[chosen.frequency(file, offset, word)] +=
      EntryWord.length(word));
    int staying = 0;
    while (chosen.least > 1 && staying + bytes[chosen.least - 1] <= most) {
      chosen.least--;
      staying += bytes[chosen.least];
    }
    chosen.spare = most - staying;
    for (int i = 0; i < chosen.least; i++) {
      chosen.mostOfOthers = bytes[i] > 0 ? i : chosen.mostOfOthers;
    }
    return chosen;
  }

  private int frequency(FileTable file, long offset, long word) {
    return Math.min(MAX_FREQUENCY, frequency.of(file, offset, word));
  }

  @Override
  public boolean stays(FileTable file, long offset, long word) {
    int reads = frequency(file, offset, word);
    if (reads == least - 1 && reads > 0 && spare >= EntryWord.length(word)) {
      spare -= EntryWord.length(word);
      return true;
    }
    return reads >= least;
  }

  /** Returns true if there are blocks that may not stay. */
  boolean isAnyEvicted() {
    return mostOfOthers != NONE;
  }

  /** Returns the highest frequency of blocks that may not stay. */
  int getMostOfOthers() {
    return mostOfOthers;
  }
}
