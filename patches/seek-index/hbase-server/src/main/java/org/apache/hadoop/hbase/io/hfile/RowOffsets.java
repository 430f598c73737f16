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

import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/*
 * Behind the samples of an index there may be a word with the number of rows but the first one and
 * the bits of an offset, and words with the offsets of their first cells: four to a word, or two if
 * a row begins behind 64 KB.
 */

/** Writes where the rows of a block begin behind the samples of its index, and reads it. */
@InterfaceAudience.Private
final class RowOffsets {
  /** Rows of fewer cells are as fast to walk. */
  private static final int MIN_CELLS = 4;
  private static final int MAX_SHORT_OFFSET = (1 << Short.SIZE) - 1;
  /** At most. */
  private static final int OFFSETS_IN_WORD = Long.SIZE / Short.SIZE;

  private RowOffsets() {
  }

  /**
   * Takes where the rows of a block begin.
   * @param walk  in the block
   * @param cells how many there are in the block
   * @param words gets it
   * @param first the word to begin at
   * @return number of words; 0 if it isn't to be kept: too many rows, too few cells a row, one row
   */
  static int take(BlockWalk walk, int cells, long[] words, int first) {
    int most = Math.min((words.length - first - 1) * OFFSETS_IN_WORD, cells / MIN_CELLS);
    int[] offsets = new int[most];
    int rows = 0;
    walk.read(0);
    int at = 0;
    for (int next = walk.next(); next < walk.limit(); next = walk.next()) {
      walk.read(next);
      if (!walk.haveSameRow(at, next)) {
        if (rows == most) {
          return 0;
        }
        offsets[rows++] = next;
      }
      at = next;
    }
    return rows == 0 ? 0 : put(offsets, rows, words, first);
  }

  private static int put(int[] offsets, int rows, long[] words, int first) {
    int bits = offsets[rows - 1] <= MAX_SHORT_OFFSET ? Short.SIZE : Integer.SIZE;
    int perWord = Long.SIZE / bits;
    int count = 1 + (rows + perWord - 1) / perWord;
    if (first + count > words.length) {
      return 0;
    }
    words[first] = (long) bits << Integer.SIZE | rows;
    Arrays.fill(words, first + 1, first + count, 0);
    for (int i = 0; i < rows; i++) {
      words[first + 1 + i / perWord] |= (long) offsets[i] << i % perWord * bits;
    }
    return count;
  }

  /** Returns how many rows there are behind the first one, by the first word. */
  static int count(long rows) {
    return (int) rows;
  }

  /**
   * Returns where the first cell of a row is.
   * @param index  is open
   * @param first  where the first word is
   * @param rows   that word
   * @param number of the row; 0 is the second one
   */
  static int read(SeekIndexStore.View index, int first, long rows, int number) {
    int bits = (int) (rows >>> Integer.SIZE);
    int perWord = Long.SIZE / bits;
    long word = index.word(first + 1 + number / perWord);
    return (int) (word >>> number % perWord * bits & -1L >>> Long.SIZE - bits);
  }
}
