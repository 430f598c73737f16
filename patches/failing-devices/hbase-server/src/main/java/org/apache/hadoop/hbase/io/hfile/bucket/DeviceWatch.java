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
package org.apache.hadoop.hbase.io.hfile.bucket;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a BucketCache in files survive failures of its device. A block that can't be read is evicted
 * and counts as a miss; a block that can't be written isn't cached. If all reads, or all writes,
 * fail for the tolerated time, the cache is turned off, as a cache without this class is. But then
 * the device is tried periodically, and when it works the cache is turned on again, empty.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class DeviceWatch {
  /*
   * While the cache is off nobody adds, reads or evicts blocks, and its writers end. A thread waits
   * for them, empties the cache and deletes the list of its blocks, so that no old block can come
   * back, neither now nor after a restart. Only then does it write to the files to try them. It
   * opens them by name, since a device that was gone has another file of that name when it returns.
   *
   * A successful read doesn't mean that writes succeed, as a full or read-only device shows, nor
   * the other way round. So reads and writes each have a time since when they fail. With a single
   * time for both, the tolerated time would never be over, and writers would retry the same block
   * for ever.
   */
  public static final Setting<Integer> RETRY_INTERVAL =
    Setting.ofInt("hbase.bucketcache.ioengine.retry.interval", 0,
      "Milliseconds, without a unit, after which a device is tried again whose errors turned the"
        + " block cache on it off. 0 leaves the cache off until a restart.")
      .fix(
        "Give milliseconds, such as 10000, or 0 to leave a cache off once errors turned it off.");

  private static final Logger LOG = LoggerFactory.getLogger(DeviceWatch.class);
  private static final long POLL_MS = 10;

  private final BucketCache cache;
  private final String name;
  private final long toleratedMs;
  private final long retryMs;
  private final List<MountPoint> mountPoints = new ArrayList<>();

  private final DeviceErrors reads;
  private final DeviceErrors writes;
  private volatile Thread retries;
  @GuardedBy("this")
  private boolean stopped;

  private DeviceWatch(BucketCache cache, long toleratedMs, long retryMs) {
    this.cache = cache;
    this.name = cache.getIoEngine();
    this.toleratedMs = toleratedMs;
    this.retryMs = retryMs;
    reads = newErrors(true);
    writes = newErrors(false);
    for (String path : ((FileIOEngine) cache.ioEngine).filePaths) {
      mountPoints.add(MountPoint.of(Paths.get(path)));
    }
  }

  private DeviceErrors newErrors(boolean ofReads) {
    return new DeviceErrors(ofReads, name, TimeUnit.MILLISECONDS.toNanos(toleratedMs),
      reason -> turnOff(ofReads, reason));
  }

  /**
   * Creates the watch of a cache, before the cache is used.
   * @param toleratedMs milliseconds for which errors are tolerated
   * @return null if the configuration doesn't ask for a watch, or the cache isn't in files
   * @throws IllegalArgumentException if the setting isn't allowed; the message names the key and
   *                                  what is allowed
   */
  static DeviceWatch create(BucketCache cache, int toleratedMs, Configuration conf) {
    int retryMs = RETRY_INTERVAL.read(conf);
    if (retryMs == 0 || !(cache.ioEngine instanceof FileIOEngine)) {
      return null;
    }
    MetricsDeviceWatch.register();
    return new DeviceWatch(cache, toleratedMs, retryMs);
  }

  /** Takes note that a block was read. */
  void readSucceeded() {
    reads.end();
  }

  /**
   * Takes note that what was written has reached the device.
   * @param written has null for each block that wasn't written
   */
  void writesSucceeded(BucketEntry[] written) {
    if (hasAny(written)) {
      writes.end();
    }
  }

  private static boolean hasAny(BucketEntry[] entries) {
    for (BucketEntry entry : entries) {
      if (entry != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Takes note that a block couldn't be read.
   * @return true if the device is to blame, and the caller has to evict the block; false if the
   *         reader was interrupted
   */
  boolean readFailed(IOException reason) {
    if (reason instanceof ClosedByInterruptException) {
      return false;
    }
    failed(reads, reason);
    return true;
  }

  /** Takes note that a block couldn't be written; its writer drops it. */
  void writeFailed(IOException reason) {
    cache.getStats().failInsert();
    failed(writes, reason);
  }

  /** Drops blocks that were written, but may not have reached the device. */
  void syncFailed(List<BucketCache.RAMQueueEntry> entries, BucketEntry[] written,
    IOException reason) {
    failed(writes, reason);
    for (int i = 0; i < written.length; i++) {
      cache.removeFromRamCache(entries.get(i).getKey());
      if (written[i] != null) {
        cache.getStats().failInsert();
        written[i].markAsEvicted();
      }
    }
  }

  private void failed(DeviceErrors errors, IOException reason) {
    // A read or write may have been in progress when the cache was turned off.
    if (cache.isCacheEnabled()) {
      errors.add(reason);
    }
  }

  private synchronized void turnOff(boolean byReads, IOException reason) {
    if (stopped || !cache.isCacheEnabled()) {
      return;
    }
    MetricsDeviceWatch.turnedOff();
    cache.setCacheEnabled(false);
    LOG.error("The block cache is off after {} ms in which {}: {}. All is read from the file"
      + " system. The device is tried again every {} ms. {}", toleratedMs,
      (byReads ? reads : writes).describe(reason), reason.toString(), retryMs, name);
    long now = EnvironmentEdgeManager.currentTime();
    boolean isFull = !byReads && DeviceErrors.isFull(reason);
    retries = new Thread(() -> retry(now, isFull), "BucketCacheDeviceRetry");
    retries.setDaemon(true);
    retries.start();
  }

  /** Returns true while the cache is off and its device is tried. */
  boolean isOff() {
    return retries != null;
  }

  /**
   * Stops trying the device. To be called before the cache is shut down. Doesn't wait for a try,
   * nor interrupts it: the JDK would close the file, and wait for the device.
   */
  void stop() {
    synchronized (this) {
      if (stopped) {
        return;
      }
      stopped = true;
      notifyAll();
    }
    if (isOff()) {
      cache.ioEngine.shutdown();
      emptyQueues();
      MetricsDeviceWatch.ended();
    }
  }

  private void retry(long since, boolean isFull) {
    boolean isEmpty = false;
    boolean hasRoom = !isFull;
    while (!isStopped()) {
      try {
        if (!isEmpty) {
          awaitWriters();
          empty();
          isEmpty = true;
        } else if (tryDevice()) {
          turnOn(since);
          return;
        }
        // The first trial comes later: it would find that there is room.
        hasRoom = hasRoom || DeviceTrial.giveRoomBack(cache, mountPoints, this::isStopped);
      } catch (RuntimeException | Error e) {
        isEmpty = false;
        LOG.error("The block cache stays off, and is tried again in {} ms. {}", retryMs, name, e);
      }
      pause(retryMs);
    }
  }

  private boolean tryDevice() {
    IOException reason = DeviceTrial.run(cache, mountPoints, this::isStopped);
    LOG.debug("The block cache stays off", reason);
    return reason == null;
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  /** Waits; no longer than until {@link #stop}. */
  private synchronized void pause(long milliseconds) {
    if (stopped) {
      return;
    }
    try {
      wait(milliseconds);
    } catch (InterruptedException e) {
      // Nobody interrupts this thread.
      LOG.debug("The pause is over", e);
    }
  }

  /**
   * Waits until the writers have ended. Interrupts those that wait for blocks. One that is writing
   * gives back the slots it has allocated, and ends. Doesn't wait once the server stops.
   */
  private void awaitWriters() {
    boolean working = true;
    while (working && !isStopped()) {
      working = false;
      for (Thread writer : cache.writerThreads) {
        if (writer.getState() == Thread.State.WAITING) {
          writer.interrupt();
        }
        working |= writer.isAlive();
      }
      pause(POLL_MS);
    }
  }

  private void empty() {
    emptyQueues();
    cache.backingMap.forEach((key, entry) -> entry.withWriteLock(cache.offsetLock, () -> {
      if (cache.backingMap.remove(key, entry)) {
        cache.blockEvicted(key, entry, true, false);
      }
      return null;
    }));
    cache.blocksByHFile.clear();
    cache.fullyCachedFiles.clear();
  }

  /** Drops the blocks that wait to be written. */
  private void emptyQueues() {
    cache.writerQueues.forEach(queue -> queue.clear());
    cache.ramCache.delegate.keySet().forEach(cache::removeFromRamCache);
  }

  private synchronized void turnOn(long since) {
    if (stopped) {
      return;
    }
    reads.end();
    writes.end();
    // A block may have been on its way into a queue when the queues were emptied.
    emptyQueues();
    cache.setCacheEnabled(true);
    try {
      cache.restartWriters();
    } catch (RuntimeException | Error e) {
      cache.setCacheEnabled(false);
      throw e;
    }
    retries = null;
    MetricsDeviceWatch.turnedOn();
    LOG.warn("The block cache is on again, empty, after {} s: its device works. {}",
      TimeUnit.MILLISECONDS.toSeconds(EnvironmentEdgeManager.currentTime() - since), name);
  }
}
