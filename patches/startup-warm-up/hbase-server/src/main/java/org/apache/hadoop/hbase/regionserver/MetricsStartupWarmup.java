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

import java.lang.management.ManagementFactory;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of {@link StartupWarmup} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=StartupWarmup}, and for Prometheus.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsStartupWarmup extends BaseSourceImpl {
  private static final MetricsStartupWarmup INSTANCE = new MetricsStartupWarmup();

  final MutableFastCounter reads = getMetricsRegistry().newCounter("startupWarmupReadCount",
    "Rows that the server read of its own region before it registered with the master", 0L);
  final MutableFastCounter failures = getMetricsRegistry().newCounter("failedStartupWarmupCount",
    "Warm-ups that ended by an error, after which the server registered", 0L);
  final MutableGaugeLong millis = getMetricsRegistry().newGauge("startupWarmupMillis",
    "Milliseconds that the warm-up took", 0L);
  private final MutableGaugeLong readyMillis = getMetricsRegistry().newGauge("startupReadyMillis",
    "Milliseconds from the JVM's start until the server was ready to register", 0L);

  private MetricsStartupWarmup() {
    super("StartupWarmup", "Metrics about what a region server does before it registers",
      "regionserver", "RegionServer,sub=StartupWarmup");
  }

  static MetricsStartupWarmup getInstance() {
    return INSTANCE;
  }

  /** The server is about to register. */
  void setReady() {
    readyMillis.set(ManagementFactory.getRuntimeMXBean().getUptime());
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    getMetricsRegistry().snapshot(record, all);
  }
}
