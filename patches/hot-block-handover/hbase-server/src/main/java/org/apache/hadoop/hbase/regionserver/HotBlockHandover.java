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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DroppedSnapshotException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.PrefetchThrottle;
import org.apache.hadoop.hbase.util.BackgroundThreads;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/**
 * Has blocks go with their region: the server that closes a region leaves a list of its hot blocks
 * in the region's folder, and the next one reads these into its block cache. Off unless
 * {@link HotBlocksSettings#ENABLED} is set. Thread-safe.
 */
/*
 * Nothing waits for it but regions that close, before clients notice: all of them together as long
 * as closeWaits has it. The threads that read take the hottest group of all regions first.
 */
@InterfaceAudience.Private
public final class HotBlockHandover {
  private static final Logger LOG = LoggerFactory.getLogger(HotBlockHandover.class);

  private static final int READERS = 2;
  private static final long IDLE_SECONDS = 60;
  private static final long MOST_CLOSE_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Tests, of which none is about this time, give more. */
  volatile CloseWaits closeWaits = new CloseWaits(MOST_CLOSE_WAIT_NANOS, System.nanoTime());
  private final BlockCache cache;
  private final MetricsHotBlocks metrics = MetricsHotBlocks.getInstance();
  private final PrefetchThrottle throttle = new PrefetchThrottle();
  private final AtomicLong requests = new AtomicLong();
  private final ThreadPoolExecutor readers;
  private final Map<HRegion, HotBlockReads> reads = new ConcurrentHashMap<>();
  private final HotBlockLists lists;

  HotBlockHandover(BlockCache cache, HotBlocksSettings settings) {
    this.cache = cache;
    throttle.setRate(settings.getMaxBytesPerSecond());
    readers = new ThreadPoolExecutor(READERS, READERS, IDLE_SECONDS, TimeUnit.SECONDS,
      new PriorityBlockingQueue<>(),
      new ThreadFactoryBuilder().setNameFormat("HotBlockReader-%d").setDaemon(true)
        .setThreadFactory(task -> new Thread(BackgroundThreads.lowering(task))).build());
    readers.allowCoreThreadTimeOut(true);
    lists = new HotBlockLists(cache, this::isReading);
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
      lists.onOpen(region);
      submit(new Request(region, read, -1));
    }
  }

  private boolean findList(HRegion region, HotBlockReads read) {
    try {
      HotBlockList list =
        HotBlockFile.read(region.getRegionFileSystem(), HotBlockLists.MOST_BLOCKS);
      if (list == null || list.groups().isEmpty()) {
        return false;
      }
      metrics.listsRead.incr();
      lists.onFound(region, list);
      read.setList(list);
      return true;
    } catch (IOException e) {
      metrics.listsRefused.incr();
      LOG.warn("The list of a region's hot blocks is left out: {}", e.getMessage());
      return false;
    }
  }

  /**
   * Lists the blocks of a region that is about to close, if another server will open it, or its own
   * one when the cluster starts again. The region goes on serving meanwhile. Those of a table that
   * is disabled or altered, and parents of a split or merge, have no server that reads their list.
   * @param destination where the region goes; null if it stays closed, or its server stops
   * @param abort       whether the server aborts, and nothing is written
   */
  public static void beforeClose(HRegion region, ServerName destination, boolean abort)
    throws IOException {
    HotBlockHandover handover = of(region);
    if (handover == null || abort || !isHandedOver(region)) {
      return;
    }
    HRegionServer server = (HRegionServer) region.getRegionServerServices();
    if (server.isAborted()) {
      return;
    }
    if (destination != null && !destination.equals(server.getServerName())) {
      flushIfCached(region);
      handover.lists.writeBeforeClose(region, false, handover.closeWaits);
    } else if (server.isStopping()) {
      handover.lists.writeBeforeClose(region, true, handover.closeWaits);
    }
  }

  /** Has the blocks of what is in memory listed, too, if they are cached when they are written. */
  private static void flushIfCached(HRegion region) throws IOException {
    if (
      region.getMemStoreDataSize() == 0 || region.getStores().stream()
        .noneMatch(store -> store.getCacheConfig().shouldCacheDataOnWrite())
    ) {
      return;
    }
    try {
      region.flush(true);
    } catch (DroppedSnapshotException e) {
      throw e;
    } catch (IOException e) {
      LOG.info("{} isn't flushed before its hot blocks are listed: {}",
        region.getRegionInfo().getEncodedName(), e.toString());
    }
  }

  /**
   * Ends the reads of a region that begins to close.
   * @param abort whether the server aborts, and nothing waits
   */
  public static void onClosing(HRegion region, boolean abort) {
    HotBlockHandover handover = of(region);
    if (handover != null && isHandedOver(region)) {
      handover.close(region, abort);
    }
  }

  private void close(HRegion region, boolean abort) {
    lists.onClosing(region);
    HotBlockReads read = reads.remove(region);
    if (read != null) {
      read.cancel();
      if (!abort) {
        awaitBlock(read);
      }
    }
  }

  private void awaitBlock(HotBlockReads read) {
    CloseWaits waits = closeWaits;
    long start = System.nanoTime();
    boolean inTime = read.awaitBlock(waits.begin(start));
    waits.end(start, System.nanoTime(), inTime);
  }

  HotBlockLists lists() {
    return lists;
  }

  /** Returns true until the blocks of a region that was opened are read, or left out. */
  boolean isReading(HRegion region) {
    return reads.containsKey(region);
  }

  /**
   * Ends all reads and writes when the server stops, before its block cache ends and its regions
   * close. Lists that have changed are written first.
   * @param abort whether the server aborts, and nothing is written or waited for
   */
  public void stop(boolean abort) {
    if (!abort) {
      lists.writeBeforeStop(closeWaits);
    }
    lists.stop();
    // Not shutdownNow: who interrupts a thread that reads from a device waits for the device, too.
    readers.shutdown();
    readers.getQueue().clear();
    reads.values().forEach(HotBlockReads::cancel);
    if (!abort) {
      reads.values().forEach(this::awaitBlock);
    }
  }
}
