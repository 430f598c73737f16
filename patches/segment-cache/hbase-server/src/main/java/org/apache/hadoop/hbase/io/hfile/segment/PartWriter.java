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
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.bucket.DeviceErrors;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFile;
import org.apache.hadoop.hbase.io.hfile.bucket.MetricsDeviceWatch;
import org.apache.hadoop.hbase.io.hfile.segment.DeviceSegment.Chunk;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentStream.Sink;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that writes to a part's file. It alone recovers, evicts, and turns the part off and
 * on, so that none of these meets another.
 */
@InterfaceAudience.Private
final class PartWriter implements Sink {
  /** Segments that only blocks which stay are written to. */
  static final int RESERVE = 1;
  /** Segments that are kept free. */
  static final int FREE = RESERVE + 2;

  private static final Logger LOG = LoggerFactory.getLogger(PartWriter.class);
  private static final long POLL_MS = 100;

  private final DevicePart part;
  private final PartSettings settings;
  private final SegmentFooters footers;
  private final PartEviction eviction;
  private final Thread thread;
  /** Longest full first. */
  private final Deque<DeviceSegment> sealed = new ArrayDeque<>();
  // A device that can be read may refuse to be written, as a full one does.
  private final DeviceErrors reads;
  private final DeviceErrors writes;
  private volatile IOException lastingError;
  private long lastTry;
  /** Whether the part was turned off for that error to its end. Used by the thread. */
  private boolean turnedOff;
  /** Whether the metrics have it that the device failed. */
  @GuardedBy("this")
  private boolean countedOff;
  private volatile boolean recovering;
  private volatile boolean closed;
  private volatile boolean abandoned;

  PartWriter(DevicePart part, PartSettings settings, boolean recovers,
    DeviceAdmission admission, CacheStats stats) {
    this.part = part;
    recovering = recovers;
    this.settings = settings;
    Path path = part.getFile().getPath();
    reads = newErrors(true);
    writes = newErrors(false);
    footers = part.getFile().openFooters();
    eviction = new PartEviction(part, this, admission, stats);
    thread = new Thread(this::run, "SegmentCacheWriter-" + path);
    thread.setDaemon(true);
  }

  private DeviceErrors newErrors(boolean ofReads) {
    return new DeviceErrors(ofReads, part.getFile().getPath().toString(),
      settings.getToleratedNanos(), reason -> lastingError = reason);
  }

  /** Has the part be off from its start, as its device fails. To be called before that. */
  void startsOff(IOException reason) {
    MetricsDeviceWatch.failed(false);
    lastingError = reason;
  }

  void start() {
    MetricsDeviceWatch.register();
    thread.start();
  }

  private void run() {
    attempt(this::begin);
    while (!abandoned && (!closed || part.hasTasks())) {
      attempt(this::goOn);
    }
    attempt(this::finish);
  }

  private interface Action {
    void run() throws Exception;
  }

  /** Does something. Whatever it fails with, the part is then as if its device had failed. */
  private void attempt(Action action) {
    try {
      action.run();
    } catch (Throwable t) {
      LOG.error("The block cache in {} can't go on with its blocks", part.getFile().getPath(), t);
      lastingError = new IOException(t);
    }
  }

  private void begin() throws InterruptedException {
    if (lastingError != null && !closed) {
      turnOff();
    }
    if (!part.isOff()) {
      recovering = recovering && !recover();
    } else {
      recovering = false;
    }
  }

  private void goOn() throws InterruptedException {
    runTask(POLL_MS);
    if (abandoned) {
      return;
    }
    if (lastingError != null && !turnedOff) {
      turnOff();
    } else if (part.isOff()) {
      tryAgain();
    }
    makeRoom();
  }

  private void finish() {
    if (!part.isOff() && !abandoned) {
      eviction.seal();
    }
  }

  private void makeRoom() {
    if (part.areEntriesWanted()) {
      if (!closed && lastingError == null && !sealed.isEmpty()) {
        eviction.evictOldest(sealed);
      }
      part.entriesFreed();
    }
    // Before it ends, too: else the next start would drop segments whatever is in them.
    while (lastingError == null && part.getFree() < FREE && !sealed.isEmpty()) {
      eviction.evict(sealed);
    }
  }

  /** Does what waits to be done. */
  void runTask(long waitMs) throws InterruptedException {
    Runnable task = part.pollTask(waitMs);
    if (task != null) {
      task.run();
    }
  }

  /** Does one thing that waits to be done, if there is one. */
  void runWaitingTask() {
    Runnable task = part.pollTask();
    if (task != null) {
      task.run();
    }
  }

