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
 * Metrics of {@link HotBlockHandover} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=HotBlocks}, and for Prometheus. Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsHotBlocks extends BaseSourceImpl {
  private static final MetricsHotBlocks INSTANCE = new MetricsHotBlocks();

  final MutableFastCounter listsWritten =
    counter("writtenListCount", "Lists of a region's hot blocks that were written");
  final MutableFastCounter listsFailed = counter("failedListCount",
    "Lists that couldn't be written, or not within the time that a region's close waits");
  final MutableFastCounter blocksHandedOver =
    counter("handedOverBlockCount", "Blocks in the lists of regions that were closed");
  final MutableFastCounter listsRead =
    counter("readListCount", "Lists that were found when a region was opened");
  final MutableFastCounter listsRefused =
    counter("refusedListCount", "Lists that couldn't be read, or were damaged");
  final MutableFastCounter blocksReadAhead =
    counter("readAheadBlockCount", "Listed blocks that were read into the block cache");
  final MutableFastCounter bytesReadAhead =
    counter("readAheadBytes", "Bytes on disk of the blocks that were read ahead");
  final MutableFastCounter blocksCached = counter("cachedBeforeBlockCount",
    "Listed blocks that the block cache had, from before or since users had read them");
  final MutableFastCounter blocksDropped = counter("droppedListedBlockCount",
    "Listed blocks that weren't read, since their file is gone, reading it failed, the region"
      + " closed, or the block cache was full");

  private MetricsHotBlocks() {
    super("HotBlocks", "Metrics about hot blocks of regions that move", "regionserver",
      "RegionServer,sub=HotBlocks");
  }

  private MutableFastCounter counter(String name, String description) {
    return getMetricsRegistry().newCounter(name, description, 0L);
  }

  static MetricsHotBlocks getInstance() {
    return INSTANCE;
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    getMetricsRegistry().snapshot(record, all);
  }
}
