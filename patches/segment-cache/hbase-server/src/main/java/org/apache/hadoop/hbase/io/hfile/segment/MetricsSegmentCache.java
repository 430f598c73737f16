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

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.yetus.audience.InterfaceAudience;

/** Metrics of the server's caches of segments, which may be two tiers. Thread-safe. */
@InterfaceAudience.Private
final class MetricsSegmentCache extends BaseSourceImpl {
  private static MetricsSegmentCache instance;
  // Static, since the superclass's constructor makes the metrics system read it.
  private static final List<Shown> SHOWN = new CopyOnWriteArrayList<>();

  private static final class Shown {
    final BlockCache cache;
    final SegmentIndex index;
    final Supplier<SegmentStore> store;

    Shown(BlockCache cache, SegmentIndex index, Supplier<SegmentStore> store) {
      this.cache = cache;
      this.index = index;
      this.store = store;
    }

    SegmentStore store() {
      return store.get();
    }
  }

  private MetricsSegmentCache() {
    super("SegmentCache", "Metrics about a block cache of segments", "regionserver",
      "RegionServer,sub=SegmentCache");
  }

  /**
   * Shows the metrics of a cache from now on.
   * @param store where its blocks are; gives null after shutdown
   */
  static synchronized void show(BlockCache cache, SegmentIndex index,
    Supplier<SegmentStore> store) {
    SHOWN.add(new Shown(cache, index, store));
    if (instance == null) {
      instance = new MetricsSegmentCache();
    }
  }

  /** Shows this cache no longer, nor keeps it. */
  static synchronized void hide(BlockCache cache) {
    SHOWN.removeIf(shown -> shown.cache == cache);
  }

  private static long sum(List<Shown> caches, ToLongFunction<Shown> count) {
    return caches.stream().mapToLong(count).sum();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    List<Shown> caches = SHOWN.stream().filter(shown -> shown.store() != null)
      .collect(Collectors.toList());
    if (caches.isEmpty()) {
      return;
    }
    collector.addRecord(metricsName).setContext(metricsContext)
      .addGauge(Interns.info("blockCount", "Blocks in the cache"),
        sum(caches, shown -> shown.cache.getBlockCount()))
      .addGauge(Interns.info("fileCount", "HFiles that have blocks in the cache"),
        sum(caches, shown -> shown.index.tables().size()))
      .addGauge(Interns.info("usedBytes", "Bytes of blocks in the cache"),
        sum(caches, shown -> shown.cache.getCurrentSize()))
      .addGauge(Interns.info("indexBytes", "Bytes of direct memory that the index has taken"),
        sum(caches, shown -> shown.index.getBytes()))
      .addCounter(Interns.info("evictedSegmentCount", "Segments whose blocks were evicted"),
        sum(caches, shown -> shown.cache.getStats().getEvictionCount()))
      .addCounter(Interns.info("evictedBlockCount", "Blocks that were evicted with their segment"),
        sum(caches, shown -> shown.cache.getStats().getEvictedCount()))
      .addCounter(Interns.info("failedInsertCount", "Blocks that weren't cached: too big, or "
        + "there was no room at once"),
        sum(caches, shown -> shown.cache.getStats().getFailedInserts()))
      .addCounter(Interns.info("missedOnceCount", "Blocks that a full cache on a device didn't "
        + "take, as they had been missed once"), ofStores(caches, SegmentStore::getMissedOnce))
      .addCounter(Interns.info("overLimitCount", "Blocks that weren't written to a device, as it "
        + "gets no more in a second"), ofStores(caches, SegmentStore::getOverLimit))
      .addCounter(Interns.info("admittedBytes", "Bytes of blocks that came to devices"),
        ofStores(caches, SegmentStore::getAdmittedBytes))
      .addCounter(Interns.info("writtenBytes", "Bytes that were written to devices, with blocks "
        + "that stay, and footers"), ofStores(caches, SegmentStore::getWrittenBytes))
      .addCounter(Interns.info("poolExhaustedCount", "Reads of devices that found no buffer in the "
        + "pool, and took one of the heap"), ofStores(caches, SegmentStore::getPoolExhausted))
      .addCounter(Interns.info("corruptBlockCount", "Blocks on a device that "
        + "weren't what was written"), ofStores(caches, SegmentStore::getCorrupt))
      .addGauge(Interns.info("partsOff", "Files that aren't used, as their device fails"),
        ofStores(caches, SegmentStore::getPartsOff))
      .addGauge(Interns.info("partsBuffered", "Files that go through the page cache, as their "
        + "file system or the JDK can't do without"),
        ofStores(caches, SegmentStore::getPartsBuffered))
      .addGauge(Interns.info("partsRecovering", "Files in which blocks of an earlier process are "
        + "still looked for"), ofStores(caches, SegmentStore::getPartsRecovering));
  }

  private static long ofStores(List<Shown> caches, ToLongFunction<SegmentStore> count) {
    return caches.stream().map(Shown::store).filter(Objects::nonNull).mapToLong(count)
      .sum();
  }
}
