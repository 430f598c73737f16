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
package org.apache.hadoop.hbase.io.hfile;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.monitoring.MonitoredTask;
import org.apache.hadoop.hbase.monitoring.TaskMonitor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Progress of a file's warm-up, shown among the tasks on the region server's page and by
 * {@link CacheWarmupMXBean}. Written by the thread that warms, read by any thread.
 */
@InterfaceAudience.Private
final class WarmupProgress {
  private enum State {
    REQUESTED,
    RUNNING,
    ENDED
  }

  /** Shorter runs aren't shown, since the server keeps a limited number of tasks. */
  private static final long SHOW_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SHOW_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final double MB = 1 << 20;

  private final String region;
  private final String family;
  private final String file;
  private final Supplier<Stream<WarmupProgress>> unended;
  private final MetricsCacheWarmup metrics = MetricsCacheWarmup.get();

  private MonitoredTask task;
  private long shownAt;
  /** Where the next run continues. */
  private long blocksBefore;
  private volatile long blocksDoneBefore;
  private volatile State state = State.REQUESTED;
  private volatile boolean metadataDone;
  private volatile long startNanos;
  private volatile long blocks;
  private volatile long blocksDone;
  private volatile long bytesRead;

  /** @param unended gives the warm-ups that are running or wait */
  WarmupProgress(Path path, Supplier<Stream<WarmupProgress>> unended) {
    this.unended = unended;
    file = path.getName();
    Path familyPath = path.getParent();
    family = nameOf(familyPath);
    region = familyPath == null ? "" : nameOf(familyPath.getParent());
  }

  private static String nameOf(Path path) {
    return path == null ? "" : path.getName();
  }

  /** Begins a run, which may not be the first. */
  void begin() {
    blocks = blocksBefore;
    blocksDone = blocksDoneBefore;
    bytesRead = 0;
    startNanos = System.nanoTime();
    shownAt = startNanos + SHOW_AFTER_NANOS - SHOW_EVERY_NANOS;
    state = State.RUNNING;
  }

  /** Takes note that index and bloom blocks are done. Another run continues from here. */
  void endMetadata() {
    blocksBefore = blocks;
    blocksDoneBefore = blocksDone;
    metadataDone = true;
  }

  /** Ends a run. The warm-up waits for its next one, which doesn't come if the file is closed. */
  void pause() {
    String description = describe();
    state = State.REQUESTED;
    if (task != null) {
      task.abort(description + "; it waits to go on");
      task = null;
    }
  }

  void end(boolean complete, boolean cancelled) {
    String description = describe();
    state = State.ENDED;
    metrics.ended(complete, cancelled, bytesRead > 0, blocks - blocksDone);
    if (task != null) {
      if (complete) {
        task.markComplete(description);
      } else {
        task.abort(description);
      }
    }
  }

  void addBlocks(int count) {
    blocks += count;
  }

  /** Counts a block that is in the cache or its queue already. */
  void cachedBefore() {
    blocksDone++;
    metrics.cachedBefore();
    show();
  }

  void read(int bytes) {
    bytesRead += bytes;
    metrics.read(bytes);
    show();
  }

  /** Counts a block that was read and that the cache took. */
  void cached() {
    blocksDone++;
  }

  /** Takes back a block that the cache took and has no more. */
  void dropped() {
    blocksDone--;
    metrics.dropped();
  }

  private void show() {
    long now = System.nanoTime();
    if (now - shownAt >= SHOW_EVERY_NANOS) {
      shownAt = now;
      if (task == null) {
        task = TaskMonitor.get().createStatus(
          "Warming the block cache: region " + region + ", family " + family + ", file " + file);
      }
      task.setStatus(describe());
    }
  }

  private String describe() {
    long millisLeft = getMillisLeft();
    return String.format("%d of %d blocks, %.1f MB/s%s; the region has %d more files to warm",
      blocksDone, blocks, getBytesPerSecond() / MB,
      millisLeft < 0 ? "" : String.format(", %.1f s left", millisLeft / 1e3),
      unended.get().filter(other -> other != this && other.region.equals(region)).count());
  }

  String getRegion() {
    return region;
  }

  String getFamily() {
    return family;
  }

  String getFile() {
    return file;
  }

  /** Returns true if the warm-up waits, and its index and bloom blocks aren't done. */
  boolean isBeforeMetadata() {
    return state == State.REQUESTED && !metadataDone;
  }

  long getBytesRead() {
    return bytesRead;
  }

  boolean isRunning() {
    return state == State.RUNNING;
  }

  boolean isEnded() {
    return state == State.ENDED;
  }

  /** Returns the number of blocks to be cached, as far as the index has been read. */
  long getBlocks() {
    return blocks;
  }

  /** Returns the number of these blocks that are in the cache or its queue. */
  long getBlocksDone() {
    return blocksDone;
  }

  long getBytesPerSecond() {
    long nanos = isRunning() ? System.nanoTime() - startNanos : 0;
    return nanos > 0 ? (long) (bytesRead * 1e9 / nanos) : 0;
  }

  /** Returns the estimated milliseconds left at the rate so far; -1 if unknown or not running. */
  long getMillisLeft() {
    long done = blocksDone;
    long doneInThisRun = done - blocksDoneBefore;
    if (!isRunning() || doneInThisRun <= 0) {
      return -1;
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    return millis * Math.max(0, blocks - done) / doneInThisRun;
  }
}
