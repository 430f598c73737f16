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
import java.util.function.Supplier;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFile;
import org.apache.hadoop.hbase.io.hfile.segment.DeviceSegment.Chunk;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Fills segments one after another, in chunks of a MB or so that are written as a whole. Not
 * thread-safe: callers have a lock, or are one thread.
 */
@InterfaceAudience.Private
final class SegmentStream {
  /** Bytes from which on a chunk is written. */
  static final int CHUNK = 1 << 20;
  /** Bytes of memory for a chunk: one more record begins before it is full. */
  static final int CHUNK_MEMORY = 2 * CHUNK;

  /** Writes to the file, or has that done in this order. */
  interface Sink {
    /** Writes a chunk; its memory is free afterwards. */
    void writeChunk(Chunk chunk);

    /** Writes the end of a segment, whose chunks have been written before. */
    void writeFooter(DeviceSegment segment, SegmentFooter footer);
  }

  private final int segmentSize;
  private final Supplier<DeviceSegment> segments;
  private final Supplier<ByteBuffer> memory;
  private final Sink sink;
  private DeviceSegment segment;
  private Chunk chunk;

  /**
   * Creates a stream.
   * @param segments gives opened segments, or null
   * @param memory   gives memory for chunks, or null
   */
  SegmentStream(int segmentSize, Supplier<DeviceSegment> segments, Supplier<ByteBuffer> memory,
    Sink sink) {
    this.segmentSize = segmentSize;
    this.segments = segments;
    this.memory = memory;
    this.sink = sink;
  }

  /**
   * Appends a block. Readers who have the word find it.
   * @return the word for its entry; {@link EntryWord#NONE} if there is no segment, or no memory
   */
  long append(BlockRecord block) {
    int length = DeviceRecord.length(block.getLength());
    if (segment != null && !fits(block.getFile().getName(), length)) {
      seal();
    }
    if (segment == null) {
      segment = segments.get();
    }
    if (chunk != null && chunk.getLength() >= CHUNK) {
      writeChunk();
    }
    if (segment != null && chunk == null) {
      ByteBuffer free = memory.get();
      chunk = free == null ? null : segment.addChunk(free);
    }
    return segment == null || chunk == null ? EntryWord.NONE : append(block, length);
  }

  private long append(BlockRecord block, int length) {
    int position = chunk.getStart() + chunk.getLength();
    ByteBuffer target = chunk.getMemory().duplicate();
    target.clear().position(chunk.getLength());
    DeviceRecord.write(target, segment.getSequence(), block);
    segment.getFooter().add(block.getFile().getName(), block.getOffset(), block.getSizeOnDisk(),
      position, length, block.getBlockClass());
    chunk.setLength(chunk.getLength() + length);
    long word = EntryWord.of(segment.getNumber(), position, length, block.getBlockClass(),
      (int) segment.getSequence());
    chunk.add(block.getFile(), block.getOffset(), word);
    return word;
  }

  private boolean fits(String file, int length) {
    int used = chunk == null ? segment.getUsed() : chunk.getStart() + chunk.getLength();
    long footer = DirectFile.align(segment.getFooter().lengthWith(file));
    return DirectFile.align(used + length) + footer <= segmentSize && footer <= CHUNK_MEMORY;
  }

  private void writeChunk() {
    segment.setUsed((int) DirectFile.align(chunk.getStart() + chunk.getLength()));
    Chunk full = chunk;
    chunk = null;
    sink.writeChunk(full);
  }

  /** Writes what is left, and the segment's footer. */
  void seal() {
    if (segment == null) {
      return;
    }
    if (chunk != null) {
      writeChunk();
    }
    DeviceSegment full = segment;
    SegmentFooter footer = full.getFooter();
    segment = null;
    full.seal();
    sink.writeFooter(full, footer);
  }

  /** Forgets what isn't written. Returns the memory of its chunk, or null. */
  ByteBuffer reset() {
    ByteBuffer left = chunk == null ? null : chunk.getMemory();
    chunk = null;
    segment = null;
    return left;
  }
}
