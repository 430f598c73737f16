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

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts the errors of the block cache's devices in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=BlockCacheDevice}, and for Prometheus.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class MetricsDeviceWatch extends BaseSourceImpl {
  private static MetricsDeviceWatch source;

  // Static, since the superclass's constructor makes the metrics system read them.
  private static final LongAdder readErrors = new LongAdder();
  private static final LongAdder writeErrors = new LongAdder();
  private static final LongAdder offs = new LongAdder();
  private static final LongAdder ons = new LongAdder();
  private static final LongAdder off = new LongAdder();

  private MetricsDeviceWatch() {
    super("BlockCacheDevice", "Metrics about errors of the block cache's devices", "regionserver",
      "RegionServer,sub=BlockCacheDevice");
  }

  /** Shows the metrics from now on. */
  public static synchronized void register() {
    if (source == null) {
      source = new MetricsDeviceWatch();
    }
  }

  /** Takes note of an error. */
  public static void failed(boolean read) {
    (read ? readErrors : writeErrors).increment();
  }

  /** Takes note that errors turned a cache off, or a part of one. */
  public static void turnedOff() {
    offs.increment();
    off.increment();
  }

  /** Takes note that it came back. */
  public static void turnedOn() {
    ons.increment();
    off.decrement();
  }

  /** Takes note that a cache that was off is shut down. */
  public static void ended() {
    off.decrement();
  }

  static long getReadErrorCount() {
    return readErrors.sum();
  }

  static long getWriteErrorCount() {
    return writeErrors.sum();
  }

  static long getTurnedOffCount() {
    return offs.sum();
  }

  static long getTurnedOnCount() {
    return ons.sum();
  }

  /** Returns the number of caches that are off. */
  static long getOff() {
    return off.sum();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    collector.addRecord(metricsName).setContext(metricsContext)
      .addGauge(
        Interns.info("off", "Caches, or files of segments, that are off and wait for their device"),
        getOff())
      .addCounter(Interns.info("turnedOffCount", "Times that errors turned the cache off"),
        getTurnedOffCount())
      .addCounter(Interns.info("turnedOnCount", "Times that it came back by itself"),
        getTurnedOnCount())
      .addCounter(Interns.info("readErrorCount", "Blocks that couldn't be read, and were missed"),
        getReadErrorCount())
      .addCounter(Interns.info("writeErrorCount", "Writes that failed; blocks weren't cached"),
        getWriteErrorCount());
  }
}
