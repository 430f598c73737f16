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
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.bucket.MetricsDeviceWatch;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that writes to a part's file. It alone recovers, evicts, and turns the part off and
 * on, so that none of these meets another.
 */
@InterfaceAudience.Private
final class PartWriter {
  private static final Logger LOG = LoggerFactory.getLogger(PartWriter.class);
  private static final long POLL_MS = 100;

  private final PartState part;
  private final PartSettings settings;
  private final PartErrors errors;
  private final PartOutput output;
  private final PartEviction eviction;
  private final Thread thread;
  private long lastTry;
  /** Whether the part was turned off for that error to its end. Used by the thread. */
  private boolean turnedOff;
  /** Whether the metrics have it that the device failed. */
  @GuardedBy("this")
  private boolean countedOff;
  private volatile boolean recovering;
  private volatile boolean closed;
  private volatile boolean abandoned;

  PartWriter(PartState part, PartErrors errors, PartSettings settings, DeviceAdmission admission,
    CacheStats stats) {
    this.part = part;
    this.errors = errors;
    this.settings = settings;
    recovering = part.getFile().hasSegments();
    output = new PartOutput(part, errors);
    eviction = new PartEviction(part, output, errors, admission, stats);
    thread = new Thread(this::run, "SegmentCacheWriter-" + part.getFile().getPath());
    thread.setDaemon(true);
  }

  /** Has the part be off from its start, as its device fails. To be called before that. */
  void startsOff(IOException reason) {
    MetricsDeviceWatch.failed(false);
    errors.setLasting(reason);
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
      errors.setLasting(new IOException(t));
    }
  }

  private void begin() throws InterruptedException {
    if (errors.getLasting() != null && !closed) {
      turnOff();
    }
    if (!part.isOff()) {
      recovering = recovering && !recover();
    } else {
      recovering = false;
    }
  }

  private void goOn() throws InterruptedException {
    output.runTask(POLL_MS);
    if (abandoned) {
      return;
    }
    if (errors.getLasting() != null && !turnedOff) {
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
      if (!closed && errors.getLasting() == null && !output.getSealed().isEmpty()) {
        eviction.evictOldest(output.getSealed());
      }
      part.entriesFreed();
    }
    // Before it ends, too: else the next start would drop segments whatever is in them.
    Deque<DeviceSegment> sealed = output.getSealed();
    while (
      errors.getLasting() == null && part.getFree() < PartState.FREE && !sealed.isEmpty()
    ) {
      eviction.evict(sealed);
    }
  }

  /** Returns false if the cache was closed before that was done. */
  private boolean recover() throws InterruptedException {
    try {
      return new PartRecovery(part, output, () -> closed).run(output.getSealed());
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("The block cache in {} starts empty, since its footers can't be read",
        part.getFile().getPath(), e);
    }
    output.getSealed().clear();
    part.turnOff();
    while (part.hasTasks()) {
      output.runTask(0);
    }
    try {
      // So that no footer stays whose sequence comes again.
      part.getFile().makeEmpty();
      part.turnOn();
    } catch (IOException e) {
      errors.writeFailed(e);
      countOff(true);
    }
    return true;
  }

  boolean isRecovering() {
    return recovering;
  }

  boolean isClosed() {
    return closed;
  }

  private void turnOff() {
    LOG.error("The part of the block cache in {} is off, since its device fails: {}. It is tried"
      + " again every {} ms; with 0, not before a restart", part.getFile().getPath(),
      errors.getLasting().toString(), TimeUnit.NANOSECONDS.toMillis(settings.getRetryNanos()));
    output.getSealed().clear();
    eviction.reset();
    part.turnOff();
    recovering = false;
    if (errors.areOfWrites()) {
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
      errors.clear();
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
