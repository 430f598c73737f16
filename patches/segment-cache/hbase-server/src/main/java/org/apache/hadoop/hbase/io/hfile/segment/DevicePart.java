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

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.segment.DeviceSegment.Chunk;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentStream.Sink;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments of one file of a cache. Any thread appends blocks; a thread of the part writes them
 * to the file, makes room, and reads the footers when the cache starts. Thread-safe.
 */
@InterfaceAudience.Private
final class DevicePart implements Sink {
  private static final Logger LOG = LoggerFactory.getLogger(DevicePart.class);
  /** Memory for chunks: what waits to be written. */
  static final int CHUNKS = 16;

  private final SegmentFile file;
  private final DeviceSegment[] segments;
  private final SegmentIndex index;
  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final PartWriter writer;
  /** Guards the streams' content, too. */
  private final Object lock = new Object();
  @GuardedBy("lock")
  private final Deque<DeviceSegment> free = new ArrayDeque<>();
  /** Guarded by the lock, too, which holds who writes to a stream. */
  private final Deque<ByteBuffer> memory = new ArrayDeque<>();
  /** For data that is written, that was missed, and metadata: what goes together lies together. */
  @GuardedBy("lock")
  private final SegmentStream[] streams = new SegmentStream[3];
  @GuardedBy("lock")
  private long lastSequence;
  @GuardedBy("lock")
  private boolean closed;
  private volatile boolean off;
  /** Whether a block wasn't written, as there is no memory for its entry. */
  private volatile boolean entriesWanted;

