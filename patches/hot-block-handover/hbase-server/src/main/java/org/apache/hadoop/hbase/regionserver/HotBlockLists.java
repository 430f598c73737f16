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
package org.apache.hadoop.hbase.regionserver;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/**
 * Writes the lists of hot blocks of a server's open regions: of one that moves before it closes, of
 * those that have changed when the server stops, and now and then, for a server that is killed.
 * Thread-safe.
 */
/*
 * A list is written again if more than MIN_CHANGE of the hottest blocks aren't in it. Now and then
 * the regions that weren't looked at for longest have their turn, at most MOST_A_PERIOD lists, for
 * MAX_SHARE of the time. A list that is made while its region closes, or the block cache ends, may
 * lack blocks, and isn't written.
 */
@InterfaceAudience.Private
final class HotBlockLists {
  private static final Logger LOG = LoggerFactory.getLogger(HotBlockLists.class);

  /** Of a region that are listed, the hottest ones. */
  static final int MOST_BLOCKS = 10_000;
  static final int MOST_A_PERIOD = 6;
  /** Another one only in tests. */
  static volatile long defaultPeriodNanos = TimeUnit.SECONDS.toNanos(60);
  private static final int WRITERS = 2;
  /** Most files that are closed at a time beside the writers. */
  private static final int CLOSERS = 16;
  private static final long IDLE_SECONDS = 60;
  private static final double MIN_CHANGE = 0.2;
  private static final double MAX_SHARE = 0.02;

  private final BlockCache cache;
  private final long periodNanos = defaultPeriodNanos;
  private final Predicate<HRegion> isReading;
  private final MetricsHotBlocks metrics = MetricsHotBlocks.getInstance();
  private final ScheduledThreadPoolExecutor writers;
  private final ThreadPoolExecutor closers;
  private final Map<HRegion, Written> open = new ConcurrentHashMap<>();
  private boolean isWriting;
  private volatile boolean stopped;

  /** What was last written of an open region. Its lock is held while a list is written. */
  private static final class Written {
    private volatile int[] fingerprint = {};
    private volatile long lookedAtNanos = Long.MIN_VALUE;
    private volatile boolean closed;
  }

  /** @param isReading whether the listed blocks of a region that was opened are still read */
  HotBlockLists(BlockCache cache, Predicate<HRegion> isReading) {
    this.cache = cache;
    this.isReading = isReading;
    writers = new ScheduledThreadPoolExecutor(WRITERS, new ThreadFactoryBuilder()
      .setNameFormat("HotBlockListWriter-%d").setDaemon(true).build());
    writers.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    writers.allowCoreThreadTimeOut(true);
    writers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    closers = new ThreadPoolExecutor(0, CLOSERS, IDLE_SECONDS, TimeUnit.SECONDS,
      new SynchronousQueue<>(), new ThreadFactoryBuilder()
        .setNameFormat("HotBlockListCloser-%d").setDaemon(true).build(),
      (close, pool) -> close.run());
  }

  void onOpen(HRegion region) {
    open.put(region, new Written());
    beginToWrite();
  }

  /** Takes the list that a region that was opened has for the one that was written last. */
  void onFound(HRegion region, HotBlockList list) {
    Written written = open.get(region);
    if (written != null) {
      written.fingerprint = list.fingerprint();
    }
  }

  void onClosing(HRegion region) {
    Written written = open.remove(region);
    if (written != null) {
      written.closed = true;
    }
  }

  /**
   * Writes the list of a region that is about to close.
   * @param onlyIfChanged whether the list that is there is kept if it has most of the hottest
   * @param waits         how long this may take
   */
  void writeBeforeClose(HRegion region, boolean onlyIfChanged, CloseWaits waits) {
    Written written = open.get(region);
    if (written == null || isReading.test(region)) {
      // The list that is there still says more than the block cache does.
      return;
    }
    List<Future<?>> writing = new ArrayList<>();
    writing.add(submit(() -> {
      HotBlockList list = list(region);
      if (write(region, written, list, onlyIfChanged)) {
        metrics.blocksHandedOver.incr(list.size());
      }
      return null;
    }));
    if (!await(writing, waits)) {
      failed(region, "closes of regions have waited long enough for such lists");
    }
  }

  /** @return null if the server has stopped */
  private Future<?> submit(Callable<?> task) {
    try {
      return writers.submit(task);
    } catch (RejectedExecutionException e) {
      return null;
    }
  }

