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
 * Metrics of the indexes of memstores in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=MemStoreIndex}, and for Prometheus.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsMemStoreIndex extends BaseSourceImpl {
  private static final MetricsMemStoreIndex INSTANCE = new MetricsMemStoreIndex();

  private final MutableFastCounter trees;

  private MetricsMemStoreIndex() {
    super("MemStoreIndex", "Metrics about the indexes of memstores", "regionserver",
      "RegionServer,sub=MemStoreIndex");
    trees = getMetricsRegistry().newCounter("treeCount",
      "Trees that were made for the cells of a memstore, one after each flush", 0L);
  }

  static MetricsMemStoreIndex getInstance() {
    return INSTANCE;
  }

  /** Counts a tree that is made. */
  void incrTrees() {
    trees.incr();
  }

  /** Returns how many trees were made. */
  long getTrees() {
    return trees.value();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    getMetricsRegistry().snapshot(record, all);
  }
}
