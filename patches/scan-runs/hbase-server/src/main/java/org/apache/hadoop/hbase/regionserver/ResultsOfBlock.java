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
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CellScannable;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.SerializedCells;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.hadoop.hbase.io.hfile.BlockCells;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Rows of one block off the heap, each of cells that follow one another, of which this knows where
 * they begin. A result is made when it is asked for. What writes a response has the bytes of all
 * cells written from the block. Not thread-safe.
 */
@InterfaceAudience.Private
class ResultsOfBlock implements CellScannable, SerializedCells {
  private final ByteBuffer block;
  private final int[] begins;
  private final int[] counts;
  private final boolean keysOnly;
  private final boolean hasTagsLengths;
  private final boolean hasSequenceIds;

  /**
   * @param block          is held until the results aren't used any more
   * @param hasTagsLengths whether a length, which is 0, follows each cell
   * @param hasSequenceIds whether a sequence id does
   * @param begins         where the rows begin in the block; is this one's from now on
   * @param counts         of their cells, one at least; likewise
   * @param keysOnly       whether the cells have no values, as if of a {@link KeyOnlyFilter}
   */
  ResultsOfBlock(ByteBuffer block, boolean hasTagsLengths, boolean hasSequenceIds, int[] begins,
    int[] counts, boolean keysOnly) {
    this.block = block;
    this.hasTagsLengths = hasTagsLengths;
    this.hasSequenceIds = hasSequenceIds;
    this.begins = begins;
    this.counts = counts;
    this.keysOnly = keysOnly;
  }

  int size() {
    return begins.length;
  }

  /** Returns the number of cells of a row. */
  int getCount(int index) {
    return counts[index];
  }

  /** Makes the result of a row, another one each time. */
  Result get(int index) {
    int[] offsets = new int[counts[index]];
    int at = begins[index];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = at;
      if (i < offsets.length - 1) {
        at = behind(at + KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + block.getInt(at)
          + block.getInt(at + Bytes.SIZEOF_INT));
      }
    }
    return new RowResult(block, offsets, offsets.length, keysOnly);
  }

  /** Returns where the cell begins that follows one whose value ends at the position. */
  int behind(int position) {
    int at = hasTagsLengths ? position + KeyValue.TAGS_LENGTH_SIZE : position;
    return hasSequenceIds ? at + BlockCells.lengthOfSequenceId(block.get(at)) : at;
  }

  @Override
  public boolean writeTo(ByteBufferWriter out) throws IOException {
    for (int i = 0; i < begins.length; i++) {
      int at = begins[i];
      for (int left = counts[i]; left > 0; left--) {
        int end = RowResult.writeCell(block, at, keysOnly, out);
        if (left > 1) {
          at = behind(end);
        }
      }
    }
    return true;
  }

  @Override
  public CellScanner cellScanner() {
    List<Result> results = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      results.add(get(i));
    }
    return CellUtil.createCellScanner(results);
  }
}
