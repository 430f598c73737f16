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
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;

/** Servers whose gets are read on event loops, and what tells it. */
abstract class EventLoopGetsTestBase {
  static final int PATIENCE_MS = 180_000;

  static HBaseTestingUtility util;
  static HRegionServer server;

  /** Has the row path on, and data blocks off the heap. */
  static Configuration newConfiguration() {
    util = new HBaseTestingUtility();
    Configuration conf = util.getConfiguration();
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 32);
    conf.setBoolean(RowPathSettings.ENABLED.key(), true);
    return conf;
  }

  static void startServer() throws Exception {
    // On the local file system: no test here is about HDFS.
    util.startMiniZKCluster();
    util.startMiniHBaseCluster();
    server = util.getMiniHBaseCluster().getRegionServer(0);
  }

  static void stopCluster() throws Exception {
    if (util != null) {
      util.shutdownMiniCluster();
      util = null;
    }
  }

  static void set(HRegionServer of, boolean enabled) {
    Configuration conf = of.getConfiguration();
    conf.setBoolean(EventLoopGetSettings.ENABLED.key(), enabled);
    of.getRSRpcServices().onConfigurationChange(conf);
  }

  static void set(boolean enabled) {
    set(server, enabled);
  }

  static long count(String metric) {
    return ((MutableFastCounter) MetricsEventLoopGets.getInstance().getMetricsRegistry()
      .get(metric)).value();
  }

  static BucketCache bucketCacheOf(HRegionServer server) {
    for (BlockCache cache : server.getBlockCache().get().getBlockCaches()) {
      if (cache instanceof BucketCache) {
        return (BucketCache) cache;
      }
    }
    throw new AssertionError("no bucket cache");
  }

  /** Returns true if no data block waits to be written to the engine. */
  static boolean isWritten() {
    BucketCache cache = bucketCacheOf(server);
    return cache.getBlockCount() > 0 && cache.heapSize() == 0;
  }

  /** Reads until nothing has to be read from the file system. */
  static void awaitCached(Table table, List<Get> gets) throws IOException {
    CacheStats stats = server.getBlockCache().get().getStats();
    util.waitFor(PATIENCE_MS, 10, () -> {
      long misses = stats.getMissCount();
      table.get(gets);
      return misses == stats.getMissCount() && isWritten();
    });
  }
}
