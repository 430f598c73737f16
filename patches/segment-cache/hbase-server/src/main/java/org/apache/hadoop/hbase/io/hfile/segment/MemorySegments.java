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
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.ByteBuffAllocator.Recycler;
import org.apache.hadoop.hbase.io.hfile.BlockSeekIndex;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.segment.MemorySegment.Space;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.BufferSlices;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks in direct memory. All of it is taken at once, and left to the garbage collector with this
 * object, and with the last block that was read from it. Thread-safe.
 */
@InterfaceAudience.Private
final class MemorySegments implements SegmentStore {
  private static final Logger LOG = LoggerFactory.getLogger(MemorySegments.class);

  private final MemorySegment[] segments;
  private final MemoryEviction eviction;
  private final SegmentIndex index;
  private final int segmentSize;
  /** That of the server's blocks, with which those that are cached compressed are unpacked. */
  private volatile ByteBuffAllocator allocator = ByteBuffAllocator.HEAP;

  /**
   * Takes the memory.
   * @param count       number of segments
   * @param segmentSize bytes of each
   */
  MemorySegments(int count, int segmentSize, SegmentIndex index, MemoryPolicy policy,
    CacheStats stats) {
    this.index = index;
    this.segmentSize = segmentSize;
    segments = IntStream.range(0, count).parallel()
      .mapToObj(number -> new MemorySegment(number, ByteBuffer.allocateDirect(segmentSize)))
      .toArray(MemorySegment[]::new);
    index.getOccupancy().countIdleReads();
    index.getOccupancy().setOnRemoval(this::removeSeekIndex);
    eviction = new MemoryEviction(Arrays.asList(segments), segmentSize, index, policy, stats);
  }

  @Override
  public boolean fits(HFileBlock block, long offset) {
    int length = block.getSerializedLength();
    return Entries.isPossible(offset, block.getOnDiskSizeWithHeader())
      && length <= segmentSize - RecordHeader.SIZE
      && RecordHeader.recordLength(length) <= Math.min(segmentSize, EntryWord.MAX_LENGTH);
  }

  /** Needs no time to wait for: room is there, or it is made. */
  @Override
  public WriteResult write(String file, long offset, HFileBlock block, BlockOrigin origin,
    boolean inMemory, long waitMs) {
    if (block.getByteBuffAllocator() != ByteBuffAllocator.HEAP) {
      allocator = block.getByteBuffAllocator();
    }
    while (true) {
      FileTable table = index.getOrCreate(file);
      BlockRecord record = BlockRecord.of(table, block, offset, inMemory);
      // Before it is written: a record without an entry would only take room.
      boolean indexed = table.makeRoom(offset) || origin != BlockOrigin.COPIED
        && eviction.evictForAnEntry(() -> table.makeRoom(offset));
      Space space = indexed ? eviction.reserve(record, origin != BlockOrigin.COPIED) : null;
      if (space == null) {
        index.removeIfEmpty(table);
        return WriteResult.REFUSED;
      }
      try {
        long word = space.write(record);
        long there = origin == BlockOrigin.COPIED
          ? table.putIfAbsent(offset, record.getSizeOnDisk(), word)
          : table.put(offset, record.getSizeOnDisk(), word);
        if (there != EntryWord.REFUSED) {
          if (space.isEvicted()) {
            table.remove(offset, word);
          }
          return there == EntryWord.NONE || origin != BlockOrigin.COPIED
            ? WriteResult.ADDED
            : WriteResult.NOT_NEEDED;
        }
      } finally {
        space.release();
      }
      if (!table.isDropped()) {
        return WriteResult.REFUSED;
      }
    }
  }

  /** Returns a block whose memory is kept until the caller releases it. */
  @Override
  public HFileBlock read(FileTable file, long offset, long word) {
    MemorySegment segment = segments[EntryWord.segment(word)];
    Recycler pin = segment.pin(word);
    if (pin == null) {
      return null;
    }
    ByteBuffer memory = segment.getMemory();
    int position = EntryWord.position(word);
    if (!RecordHeader.isOf(memory, position, word, file, offset)) {
      pin.free();
      return null;
    }
    ByteBuffer block = BufferSlices.of(memory, position + RecordHeader.SIZE,
      RecordHeader.blockLength(memory, position));
    ByteBuff content = ByteBuff.wrap(new ByteBuffer[] { block }, pin);
    try {
      Cacheable found = HFileBlock.BLOCK_DESERIALIZER.deserialize(content, allocator);
      if (BlockSeekIndex.isEnabled()) {
        BlockSeekIndex.onRead(found, new RecordSeekIndex(memory, position));
      }
      return (HFileBlock) found;
    } catch (IOException | RuntimeException e) {
      LOG.warn("Block {} of {} that was cached can't be used", offset, file.getName(), e);
      file.remove(offset, word);
      index.removeIfEmpty(file);
      content.release();
      return null;
    }
  }

  /** Returns true if someone reads or writes a block now. */
  boolean isPinned() {
    return Arrays.stream(segments).anyMatch(MemorySegment::isPinned);
  }

  @Override
  public long getFreeBytes() {
    return index.getOccupancy().getRoom((long) eviction.getFree() * segmentSize,
      (long) (segments.length - MemoryEviction.RESERVE) * segmentSize);
  }

  @Override
  public void close() {
    index.clear();
    index.getOccupancy().setOnRemoval(null);
  }

  /** Called for each record before its entry is removed. */
  private void removeSeekIndex(long word) {
    BlockSeekIndex.onEvicted(new RecordSeekIndex(segments[EntryWord.segment(word)].getMemory(),
      EntryWord.position(word)));
  }
}