  /**
   * Creates a part, whose thread isn't started yet. A file without segments is ready for blocks;
   * of another the thread finds the blocks. If the device fails, the part is turned off at once.
   * @param firstNumber number of its first segment in the cache
   * @throws IOException if the file can't be used whatever its device does
   */
  DevicePart(SegmentFile file, int firstNumber, SegmentIndex index, PartSettings settings,
    DeviceAdmission admission, CacheStats stats) throws IOException {
    this.file = file;
    this.index = index;
    segments = new DeviceSegment[file.getSegments()];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = new DeviceSegment(firstNumber + i, file.offset(i));
    }
    for (int i = 0; i < CHUNKS; i++) {
      memory.add(SegmentFile.newBuffer(SegmentStream.CHUNK_MEMORY));
    }
    for (int i = 0; i < streams.length; i++) {
      streams[i] = new SegmentStream(file.getSegmentSize(), () -> takeFree(PartWriter.RESERVE),
        memory::poll, this);
    }
    IOException failure = file.open();
    if (!file.hasSegments()) {
      free.addAll(Arrays.asList(segments));
    }
    writer = new PartWriter(this, settings, file.hasSegments(), admission, stats);
    if (failure != null) {
      writer.startsOff(failure);
      off = true;
    }
  }

  void start() {
    writer.start();
  }

  SegmentFile getFile() {
    return file;
  }

  DeviceSegment[] getSegments() {
    return segments;
  }

  SegmentIndex getIndex() {
    return index;
  }

  /** Returns what is to be done next by the part's thread; null if there is nothing. */
  Runnable pollTask(long waitMs) throws InterruptedException {
    return tasks.poll(waitMs, TimeUnit.MILLISECONDS);
  }

  /** Like {@link #pollTask(long)}, without waiting. */
  Runnable pollTask() {
    return tasks.poll();
  }

  boolean hasTasks() {
    return !tasks.isEmpty();
  }

  /** Returns true while the file's device fails. */
  boolean isOff() {
    return off;
  }

  /** Returns true until all blocks of an earlier process are found. */
  boolean isRecovering() {
    return writer.isRecovering();
  }

  @GuardedBy("lock")
  private SegmentStream stream(BlockRecord block, BlockOrigin origin) {
    boolean missed = origin == BlockOrigin.MISSED;
    return streams[BlockClass.isData(block.getBlockClass()) ? missed ? 1 : 0 : 2];
  }

  /**
   * Appends a block and adds it to the index.
   * @param waitMs milliseconds to wait for room at most
   * @return false if there is no room for it
   */
  boolean write(BlockRecord block, BlockOrigin origin, long waitMs) {
    if (off) {
      return false;
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
    // A table that grows is copied, for which blocks of other files needn't wait.
    block.getFile().makeRoom(block.getOffset());
    synchronized (lock) {
      long word = EntryWord.NONE;
      while (!closed && !off) {
        // Before it is written: a record without an entry would only take room.
        if (block.getFile().makeRoom(block.getOffset())) {
          word = stream(block, origin).append(block);
        } else if (!entriesWanted) {
          entriesWanted = true;
          tasks.add(() -> LOG.debug("The index is full; {} makes room", file.getPath()));
        }
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (word != EntryWord.NONE || left <= 0) {
          break;
        }
        try {
          lock.wait(left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
      }
      return word != EntryWord.NONE
        && block.getFile().put(block.getOffset(), block.getSizeOnDisk(), word)
          != EntryWord.REFUSED;
    }
  }

  @Override
  public void writeChunk(Chunk chunk) {
    tasks.add(() -> {
      try {
        writer.writeChunk(chunk);
      } finally {
        giveBack(chunk.getMemory());
      }
    });
  }

  @Override
  public void writeFooter(DeviceSegment segment, SegmentFooter footer) {
    tasks.add(() -> writer.writeFooter(segment, footer));
  }

  private void giveBack(ByteBuffer chunk) {
    synchronized (lock) {
      memory.add(chunk);
      lock.notifyAll();
    }
  }

  /** Takes a free segment and opens it. Returns null if no more than a number are free. */
  DeviceSegment takeFree(int reserve) {
    synchronized (lock) {
      if (free.size() <= reserve) {
        return null;
      }
      DeviceSegment segment = free.poll();
      index.getOccupancy().begin(segment.getNumber());
      segment.open(++lastSequence);
      return segment;
    }
  }

  void addFree(DeviceSegment segment) {
    synchronized (lock) {
      free.add(segment);
      lock.notifyAll();
    }
  }

  /** Returns true if a block that comes displaces others. */
  boolean isFull() {
    return getFree() <= PartWriter.FREE || areEntriesWanted();
  }

  int getFree() {
    synchronized (lock) {
      return free.size();
    }
  }

  boolean areEntriesWanted() {
    return entriesWanted;
  }

  /** Lets those who wait for room try again. */
  void entriesFreed() {
    synchronized (lock) {
      entriesWanted = false;
      lock.notifyAll();
    }
  }

  /** Sets a number below those of all further fillings. */
  void setLastSequence(long sequence) {
    synchronized (lock) {
      lastSequence = Math.max(lastSequence, sequence);
    }
  }

  void readSucceeded() {
    writer.readSucceeded();
  }

  void readFailed(IOException reason) {
    writer.readFailed(reason);
  }

  /** Takes and serves nothing from now on. What was in the part is forgotten. */
  void turnOff() {
    synchronized (lock) {
      off = true;
      for (SegmentStream stream : streams) {
        ByteBuffer left = stream.reset();
        if (left != null) {
          memory.add(left);
        }
      }
      free.clear();
      lock.notifyAll();
    }
    for (DeviceSegment segment : segments) {
      segment.setSequence(0);
    }
    index.removeSegments(segments[0].getNumber(), segments.length);
  }

  /** Takes blocks again; all segments are free. */
  void turnOn() {
    synchronized (lock) {
      free.clear();
      free.addAll(Arrays.asList(segments));
      off = false;
      lock.notifyAll();
    }
  }

  /** Has the thread write what is in memory, and end. */
  void seal() {
    synchronized (lock) {
      closed = true;
      if (!off && !writer.isAbandoned()) {
        for (SegmentStream stream : streams) {
          stream.seal();
        }
      }
      lock.notifyAll();
    }
    writer.end();
  }

  /** Has the thread end without writing what waits. */
  void abandon() {
    writer.abandon();
  }

  /**
   * Waits until all is written, and closes the file.
   * @param waitMs milliseconds to wait at most, at least 1
   * @return false if the device hangs; the file then stays open, since closing it waits, too
   */
  boolean close(long waitMs) {
    if (!writer.awaitEnd(waitMs)) {
      return false;
    }
    try {
      if (writer.hasWrittenAll() && !off) {
        SavedReads.save(file, segments, index);
      }
      file.close();
    } catch (IOException e) {
      LOG.warn("The reads of blocks in {} aren't saved", file.getPath(), e);
    }
    return true;
  }
}
