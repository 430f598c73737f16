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

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.PrefetchThrottle;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/**
 * Has blocks go with their region: the server that closes a region leaves a list of its hot blocks
 * in the region's folder, and the next one reads these into its block cache. Off unless
 * {@link HotBlocksSettings#ENABLED_KEY} is set. Thread-safe.
 */
/*
 * Nothing waits for it but a region that closes, before clients notice: for closeWaitMs at most,
 * while its list is written. Lists of open regions are written now and then, for servers that are
 * killed. The threads that read take the hottest group of all regions first.
 */
@InterfaceAudience.Private
public final class HotBlockHandover {
  private static final Logger LOG = LoggerFactory.getLogger(HotBlockHandover.class);

  private static final int READERS = 2;
  private static final int WRITERS = 2;
  private static final long IDLE_SECONDS = 60;
  /** A list is written again when more of it than this has changed. */
  private static final double MIN_CHANGE = 0.2;
  /** What looking at all regions takes, as a share of the time. */
  private static final double MAX_SHARE = 0.02;

  /** Tests, of which none is about this time, give more. */
  volatile long closeWaitMs = 1_000;
  private final BlockCache cache;
  private final HotBlocksSettings settings;
  private final MetricsHotBlocks metrics = MetricsHotBlocks.getInstance();
  private final PrefetchThrottle throttle = new PrefetchThrottle();
  private final AtomicLong requests = new AtomicLong();
  private final ThreadPoolExecutor readers;
  private final ScheduledThreadPoolExecutor writers;
  private final Map<HRegion, HotBlockReads> reads = new ConcurrentHashMap<>();
  private final Map<HRegion, Written> open = new ConcurrentHashMap<>();
  private boolean isWriting;

  /** What was last written of an open region. Its lock is held while a list is written. */
  private static final class Written {
    private int[] fingerprint = {};
    private volatile boolean closed;
  }

