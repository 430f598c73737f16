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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.report.Unit;
import org.hbasestrata.bench.report.View;
import org.hbasestrata.bench.report.Where;

/** What the pages show, as text. */
record RestartView(String title, boolean partial, List<String> reasons, int servers,
  List<SideView> sides, List<Line> lines, Map<String, Object> charts, Where where) {
  private static final String NONE = "\u2013";
  /** Parts that are compared with the steady state. */
  private static final Set<String> COMPARED = Set.of(Side.RESTART, Side.BACK);

  /** An arm. */
  record SideView(String arm, String found, List<Row> rows, boolean moved,
    List<MoveRow> moves) {
  }

  /** A part of moves of regions. */
  record MoveRow(String part, String moves, String p50, String p90, String max) {
    static MoveRow of(RegionMoves.Part part) {
      return new MoveRow(part.name(), Long.toString(part.moves()), millis(part.p50Millis()),
        millis(part.p90Millis()), millis(part.maxMillis()));
    }

    private static String millis(double millis) {
      return Unit.MICROSECONDS.format(millis * 1e3);
    }
  }

  /** A part of the time, and a series of operations. */
  record Row(String part, String seconds, String series, String count, String p50, String p99,
    String p999, String max, String hits, String hdfs, String cpu, String compilers) {
  }

  /** A chart over time. */
  record Line(int index, String title) {
  }

  static RestartView of(Restart restart) {
    Comparison comparison = restart.comparison();
    List<Line> lines = new ArrayList<>();
    List<Object> drawn = new ArrayList<>();
    series(restart).forEach(series -> {
      line(restart, series + ", P99 in ms", lines, drawn, second -> second.latencies()
        .containsKey(series) ? second.latencies().get(series).p99Micros() / 1e3 : null);
    });
    line(restart, "Hits in the block cache, in percent", lines, drawn,
      second -> second.hitPercents().get(ServerSecond.ALL));
    line(restart, "Blocks read from HDFS", lines, drawn,
      second -> (double) second.server().hdfsBlocksRead());
    line(restart, "CPU of the JIT compilers, in processors", lines, drawn,
      second -> second.server().compilerSeconds());
    line(restart, "Regions in transition", lines, drawn,
      second -> (double) second.server().regionsInTransition());
    boolean killed = restart.sides().stream().flatMap(side -> side.parts().stream())
      .anyMatch(part -> part.name().equals(Side.BACK));
    return new RestartView((killed ? "A server is killed, " : "Rolling restart, ")
      + comparison.profile() + ": "
      + comparison.arms().stream().map(Arm::name).collect(Collectors.joining(" and ")),
      comparison.reason() != null, Stream.ofNullable(comparison.reason()).toList(),
      restart.servers(), restart.sides().stream().map(RestartView::side).toList(), lines,
      Map.of("arms", comparison.arms().stream().map(Arm::name).toList(), "charts",
        Map.of("lines", drawn)),
      Where.of(comparison, comparison.notes(), List.of()).with(List.of(), List.of("Rounds")));
  }

  private static List<String> series(Restart restart) {
    return restart.sides().stream().flatMap(side -> side.part(Side.STEADY).latencies().keySet()
      .stream()).distinct().toList();
  }

  private static void line(Restart restart, String title, List<Line> lines, List<Object> drawn,
    Function<Side.Second, Double> value) {
    Map<String, List<double[]>> arms = new LinkedHashMap<>();
    for (Side side : restart.sides()) {
      List<double[]> points = new ArrayList<>();
      for (Side.Second second : side.timeline()) {
        Double y = value.apply(second);
        if (y != null) {
          points.add(new double[] { second.second(), y });
        }
      }
      arms.put(side.arm(), points);
    }
    lines.add(new Line(lines.size(), title));
    drawn.add(Map.of("unit", "", "arms", arms));
  }

  private static SideView side(Side side) {
    List<Row> rows = new ArrayList<>();
    Side.Part steady = side.part(Side.STEADY);
    for (Side.Part part : side.parts()) {
      part.latencies().forEach((series, latency) -> {
        rows.add(row(part, series, latency));
        Side.Latency before = steady.latencies().get(series);
        if (COMPARED.contains(part.name()) && before != null) {
          rows.add(new Row("by the steady state", "", series, "",
            View.ratio((double) latency.p50Micros() / before.p50Micros()),
            View.ratio((double) latency.p99Micros() / before.p99Micros()),
            View.ratio((double) latency.p999Micros() / before.p999Micros()),
            View.ratio((double) latency.maxMicros() / before.maxMicros()), "", "",
            View.ratio(part.cpuSeconds() / steady.cpuSeconds()), ""));
        }
      });
    }
    List<MoveRow> moves =
      side.moves().stream().filter(part -> part.moves() > 0).map(MoveRow::of).toList();
    return new SideView(side.arm(), String.format(Locale.ROOT,
      "%,d rows compared, %,d wrong, %,d missing; %,d operations failed", side.verified(),
      side.wrong(), side.missing(), side.failed()), rows, !moves.isEmpty(),
      moves);
  }

  private static Row row(Side.Part part, String series, Side.Latency latency) {
    return new Row(part.name(), String.format(Locale.ROOT, "%.0f", part.seconds()), series,
      String.format(Locale.ROOT, "%,d", latency.count()), micros(latency.p50Micros()),
      micros(latency.p99Micros()), micros(latency.p999Micros()), micros(latency.maxMicros()),
      part.hitPercents().isEmpty() ? NONE : part.hitPercents().entrySet().stream()
        .map(tier -> tier.getKey() + ' ' + String.format(Locale.ROOT, "%.1f", tier.getValue()))
        .collect(Collectors.joining(", ")),
      String.format(Locale.ROOT, "%.1f", part.hdfsBlocksPerSecond()),
      String.format(Locale.ROOT, "%.2f", part.cpuSeconds()),
      String.format(Locale.ROOT, "%.2f", part.compilerSeconds()));
  }

  private static String micros(long micros) {
    return Unit.MICROSECONDS.format(micros);
  }
}
