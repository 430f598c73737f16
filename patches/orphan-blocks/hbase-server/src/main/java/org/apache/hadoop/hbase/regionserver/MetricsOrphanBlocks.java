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
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of {@link OrphanBlocks} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=OrphanBlocks}, and for Prometheus. Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsOrphanBlocks extends BaseSourceImpl {
  private static final MetricsOrphanBlocks INSTANCE = new MetricsOrphanBlocks();

  final MutableGaugeLong orphans = getMetricsRegistry().newGauge("orphanFileCount",
    "Files with blocks in the block cache that no region of the server has, at the last look", 0L);
  final MutableFastCounter returned = counter("returnedFileCount",
    "Files that no region had, and that one has again while their blocks are still there");
  final MutableFastCounter filesGivenUp = counter("givenUpFileCount",
    "Files whose blocks were evicted since no region had them for long");
  final MutableFastCounter blocksGivenUp =
    counter("givenUpBlockCount", "Blocks of these files that were evicted");

  private MetricsOrphanBlocks() {
    super("OrphanBlocks", "Metrics about cached blocks of files that no region of the server has",
      "regionserver", "RegionServer,sub=OrphanBlocks");
  }

  private MutableFastCounter counter(String name, String description) {
    return getMetricsRegistry().newCounter(name, description, 0L);
  }

  static MetricsOrphanBlocks getInstance() {
    return INSTANCE;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    getMetricsRegistry().snapshot(record, all);
  }
}
