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
 * Metrics of {@link CursorCompaction} and {@link CursorFlush} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=Compactions}, and for Prometheus. Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsCursorCompactions extends BaseSourceImpl {
  /** Why a compaction or a flush was made by a scanner. */
  enum Reason {
    COMPACTOR("Compactor", "of stripes or date tiers, or by a compactor of another class", null),
    COPROCESSOR("Coprocessor", "whose scanner a coprocessor wraps, replaces or reads",
      "whose scanner a coprocessor wraps, replaces or reads"),
    RULES("Rules", "of a family with NEW_VERSION_BEHAVIOR, of hbase:meta, or whose deletes a"
      + " coprocessor knows, as that of visibility labels does",
      "of hbase:meta, or of a family with NEW_VERSION_BEHAVIOR or visibility labels"),
    FILE("File", "of a half of a file that was split, or of files that a coprocessor has sought"
      + " in", null),
    MEMSTORE("Memstore", null, "of a memstore with segments of another class"),
    WRITER("Writer", "whose file is to have a Bloom filter of row prefixes, or to be two files",
      "whose file is to have a Bloom filter of row prefixes, or to be several, as with stripes");

    private final String name;
    /** Null if no compaction can have it. */
    private final String ofCompaction;
    /** Null if no flush can have it. */
    private final String ofFlush;

    Reason(String name, String ofCompaction, String ofFlush) {
      this.name = name;
      this.ofCompaction = ofCompaction;
      this.ofFlush = ofFlush;
    }
  }

  private static final MetricsCursorCompactions INSTANCE = new MetricsCursorCompactions();

  private final MutableFastCounter cursorCompactions;
  private final MutableFastCounter failures;
  private final MutableFastCounter writtenCells;
  private final MutableFastCounter droppedCells;
  private final MutableFastCounter cursorFlushes;
  private final MutableFastCounter failedFlushes;
  private final Map<Reason, MutableFastCounter> scannerCompactions = new EnumMap<>(Reason.class);
  private final Map<Reason, MutableFastCounter> scannerFlushes = new EnumMap<>(Reason.class);

  private MetricsCursorCompactions() {
    super("Compactions", "Metrics about how compactions and flushes read their cells",
      "regionserver", "RegionServer,sub=Compactions");
    cursorCompactions = newCounter("cursorCompactionCount",
      "Compactions that began without an object of each cell");
    failures = newCounter("cursorFailureCount",
      "Of cursorCompactionCount those that failed, or were cancelled, as when a region closes");
    writtenCells = newCounter("cursorWrittenCellCount",
      "Cells that compactions of cursorCompactionCount wrote");
    droppedCells = newCounter("cursorDroppedCellCount", "Cells that compactions of"
      + " cursorCompactionCount dropped: deleted, expired, or of more versions than are kept");
    cursorFlushes =
      newCounter("cursorFlushCount", "Flushes that began without an object of each cell");
    failedFlushes = newCounter("cursorFlushFailureCount",
      "Of cursorFlushCount those that failed; a scanner makes the next try");
    for (Reason reason : Reason.values()) {
      if (reason.ofCompaction != null) {
        scannerCompactions.put(reason, newCounter("scanner" + reason.name + "CompactionCount",
          "Compactions by a scanner while cursors are on, " + reason.ofCompaction));
      }
      if (reason.ofFlush != null) {
        scannerFlushes.put(reason, newCounter("scanner" + reason.name + "FlushCount",
          "Flushes by a scanner while cursors are on, " + reason.ofFlush));
      }
    }
  }

  private MutableFastCounter newCounter(String name, String description) {
    return getMetricsRegistry().newCounter(name, description, 0L);
  }

  static MetricsCursorCompactions getInstance() {
    return INSTANCE;
  }

  /** Counts a compaction that begins. */
  void incrBegun() {
    cursorCompactions.incr();
  }

  /** Counts what a compaction did. */
  void addEnded(boolean failed, long written, long dropped) {
    if (failed) {
      failures.incr();
    }
    writtenCells.incr(written);
    droppedCells.incr(dropped);
  }

  /** Counts a compaction that a scanner makes, for this reason. */
  void incrScanner(Reason reason) {
    scannerCompactions.get(reason).incr();
  }

  /** Counts a flush that begins. */
  void incrFlush() {
    cursorFlushes.incr();
  }

  /** Counts a flush that met an exception. */
  void incrFailedFlush() {
    failedFlushes.incr();
  }

  /** Returns how many flushes failed. */
  long getFailedFlushes() {
    return failedFlushes.value();
  }

  /** Counts a flush that a scanner makes, for this reason. */
  void incrScannerFlush(Reason reason) {
    scannerFlushes.get(reason).incr();
  }

  /** Returns how many flushes were begun. */
  long getFlushes() {
    return cursorFlushes.value();
  }

  /** Returns how many flushes a scanner made for this reason. */
  long getScannerFlushes(Reason reason) {
    return valueOf(scannerFlushes.get(reason));
  }

  /** Returns how many compactions a scanner made for this reason. */
  long getScanner(Reason reason) {
    return valueOf(scannerCompactions.get(reason));
  }

  /** @param counter null for 0 */
  private static long valueOf(MutableFastCounter counter) {
    return counter == null ? 0 : counter.value();
  }

  /** Returns how many compactions were begun. */
  long getBegun() {
    return cursorCompactions.value();
  }

  /** Returns how many compactions failed. */
  long getFailed() {
    return failures.value();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    getMetricsRegistry().snapshot(record, all);
  }
}
