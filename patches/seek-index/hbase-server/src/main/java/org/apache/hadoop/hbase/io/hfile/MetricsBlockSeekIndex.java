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

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts what this process's seek indexes do, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=BlockSeekIndex}, and for Prometheus.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsBlockSeekIndex extends BaseSourceImpl {
  private static MetricsBlockSeekIndex instance;
  private static volatile SeekIndexStore store;

  // Static, since the superclass's constructor makes the metrics system read them.
  static final LongAdder BUILT = new LongAdder();
  static final LongAdder JUMPS = new LongAdder();
  static final LongAdder CELLS_SKIPPED = new LongAdder();
  static final LongAdder ROW_JUMPS = new LongAdder();

  private MetricsBlockSeekIndex() {
    super("BlockSeekIndex", "Metrics about indexes of cells in cached blocks", "regionserver",
      "RegionServer,sub=BlockSeekIndex");
  }

  /** Shows the metrics, and what a store holds, from now on. */
  static synchronized void start(SeekIndexStore shown) {
    store = shown;
    if (instance == null) {
      instance = new MetricsBlockSeekIndex();
    }
  }

  static void jumped(long cells) {
    JUMPS.increment();
    CELLS_SKIPPED.add(cells);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    collector.addRecord(metricsName).setContext(metricsContext)
      .addGauge(Interns.info("indexBytes", "Bytes of heap taken for indexes"), store.getBytes())
      .addGauge(Interns.info("indexCount", "Cached blocks that have an index"),
        store.getIndexes())
      .addCounter(Interns.info("builtCount", "Indexes that were built"), BUILT.sum())
      .addCounter(Interns.info("reclaimedCount", "Indexes that gave their memory to those of other "
        + "blocks"), store.getReclaimed())
      .addCounter(Interns.info("jumpCount", "Seeks that began behind cells of their block"),
        JUMPS.sum())
      .addCounter(Interns.info("skippedCellCount", "Cells that these seeks didn't walk over, at "
        + "least"),
        CELLS_SKIPPED.sum())
      .addCounter(Interns.info("rowJumpCount", "Rows that scans went to by a seek index, without "
        + "the cells before them"),
        ROW_JUMPS.sum());
  }
}
