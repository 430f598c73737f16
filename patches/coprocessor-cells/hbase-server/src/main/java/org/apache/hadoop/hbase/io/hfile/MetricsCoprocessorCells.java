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
package org.apache.hadoop.hbase.io.hfile;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.yetus.audience.InterfaceAudience;

/** Counts what calls hold for coprocessors, of all servers of the JVM together. Thread-safe. */
@InterfaceAudience.Private
public final class MetricsCoprocessorCells extends BaseSourceImpl {
  private static MetricsCoprocessorCells source;

  // Static, since the superclass's constructor makes the metrics system read them.
  private static final AtomicLong heldBytes = new AtomicLong();
  private static final AtomicLong mostHeldBytes = new AtomicLong();
  private static final AtomicLong mostHeldBytesOfCall = new AtomicLong();
  private static final LongAdder copiedBlocks = new LongAdder();
  private static final LongAdder copiedBytes = new LongAdder();

  private MetricsCoprocessorCells() {
    super("CoprocessorCells", "Metrics about blocks that are held for coprocessors",
      "regionserver", "RegionServer,sub=CoprocessorCells");
  }

  static synchronized void register() {
    if (source == null) {
      source = new MetricsCoprocessorCells();
    }
  }

  static void held(long bytes, long bytesOfCall) {
    mostHeldBytesOfCall.accumulateAndGet(bytesOfCall, Math::max);
    mostHeldBytes.accumulateAndGet(heldBytes.addAndGet(bytes), Math::max);
  }

  static void released(long bytes) {
    heldBytes.addAndGet(-bytes);
  }

  static void copied(long bytes) {
    copiedBlocks.increment();
    copiedBytes.add(bytes);
  }

  /** Returns the bytes of blocks that calls hold now. */
  public static long getHeldBytes() {
    return heldBytes.get();
  }

  /** Returns the most bytes that one call has held. */
  public static long getMostHeldBytesOfCall() {
    return mostHeldBytesOfCall.get();
  }

  /** Returns the number of blocks that were copied to the heap. */
  public static long getCopiedBlockCount() {
    return copiedBlocks.sum();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    collector.addRecord(metricsName).setContext(metricsContext)
      .addGauge(Interns.info("heldBytes", "Bytes of blocks that calls hold for coprocessors"),
        getHeldBytes())
      .addGauge(Interns.info("mostHeldBytes", "The most that all calls held together"),
        mostHeldBytes.get())
      .addGauge(Interns.info("mostHeldBytesOfCall", "The most that one call held"),
        getMostHeldBytesOfCall())
      .addCounter(Interns.info("copiedBlockCount", "Blocks for coprocessors' scanners that were "
        + "copied to the heap"), getCopiedBlockCount())
      .addCounter(Interns.info("copiedBytes", "Bytes of these blocks"), copiedBytes.sum());
  }
}
