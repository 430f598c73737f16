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

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;

/** The closing words: for people a table, for programs JSON. */
final class Report {
  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping()
    .create();
  /** What {@link #json} begins with. */
  static final String JSON_BEGIN = "{\n  \"profile\": ";
  private static final List<String> HEAD = List.of("", "count", "/s", "mean", "P50", "P95", "P99",
    "P999", "max");
  private static final List<String> ROWS_HEAD = List.of("per row", "rows", "/s", "mean");

  private Report() {
  }

  /** @param unit what an operation of the phase is, such as rows */
  static String table(Phase phase, String unit) {
    StringBuilder text = new StringBuilder(phase.name()).append(": ")
      .append(Units.count(phase.operations())).append(' ').append(unit).append(" in ")
      .append(Units.duration(phase.seconds())).append(", ")
      .append(Units.rate(phase.operationsPerSecond())).append(' ').append(unit).append("/s")
      .append(phase.interrupted() ? " (interrupted)" : "")
      .append(phase.timedOut() ? " (time is up)" : "").append("\n\n");

    List<List<String>> table = new ArrayList<>(List.of(HEAD));
    List<List<String>> rows = new ArrayList<>(List.of(ROWS_HEAD));
    for (Latencies.Series series : phase.latencies().series()) {
      Histogram total = series.total();
      if (total.getTotalCount() == 0) {
        continue;
      }
      table.add(List.of(series.label(), Units.count(total.getTotalCount()),
        Units.rate(total.getTotalCount() / phase.seconds()), Units.latency(total.getMean()),
        percentile(total, 50), percentile(total, 95), percentile(total, 99),
        percentile(total, 99.9), Units.latency(total.getMaxValue())));
      if (ofManyRows(series)) {
        rows.add(List.of(series.label(), Units.count(series.rows()),
          Units.rate(series.rows() / phase.seconds()), Units.latency(meanPerRow(series))));
      }
    }
    append(text, table);
    if (rows.size() > 1) {
      append(text.append('\n'), rows);
    }
    if (phase.latencies().failures() > 0) {
      text.append('\n').append(Units.count(phase.latencies().failures()))
        .append(" failed; the first: ")
        .append(ToolException.oneLine(phase.latencies().firstFailure())).append('\n');
    }
    if (phase.latencies().notBegun() > 0) {
      text.append('\n').append(Units.count(phase.latencies().notBegun()))
        .append(" due and not begun at the end (longest wait ")
        .append(Units.latency(phase.latencies().notBegunMicros()))
        .append("); INTENDED counts these waits.\n");
    }
    if (phase.unfinished()) {
      text.append("\nSome operations never ended and were given up.\n");
    }
    return text.toString();
  }

  private static boolean ofManyRows(Latencies.Series series) {
    return series.kind() == Latencies.Kind.SERVICE && switch (series.operation()) {
      case MULTIGET, SCAN, FULL_SCAN, INSERT_BATCH, UPDATE_BATCH -> series.rows() > 0;
      default -> false;
    };
  }

  private static double meanPerRow(Latencies.Series series) {
    return series.total().getMean() * series.total().getTotalCount() / series.rows();
  }

  private static String percentile(Histogram histogram, double percentile) {
    return Units.latency(histogram.getValueAtPercentile(percentile));
  }

  /** The first column to the left, the others to the right. */
  private static void append(StringBuilder text, List<List<String>> table) {
    int columns = table.get(0).size();
    int[] width = new int[columns];
    table.forEach(row -> {
      for (int i = 0; i < columns; i++) {
        width[i] = Math.max(width[i], row.get(i).length());
      }
    });
    for (List<String> row : table) {
      StringBuilder line = new StringBuilder(row.get(0));
      line.append(" ".repeat(width[0] - line.length()));
      for (int i = 1; i < columns; i++) {
        line.append(" ".repeat(width[i] - row.get(i).length() + 2)).append(row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }

  /** @param verifier null when nothing was verified */
  static String json(Profile profile, List<Phase> phases, RowVerifier verifier, int exitCode) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("profile", profile.name());
    root.put("exit_code", exitCode);
    Map<String, String> settings = new LinkedHashMap<>();
    for (Key key : Key.values()) {
      settings.put(key.text(), profile.text(key));
    }
    profile.properties().stringPropertyNames().stream().sorted()
      .forEach(key -> settings.put(key, profile.properties().getProperty(key)));
    root.put("settings", settings);
    if (verifier != null) {
      root.put("verified", ordered("rows", verifier.checked(), "wrong", verifier.wrong(),
        "missing", verifier.missing()));
    }
    root.put("phases", phases.stream().map(Report::json).toList());
    return GSON.toJson(root) + '\n';
  }

  private static Map<String, Object> json(Phase phase) {
    Map<String, Object> series = new LinkedHashMap<>();
    for (Latencies.Series one : phase.latencies().series()) {
      series.put(one.label(), json(one, phase.seconds()));
    }
    List<Object> perSecond = new ArrayList<>();
    for (Phase.Second second : phase.perSecond()) {
      Map<String, Object> intervals = new LinkedHashMap<>();
      second.series().forEach((label, i) -> intervals.put(label,
        ordered("count", i.count(), "mean_us", i.meanMicros(), "p50_us", i.p50Micros(), "p99_us",
          i.p99Micros(), "max_us", i.maxMicros())));
      perSecond.add(ordered("seconds", second.seconds(), "operations", second.operations(),
        "series", intervals));
    }
    return ordered("phase", phase.name(), "start_ms", phase.startMillis(), "seconds",
      phase.seconds(), "operations", phase.operations(), "operations_per_second",
      phase.operationsPerSecond(), "failed", phase.latencies().failures(), "not_begun",
      phase.latencies().notBegun(), "interrupted", phase.interrupted(), "unfinished",
      phase.unfinished(), "series", series, "per_second", perSecond);
  }

  private static Map<String, Object> json(Latencies.Series series, double seconds) {
    Histogram total = series.total();
    Map<String, Object> json = ordered("count", total.getTotalCount(), "per_second",
      total.getTotalCount() / seconds, "rows", series.rows(), "rows_per_second",
      series.rows() / seconds, "mean_us", total.getMean(), "p50_us",
      total.getValueAtPercentile(50), "p95_us", total.getValueAtPercentile(95), "p99_us",
      total.getValueAtPercentile(99), "p999_us", total.getValueAtPercentile(99.9), "max_us",
      total.getMaxValue());
    if (ofManyRows(series)) {
      json.put("mean_per_row_us", meanPerRow(series));
    }
    json.put("hdrhistogram_base64", encoded(total));
    return json;
  }

  /** HdrHistogram's compressed form, as in its logs. */
  private static String encoded(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  private static Map<String, Object> ordered(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }
}
