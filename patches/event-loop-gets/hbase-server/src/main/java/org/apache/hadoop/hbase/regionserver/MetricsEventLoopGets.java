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

import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of {@link EventLoopGets} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=EventLoopGets}, and for Prometheus.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsEventLoopGets extends BaseSourceImpl {
  private static final MetricsEventLoopGets INSTANCE = new MetricsEventLoopGets();

  private final MutableFastCounter read;
  private final MutableFastCounter notInMemory;

  private MetricsEventLoopGets() {
    super("EventLoopGets", "Metrics about gets that event loops try to read", "regionserver",
      "RegionServer,sub=EventLoopGets");
    read = getMetricsRegistry().newCounter("eventLoopReadCount",
      "Gets that were read by the event loop that received them", 0L);
    notInMemory = getMetricsRegistry().newCounter("eventLoopNotInMemoryCount",
      "Gets that an event loop left to a handler, since a block wasn't in memory, a lock wasn't"
        + " free, it was much work, or the row isn't a plain one",
      0L);
  }

  static MetricsEventLoopGets getInstance() {
    return INSTANCE;
  }

  /** Counts a get that was read. */
  void incrRead() {
    read.incr();
  }

  /** Counts a get that was tried. */
  void incrNotInMemory() {
    notInMemory.incr();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    getMetricsRegistry().snapshot(record, all);
  }
}
