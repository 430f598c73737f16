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

import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngine;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of the tiers of this process's {@code CompositeBucketCache}, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=BlockCacheTiers}, and for Prometheus. The hits
 * and misses of each tier are those of L1 and L2 in {@code sub=Server}.
 */
@InterfaceAudience.Private
final class MetricsCompositeBucketCache extends BaseSourceImpl {
  private static MetricsCompositeBucketCache source;

  private static final class Shown {
    final CompositeCacheStats stats;
    final TierEngine l1;
    final TierEngine l2;

    Shown(CompositeCacheStats stats, TierEngine l1, TierEngine l2) {
      this.stats = stats;
      this.l1 = l1;
      this.l2 = l2;
    }
  }

  /** Null if there is no cache. */
  private volatile Shown shown;

  private MetricsCompositeBucketCache() {
    super("BlockCacheTiers", "Metrics about the tiers of the block cache", "regionserver",
      "RegionServer,sub=BlockCacheTiers");
  }

  /** Shows the cache with these tiers instead of the one shown before. */
  static synchronized void show(CompositeCacheStats stats, TierEngine l1, TierEngine l2) {
    if (source == null) {
      source = new MetricsCompositeBucketCache();
    }
    source.shown = new Shown(stats, l1, l2);
  }

  /** Stops showing the cache with these counts, if it is the one shown. */
  static synchronized void hide(CompositeCacheStats stats) {
    if (source != null && source.shown != null && source.shown.stats == stats) {
      source.shown = null;
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    Shown current = shown;
    if (current == null) {
      return;
    }
    CompositeCacheStats stats = current.stats;
    MetricsRecordBuilder record = collector.addRecord(metricsName).setContext(metricsContext);
    record
      .addCounter(Interns.info("promotionCount", "Blocks of L2 that were written to L1, too"),
        stats.getPromotionCount())
      .addCounter(Interns.info("demotionCount", "Blocks of L1 that were written to L2"),
        stats.getDemotionCount())
      .addCounter(
        Interns.info("rejectedAdmissionCount", "Data blocks read from L2 and not let into L1"),
        stats.getRejectedAdmissionCount())
      .addCounter(
        Interns.info("failedDemotionCount",
          "Blocks that L1 evicted and L2 didn't take in time, or couldn't write"),
        stats.getFailedDemotionCount())
      .addCounter(
        Interns.info("l1MetadataHitCount", "Reads of metadata, of a known type, that L1 served"),
        metadataHits(stats.getLruCacheStats()))
      .addCounter(Interns.info("l1MetadataMissCount", "Reads of metadata that L1 didn't serve"),
        metadataMisses(stats.getLruCacheStats()))
      .addCounter(Interns.info("l1FailedInsertCount",
        "New metadata blocks dropped as the queues of both tiers were full"),
        stats.getFailedInsertsIntoL1())
      .addCounter(Interns.info("l2FailedInsertCount", "Blocks dropped as the queue was full"),
        stats.getBucketCacheStats().getFailedInserts());
    addTier(record, "l1", current.l1);
    addTier(record, "l2", current.l2);
  }

  private static void addTier(MetricsRecordBuilder record, String tier, TierEngine cache) {
    record
      .addGauge(Interns.info(tier + "Enabled", "1, or 0 after too many errors of the engine"),
        cache.isEnabled() ? 1 : 0)
      .addGauge(Interns.info(tier + "Capacity", "Bytes that the tier may take"), cache.getMaxSize())
      .addGauge(Interns.info(tier + "UsedSize", "Bytes that it takes, with what "
        + "fragmentation wastes"),
        cache.getCurrentSize());
    addCategory(record, tier + "Data", "data", cache, BlockCategory.DATA);
    addCategory(record, tier + "Index", "index", cache, BlockCategory.INDEX);
    addCategory(record, tier + "Bloom", "bloom", cache, BlockCategory.BLOOM);
    addCategory(record, tier + "Meta", "other metadata", cache, BlockCategory.META);
  }

  private static long metadataHits(CacheStats tier) {
    return tier.getLeafIndexHitCount() + tier.getIntermediateIndexHitCount()
      + tier.getRootIndexHitCount() + tier.getBloomChunkHitCount()
      + tier.getGeneralBloomMetaHitCount() + tier.getDeleteFamilyBloomHitCount()
      + tier.getMetaHitCount() + tier.getFileInfoHitCount() + tier.getTrailerHitCount();
  }

  private static long metadataMisses(CacheStats tier) {
    return tier.getLeafIndexMissCount() + tier.getIntermediateIndexMissCount()
      + tier.getRootIndexMissCount() + tier.getBloomChunkMissCount()
      + tier.getGeneralBloomMetaMissCount() + tier.getDeleteFamilyBloomMissCount()
      + tier.getMetaMissCount() + tier.getFileInfoMissCount() + tier.getTrailerMissCount();
  }

  private static void addCategory(MetricsRecordBuilder record, String prefix, String kind,
    TierEngine cache, BlockCategory category) {
    record
      .addGauge(Interns.info(prefix + "BlockCount", "Blocks with " + kind),
        cache.getBlockCount(category))
      .addGauge(Interns.info(prefix + "Size", "Bytes of blocks with " + kind),
        cache.getSize(category));
  }
}
