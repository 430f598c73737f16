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
package org.apache.hadoop.hbase.ipc;

import java.lang.ref.WeakReference;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.HeapFallbacks;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of this process's buffer pool, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=BufferPool}, and for Prometheus. The metrics
 * {@code ByteBuffAllocator*} of {@code sub=Server} count all buffers from the heap. They don't
 * distinguish those that the pool lacked from those that are too small for it or weren't asked of
 * it.
 */
@InterfaceAudience.Private
final class MetricsBufferPool extends BaseSourceImpl {
  private static MetricsBufferPool source;

  /**
   * Weak, since a stopped server leaves its pool to the garbage collector. Null until a pool is
   * shown, and while the superclass's constructor makes the metrics system read the metrics.
   */
  private volatile WeakReference<ByteBuffAllocator> pool;

  private MetricsBufferPool() {
    super("BufferPool", "Metrics about the pool of buffers for blocks and responses",
      "regionserver", "RegionServer,sub=BufferPool");
  }

  static synchronized MetricsBufferPool get() {
    if (source == null) {
      source = new MetricsBufferPool();
    }
    return source;
  }

  /** Shows this pool instead of the one shown before. */
  void show(ByteBuffAllocator pool) {
    this.pool = new WeakReference<>(pool);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    ByteBuffAllocator current = pool == null ? null : pool.get();
    if (current == null) {
      return;
    }
    HeapFallbacks fallbacks = current.getHeapFallbacks();
    long poolBytes = current.getPoolAllocationBytes();
    long heapBytes = fallbacks.getBytes();
    collector.addRecord(metricsName).setContext(metricsContext)
      .addGauge(Interns.info("bufferSize", "Bytes of a buffer"), current.getBufferSize())
      .addGauge(Interns.info("maxBufferCount", "Buffers that the pool may have"),
        current.getTotalBufferCount())
      .addGauge(Interns.info("bufferCount", "Buffers that the pool has allocated, in use or free; "
        + "as many as it may have once it was empty"), current.getUsedBufferCount())
      .addCounter(Interns.info("poolBytes", "Bytes of buffers that the pool gave"), poolBytes)
      .addCounter(Interns.info("heapFallbackCount", "Buffers from the heap because the pool was "
        + "empty"), fallbacks.getCount())
      .addCounter(Interns.info("heapFallbackBytes", "Bytes of these buffers"), heapBytes)
      .addGauge(Interns.info("heapFallbackRatio", "These bytes as a share of all bytes asked of "
        + "the pool since the start, 0 to 1"),
        heapBytes == 0 ? 0 : (double) heapBytes / (heapBytes + poolBytes));
  }
}
