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

import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells where the rows of a cached block begin, if its index does. The array that the index is in
 * may outlive it until {@link #end}. Not thread-safe.
 */
@InterfaceAudience.Private
final class BlockRows {
  /** Returned if it isn't known where the next row begins. */
  static final int UNKNOWN = -1;

  private final SeekIndexStore.View index = new SeekIndexStore.View();
  private boolean isOpen;
  private int firstWord;
  /** See {@link RowOffsets}. */
  private long rows;
  /** Where it was asked about last, the number of the row behind that, and where that begins. */
  private int position;
  private int row;
  private int offset;
  private int jumps;

  /**
   * Begins in another block.
   * @param reader   of the block's file
   * @param buffer   the block from its first cell on, which stays where it is; held by the caller
   * @param mayBuild whether an index may be built
   */
  void begin(HFile.Reader reader, HFileBlock block, ByteBuff buffer, boolean mayBuild) {
    end();
    if (BlockSeeker.ofThread().openRows(reader, block, buffer, mayBuild, index)) {
      long header = index.header();
      // The word is there if the header is the index's.
      if (index.isValid() && BlockSamples.blockBytes(header) == buffer.limit()) {
        firstWord = BlockSamples.count(header);
        rows = index.word(firstWord);
        restart();
        isOpen = index.isValid();
      }
    }
    if (!isOpen) {
      end();
    }
  }

  private void restart() {
    position = 0;
    row = -1;
    offset = 0;
  }

  /** Lets go of the index. */
  void end() {
    if (jumps > 0) {
      MetricsBlockSeekIndex.ROW_JUMPS.add(jumps);
      jumps = 0;
    }
    index.close();
    isOpen = false;
  }

  /** Returns where the first row behind a position of the block begins, or {@link #UNKNOWN}. */
  int next(int from) {
    if (!isOpen) {
      return UNKNOWN;
    }
    if (from < position) {
      restart();
    }
    position = from;
    while (offset <= from) {
      row++;
      offset = row < RowOffsets.count(rows)
        ? RowOffsets.read(index, firstWord, rows, row)
        : Integer.MAX_VALUE;
    }
    if (!index.isValid()) {
      end();
      return UNKNOWN;
    }
    return row < RowOffsets.count(rows) ? offset : UNKNOWN;
  }

  /** Returns the number of the row that {@link #next} told of; the block's second one is 0. */
  int getNumber() {
    return row;
  }

  /**
   * Returns where a row begins, or {@link #UNKNOWN} if there is none. It may be a wrong place, even
   * outside of the block, if the index was given up meanwhile.
   */
  int get(int number) {
    return isOpen && number < RowOffsets.count(rows)
      ? RowOffsets.read(index, firstWord, rows, number)
      : UNKNOWN;
  }

  /** Counts a row that was gone to. */
  void jumped() {
    jumps++;
  }
}
