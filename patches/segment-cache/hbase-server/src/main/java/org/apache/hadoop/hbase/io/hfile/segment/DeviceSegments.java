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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.ByteBuffAllocator.Recycler;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.DeviceReadTime;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.AlignedBufferPool;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFile;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFileLock;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFile;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFileIOEngine;
import org.apache.hadoop.hbase.io.hfile.segment.DeviceSegment.Chunk;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks in segments of files on devices. Each file is a part of its own with an equal share of the
 * blocks. A block is read into a buffer of a pool, and verified there. Thread-safe.
 */
@InterfaceAudience.Private
final class DeviceSegments implements SegmentStore {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceSegments.class);
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  /** How often a block that was in memory when its bytes were overwritten is read. */
  private static final int READS = 3;
  /** How long the parts may write what waits when the cache ends. */
  private static final long END_MS = 10_000;

  private final SegmentIndex index;
  private final DevicePart[] parts;
  private final int segmentsPerPart;
  private final AlignedBufferPool pool;
  private final CacheFileLock fileLock;
  private final LongAdder corrupt = new LongAdder();
  private final DeviceAdmission admission;
  private final LongAdder admittedBytes = new LongAdder();
  private volatile ByteBuffAllocator allocator = ByteBuffAllocator.HEAP;

  /**
   * Opens the files, and begins to read what an earlier process wrote to them.
   * @throws IOException if a file can't be used; the message names it
   */
  DeviceSegments(SegmentCacheSettings settings, SegmentIndex index, CacheStats stats)
    throws IOException {
    this.index = index;
    admission =
      new DeviceAdmission(settings.getExpectedBlocks(), settings.getMaxBytesPerSecond());
    PartSettings partSettings = settings.getPartSettings();
    String engine = settings.getIoEngine();
    CacheFile.check(engine);
    CacheFile.lackOfRoom(engine, settings.getSize()).forEach(LOG::warn);
    segmentsPerPart = settings.getSegments() / settings.getPaths().size();
    parts = new DevicePart[settings.getPaths().size()];
    int[] sizes = DirectFileIOEngine.alignSlots(null);
    int[] withBiggest = Arrays.copyOf(sizes, sizes.length + 1);
    withBiggest[sizes.length] = SegmentStream.CHUNK_MEMORY;
    pool = new AlignedBufferPool(withBiggest, settings.getPoolBytes());
    fileLock = new CacheFileLock(engine, null);
    List<SegmentFile> files = new ArrayList<>();
    boolean started = false;
    try {
      for (int i = 0; i < parts.length; i++) {
        SegmentFile file = new SegmentFile(settings.getPaths().get(i), settings.getSegmentSize(),
          segmentsPerPart, fileLock);
        files.add(file);
        parts[i] = new DevicePart(file, i * segmentsPerPart, index, partSettings,
          admission, stats);
      }
      started = true;
    } finally {
      if (!started) {
        for (SegmentFile file : files) {
          file.close();
        }
        fileLock.close();
      }
    }
    for (DevicePart part : parts) {
      part.start();
    }
  }

  @Override
  public boolean fits(HFileBlock block, long offset) {
    return Entries.isPossible(offset, block.getOnDiskSizeWithHeader())
      && block.getSerializedLength() <= SegmentStream.CHUNK - SegmentFile.PAGE;
  }

  @Override
  public WriteResult write(String file, long offset, HFileBlock block, BlockOrigin origin,
    boolean inMemory, long waitMs) {
    if (block.getByteBuffAllocator() != ByteBuffAllocator.HEAP) {
      allocator = block.getByteBuffAllocator();
    }
    while (true) {
      FileTable table = index.getOrCreate(file);
      BlockRecord record = BlockRecord.of(table, block, offset, inMemory);
      DevicePart part = part(table, offset);
      if (part.getState().isFull() && !admission.isWorthIt(record, origin)) {
        index.removeIfEmpty(table);
        return WriteResult.NOT_NEEDED;
      }
      int length = DeviceRecord.length(record.getLength());
      if (admission.mayWrite(length, waitMs) && part.getState().write(record, origin, waitMs)) {
        admittedBytes.add(length);
        return WriteResult.ADDED;
      }
      index.removeIfEmpty(table);
      if (!table.isDropped() || index.get(file) == null) {
        return WriteResult.REFUSED;
      }
    }
  }

  private DevicePart part(FileTable file, long offset) {
    long hash = (file.getHash() ^ offset) * GOLDEN;
    return parts[(int) ((hash >>> Integer.SIZE) * parts.length >>> Integer.SIZE)];
  }

  @Override
  public HFileBlock read(FileTable file, long offset, long word) {
    DevicePart part = parts[EntryWord.segment(word) / segmentsPerPart];
    DeviceSegment segment = part.getSegments()[EntryWord.segment(word) % segmentsPerPart];
    for (int i = 0; i < READS; i++) {
      long sequence = segment.getSequence();
      if (!EntryWord.isOf(word, (int) sequence) || part.isOff()) {
        return null;
      }
      Chunk chunk = segment.find(EntryWord.position(word));
      HFileBlock block = null;
      try {
        block = read(part, segment, chunk, sequence, file, offset, word);
      } catch (IOException e) {
        part.readFailed(e);
        if (file.remove(offset, word)) {
          index.removeIfEmpty(file);
        }
        return null;
      }
      if (block != null || Thread.currentThread().isInterrupted()) {
        return block;
      }
      if (chunk == null && segment.getSequence() == sequence && file.remove(offset, word)) {
        corrupt.increment();
        index.removeIfEmpty(file);
        return null;
      }
    }
    return null;
  }

  /**
   * Reads a record from memory or from the file. Returns null if it isn't what it should be.
   * @throws IOException if the device fails
   */
  private HFileBlock read(DevicePart part, DeviceSegment segment, Chunk chunk, long sequence,
    FileTable file, long offset, long word) throws IOException {
    if (chunk == null) {
      DeviceReadTime.checkAllowed();
    }
    int position = EntryWord.position(word);
    int start = position % SegmentFile.PAGE;
    int length = (int) DirectFile.align(start + EntryWord.length(word));
    AlignedBufferPool.PooledBuffer pooled = pool.take(length);
    ByteBuffer buffer = pooled == null ? ByteBuffer.allocate(length) : pooled.bytes();
    Recycler recycler = pooled == null ? ByteBuffAllocator.NONE : pooled;
    boolean valid = false;
    try {
      if (chunk == null) {
        buffer.limit(length);
        long begin = DeviceReadTime.begin();
        part.getFile().read(buffer, segment.getFileOffset() + position - start);
        DeviceReadTime.end(begin);
        part.readSucceeded();
      } else {
        ByteBuffer source = chunk.getMemory().duplicate();
        int from = position - chunk.getStart();
        if (from + EntryWord.length(word) > source.capacity()) {
          return null;
        }
        source.clear().position(from).limit(from + EntryWord.length(word));
        buffer.position(start);
        buffer.put(source);
      }
      valid =
        DeviceRecord.isOf(buffer, start, EntryWord.length(word), sequence, file, offset);
    } catch (ClosedByInterruptException e) {
      LOG.debug("A reader was interrupted", e);
    } catch (EOFException e) {
      LOG.debug("{} was cut", part.getFile().getPath(), e);
    } finally {
      if (!valid) {
        recycler.free();
      }
    }
    return valid ? block(buffer, start, recycler) : null;
  }

  private HFileBlock block(ByteBuffer record, int start, Recycler recycler) {
    int from = start + DeviceRecord.HEADER;
    record.limit(from + DeviceRecord.blockLength(record, start)).position(from);
    ByteBuff content = ByteBuff.wrap(new ByteBuffer[] { record.slice() }, recycler);
    try {
      return (HFileBlock) HFileBlock.BLOCK_DESERIALIZER.deserialize(content, allocator);
    } catch (IOException | RuntimeException e) {
      LOG.warn("A block that was cached can't be used", e);
      content.release();
      return null;
    }
  }

  @Override
  public long getFreeBytes() {
    long segmentSize = parts[0].getFile().getSegmentSize();
    long free = 0;
    long usable = 0;
    for (DevicePart part : parts) {
      if (!part.isOff()) {
        free += Math.max(0, part.getState().getFree() - PartState.FREE);
        usable += part.isRecovering() ? 0 : segmentsPerPart - PartState.FREE;
      }
    }
    return index.getOccupancy().getRoom(free * segmentSize, usable * segmentSize);
  }

  @Override
  public long getCorrupt() {
    return corrupt.sum();
  }

  /** Returns true if nothing waits to be written but what is in open chunks. */
  boolean isWritten() {
    return Arrays.stream(parts).noneMatch(part -> part.getState().hasTasks());
  }

  @Override
  public long getMissedOnce() {
    return admission.getMissedOnce();
  }

  @Override
  public long getOverLimit() {
    return admission.getOverLimit();
  }

  @Override
  public long getPoolExhausted() {
    return pool.getExhaustedCount();
  }

  @Override
  public long getWrittenBytes() {
    return Arrays.stream(parts).mapToLong(part -> part.getFile().getWrittenBytes())
      .sum();
  }

  @Override
  public long getAdmittedBytes() {
    return admittedBytes.sum();
  }

  @Override
  public int getParts() {
    return parts.length;
  }

  @Override
  public int getPartsOff() {
    return (int) Arrays.stream(parts).filter(DevicePart::isOff).count();
  }

  @Override
  public int getPartsBuffered() {
    return (int) Arrays.stream(parts).filter(part -> !part.getFile().isDirect()).count();
  }

  @Override
  public int getPartsRecovering() {
    return (int) Arrays.stream(parts).filter(DevicePart::isRecovering).count();
  }

  @Override
  public void close() {
    for (DevicePart part : parts) {
      part.seal();
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MS);
    boolean allEnded = true;
    for (DevicePart part : parts) {
      long left = end - System.nanoTime();
      allEnded &= part.close(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
    }
    if (allEnded) {
      fileLock.close();
    }
  }

  @Override
  public void abandon() {
    for (DevicePart part : parts) {
      part.abandon();
    }
  }
}
