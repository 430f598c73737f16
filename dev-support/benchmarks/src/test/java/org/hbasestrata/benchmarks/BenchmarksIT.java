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

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Every benchmark once, on both arms' jars as built. */
public class BenchmarksIT {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int smoke(String... args) {
    return new BenchmarksTool().smoke().execute(stream(out), stream(err), args);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  @Test
  public void everyBenchmarkRunsOnBothArms() throws IOException {
    Path json = folder.getRoot().toPath().resolve("results.json");
    int exitCode = smoke("--json", json.toString());
    assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("failed");
    assertThat(exitCode).isZero();
    assertThat(Files.readString(json)).startsWith(BenchmarksTool.JSON_BEGIN);

    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("complete").asBoolean()).isTrue();
    assertThat(report.get("versions").get("stock").asText()).isEqualTo(
      System.getProperty("hbase.version"));
    assertThat(report.get("versions").get("strata").asText()).isEqualTo(
      System.getProperty("project.version"));
    Set<String> seen = new TreeSet<>();
    for (JsonNode result : report.get("results")) {
      seen.add(result.get("benchmark").asText());
      for (String figure : List.of("time", "cpu", "allocated")) {
        assertThat(result.get(figure).get("stock").get("mean").asDouble()).isPositive();
        assertThat(result.get(figure).get("ratio").get("mean").asDouble()).isPositive();
      }
    }
    assertThat(seen).isEqualTo(new TreeSet<>(
      Benchmarks.matching("").stream().map(Benchmarks::shortName).toList()));
  }

  @Test
  public void aFileThatIsNoResultIsNotWrittenOver() throws IOException {
    Path precious = folder.newFile("precious").toPath();
    Files.writeString(precious, "data");
    assertThat(smoke("CellBlockEncoding", "--json", precious.toString())).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).hasLineCount(1)
      .contains("--json is '" + precious);
    assertThat(precious).content().isEqualTo("data");
  }

  @Test
  public void aPatternWithoutAMatchIsToldInOneLine() {
    assertThat(smoke("NoSuch")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).hasLineCount(1)
      .contains("'NoSuch'", "CellBlockEncoding.clientRequest");
  }

  @Test
  public void theScriptOfTheCheckoutStartsThem() throws Exception {
    Path target = Path.of(System.getProperty(BenchmarksTool.TARGET_PROPERTY));
    Path printed = folder.newFile("printed").toPath();
    int exitCode = new ProcessBuilder(target.resolve("../../bin/benchmarks").toString(), "--help")
      .redirectErrorStream(true).redirectOutput(printed.toFile()).start().waitFor();
    assertThat(printed).content().contains("Usage: benchmarks");
    assertThat(exitCode).isZero();
  }

  @Test
  public void anUnbuiltArmIsToldInOneLine() {
    String target = System.getProperty(BenchmarksTool.TARGET_PROPERTY);
    System.setProperty(BenchmarksTool.TARGET_PROPERTY, folder.getRoot().toString());
    try {
      assertThat(smoke()).isEqualTo(2);
    } finally {
      System.setProperty(BenchmarksTool.TARGET_PROPERTY, target);
    }
    assertThat(err.toString(StandardCharsets.UTF_8)).hasLineCount(1)
      .contains("class-path is missing", "mvn");
  }
}
