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
import org.apache.hadoop.hbase.io.hfile.segment.DeviceSegment.Chunk;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentStream.Sink;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What those who append blocks to a part share with its thread: the segments, which of them are
 * free, what waits to be written, and whether the part is off. Thread-safe.
 */
@InterfaceAudience.Private
final class PartState {
  private static final Logger LOG = LoggerFactory.getLogger(PartState.class);
  /** Memory for chunks: what waits to be written. */
  static final int CHUNKS = 16;
  /** Segments that only blocks which stay are written to. */
  static final int RESERVE = 1;
  /** Segments that are kept free. */
  static final int FREE = RESERVE + 2;

  /** What waits to be done by the part's thread. */
  private interface Task {
    /** @param out writes to the file */
    void run(Sink out);
  }

  /** Has the thread write what is full. */
  private final class Waiting implements Sink {
    @Override
    public void writeChunk(Chunk chunk) {
      tasks.add(out -> {
        try {
          out.writeChunk(chunk);
        } finally {
          giveBack(chunk.getMemory());
        }
      });
    }

    @Override
    public void writeFooter(DeviceSegment segment, SegmentFooter footer) {
      tasks.add(out -> out.writeFooter(segment, footer));
    }
  }

  private final SegmentFile file;
  private final DeviceSegment[] segments;
  private final SegmentIndex index;
  private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
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
   * Takes the memory that the part needs. No segment is free before {@link #open}.
   * @param firstNumber number of its first segment in the cache
   */
  PartState(SegmentFile file, int firstNumber, SegmentIndex index) {
    this.file = file;
    this.index = index;
    segments = new DeviceSegment[file.getSegments()];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = new DeviceSegment(firstNumber + i, file.offset(i));
    }
    for (int i = 0; i < CHUNKS; i++) {
      memory.add(SegmentFile.newBuffer(SegmentStream.CHUNK_MEMORY));
    }
    Sink waiting = new Waiting();
    for (int i = 0; i < streams.length; i++) {
      streams[i] = new SegmentStream(file.getSegmentSize(), () -> takeFree(RESERVE), memory::poll,
        waiting);
    }
  }

  /**
   * Opens the file. All segments are free if it has none of an earlier process.
   * @return what the device fails with, for which the part is then off; null if it works
   * @throws IOException if the file can't be used whatever its device does
   */
  IOException open() throws IOException {
    IOException failure = file.open();
    synchronized (lock) {
      if (!file.hasSegments()) {
        free.addAll(Arrays.asList(segments));
      }
    }
    off = failure != null;
    return failure;
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

  /**
   * Does what waits to be done next. For the part's thread.
   * @param waitMs how long to wait for something, in milliseconds
   */
  void runTask(Sink out, long waitMs) throws InterruptedException {
    run(tasks.poll(waitMs, TimeUnit.MILLISECONDS), out);
  }

  /** Like {@link #runTask}, without waiting. */
  void runWaitingTask(Sink out) {
    run(tasks.poll(), out);
  }

  private static void run(Task task, Sink out) {
    if (task != null) {
      task.run(out);
    }
  }

  boolean hasTasks() {
    return !tasks.isEmpty();
  }

  /** Returns true while the file's device fails. */
  boolean isOff() {
    return off;
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
          tasks.add(out -> LOG.debug("The index is full; {} makes room", file.getPath()));
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
    return getFree() <= FREE || areEntriesWanted();
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

  /**
   * Takes no more blocks.
   * @param writes whether what is in memory is still to be written
   */
  void close(boolean writes) {
    synchronized (lock) {
      closed = true;
      if (writes && !off) {
        for (SegmentStream stream : streams) {
          stream.seal();
        }
      }
      lock.notifyAll();
    }
  }
}
