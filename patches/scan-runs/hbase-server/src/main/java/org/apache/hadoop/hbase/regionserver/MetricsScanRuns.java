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

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of {@link ScanRuns} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=Scans}, and for Prometheus. Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsScanRuns extends BaseSourceImpl {
  /** Why a scan of a store reads no runs. */
  enum Reason {
    LIMITS("Limits", "with a limit or an offset of cells in a family"),
    KIND("Kind", "that are reversed or raw, of hbase:meta, of a family with MIN_VERSIONS or"
      + " NEW_VERSION_BEHAVIOR, or whose deletes a coprocessor knows");

    private final String name;
    private final String description;

    Reason(String name, String description) {
      this.name = name;
      this.description = description;
    }
  }

  private static final MetricsScanRuns INSTANCE = new MetricsScanRuns();

  private final MutableFastCounter plainScans;
  private final MutableFastCounter runs;
  private final MutableFastCounter runCells;
  private final MutableFastCounter rowsAtOnce;
  private final MutableFastCounter rowsPassed;
  private final Map<Reason, MutableFastCounter> otherScans = new EnumMap<>(Reason.class);

  private MetricsScanRuns() {
    super("Scans", "Metrics about how scans are read", "regionserver", "RegionServer,sub=Scans");
    plainScans = newCounter("plainScanCount", "Scans of a store that read runs where they can");
    runs = newCounter("runCount", "Runs that scans read; counted when a scan has ended");
    runCells = newCounter("runCellCount", "Cells in runs");
    rowsAtOnce = newCounter("rowsAtOnceCount", "Rows that were read several at a time;"
      + " counted when a scan has ended");
    rowsPassed = newCounter("rowsPassedAtOnceCount", "Rows that a filter excluded by their row"
      + " keys, several at a time; counted when a scan has ended");
    for (Reason reason : Reason.values()) {
      otherScans.put(reason, newCounter("other" + reason.name + "ScanCount",
        "Scans of a store that read no runs, " + reason.description));
    }
  }

  private MutableFastCounter newCounter(String name, String description) {
    return getMetricsRegistry().newCounter(name, description, 0L);
  }

  static MetricsScanRuns getInstance() {
    return INSTANCE;
  }

  /** Counts a scan of a store that reads runs. */
  void incrPlain() {
    plainScans.incr();
  }

  /** Counts a scan of a store that reads none, for this reason. */
  void incrOther(Reason reason) {
    otherScans.get(reason).incr();
  }

  /** Counts what a scan of a store has read. */
  void addRuns(long count, long cells, long rows, long passedRows) {
    runs.incr(count);
    runCells.incr(cells);
    rowsAtOnce.incr(rows);
    rowsPassed.incr(passedRows);
  }

  /** Returns how many scans of stores read none for this reason. */
  long getOther(Reason reason) {
    return otherScans.get(reason).value();
  }

  /** Returns how many scans of stores read runs. */
  long getPlain() {
    return plainScans.value();
  }

  /** Returns how many cells were read in runs. */
  long getRunCells() {
    return runCells.value();
  }

  /** Returns how many rows were read several at a time. */
  long getRowsAtOnce() {
    return rowsAtOnce.value();
  }

  /** Returns how many rows a filter excluded several at a time. */
  long getRowsPassed() {
    return rowsPassed.value();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    getMetricsRegistry().snapshot(record, all);
  }
}
