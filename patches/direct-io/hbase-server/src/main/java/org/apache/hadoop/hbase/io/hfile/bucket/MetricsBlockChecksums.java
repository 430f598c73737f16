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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.CompatibilitySingletonFactory;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsExecutor;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the checksums of cached blocks that were verified in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=BlockCacheChecksums}, and for Prometheus.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsBlockChecksums extends BaseSourceImpl {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsBlockChecksums.class);
  private static final long SUM_UP_SECONDS = 10;

  private static MetricsBlockChecksums source;

  // Static, since the superclass's constructor makes the metrics system read them.
  private static final LongAdder verified = new LongAdder();
  private static final LongAdder failed = new LongAdder();
  /** Whether a failed block was logged recently, so that further ones are only counted. */
  private static final AtomicBoolean logged = new AtomicBoolean();
  private static final AtomicLong notLogged = new AtomicLong();

  private MetricsBlockChecksums() {
    super("BlockCacheChecksums", "Metrics about checksums of blocks in the block cache's files",
      "regionserver", "RegionServer,sub=BlockCacheChecksums");
  }

  static synchronized void register() {
    if (source == null) {
      source = new MetricsBlockChecksums();
      CompatibilitySingletonFactory.getInstance(MetricsExecutor.class).getExecutor()
        .scheduleWithFixedDelay(MetricsBlockChecksums::sumUp, SUM_UP_SECONDS, SUM_UP_SECONDS,
          TimeUnit.SECONDS);
    }
  }

  /** Counts a block that was read and is what was cached. */
  static void verified() {
    verified.increment();
  }

  /** Counts a block that was read and isn't what was cached. Logs only the first of many. */
  static void failed(BlockCacheKey key, BucketEntry entry, IOEngine engine, Exception reason) {
    failed.increment();
    if (logged.compareAndSet(false, true)) {
      LOG.warn("A cached block isn't what was cached: {} at {} of {}: {}. It is evicted and read"
        + " from the file system; {} such blocks since the start. Check the device if they go on.",
        key, entry.offset(), engine, reason.getMessage(), failed.sum());
    } else {
      notLogged.incrementAndGet();
    }
  }

  /**
   * Logs how many blocks failed since the last call, besides the one that was logged. If there were
   * none, the next failed block is logged.
   * @return the number of these blocks
   */
  static long sumUp() {
    long more = notLogged.getAndSet(0);
    if (more > 0) {
      LOG.warn("{} more cached blocks weren't what was cached; {} such blocks since the start",
        more, failed.sum());
    } else {
      logged.set(false);
    }
    return more;
  }

  static long getVerifiedCount() {
    return verified.sum();
  }

  static long getFailedCount() {
    return failed.sum();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    collector.addRecord(metricsName).setContext(metricsContext)
      .addCounter(Interns.info("verifiedCount", "Blocks read whose checksum was right"),
        getVerifiedCount())
      .addCounter(Interns.info("failedCount",
        "Blocks read that weren't what had been cached; evicted and missed"),
        getFailedCount());
  }
}
