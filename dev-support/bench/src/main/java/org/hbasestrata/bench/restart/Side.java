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
package org.hbasestrata.bench.restart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.hbasestrata.bench.report.YcsbResult;
import org.hbasestrata.tools.ToolException;

/**
 * What came of an arm's rolling restart. Times are in seconds since the steady state began.
 * @param arm       its name
 * @param verified  rows that were compared, byte for byte
 * @param wrong     of these, those that weren't what was loaded
 * @param missing   rows that weren't there
 * @param failed    operations that failed
 * @param steps     what was done, in its order
 * @param parts     the steady state, the whole restart, and its steps
 * @param timeline  each second
 * @param moves     what moves of regions took
 */
public record Side(String arm, long verified, long wrong, long missing, long failed,
  List<Step> steps, List<Part> parts, List<Second> timeline, List<RegionMoves.Part> moves) {
  static final String STEADY = "steady state";
  static final String RESTART = "whole restart";
  /** From when a killed server's regions are open on others. */
  public static final String BACK = "its regions are back";
  static final String BACKLOG = "operations that waited are made up for";
  /** Of an operation that waited for a server that was killed, not for its turn. */
  private static final long WAITED_MICROS = 1_000_000;
  private static final double MILLIS = 1e3;

  /** Something that was done to region servers, one after the other. */
  public record Step(String name, double from, double to) {
  }

  /** Latencies, in microseconds, from when the operation was due. */
  record Latency(long count, double meanMicros, long p50Micros, long p99Micros, long p999Micros,
    long maxMicros) {
    static Latency of(Histogram histogram) {
      return new Latency(histogram.getTotalCount(), histogram.getMean(),
        histogram.getValueAtPercentile(50), histogram.getValueAtPercentile(99),
        histogram.getValueAtPercentile(99.9), histogram.getMaxValue());
    }
  }

  /**
   * Seconds that belong together.
   * @param latencies       by series, such as READ
   * @param hitPercents     by tier
   * @param cpuSeconds      of all region servers, for each second
   * @param compilerSeconds of these, those of the JIT compilers
   */
  record Part(String name, double seconds, Map<String, Latency> latencies, long failed,
    Map<String, Double> hitPercents, double hdfsBlocksPerSecond, double cpuSeconds,
    double compilerSeconds) {
  }

  /** One second; {@code server} is what was counted of all region servers. */
  record Second(long second, Map<String, Latency> latencies, long failed, ServerSecond server,
    Map<String, Double> hitPercents) {
  }

  /** What the client's log holds of a second, by the series' name. */
  private record Logged(Map<String, Histogram> due, long failed) {
    private static Logged nothing() {
      return new Logged(new TreeMap<>(), 0);
    }

    private Logged plus(Logged more) {
      Map<String, Histogram> sum = new TreeMap<>();
      due.forEach((series, histogram) -> sum.put(series, histogram.copy()));
      more.due.forEach((series, histogram) -> sum.merge(series, histogram, (a, b) -> {
        a.add(b);
        return a;
      }));
      return new Logged(sum, failed + more.failed);
    }

    private Map<String, Latency> latencies() {
      Map<String, Latency> latencies = new TreeMap<>();
      due.forEach((series, histogram) -> latencies.put(series, Latency.of(histogram)));
      return latencies;
    }
  }

  /**
   * @param folder  has the client's files
   * @param start   when the steady state began, in milliseconds since the epoch
   * @param done    one or more
   * @param end     the last second that counts
   * @param servers by the second since the epoch
   * @param logs    of region servers
   */
  public static Side of(String arm, Path folder, long start, List<Step> done, double end,
    Map<Long, ServerSecond> servers, List<Path> logs) {
    try {
      YcsbResult.Verified verified = YcsbResult.verified(folder.resolve("ycsb.json"));
      NavigableMap<Long, Logged> logged = read(folder.resolve("ycsb.hlog"), start);
      List<Step> steps =
        done.stream().flatMap(step -> withBacklog(step, logged)).toList();
      NavigableMap<Long, ServerSecond> counted = new TreeMap<>();
      servers.forEach((second, server) -> counted.merge(
        Math.floorDiv((long) (second * MILLIS) - start, (long) MILLIS), server,
        ServerSecond::plus));
      List<Part> parts = new ArrayList<>();
      double first = steps.get(0).from();
      parts.add(part(STEADY, List.of(new Step(STEADY, 0, first)), logged, counted));
      parts.add(part(RESTART, List.of(new Step(RESTART, first, end)), logged, counted));
      for (String name : steps.stream().map(Step::name).distinct().toList()) {
        parts.add(part(name, steps.stream().filter(step -> step.name().equals(name)).toList(),
          logged, counted));
      }
      List<Second> timeline = new ArrayList<>();
      for (long second = 0; second < end; second++) {
        Logged client = logged.getOrDefault(second, Logged.nothing());
        ServerSecond server = counted.getOrDefault(second, ServerSecond.NOTHING);
        timeline.add(new Second(second, client.latencies(), client.failed(), server,
          server.hitPercents()));
      }
      return new Side(arm, verified.rows(), verified.wrong(), verified.missing(),
        YcsbResult.read(folder.resolve("ycsb.json")).failed(), steps, parts, timeline,
        RegionMoves.of(logs, start));
    } catch (IOException e) {
      throw ToolException.failed("what the client wrote to " + folder + " can't be read: "
        + ToolException.oneLine(e), e);
    }
  }

  /** Operations that were due while regions were away aren't those of a server that is back. */
  private static Stream<Step> withBacklog(Step step, NavigableMap<Long, Logged> logged) {
    if (!step.name().equals(BACK)) {
      return Stream.of(step);
    }
    long from = Math.round(step.from());
    long last = Math.round(step.to());
    long second = from;
    while (second < last && waited(logged.get(second))) {
      second++;
    }
    return Stream.of(new Step(BACKLOG, step.from(), second), new Step(BACK, second, step.to()));
  }

  private static boolean waited(Logged second) {
    return second == null || second.due.values().stream()
      .anyMatch(histogram -> histogram.getMaxValue() > WAITED_MICROS);
  }

  /** Each interval counts for the second in which most of it was. */
  private static NavigableMap<Long, Logged> read(Path log, long start) throws IOException {
    NavigableMap<Long, Logged> seconds = new TreeMap<>();
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      while (reader.hasNext()) {
        EncodableHistogram interval = reader.nextIntervalHistogram();
        String series = interval.getTag();
        long middle = (interval.getStartTimeStamp() + interval.getEndTimeStamp()) / 2;
        Histogram histogram = (Histogram) interval;
        Logged one = series.endsWith(YcsbResult.FAILED_SUFFIX)
          ? new Logged(Map.of(), histogram.getTotalCount())
          : series.endsWith(YcsbResult.INTENDED_SUFFIX)
            ? new Logged(Map.of(series.substring(0, series.length()
              - YcsbResult.INTENDED_SUFFIX.length()), histogram), 0)
            : Logged.nothing();
        seconds.merge(Math.floorDiv(middle - start, (long) MILLIS), one, Logged::plus);
      }
    }
    return seconds;
  }

  private static Part part(String name, List<Step> steps, NavigableMap<Long, Logged> logged,
    NavigableMap<Long, ServerSecond> counted) {
    Logged client = Logged.nothing();
    ServerSecond server = ServerSecond.NOTHING;
    double seconds = 0;
    for (Step step : steps) {
      long from = Math.round(step.from());
      long to = Math.round(step.to());
      for (Logged one : logged.subMap(from, Math.max(from, to)).values()) {
        client = client.plus(one);
      }
      for (ServerSecond one : counted.subMap(from, Math.max(from, to)).values()) {
        server = server.plus(one);
      }
      seconds += to - from;
    }
    double each = Math.max(1, seconds);
    return new Part(name, seconds, client.latencies(), client.failed(), server.hitPercents(),
      server.hdfsBlocksRead() / each, server.cpuSeconds() / each,
      server.compilerSeconds() / each);
  }

  /** Whether operations that had waited for a server that was killed still did at the end. */
  public boolean stillWaits() {
    return parts.stream()
      .anyMatch(part -> part.name().equals(BACK) && part.latencies().isEmpty());
  }

  Part part(String name) {
    return parts.stream().filter(part -> part.name().equals(name)).findFirst().orElseThrow();
  }
}
