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
package org.hbasestrata.bench.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ConfigDifference;
import org.hbasestrata.bench.Machine;
import org.hbasestrata.bench.State;
import org.hbasestrata.tools.Json;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class PairsFilesTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private static Pairs pairs(String reason) {
    return pairs(reason, true);
  }

  private static Pairs pairs(String reason, boolean ownClients) {
    List<Slice> first = List.of(SliceExample.of("stock", 1, 40_000, 30),
      SliceExample.of("stock", 2, 41_000, 31), SliceExample.of("stock", 3, 40_000, 30));
    List<Slice> second = List.of(SliceExample.of("mine", 1, 40_000, 24),
      SliceExample.of("mine", 2, 40_500, 25), SliceExample.of("mine", 3, 40_000, 24));
    Comparison comparison = new Comparison("point-get", "bench pairs point-get",
      reason == null ? State.COMPLETE : State.PARTIAL, reason, Instant.EPOCH,
      Instant.EPOCH.plusSeconds(60),
      List.of(new Arm("stock", "conf/s", List.of("stock"), null, "17", List.of("-Xmx1g")),
        new Arm("mine", "conf/m", List.of("jars"), "2.6.4-strata.1", "17", List.of("-Xmx1g"))),
      1, 1_000_000L, null, null, 3L << 30, null, "abc",
      new Machine("a processor", 2, 24L << 30, "an OS", "vda"), Map.of("Hadoop", "3.4.2"),
      List.of(new ConfigDifference("hbase-site.xml", "a.key", Map.of("mine", "1"))),
      List.of("a note"));
    Map<String, String> clientJars = new LinkedHashMap<>();
    clientJars.put("stock", "upstream.jar");
    clientJars.put("mine", "mine.jar");
    return new Pairs(comparison, 4, false, ownClients, clientJars,
      List.of(new Pairs.WarmUp("stock", 6, true, 0.99875, 30.5, 0.021)),
      List.of(Pairs.Result.of(16, first, second, false)), first);
  }

  private String write(Pairs pairs) throws Exception {
    Path page = PairsFiles.write(pairs, folder.getRoot().toPath());
    return Files.readString(page.resolveSibling("report.md"));
  }

  @Test
  public void theTextHasRatiosWithTheirIntervals() throws Exception {
    String text = write(pairs(null));
    assertThat(text).contains("# point-get: mine against stock", "## 16 threads, 3 pairs",
      "| Operations | more | 10,083 ops/s | 10,042 ops/s | **0.996** | 0.979 to 1.014 |",
      "| Server CPU per operation | less | 30.3 µs | 24.3 µs | **0.802** | 0.793 to 0.811 "
        + "| better |",
      "the two region servers took 1.0 % and 3.0 %", "Each arm: 3 GiB of heap", "Rows: 1,000,000",
      "stock: steady after 6 slices; hit ratio 0.9988, 30.5 µs of CPU", "- a note",
      "| hbase-site.xml: a.key | not set | 1 |");
    // GC took no time at all: there is no ratio.
    assertThat(text).contains("| Server GC time per operation | less | 0 µs | 0 µs |  |  |  |");
    assertThat(text).doesNotContain("Partial");
  }

  @Test
  public void whichClientAnArmHadIsSaid() throws Exception {
    assertThat(write(pairs(null))).contains(
      "Client of stock: upstream.jar, a process of its own",
      "Client of mine: mine.jar, a process of its own");
    assertThat(write(pairs(null, false)))
      .contains("Client of mine: mine.jar, the same process for both");
    JsonNode json = Json.MAPPER.readTree(
      folder.getRoot().toPath().resolve("report/report.json").toFile());
    assertThat(json.path("own_clients").asBoolean(true)).isFalse();
    assertThat(json.path("client_jars").path("stock").asText()).isEqualTo("upstream.jar");
  }

  @Test
  public void whyItIsPartialIsSaid() throws Exception {
    assertThat(write(pairs("a region moved"))).contains("**Partial.**", "- a region moved");
  }

  @Test
  public void thePageHasTheSameTables() throws Exception {
    write(pairs(null));
    assertThat(Files.readString(folder.getRoot().toPath().resolve("report/index.html")))
      .contains("<h1>point-get: mine against stock</h1>", "16 threads",
        "<td class=\"number\">0.802")
      .doesNotContain("{{");
  }

  @Test
  public void programsGetFiguresAndSlices() throws Exception {
    write(pairs(null));
    JsonNode json = Json.MAPPER.readTree(
      folder.getRoot().toPath().resolve("report/report.json").toFile());
    assertThat(json.path("state").asText()).isEqualTo("complete");
    JsonNode cpu = json.path("results").path(0).path("figures").path(1);
    assertThat(cpu.path("id").asText()).isEqualTo("server_cpu_us");
    assertThat(cpu.path("better").asText()).isEqualTo("less");
    assertThat(cpu.path("ratio").asDouble()).isBetween(0.80, 0.81);
    assertThat(cpu.path("low").asDouble()).isLessThan(cpu.path("ratio").asDouble());
    assertThat(json.path("slices")).hasSize(3);
    assertThat(json.path("slices").path(0).path("server").path("cpu_seconds").asDouble())
      .isEqualTo(1.2);
  }

  @Test
  public void aSureDifferenceOfLessThanAPercentIsNone() {
    List<Slice> first = List.of(SliceExample.of("stock", 1, 40_000, 30),
      SliceExample.of("stock", 2, 40_000, 30));
    List<Slice> second = List.of(SliceExample.of("mine", 1, 40_000, 30.2),
      SliceExample.of("mine", 2, 40_000, 30.2));
    assertThat(PairsFiles.lines(Pairs.Result.of(1, first, second, false),
      List.of("stock", "mine"))).noneMatch(line -> line.contains("worse"));
  }
}
