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
 * Metrics of {@link AsyncPuts} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=AsyncPuts}, and for Prometheus. Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsAsyncPuts extends BaseSourceImpl {
  private static final MetricsAsyncPuts INSTANCE = new MetricsAsyncPuts();

  private final MutableFastCounter async;
  private final MutableFastCounter waited;
  private final MutableFastCounter onEventLoop;
  private final MutableGaugeLong waitingCalls;
  private final MutableGaugeLong waitingBytes;

  private MetricsAsyncPuts() {
    super("AsyncPuts", "Metrics about writes that no thread waits for", "regionserver",
      "RegionServer,sub=AsyncPuts");
    async = getMetricsRegistry().newCounter("asyncPutBatchCount",
      "Writes whose response waited for the write-ahead log in place of a handler; puts and deletes"
        + " of a call that go to a region together are one",
      0L);
    onEventLoop = getMetricsRegistry().newCounter("asyncPutEventLoopCount",
      "Puts that the event loop that received them began to write", 0L);
    waited = getMetricsRegistry().newCounter("asyncPutWaitedCount",
      "Writes for which a handler waited, since too much waited for the write-ahead log already",
      0L);
    waitingCalls = getMetricsRegistry().newGauge("asyncPutWaitingCalls",
      "Calls whose response waits for the write-ahead log now", 0L);
    waitingBytes = getMetricsRegistry().newGauge("asyncPutWaitingBytes",
      "Bytes of the requests and results of the calls in asyncPutWaitingCalls", 0L);
  }

  static MetricsAsyncPuts getInstance() {
    return INSTANCE;
  }

  /** Counts a batch that no thread waits for. */
  void incrAsync() {
    async.incr();
  }

  /** Counts a put of an event loop. */
  void incrOnEventLoop() {
    onEventLoop.incr();
  }

  /** Counts a batch that a handler waits for. */
  void incrWaited() {
    waited.incr();
  }

  /** Adds calls that wait, or takes some away. */
  void addWaiting(int calls, long bytes) {
    waitingCalls.incr(calls);
    waitingBytes.incr(bytes);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    getMetricsRegistry().snapshot(record, all);
  }
}