  /** Returns false if the cache was closed before that was done. */
  private boolean recover() throws InterruptedException {
    try {
      return new PartRecovery(part, this).run(sealed);
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("The block cache in {} starts empty, since its footers can't be read",
        part.getFile().getPath(), e);
    }
    sealed.clear();
    part.turnOff();
    while (part.hasTasks()) {
      runTask(0);
    }
    try {
      // So that no footer stays whose sequence comes again.
      part.getFile().makeEmpty();
      part.turnOn();
    } catch (IOException e) {
      writeFailed(e);
      countOff(true);
    }
    return true;
  }

  /** Returns the footers that the thread uses, which is the only one that may. */
  SegmentFooters getFooters() {
    return footers;
  }

  boolean isRecovering() {
    return recovering;
  }

  boolean isClosed() {
    return closed;
  }

  /** Writes a chunk. A block that can't be written is missed when it is read. */
  @Override
  public void writeChunk(Chunk chunk) {
    DeviceSegment segment = chunk.getSegment();
    ByteBuffer bytes = chunk.filled();
    bytes.limit((int) DirectFile.align(bytes.limit()));
    try {
      if (!part.isOff()) {
        part.getFile().write(bytes, segment.getFileOffset() + chunk.getStart());
        writes.end();
      }
    } catch (IOException e) {
      writeFailed(e);
      chunk.removeFrom(part.getIndex());
      segment.addLost(chunk);
    } finally {
      segment.removeChunk(chunk);
    }
  }

  @Override
  public void writeFooter(DeviceSegment segment, SegmentFooter footer) {
    if (part.isOff()) {
      return;
    }
    segment.removeLostFrom(footer);
    try {
      // That it fits into a device says nothing of chunks.
      footers.write(segment, footer);
    } catch (IOException e) {
      writeFailed(e);
    }
    part.getIndex().getOccupancy().countReads(segment.getNumber());
    sealed.add(segment);
  }

  /** Takes note of an error of the device. Any thread. */
  void readFailed(IOException reason) {
    reads.add(reason);
  }

  /** Takes note that the device can be read. Any thread. */
  void readSucceeded() {
    reads.end();
  }

  /** Takes note of an error of the device. */
  void writeFailed(IOException reason) {
    writes.add(reason);
  }

  private void turnOff() {
    LOG.error("The part of the block cache in {} is off, since its device fails: {}. It is tried"
      + " again every {} ms; with 0, not before a restart", part.getFile().getPath(),
      lastingError.toString(), TimeUnit.NANOSECONDS.toMillis(settings.getRetryNanos()));
    sealed.clear();
    eviction.reset();
    part.turnOff();
    recovering = false;
    if (writes.areThere()) {
      part.getFile().giveRoomBack();
    }
    countOff(true);
    lastTry = System.nanoTime();
    turnedOff = true;
  }

  private synchronized void countOff(boolean off) {
    if (off && !countedOff) {
      MetricsDeviceWatch.turnedOff();
    } else if (!off && countedOff) {
      MetricsDeviceWatch.turnedOn();
    }
    countedOff = off;
  }

  /** Tries the device of a part that is off, when it is time. */
  private void tryAgain() {
    boolean due = settings.getRetryNanos() > 0
      && System.nanoTime() - lastTry >= settings.getRetryNanos() && !part.hasTasks();
    if (!due || closed) {
      return;
    }
    lastTry = System.nanoTime();
    try {
      part.getFile().tryAgain();
      reads.end();
      writes.end();
      lastingError = null;
      turnedOff = false;
      part.turnOn();
      countOff(false);
      LOG.warn("The part of the block cache in {} is on again, empty", part.getFile().getPath());
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      LOG.debug("The part of the block cache in {} stays off", part.getFile().getPath(), e);
    }
  }

  /** Has the thread end when all is written. */
  void end() {
    closed = true;
    synchronized (this) {
      if (countedOff) {
        MetricsDeviceWatch.ended();
        countedOff = false;
      }
    }
  }

  /** Has the thread end though not all is written. */
  void abandon() {
    abandoned = true;
    closed = true;
  }

  boolean isAbandoned() {
    return abandoned;
  }

  /**
   * Waits for the thread's end. It isn't interrupted: that would wait for the device, too.
   * @param waitMs milliseconds to wait at most, at least 1
   * @return false if that took too long; what waited to be written is lost
   */
  boolean awaitEnd(long waitMs) {
    try {
      thread.join(waitMs);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      abandoned = true;
      LOG.warn("The block cache's device hangs; what waited to be written to {} is lost",
        part.getFile().getPath());
      return false;
    }
    return true;
  }

  /** Returns true if all that was in memory, or in the file before, is in the file. */
  boolean hasWrittenAll() {
    return !abandoned && !recovering;
  }
}
