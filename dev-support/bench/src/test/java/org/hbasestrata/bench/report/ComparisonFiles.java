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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.Run;
import org.hbasestrata.bench.Server;
import org.hbasestrata.bench.State;
import org.hbasestrata.tools.Json;

/** Writes what a comparison of ten-second runs would leave. */
public final class ComparisonFiles {
  static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
  static final int SECONDS = 10;

  private static final DateTimeFormatter LOG_TIME = DateTimeFormatter
    .ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSZ", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final ComparisonFolder folder;

  public ComparisonFiles(Path path) {
    folder = new ComparisonFolder(path);
  }

  ComparisonFolder folder() {
    return folder;
  }

  static Arm arm(String name) {
    return new Arm(name, null, null, null, null, null);
  }

  public void comparison(int rounds, String... arms) {
    folder.write(new Comparison("point-get", "bench compare point-get", State.COMPLETE, null,
      START, START.plusSeconds(600), Arrays.stream(arms).map(ComparisonFiles::arm).toList(),
      rounds, null, null, null, null, null, null, null, null, null, null));
  }

  public RunFiles run(int round, String arm) {
    return new RunFiles(round, arm);
  }

  /** The files of one run; {@link #write()} writes them. */
  public final class RunFiles {
    private final int round;
    private final String arm;
    private final Map<String, Object> series = new LinkedHashMap<>();
    private final List<String> gcLog = new ArrayList<>();
    private State state = State.COMPLETE;
    private String reason;
    private Server server;
    private long operations;
    private long failed;

    private RunFiles(int round, String arm) {
      this.round = round;
      this.arm = arm;
    }

    public RunFiles partial(String why) {
      state = State.PARTIAL;
      reason = why;
      return this;
    }

    public RunFiles server(Server used) {
      server = used;
      return this;
    }

    /** Adds a series of operations that took so many microseconds. */
    public RunFiles latencies(String name, int rowsPerOperation, long... micros) {
      Histogram histogram = new Histogram(3);
      Arrays.stream(micros).forEach(histogram::recordValue);
      return latencies(name, rowsPerOperation, histogram);
    }

    RunFiles latencies(String name, int rowsPerOperation, Histogram histogram) {
      long count = histogram.getTotalCount();
      if (!name.endsWith("-INTENDED")) {
        operations += count;
      }
      if (name.endsWith("-FAILED")) {
        failed += count;
      }
      ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
      int length = histogram.encodeIntoCompressedByteBuffer(buffer);
      series.put(name, Map.of("count", count, "rows", count * rowsPerOperation,
        "hdrhistogram_base64",
        Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length))));
      return this;
    }

    /** Adds a young collection of G1. */
    public RunFiles pause(double secondsAfterStart, double millis) {
      int id = gcLog.size() / 3;
      String what = "GC(" + id + ") Pause Young (Normal) (G1 Evacuation Pause)";
      gcLog.add(logged(secondsAfterStart, "gc,start", what));
      gcLog.add(logged(secondsAfterStart + millis / 1_000, "gc",
        what + " 100M->10M(256M) " + String.format(Locale.ROOT, "%.3fms", millis)));
      gcLog.add(logged(secondsAfterStart + millis / 1_000, "gc,cpu",
        "GC(" + id + ") User=0.01s Sys=0.00s Real=0.01s"));
      return this;
    }

    private static String logged(double secondsAfterStart, String tags, String text) {
      double uptime = 30 + secondsAfterStart;
      return "[" + LOG_TIME.format(START.plusMillis((long) (secondsAfterStart * 1_000)))
        + String.format(Locale.ROOT, "][%.3fs][info][%s] ", uptime, tags) + text;
    }

    public RunFiles write() {
      Path path = folder.run(round, arm);
      folder.write(new Run(round, arm, 1, state, reason, START.minusSeconds(30),
        START.plusSeconds(SECONDS + 5), START, START.plusSeconds(SECONDS), server, null));
      try {
        if (!series.isEmpty()) {
          Json.MAPPER.writeValue(path.resolve("ycsb.json").toFile(), ycsb());
        }
        if (!gcLog.isEmpty()) {
          gcLog.add(0, logged(-30, "gc", "Using G1"));
          Files.write(path.resolve("gc.log"), gcLog);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return this;
    }

    private Map<String, Object> ycsb() {
      List<Object> perSecond = new ArrayList<>();
      for (int second = 1; second <= SECONDS; second++) {
        perSecond.add(Map.of("seconds", second, "operations", operations / SECONDS));
      }
      Map<String, Object> phase = new LinkedHashMap<>();
      phase.put("phase", "run");
      phase.put("start_ms", START.toEpochMilli());
      phase.put("seconds", SECONDS);
      phase.put("operations", operations);
      phase.put("failed", failed);
      phase.put("series", series);
      phase.put("per_second", perSecond);
      return Map.of("profile", "point-get", "phases", List.of(phase));
    }
  }
}
