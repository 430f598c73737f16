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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A segment of a file. One thread at a time fills it; readers see what is written, in memory or in
 * the file. Thread-safe for readers.
 */
@InterfaceAudience.Private
final class DeviceSegment {
  /*
   * Readers hold nothing. What they copy or read may be overwritten meanwhile, by another chunk in
   * the same memory or another filling of the segment; the record's sequence and CRC show it. A
   * chunk leaves the list of those in memory when it is in the file, so a reader that doesn't find
   * it there reads it from the file.
   */
  private static final Chunk[] NONE = new Chunk[0];

  /** A part of a segment that is in memory, until it is written. */
  static final class Chunk {
    private final DeviceSegment segment;
    private final ByteBuffer memory;
    private final int start;
    /** How much of the memory is filled; written after the bytes. */
    private volatile int length;
    /** Its blocks, for the case that it can't be written. */
    private final List<FileTable> files = new ArrayList<>();
    private final List<Long> offsetsAndWords = new ArrayList<>();

    private Chunk(DeviceSegment segment, int start, ByteBuffer memory) {
      this.segment = segment;
      this.start = start;
      this.memory = memory;
    }

    DeviceSegment getSegment() {
      return segment;
    }

    /** Returns the memory, from its start to what is filled of it, as a buffer of its own. */
    ByteBuffer filled() {
      ByteBuffer filled = memory.duplicate();
      filled.clear().limit(length);
      return filled;
    }

    ByteBuffer getMemory() {
      return memory;
    }

    /** Returns the bytes from the segment's start to the chunk's. */
    int getStart() {
      return start;
    }

    int getLength() {
      return length;
    }

    void setLength(int length) {
      this.length = length;
    }

    /** Notes a block; called by who fills the chunk. */
    void add(FileTable file, long offset, long word) {
      files.add(file);
      offsetsAndWords.add(offset);
      offsetsAndWords.add(word);
    }

    /** Removes the entries of its blocks, none of which is in the file. */
    void removeFrom(SegmentIndex index) {
      for (int i = 0; i < files.size(); i++) {
        files.get(i).remove(offsetsAndWords.get(2 * i), offsetsAndWords.get(2 * i + 1));
        index.removeIfEmpty(files.get(i));
      }
    }
  }

  private final int number;
  private final long fileOffset;
  private volatile long sequence;
  private volatile Chunk[] inMemory = NONE;
  /** Of the segment while it is filled; else null. Used by who fills it. */
  private SegmentFooter footer;
  private int used;
  /** Starts and ends of chunks that couldn't be written, of one filling. Used by who writes. */
  private final List<Integer> lost = new ArrayList<>();
  private long lostSequence;

  DeviceSegment(int number, long fileOffset) {
    this.number = number;
    this.fileOffset = fileOffset;
  }

  /** Returns the segment's number in its cache. */
  int getNumber() {
    return number;
  }

  /** Returns the bytes from the file's start to the segment's. */
  long getFileOffset() {
    return fileOffset;
  }

  /** Returns the number of the filling; no other of the file has it. 0 if there is none. */
  long getSequence() {
    return sequence;
  }

  void setSequence(long sequence) {
    this.sequence = sequence;
  }

  /** Begins a filling. */
  void open(long newSequence) {
    inMemory = NONE;
    sequence = newSequence;
    footer = new SegmentFooter();
    used = 0;
  }

  SegmentFooter getFooter() {
    return footer;
  }

  void seal() {
    footer = null;
  }

  /** Returns the bytes from the segment's start to what isn't used. */
  int getUsed() {
    return used;
  }

  void setUsed(int used) {
    this.used = used;
  }

  /** Adds a chunk behind those that are there. */
  synchronized Chunk addChunk(ByteBuffer memory) {
    Chunk chunk = new Chunk(this, used, memory);
    Chunk[] more = Arrays.copyOf(inMemory, inMemory.length + 1);
    more[inMemory.length] = chunk;
    inMemory = more;
    return chunk;
  }

  /** Removes a chunk that is in the file. */
  synchronized void removeChunk(Chunk chunk) {
    inMemory = Arrays.stream(inMemory).filter(other -> other != chunk).toArray(Chunk[]::new);
  }

  /** Notes that a chunk couldn't be written. */
  void addLost(Chunk chunk) {
    if (lostSequence != sequence) {
      lost.clear();
      lostSequence = sequence;
    }
    lost.add(chunk.start);
    lost.add(chunk.start + chunk.length);
  }

  /** Removes the blocks of such chunks from the footer of this filling. */
  void removeLostFrom(SegmentFooter ofFilling) {
    for (int i = 0; i < lost.size() && lostSequence == sequence; i += 2) {
      ofFilling.removeBetween(lost.get(i), lost.get(i + 1));
    }
  }

  /** Returns the chunk in memory that has a position; null if that is in the file. */
  Chunk find(int position) {
    for (Chunk chunk : inMemory) {
      if (position >= chunk.start && position < chunk.start + chunk.length) {
        return chunk;
      }
    }
    return null;
  }
}