  HotBlockHandover(BlockCache cache, HotBlocksSettings settings) {
    this.cache = cache;
    this.settings = settings;
    throttle.setRate(settings.getMaxBytesPerSecond());
    readers = new ThreadPoolExecutor(READERS, READERS, IDLE_SECONDS, TimeUnit.SECONDS,
      new PriorityBlockingQueue<>(), threads("HotBlockReader-%d"));
    readers.allowCoreThreadTimeOut(true);
    writers = new ScheduledThreadPoolExecutor(WRITERS,
      threads("HotBlockListWriter-%d"));
    writers.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    writers.allowCoreThreadTimeOut(true);
    writers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static ThreadFactory threads(String format) {
    return new ThreadFactoryBuilder().setNameFormat(format).setDaemon(true).build();
  }

  /**
   * Creates it if the configuration asks for it.
   * @param cache the server's, or null if there is none
   * @return null if it is off
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what to do
   */
  public static HotBlockHandover create(BlockCache cache, Configuration conf) {
    HotBlocksSettings settings = new HotBlocksSettings(conf);
    return cache == null || !settings.isEnabled() ? null : new HotBlockHandover(cache, settings);
  }

  /** Returns that of a region's server; null if it is off, or the region has no region server. */
  static HotBlockHandover of(HRegion region) {
    RegionServerServices server = region.getRegionServerServices();
    return server instanceof HRegionServer ? ((HRegionServer) server).hotBlockHandover : null;
  }

  private static boolean isHandedOver(HRegion region) {
    RegionInfo info = region.getRegionInfo();
    // Replicas share the folder.
    return RegionReplicaUtil.isDefaultReplica(info);
  }

  /** A group of a region's blocks to be read. */
  private final class Request implements Runnable, Comparable<Request> {
    private final HRegion region;
    private final HotBlockReads read;
    /** -1 for the list itself. */
    private final int group;
    private final long number = requests.incrementAndGet();

    private Request(HRegion region, HotBlockReads read, int group) {
      this.region = region;
      this.read = read;
      this.group = group;
    }

    @Override
    public int compareTo(Request other) {
      return group != other.group
        ? Integer.compare(group, other.group)
        : Long.compare(number, other.number);
    }

    @Override
    public void run() {
      boolean goesOn = false;
      try {
        goesOn = group < 0 ? findList(region, read) : read.readGroup();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException | Error e) {
        LOG.warn("Hot blocks of {} aren't read", region.getRegionInfo().getEncodedName(), e);
      }
      if (goesOn) {
        submit(new Request(region, read, read.getNextGroup()));
      } else {
        reads.remove(region, read);
      }
    }
  }

  private void submit(Request request) {
    try {
      readers.execute(request);
    } catch (RejectedExecutionException e) {
      reads.remove(request.region, request.read);
    }
  }

  /** Reads the blocks that a region's last server listed, beside all else. */
  public void onOpen(HRegion region) {
    if (isHandedOver(region)) {
      HotBlockReads read = new HotBlockReads(region, cache, throttle);
      reads.put(region, read);
      open.put(region, new Written());
      submit(new Request(region, read, -1));
      beginToWrite();
    }
  }

  private boolean findList(HRegion region, HotBlockReads read) {
    try {
      HotBlockList list =
        HotBlockFile.read(region.getRegionFileSystem(), settings.getMaxBlocks());
      if (list == null || list.groups().isEmpty()) {
        return false;
      }
      metrics.listsRead.incr();
      read.setList(list);
      return true;
    } catch (IOException e) {
      metrics.listsRefused.incr();
      LOG.warn("The list of a region's hot blocks is left out: {}", e.getMessage());
      return false;
    }
  }

  /**
   * Ends the reads of a region that begins to close, and lists its blocks. The region goes on
   * serving meanwhile.
   * @param abort whether the server aborts, and nothing is written
   */
  public static void onClosing(HRegion region, boolean abort) {
    HotBlockHandover handover = of(region);
    if (handover != null && isHandedOver(region)) {
      handover.close(region, abort);
    }
  }

  private void close(HRegion region, boolean abort) {
    Written written = open.remove(region);
    if (written != null) {
      written.closed = true;
    }
    HotBlockReads read = reads.remove(region);
    if (read != null) {
      // The list that is there still says more than the block cache does.
      read.cancel();
      read.awaitBlock(abort ? 0 : closeWaitMs);
    } else if (!abort && written != null) {
      writeAtClose(region, written);
    }
  }

  private void writeAtClose(HRegion region, Written written) {
    Future<?> writing = null;
    try {
      writing = writers.submit(() -> {
        HotBlockList list = list(region);
        synchronized (written) {
          if (write(region, list)) {
            metrics.blocksHandedOver.incr(list.size());
          }
        }
      });
      writing.get(closeWaitMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      writing.cancel(false);
      failed(region, "it takes more than " + closeWaitMs + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      failed(region, e.getCause().toString());
    } catch (RejectedExecutionException e) {
      // The server has stopped.
    }
  }

  private HotBlockList list(HRegion region) {
    Set<String> files = region.getStores().stream()
      .flatMap(store -> store.getStorefiles().stream()).filter(file -> !file.isReference())
      .map(HStoreFile::getReader).filter(Objects::nonNull).map(HotBlockList::nameOf)
      .collect(Collectors.toSet());
    return HotBlockList.of(cache, files, settings.getMaxBlocks());
  }

  private boolean write(HRegion region, HotBlockList list) {
    try {
      HotBlockFile.write(region.getRegionFileSystem(), list);
      metrics.listsWritten.incr();
      return true;
    } catch (IOException e) {
      failed(region, e.toString());
      return false;
    }
  }

  private void failed(HRegion region, String why) {
    metrics.listsFailed.incr();
    LOG.info("The list of the hot blocks of {} isn't written: {}",
      region.getRegionInfo().getEncodedName(), why);
  }

  private synchronized void beginToWrite() {
    if (!isWriting && settings.getPeriodSeconds() > 0) {
      isWriting = true;
      writeAfter(TimeUnit.SECONDS.toMillis(settings.getPeriodSeconds()));
    }
  }

  private void writeOpenRegions() {
    long start = System.nanoTime();
    try {
      open.forEach(this::writeIfChanged);
    } catch (RuntimeException | Error e) {
      LOG.warn("Lists of hot blocks aren't written", e);
    }
    double millis = (System.nanoTime() - start) / 1e6;
    writeAfter(Math.max(TimeUnit.SECONDS.toMillis(settings.getPeriodSeconds()),
      (long) (millis / MAX_SHARE)));
  }

  private void writeIfChanged(HRegion region, Written written) {
    if (reads.containsKey(region)) {
      return;
    }
    try {
      HotBlockList list = list(region);
      int[] fingerprint = list.fingerprint();
      synchronized (written) {
        if (
          !written.closed && HotBlockList.change(written.fingerprint, fingerprint) > MIN_CHANGE
            && write(region, list)
        ) {
          written.fingerprint = fingerprint;
        }
      }
    } catch (RuntimeException e) {
      failed(region, e.toString());
    }
  }

  private void writeAfter(long millis) {
    try {
      writers.schedule(this::writeOpenRegions, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // The server has stopped.
    }
  }

  /** Returns true until the blocks of a region that was opened are read, or left out. */
  boolean isReading(HRegion region) {
    return reads.containsKey(region);
  }

  /** Ends all reads and writes, when the server has closed its regions. */
  public void stop() {
    reads.values().forEach(HotBlockReads::cancel);
    readers.shutdownNow();
    writers.shutdownNow();
    reads.values().forEach(read -> read.awaitBlock(closeWaitMs));
  }
}
