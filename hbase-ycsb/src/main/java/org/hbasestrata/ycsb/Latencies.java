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
package org.hbasestrata.ycsb;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/*
 * YCSB's own Measurements is a static singleton that gives away percentiles only as text and keeps
 * no histogram that could be merged or charted later, hence this class. It keeps to YCSB's
 * semantics: microseconds, HdrHistogram with 3 significant digits, failed operations in a series of
 * their own, and with a target rate a second series from the time when the operation was due.
 */

/** Latency histograms in microseconds. Any thread may record; one thread samples. */
public final class Latencies {
  /** From when to when an operation's latency is taken, or that it failed. */
  enum Kind {
    /** From the call to its answer. */
    SERVICE(""),
    /**
     * From the time at which the target rate wanted the call made: shows the wait in line too. Of
     * an operation that was due and didn't begin before the end, the wait up to then.
     */
    INTENDED("-INTENDED"),
    /** From the call to its failure. */
    FAILED("-FAILED");

    private final String suffix;

    Kind(String suffix) {
      this.suffix = suffix;
    }
  }

  /** The latencies of one operation in one kind. */
  static final class Series {
    private final OperationType operation;
    private final Kind kind;
    private final Recorder recorder = new Recorder(3);
    private final LongAdder rows = new LongAdder();
    private final Histogram total = new Histogram(3);

    private Series(OperationType operation, Kind kind) {
      this.operation = operation;
      this.kind = kind;
      total.setTag(label());
    }

    private void record(long micros, int rowCount) {
      recorder.recordValue(micros);
      rows.add(rowCount);
    }

    OperationType operation() {
      return operation;
    }

    Kind kind() {
      return kind;
    }

    String label() {
      return operation.label() + kind.suffix;
    }

    /** The rows that the operations read or wrote. */
    long rows() {
      return rows.sum();
    }

    /** All latencies up to the last {@link Latencies#sample()}; for the sampling thread. */
    Histogram total() {
      return total;
    }
  }

  private record Id(OperationType operation, Kind kind) implements Comparable<Id> {
    @Override
    public int compareTo(Id other) {
      int order = operation.compareTo(other.operation);
      return order != 0 ? order : kind.compareTo(other.kind);
    }
  }

  private final boolean intended;
  private final ConcurrentMap<Id, Series> series = new ConcurrentHashMap<>();
  private final LongAdder failures = new LongAdder();
  private final LongAdder notBegun = new LongAdder();
  private final LongAccumulator notBegunMicros = new LongAccumulator(Math::max, 0);
  private final AtomicReference<Throwable> firstFailure = new AtomicReference<>();
  private volatile Throwable lastFailure;

  /** @param intended whether to keep the series from the intended start time */
  public Latencies(boolean intended) {
    this.intended = intended;
  }

  /** Counts an operation that succeeded; the times are {@link System#nanoTime()}s. */
  public void succeeded(OperationType operation, int rows, long intendedNanos, long startNanos,
    long endNanos) {
    series(operation, Kind.SERVICE).record(micros(startNanos, endNanos), rows);
    if (intended) {
      series(operation, Kind.INTENDED).record(micros(intendedNanos, endNanos), rows);
    }
  }

  /** Counts an operation that failed for {@code rows} rows. */
  public void failed(OperationType operation, int rows, long startNanos, long endNanos,
    Throwable why) {
    series(operation, Kind.FAILED).record(micros(startNanos, endNanos), rows);
    firstFailure.compareAndSet(null, why);
    lastFailure = why;
    failures.increment();
  }

  /**
   * Counts an operation that was due and didn't begin before the end.
   * @param parts the operation, and those that it is made of if they have series of their own
   */
  void notBegun(List<OperationType> parts, long intendedNanos, long endNanos) {
    long waited = micros(intendedNanos, endNanos);
    parts.forEach(part -> series(part, Kind.INTENDED).record(waited, 0));
    notBegun.increment();
    notBegunMicros.accumulate(waited);
  }

  private static long micros(long startNanos, long endNanos) {
    return Math.max(0, endNanos - startNanos) / 1_000;
  }

  private Series series(OperationType operation, Kind kind) {
    Id id = new Id(operation, kind);
    Series found = series.get(id);
    return found != null ? found
      : series.computeIfAbsent(id, i -> new Series(operation, kind));
  }

  /** The number of operations that failed. */
  long failures() {
    return failures.sum();
  }

  /** The number of operations that succeeded, up to the last {@link #sample()}. */
  long successes() {
    return series.values().stream().filter(s -> s.kind == Kind.SERVICE)
      .mapToLong(s -> s.total.getTotalCount()).sum();
  }

  /** The number of operations that were due and didn't begin before the end. */
  long notBegun() {
    return notBegun.sum();
  }

  /** The longest wait of an operation that didn't begin, in microseconds. */
  long notBegunMicros() {
    return notBegunMicros.get();
  }

  /** Why the first failed operation failed; null when none did. */
  Throwable firstFailure() {
    return firstFailure.get();
  }

  /** Why the latest failed operation failed; null when none did. */
  Throwable lastFailure() {
    return lastFailure;
  }

  /** Takes what was recorded since the last call into the totals, and returns it, with tags. */
  List<Histogram> sample() {
    List<Histogram> intervals = new ArrayList<>();
    for (Series one : series()) {
      Histogram interval = one.recorder.getIntervalHistogram();
      interval.setTag(one.label());
      one.total.add(interval);
      intervals.add(interval);
    }
    return intervals;
  }

  /** In order of operation, then kind. */
  Collection<Series> series() {
    return series.entrySet().stream().sorted(Map.Entry.comparingByKey())
      .map(Map.Entry::getValue).toList();
  }
}
