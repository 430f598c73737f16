/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.hbasestrata.bench.Run;
import org.hbasestrata.bench.Server;
import org.hbasestrata.bench.report.Metric.Better;
import org.hbasestrata.bench.report.Metric.Group;

/** Works out the figures of a run. */
final class Figures {
  private static final Metric THROUGHPUT = new Metric("throughput", Group.THROUGHPUT,
    "Operations", Unit.OPERATIONS_PER_SECOND, Better.HIGHER, true);
  private static final Metric ROWS = new Metric("rows_per_second", Group.THROUGHPUT, "Rows",
    Unit.ROWS_PER_SECOND, Better.HIGHER, false);
  private static final Metric FAILED = new Metric("failed_operations", Group.THROUGHPUT,
    "Failed operations", Unit.COUNT, Better.LOWER, false);

  private static final Metric CPU = new Metric("cpu_seconds_per_million_operations", Group.CPU,
    "Server CPU", Unit.SECONDS_PER_MILLION, Better.LOWER, true);
  private static final Metric ALLOCATION = new Metric("allocated_bytes_per_operation", Group.CPU,
    "Heap allocation", Unit.BYTES_PER_OPERATION, Better.LOWER, true);

  private static final Metric GC_TIME = new Metric("gc_ms_per_second", Group.GC, "GC pauses, time",
    Unit.MILLISECONDS_PER_SECOND, Better.LOWER, true);
  private static final Metric GC_COUNT = new Metric("gc_pauses", Group.GC, "GC pauses, count",
    Unit.COUNT, Better.LOWER, false);
  private static final Metric GC_TOTAL = new Metric("gc_pause_total_ms", Group.GC,
    "GC pauses, total", Unit.MILLISECONDS, Better.LOWER, false);
  private static final Metric GC_MAX = new Metric("gc_pause_max_ms", Group.GC, "GC pauses, longest",
    Unit.MILLISECONDS, Better.LOWER, true);
  private static final Metric SAFEPOINT_TOTAL = new Metric("safepoint_total_ms", Group.GC,
    "Safepoints, total", Unit.MILLISECONDS, Better.LOWER, false);
  private static final Metric SAFEPOINT_MAX = new Metric("safepoint_max_ms", Group.GC,
    "Safepoints, longest", Unit.MILLISECONDS, Better.LOWER, false);

  private static final Metric HEAP = new Metric("heap_after_full_gc_bytes", Group.MEMORY,
    "Heap after a full GC", Unit.BYTES, Better.LOWER, true);
  private static final Metric OFF_HEAP = new Metric("off_heap_bytes", Group.MEMORY,
    "Off-heap buffers", Unit.BYTES, Better.NEITHER, false);
  private static final Metric RESIDENT = new Metric("resident_bytes", Group.MEMORY,
    "Resident set", Unit.BYTES, Better.LOWER, false);

  private static final Metric WARM_AFTER = new Metric("warm_after_ms", Group.IO,
    "From restart to 95 % hits", Unit.MILLISECONDS, Better.LOWER, true);
  private static final Metric IOS = new Metric("ios_per_operation", Group.IO, "I/Os",
    Unit.PER_OPERATION, Better.LOWER, true);
  private static final Metric HDFS_BLOCKS = new Metric("hdfs_block_reads_per_operation", Group.IO,
    "Blocks read from HDFS", Unit.PER_OPERATION, Better.LOWER, false);
  private static final Metric DEVICE_BYTES = new Metric("device_bytes_read_per_operation", Group.IO,
    "Read from the cache device", Unit.BYTES_PER_OPERATION, Better.NEITHER, false);

  private final Map<Metric, Double> figures = new LinkedHashMap<>();

  private Figures() {
  }

  /**
   * @param pauses null when not known
   * @param notes  takes what the reader must know of how a figure was had
   */
  static Map<Metric, Double> of(Run run, YcsbResult ycsb, Window window, List<Pause> pauses,
    Recording recording, List<String> notes) {
    Figures figures = new Figures();
    figures.client(ycsb);
    figures.allocation(run.server(), ycsb, recording, notes);
    if (pauses != null) {
      figures.collections(pauses, window);
    }
    if (recording.safepoints() != null) {
      figures.put(SAFEPOINT_TOTAL, sum(recording.safepoints()));
      figures.put(SAFEPOINT_MAX, max(recording.safepoints()));
    }
    if (run.server() != null) {
      figures.server(run.server(), ycsb.succeeded());
    }
    return figures.figures;
  }

