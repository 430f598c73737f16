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
package org.apache.hadoop.hbase.io.hfile.mrc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.InclusiveCombinedBlockCache;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Estimates from sampled references to blocks what a server's block cache would serve at other
 * sizes. A thread of its own counts the references, so that readers only write them to a buffer.
 * Off unless {@link CacheSizingSettings#ENABLED} is set. Thread-safe.
 */
@InterfaceAudience.Private
public final class CacheSizing {
  private static final Logger LOG = LoggerFactory.getLogger(CacheSizing.class);

  private static final Map<BlockCache, CacheSizing> OF_CACHES = new ConcurrentHashMap<>();

  private static final long DRAIN_MS = 100;
  private static final int MINUTES_OF_STATE = 5;
  private static final int MINUTES_PER_LOG = 5;
  /** What counts of a minute ago are worth: half an hour halves them. */
  private static final double DECAY_PER_MINUTE = Math.pow(0.5, 1 / 30.0);
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final CacheModel model;
  private final RepeatedMisses repeatedMisses;
  private final ReferenceBuffer buffer =
    new ReferenceBuffer(Runtime.getRuntime().availableProcessors());
  private final TableNumbers tables = new TableNumbers();
  private final Supplier<? extends Collection<? extends Region>> regions;
  private final Thread thread = new Thread(this::run, "CacheSizing");

  // Guarded by this.
  private final SampledReferences references;
  private final CountedReferences counted;
  private final MinuteHistory history;
  private final Supplier<CacheSizingReport> reports = this::getReport;
  @GuardedBy("this")
  private long dropped;
  @GuardedBy("this")
  private int minutes;
  @GuardedBy("this")
  private CacheSizingReport report;
  @GuardedBy("this")
  private long reportNanos;
  @GuardedBy("this")
  private List<HeldBytes> held = Collections.emptyList();

  private volatile long threshold;
  private volatile boolean stopped;
  private volatile boolean failed;

  CacheSizing(BlockCache cache, Supplier<? extends Collection<? extends Region>> regions) {
    this.regions = regions;
    model = new CacheModel(cache);
    repeatedMisses = new RepeatedMisses(model.countsRepeatedMisses());
    references = new SampledReferences(model.isShared());
    limitDistances();
    counted = new CountedReferences(cache.getStats(), repeatedMisses);
    history = new MinuteHistory(cache, model, repeatedMisses);
    threshold = references.threshold();
    thread.setDaemon(true);
  }

  /** Has sizes sampled for that the curves have; the capacity of a heap cache may change. */
  private void limitDistances() {
    references.setMaxDistance((double) CacheCurve.MAX_FACTOR * model.getCapacity());
  }

  /**
   * Samples the references to blocks of files that are opened from now on, if the configuration
   * says so. Nothing counts them before {@link #start(BlockCache)}.
   * @param regions the regions that the server has open
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what is allowed
   */
  public static void prepare(BlockCache cache, Configuration conf,
    Supplier<? extends Collection<? extends Region>> regions) {
    if (!CacheSizingSettings.ENABLED.read(conf) || cache == null) {
      return;
    }
    if (cache instanceof InclusiveCombinedBlockCache) {
      LOG.info("Sizes of the block cache aren't estimated, since its second tier is a server of "
        + "its own, which has copies of all blocks");
    } else {
      OF_CACHES.put(cache, new CacheSizing(cache, regions));
    }
  }

  /**
   * Starts the thread that counts the references to a cache's blocks, if they are sampled.
   * @param cache may be null
   */
  public static void start(BlockCache cache) {
    CacheSizing sizing = cache == null ? null : OF_CACHES.get(cache);
    if (sizing != null) {
      sizing.thread.start();
      MetricsCacheSizing.show(sizing.reports);
    }
  }

  /** Ends the sampling of a cache's references, if there is any. */
  public static void stop(BlockCache cache) {
    CacheSizing sizing = OF_CACHES.remove(cache);
    if (sizing != null) {
      sizing.stopped = true;
      sizing.thread.interrupt();
      MetricsCacheSizing.hide(sizing.reports);
    }
  }

  /** Returns what samples the references to a cache's blocks; null if nothing does. */
  public static CacheSizing of(BlockCache cache) {
    return OF_CACHES.get(cache);
  }

  /** Returns what the hashes of sampled blocks are below. */
  long getThreshold() {
    return threshold;
  }

  RepeatedMisses getRepeatedMisses() {
    return repeatedMisses;
  }

  /** Returns the bytes of the biggest cache that is estimated. */
  synchronized double maxDistance() {
    return references.maxDistance();
  }

  TableNumbers getTables() {
    return tables;
  }

  /** Returns the bytes that a block takes, which is as it is cached. */
  int bytesOf(HFileBlock block, boolean metadata) {
    return model.bytesOf(block, metadata);
  }

  void offer(BlockReference reference) {
    if (!stopped) {
      buffer.offer(reference);
    }
  }

  private void run() {
    long minute = System.nanoTime();
    try {
      while (!stopped) {
        Thread.sleep(DRAIN_MS);
        drain();
        if (System.nanoTime() - minute >= TimeUnit.MINUTES.toNanos(1)) {
          minute += TimeUnit.MINUTES.toNanos(1);
          endMinute(System.currentTimeMillis());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the server stops
    } catch (RuntimeException | Error e) {
      stopped = true;
      threshold = 0; // No reader offers a reference.
      failed = true;
      LOG.error("Cache sizing ends, since its thread failed", e);
    }
  }

  /** Counts the references that wait in the buffer. */
  synchronized void drain() {
    long lost = buffer.getDropped() - dropped;
    dropped += lost;
    // Those that were dropped would have been like those since then.
    double weight = 1 + lost / (double) Math.max(1, buffer.size());
    buffer.drain(reference -> references.apply(reference, weight));
    threshold = references.threshold();
    counted.update();
    references.addCounts(counted.newMetadata(), counted.newData());
  }

  /**
   * Ends a minute of the history, and lets counts decay.
   * @param time milliseconds since 1970
   */
  void endMinute(long time) {
    boolean logs;
    boolean counts;
    synchronized (this) {
      history.endMinute(time);
      report = null;
      limitDistances();
      references.endMinute();
      references.decay(DECAY_PER_MINUTE);
      references.restartIfThin();
      logs = ++minutes % MINUTES_PER_LOG == 0;
      counts = logs || minutes == 1;
    }
    if (counts) {
      countHeld();
    }
    if (logs) {
      LOG.info("Sizes of the block cache: {}", getReport().getAdvice());
    }
  }

  /** Counts what the tiers hold by column family. What it was before stays if that fails. */
  void countHeld() {
    try {
      List<HeldBytes> heldNow = HeldByFamily.count(model, regions.get());
      synchronized (this) {
        held = heldNow;
        report = null;
      }
    } catch (RuntimeException e) {
      LOG.warn("What the block cache holds by column family couldn't be counted", e);
    }
  }

  /** Returns the estimates, as of some seconds ago. */
  public synchronized CacheSizingReport getReport() {
    if (
      report == null || failed != CacheAdvice.State.ENDED.name().equals(report.getState())
        || System.nanoTime() - reportNanos >= REPORT_NANOS
    ) {
      report = createReport();
      reportNanos = System.nanoTime();
    }
    return report;
  }

  /** Returns the estimates as of now. */
  synchronized CacheSizingReport createReport() {
    references.rank();
    CacheMinute lastMinutes = history.sumOfLast(MINUTES_OF_STATE);
    CacheAdvice.State state = failed
      ? CacheAdvice.State.ENDED
      : CacheAdvice.state(model, references, lastMinutes);
    return new CacheSizingReport(state, model, references, tables, history, held, lastMinutes,
      dropped, buffer.heapSize());
  }
}
