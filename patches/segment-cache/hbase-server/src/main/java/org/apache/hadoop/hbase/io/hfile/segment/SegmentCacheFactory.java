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

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngines;
import org.apache.hadoop.hbase.io.hfile.bucket.TierKeys;
import org.apache.hadoop.hbase.io.hfile.bucket.TierSettings;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the cache of segments that a server's configuration asks for. */
@InterfaceAudience.Private
public final class SegmentCacheFactory {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentCacheFactory.class);
  private static final String DEMAND = "the block cache's segments";

  private SegmentCacheFactory() {
  }

  /** Makes a cache. */
  interface Maker<C extends SegmentCache> {
    /** @throws IOException if a file can't be used; the message names it */
    C make(SegmentCacheSettings settings, CacheStats stats) throws IOException;
  }

  private static final class TierMaker implements TierEngines.Maker {
    @Override
    public SegmentCacheSettings read(TierKeys keys) {
      return new SegmentCacheSettings(keys);
    }

    @Override
    public SegmentTier create(TierSettings settings) throws IOException {
      return start((SegmentCacheSettings) settings, SegmentTier::new);
    }

    @Override
    public FirstSegmentTier createFirst(TierSettings settings) throws IOException {
      return start((SegmentCacheSettings) settings, FirstSegmentTier::create);
    }
  }

  /**
   * Creates a cache that is no tier, and shows its metrics until it is shut down.
   * @throws IllegalArgumentException if a setting isn't allowed; the message names the key, the
   *                                  value and what is allowed
   * @throws UncheckedIOException     if a file can't be used; the message names the key and the
   *                                  file
   */
  public static SegmentCache create(Configuration conf) {
    SegmentCacheSettings settings = new SegmentCacheSettings(conf);
    try {
      return start(settings, SegmentCache::new);
    } catch (IOException e) {
      throw new UncheckedIOException("Can't start the block cache that "
        + HConstants.BUCKET_CACHE_IOENGINE_KEY + " = " + settings.getIoEngine() + " asks for: "
        + e.getMessage(), e);
    }
  }

  /** Creates a cache, and shows its metrics until it is shut down. */
  static <C extends SegmentCache> C start(SegmentCacheSettings settings, Maker<C> maker)
    throws IOException {
    Configuration conf = settings.getKeys().getConfiguration();
    int periods = conf.getInt(BlockCacheFactory.BLOCKCACHE_STATS_PERIODS,
      BlockCacheFactory.DEFAULT_BLOCKCACHE_STATS_PERIODS);
    int minutes = conf.getInt(BlockCacheFactory.BLOCKCACHE_STATS_PERIOD_MINUTES_KEY,
      BlockCacheFactory.DEFAULT_BLOCKCACHE_STATS_PERIOD_MINUTES);
    CacheStats stats = new CacheStats("SegmentCache", periods, minutes);
    C cache = null;
    try {
      cache = maker.make(settings, stats);
    } finally {
      if (cache == null) {
        SegmentCache.endStats(stats);
      }
    }
    MetricsSegmentCache.show(cache, cache.getIndex(), cache::getStore);
    SegmentCacheSettings used = cache.getSettings();
    LOG.info("Started a block cache of {} segments of {} KB in {}", used.getSegments(),
      used.getSegmentSize() >> 10, settings.isInMemory() ? "memory" : settings.getPaths());
    return cache;
  }

  /** Has tiers use the engine, if their settings name it. */
  public static void registerEngine() {
    TierEngines.register(IOEngineType.SEGMENTS, new TierMaker());
  }

  /** Has the size of the buffer pool account for the cache's memory, also that of a tier. */
  public static void registerDemand() {
    registerEngine();
    DirectMemoryDemand.registerInsteadOfBucketCache(DEMAND, SegmentCacheSettings::isUsed,
      conf -> new DirectMemoryDemand(0,
        new SegmentCacheSettings(conf, Long.MAX_VALUE).getDirectMemory()));
  }
}
