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

import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.yetus.audience.InterfaceAudience;

/** Metrics of the server's cache of segments. Thread-safe. */
@InterfaceAudience.Private
final class MetricsSegmentCache extends BaseSourceImpl {
  private static MetricsSegmentCache instance;
  // Static, since the superclass's constructor makes the metrics system read it.
  private static volatile SegmentCache shown;

  private MetricsSegmentCache() {
    super("SegmentCache", "Metrics about a block cache of segments", "regionserver",
      "RegionServer,sub=SegmentCache");
  }

  /** Shows the metrics of a cache from now on. */
  static synchronized void show(SegmentCache cache) {
    shown = cache;
    if (instance == null) {
      instance = new MetricsSegmentCache();
    }
  }

  /** Shows this cache no longer, nor keeps it. */
  static synchronized void hide(SegmentCache cache) {
    if (shown == cache) {
      shown = null;
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    SegmentCache cache = shown;
    SegmentStore store = cache == null ? null : cache.getStore();
    if (store == null) {
      return;
    }
    collector.addRecord(metricsName).setContext(metricsContext)
      .addGauge(Interns.info("blockCount", "Blocks in the cache"), cache.getBlockCount())
      .addGauge(Interns.info("fileCount", "HFiles that have blocks in the cache"),
        cache.getIndex().tables().size())
      .addGauge(Interns.info("usedBytes", "Bytes of blocks in the cache"),
        cache.getCurrentSize())
      .addGauge(Interns.info("indexBytes", "Bytes of direct memory that the index has taken"),
        cache.getIndex().getBytes())
      .addCounter(Interns.info("evictedSegmentCount", "Segments whose blocks were evicted"),
        cache.getStats().getEvictionCount())
      .addCounter(Interns.info("evictedBlockCount", "Blocks that were evicted with their segment"),
        cache.getStats().getEvictedCount())
      .addCounter(Interns.info("failedInsertCount", "Blocks that weren't cached: bigger than a "
        + "segment, or there was no room at once"), cache.getStats().getFailedInserts())
      .addCounter(Interns.info("corruptBlockCount", "Blocks on a device that couldn't be read, or "
        + "weren't what was written"), store.getCorrupt())
      .addGauge(Interns.info("partsOff", "Files that aren't used, as their device fails"),
        store.getPartsOff())
      .addGauge(Interns.info("partsRecovering", "Files in which blocks of an earlier process are "
        + "still looked for"), store.getPartsRecovering());
  }
}
