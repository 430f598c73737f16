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
package org.hbasestrata.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hbasestrata.tools.Json;
import org.junit.Test;

/**
 * A whole {@code bench pairs} of upstream's jars on both sides with slices of a second, each arm
 * with a client of its own, on a cluster of its own, from the tarball. {@code --self-test} is the
 * one that takes its time and is held to 2 %.
 */
public class PairsIT extends BenchCommand {
  private static final int ROWS = 2_000;
  private static final int PAIRS = 4;
  private static final String UPSTREAM = "hbase-client-[0-9.]+-hadoop3\\.jar";

  @Test
  public void theSameJarsComeOutAsTheSame() throws Exception {
    // With a blank in its name.
    Path out = folder.getRoot().toPath().resolve("some pairs");
    Path log = folder.getRoot().toPath().resolve("log");
    long pid = run(log, "pairs", "mixed50", "--arm", "stock", "--arm",
      "same=" + checkout().resolve("dev-support/bench/conf/stock") + ":stock", "--client",
      "stock=stock", "--client", "same=stock", "--rows",
      Integer.toString(ROWS), "--threads", "2", "--slice", "1", "--pairs",
      Integer.toString(PAIRS), "--stop-at", "0", "--warm-up", "0.02", "--memory", "2g", "--out",
      out.toString());

    assertThat(Files.readString(log)).contains("2 threads, 4 pairs", "Server CPU per operation");
    JsonNode report =
      Json.MAPPER.readTree(out.resolve("report/report.json").toFile());
    assertThat(report.path("state").asText()).isEqualTo("complete");
    assertThat(report.path("config_differences")).isEmpty();
    assertThat(report.path("own_clients").asBoolean()).isTrue();
    assertThat(report.path("client_jars").path("stock").asText()).matches(UPSTREAM);
    assertThat(report.path("client_jars").path("same").asText()).matches(UPSTREAM);
    assertThat(report.path("slices")).hasSize(2 * PAIRS);
    for (JsonNode slice : report.path("slices")) {
      check(slice);
    }
    assertThat(report.path("slices")).extracting(slice -> slice.path("arm").asText())
      .containsExactly("stock", "same", "same", "stock", "stock", "same", "same", "stock");
    for (JsonNode figure : report.path("results").path(0).path("figures")) {
      switch (figure.path("id").asText()) {
        // On a busy machine a slice has few operations, and what servers allocate by time counts.
        case "server_heap_bytes", "client_heap_bytes" -> assertThat(figure.path("ratio").asDouble())
          .isBetween(0.2, 5.0);
        // There is no interval if a slice has no CPU.
        case "server_cpu_us" -> assertThat(figure.path("low").asDouble(0.05))
          .isLessThanOrEqualTo(figure.path("ratio").asDouble()).isBetween(0.05, 20.0);
        default -> assertThat(figure.path("first").asDouble()).isNotNegative();
      }
    }
    assertNothingIsLeft(out, pid);
  }

  private static void check(JsonNode slice) {
    double operations = slice.path("operations").asDouble();
    assertThat(operations).isPositive().isEqualTo(slice.path("rows").asDouble());
    assertThat(slice.path("seconds").asDouble()).isBetween(0.9, 60.0);
    double counted = 0;
    for (JsonNode latency : slice.path("latencies")) {
      counted += latency.path("count").asDouble();
      assertThat(latency.path("p50_us").asDouble()).isPositive();
    }
    assertThat(counted).isEqualTo(operations);
    JsonNode server = slice.path("server");
    // The kernel counts hundredths of a second: of few operations that is none.
    assertThat(server.path("cpu_seconds").asDouble(-1)).isNotNegative();
    assertThat(server.path("context_switches").asDouble()).isGreaterThan(operations / 10);
    assertThat(server.path("allocated_bytes").asDouble()).isGreaterThan(operations * 100);
    assertThat(slice.path("client_cpu_seconds").asDouble()).isPositive();
    assertThat(slice.path("idle_share").asDouble()).isBetween(0.0, 1.0);
  }
}
