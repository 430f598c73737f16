/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of {@link RegionMoveWaits} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=RegionMoveWaits}, and for Prometheus.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsRegionMoveWaits extends BaseSourceImpl {
  private static final MetricsRegionMoveWaits INSTANCE = new MetricsRegionMoveWaits();

  final MutableFastCounter ended = counter("endedRegionMoveWaitCount",
    "Calls that waited until their region was open, or closed");
  final MutableFastCounter vain = counter("vainRegionMoveWaitCount",
    "Calls that waited as long as they may, and were then refused");
  final MutableFastCounter refused = counter("refusedRegionMoveWaitCount",
    "Calls that were refused at once, since the most that may wait did, or calls of their region "
      + "had waited for as long as they may");

  private MetricsRegionMoveWaits() {
    super("RegionMoveWaits", "Metrics about calls that wait for a region that moves",
      "regionserver", "RegionServer,sub=RegionMoveWaits");
  }

  private MutableFastCounter counter(String name, String description) {
    return getMetricsRegistry().newCounter(name, description, 0L);
  }

  static MetricsRegionMoveWaits getInstance() {
    return INSTANCE;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    getMetricsRegistry().snapshot(record, all);
  }
}
