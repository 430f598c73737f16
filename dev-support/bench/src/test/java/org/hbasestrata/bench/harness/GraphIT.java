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
import static org.junit.Assume.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hbasestrata.tools.Json;
import org.junit.Test;

/**
 * JanusGraph loads a graph and asks queries of three hops, with upstream's client and servers and
 * with ours; an answer that isn't the model's ends it. Only in the long form of the build.
 */
public class GraphIT extends BenchCommand {
  @Test
  public void janusGraphAnswersRightOnEither() throws Exception {
    assumeTrue(Boolean.getBoolean("bench.graph"));
    Path out = folder.getRoot().toPath().resolve("graph");
    Path log = folder.getRoot().toPath().resolve("log");
    long pid = run(log, "pairs",
      checkout().resolve("dev-support/janusgraph/three-hops.properties").toString(), "--client",
      "stock=stock", "--rows", "2000", "--threads", "2", "--slice", "2", "--pairs", "4",
      "--stop-at", "0", "--warm-up", "0.05", "--memory", "2g", "--out", out.toString());

    assertThat(Files.readString(log)).contains("2 threads, 4 pairs");
    JsonNode report = Json.MAPPER.readTree(out.resolve("report/report.json").toFile());
    assertThat(report.path("state").asText()).isEqualTo("complete");
    assertThat(report.path("slices")).hasSize(8);
    for (JsonNode slice : report.path("slices")) {
      assertThat(slice.path("operations").asInt()).isPositive();
      // The vertices that a query reads.
      assertThat(slice.path("rows").asInt()).isGreaterThan(slice.path("operations").asInt() * 100);
    }
    assertNothingIsLeft(out, pid);
  }
}
