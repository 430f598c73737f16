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
package org.hbasestrata.benchmarks;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** JMH's results of both arms, over all rounds. Not thread-safe. */
final class Comparison {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /** A benchmark with its parameters. */
  private record Id(String benchmark, int threads, Map<String, String> parameters) {
  }

  /** The figures of a benchmark's parameters, in one unit, one per iteration and arm. */
  private static final class Samples {
    private final String unit;
    private final Map<String, List<Double>> byArm = new TreeMap<>();

    private Samples(String unit) {
      this.unit = unit;
    }
  }

  /**
   * A figure of both arms.
   * @param stock  null when it failed
   * @param strata null when it failed
   * @param ratio  strata / stock, null when one is missing
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Figure(String unit, Estimate stock, Estimate strata, Estimate ratio) {
    private static Figure of(Samples samples) {
      Estimate stock = estimate(samples, "stock");
      Estimate strata = estimate(samples, "strata");
      return new Figure(samples.unit, stock, strata,
        stock == null || strata == null ? null : strata.relativeTo(stock));
    }

    private static Estimate estimate(Samples samples, String arm) {
      List<Double> values = samples.byArm.get(arm);
      return values == null ? null : Estimate.of(values);
    }
  }

  /**
   * A line of the result.
   * @param parameters JMH's, by name
   * @param time       of an operation, on the clock
   * @param cpu        time of an operation, of all the JVM's threads
   * @param allocated  on the heap by an operation
   */
  record Result(String benchmark, int threads, Map<String, String> parameters, Figure time,
    Figure cpu, Figure allocated) {
  }

  private final Map<Id, Samples> times = new LinkedHashMap<>();
  private final Map<Id, Samples> cpuTimes = new LinkedHashMap<>();
  private final Map<Id, Samples> allocations = new LinkedHashMap<>();

  /**
   * Takes in what one JVM measured.
   * @param jmhResults JMH's JSON
   */
  void add(Arm arm, Path jmhResults) throws IOException {
    for (JsonNode result : JSON.readTree(jmhResults.toFile())) {
      Map<String, String> parameters = new TreeMap<>();
      result.path("params").properties()
        .forEach(e -> parameters.put(e.getKey(), e.getValue().asText()));
      Id id = new Id(result.get("benchmark").asText(), result.get("threads").asInt(),
        parameters);
      add(times, id, arm, result.get("primaryMetric"));
      add(cpuTimes, id, arm, result.get("secondaryMetrics").get(CpuProfiler.RESULT));
      add(allocations, id, arm, result.get("secondaryMetrics").get(ALLOCATED));
    }
  }

  private static void add(Map<Id, Samples> all, Id id, Arm arm, JsonNode metric) {
    Samples samples =
      all.computeIfAbsent(id, i -> new Samples(metric.get("scoreUnit").asText()));
    List<Double> values = samples.byArm.computeIfAbsent(arm.name(), a -> new ArrayList<>());
    for (JsonNode fork : metric.get("rawData")) {
      fork.forEach(iteration -> values.add(iteration.asDouble()));
    }
  }

  List<Result> results() {
    return times.keySet().stream().map(id -> new Result(Benchmarks.shortName(id.benchmark),
      id.threads, id.parameters, Figure.of(times.get(id)), Figure.of(cpuTimes.get(id)),
      Figure.of(allocations.get(id)))).toList();
  }

  /** For people: for each benchmark and parameters the time, the CPU time and the allocation. */
  String table() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "", "stock", "strata", "strata/stock"));
    for (Result result : results()) {
      String name = Stream.concat(Stream.of(result.benchmark()),
        result.parameters().entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()))
        .collect(Collectors.joining(" "));
      rows.add(row(name, "time", result.time()));
      rows.add(row("", "CPU", result.cpu()));
      rows.add(row("", "allocated", result.allocated()));
    }
    int[] width = new int[rows.get(0).size()];
    rows.forEach(row -> {
      for (int i = 0; i < width.length; i++) {
        width[i] = Math.max(width[i], row.get(i).length());
      }
    });
    StringBuilder table = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < width.length; i++) {
        String blanks = " ".repeat(width[i] - row.get(i).length());
        // Names and units to the left, figures to the right.
        line.append(i < 2 ? row.get(i) + blanks : blanks + row.get(i)).append("  ");
      }
      table.append(line.toString().stripTrailing()).append('\n');
    }
    return table.toString();
  }

  private static List<String> row(String name, String label, Figure figure) {
    return List.of(name, label + ", " + figure.unit(), text(figure.stock()), text(figure.strata()),
      figure.ratio() == null ? "" : figure.ratio().toString());
  }

  private static String text(Estimate estimate) {
    return estimate == null ? "failed" : estimate.toString();
  }
}