  private void put(Metric metric, Number value) {
    if (value != null) {
      figures.put(metric, value.doubleValue());
    }
  }

  private void putPerOperation(Metric metric, Number total, double operations) {
    if (total != null && operations > 0) {
      figures.put(metric, total.doubleValue() / operations);
    }
  }

  private void client(YcsbResult ycsb) {
    put(THROUGHPUT, ycsb.succeeded() / ycsb.seconds());
    if (ycsb.rows() != ycsb.succeeded()) {
      put(ROWS, ycsb.rows() / ycsb.seconds());
    }
    put(FAILED, ycsb.failed());
    ycsb.latencies().forEach((series, histogram) -> {
      boolean headline = !series.endsWith(YcsbResult.INTENDED_SUFFIX);
      latency(series, "mean", "mean", histogram.getMean(), false);
      latency(series, "p50", "P50", percentile(histogram, 50), headline);
      latency(series, "p95", "P95", percentile(histogram, 95), false);
      latency(series, "p99", "P99", percentile(histogram, 99), headline);
      latency(series, "p999", "P999", percentile(histogram, 99.9), headline);
      latency(series, "max", "max", histogram.getMaxValue(), false);
    });
  }

  private static double percentile(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile);
  }

  private void latency(String series, String id, String label, double micros, boolean headline) {
    put(new Metric("latency." + series + '.' + id, Group.LATENCY, series + ' ' + label,
      Unit.MICROSECONDS, Better.LOWER, headline), micros);
  }

  private void allocation(Server server, YcsbResult ycsb, Recording recording,
    List<String> notes) {
    if (server != null) {
      putPerOperation(CPU, server.cpuSeconds(), ycsb.succeeded() / 1e6);
    }
    if (server != null && server.allocatedBytes() != null) {
      putPerOperation(ALLOCATION, server.allocatedBytes(), ycsb.succeeded());
    } else if (recording.allocations() != null) {
      putPerOperation(ALLOCATION, sum(recording.allocations().values()), ycsb.succeeded());
      notes.add("heap allocation is estimated from the samples in server.jfr");
    }
  }

  private void collections(List<Pause> pauses, Window window) {
    List<Double> millis = pauses.stream().map(Pause::millis).toList();
    put(GC_TIME, sum(millis) / window.seconds());
    put(GC_COUNT, millis.size());
    put(GC_TOTAL, sum(millis));
    put(GC_MAX, max(millis));
  }

  private void server(Server server, long operations) {
    put(HEAP, server.heapAfterFullGcBytes());
    put(OFF_HEAP, server.offHeapBytes());
    put(RESIDENT, server.residentBytes());
    server.cacheTiers().forEach((tier, counts) -> {
      putPerOperation(new Metric("cache." + tier + ".hits_per_operation", Group.IO,
        "Cache " + tier + ", hits", Unit.PER_OPERATION, Better.NEITHER, false), counts.hits(),
        operations);
      long lookups = counts.hits() + counts.misses();
      if (lookups > 0) {
        put(new Metric("cache." + tier + ".hit_percent", Group.IO, "Cache " + tier + ", hit ratio",
          Unit.PERCENT, Better.HIGHER, false), 100.0 * counts.hits() / lookups);
      }
    });
    put(WARM_AFTER, server.warmAfterMillis());
    putPerOperation(HDFS_BLOCKS, server.hdfsBlocksRead(), operations);
    putPerOperation(DEVICE_BYTES, server.deviceBytesRead(), operations);
    putPerOperation(IOS, server.deviceIos(), operations);
  }

  private static double sum(Iterable<Double> values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  private static double max(Iterable<Double> values) {
    double max = 0;
    for (double value : values) {
      max = Math.max(max, value);
    }
    return max;
  }
}
