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

import java.nio.ByteBuffer;
import java.util.function.LongPredicate;
import org.apache.yetus.audience.InterfaceAudience;

/** The blocks of a sealed segment that are in the index. Used by one thread. */
@InterfaceAudience.Private
final class SegmentBlocks {
  private final MemorySegment segment;
  private final SegmentIndex index;

  /** Called for each block. */
  interface Visitor {
    /**
     * Called without a lock, so that the entry may change meanwhile.
     * @param position of the record
     * @param word     of the block's entry
     */
    void visit(FileTable file, int position, long offset, long word);
  }

  SegmentBlocks(MemorySegment segment, SegmentIndex index) {
    this.segment = segment;
    this.index = index;
  }

  /** Visits the blocks in the order in which they were written. */
  void forEach(Visitor visitor) {
    ByteBuffer memory = segment.getMemory();
    int used = segment.getUsed();
    int position = 0;
    while (position < used) {
      FileTable file = index.get(RecordHeader.file(memory, position));
      if (file != null) {
        long offset = RecordHeader.offset(memory, position);
        long word = file.find(offset);
        if (
          word != EntryWord.NONE && EntryWord.segment(word) == segment.getNumber()
            && EntryWord.position(word) == position
            && EntryWord.isOf(word, segment.getGeneration())
        ) {
          visitor.visit(file, position, offset, word);
        }
      }
      position += RecordHeader.recordLength(RecordHeader.blockLength(memory, position));
    }
  }

  /** Returns the bytes of the records whose words a condition holds for. */
  int bytes(LongPredicate condition) {
    int[] sum = new int[1];
    forEach((file, position, offset, word) -> sum[0] +=
      condition.test(word) ? EntryWord.length(word) : 0);
    return sum[0];
  }

  /** Returns the segment's number. */
  int getSegment() {
    return segment.getNumber();
  }

  /** Returns true if the segment's first block is data; those behind it may be other blocks. */
  boolean areData() {
    return segment.getUsed() > 0
      && BlockClass.isData(RecordHeader.blockClass(segment.getMemory(), 0));
  }
}