  /** Returns whether all were done in time. */
  private boolean await(List<Future<?>> writing, CloseWaits waits) {
    long start = System.nanoTime();
    long most = waits.begin(start);
    boolean inTime = true;
    try {
      for (Future<?> future : writing) {
        if (future != null) {
          future.get(most - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
        }
      }
    } catch (TimeoutException e) {
      inTime = false;
    } catch (CancellationException e) {
      LOG.debug("The server has stopped before all lists of hot blocks were written");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      LOG.warn("Lists of hot blocks aren't written", e.getCause());
    } finally {
      writing.stream().filter(Objects::nonNull).forEach(future -> future.cancel(false));
      waits.end(start, System.nanoTime(), inTime);
    }
    return inTime;
  }

  private HotBlockList list(HRegion region) {
    Set<String> files = region.getStores().stream()
      .flatMap(store -> store.getStorefiles().stream()).filter(file -> !file.isReference())
      .map(HStoreFile::getReader).filter(Objects::nonNull).map(HotBlockList::nameOf)
      .collect(Collectors.toSet());
    return HotBlockList.of(cache, files, MOST_BLOCKS);
  }

  /** Returns whether it was written. */
  private boolean write(HRegion region, Written written, HotBlockList list,
    boolean onlyIfChanged) {
    int[] fingerprint = list.fingerprint();
    double minLacking = onlyIfChanged ? MIN_CHANGE : -1;
    synchronized (written) {
      if (
        written.closed || stopped || fingerprint.length + written.fingerprint.length == 0
          || HotBlockList.lacking(written.fingerprint, list.hottest()) <= minLacking
      ) {
        return false;
      }
      try {
        Closeable file = HotBlockFile.write(region.getRegionFileSystem(), list);
        written.fingerprint = fingerprint;
        metrics.listsWritten.incr();
        closers.execute(() -> close(region, file));
        return true;
      } catch (IOException e) {
        failed(region, e.toString());
        return false;
      }
    }
  }

  private static void close(HRegion region, Closeable file) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.debug("The list of {} was deleted or replaced before its file was closed",
        region.getRegionInfo().getEncodedName(), e);
    }
  }

  private void failed(HRegion region, String why) {
    metrics.listsFailed.incr();
    LOG.info("The list of the hot blocks of {} isn't written: {}",
      region.getRegionInfo().getEncodedName(), why);
  }

  private synchronized void beginToWrite() {
    if (!isWriting) {
      isWriting = true;
      writeAfter(TimeUnit.NANOSECONDS.toMillis(periodNanos));
    }
  }

  /** Writes lists that have changed, of some of the open regions. */
  void writeOpenRegions() {
    long start = System.nanoTime();
    int lists = 0;
    for (HRegion region : longestNotLookedAt()) {
      lists += writeIfChanged(region) ? 1 : 0;
      if (
        lists == MOST_A_PERIOD || stopped || System.nanoTime() - start > periodNanos * MAX_SHARE
      ) {
        break;
      }
    }
    long spentNanos = System.nanoTime() - start;
    writeAfter(TimeUnit.NANOSECONDS
      .toMillis(Math.max(periodNanos, (long) (spentNanos / MAX_SHARE))));
  }

  private List<HRegion> longestNotLookedAt() {
    Map<HRegion, Long> lookedAt = new HashMap<>();
    open.forEach((region, written) -> lookedAt.put(region, written.lookedAtNanos));
    List<HRegion> regions = new ArrayList<>(lookedAt.keySet());
    regions.sort(Comparator.comparing(lookedAt::get));
    return regions;
  }

  private boolean writeIfChanged(HRegion region) {
    Written written = open.get(region);
    if (written == null || isReading.test(region)) {
      return false;
    }
    written.lookedAtNanos = System.nanoTime();
    try {
      return write(region, written, list(region), true);
    } catch (RuntimeException | Error e) {
      failed(region, e.toString());
      return false;
    }
  }

  private void writeAfter(long millis) {
    try {
      writers.schedule(this::writeOpenRegions, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // The server has stopped.
    }
  }

  /** Writes the lists that have changed of all open regions, as long as this may take. */
  void writeBeforeStop(CloseWaits waits) {
    List<Future<?>> writing = longestNotLookedAt().stream()
      .map(region -> submit(() -> writeIfChanged(region))).collect(Collectors.toList());
    if (!await(writing, waits)) {
      LOG.info("The server stops, and not all lists of hot blocks that have changed are written");
    }
  }

  /** Has no list written any more but those that are being written. */
  void stop() {
    stopped = true;
    writers.shutdown();
    closers.shutdown();
  }
}
