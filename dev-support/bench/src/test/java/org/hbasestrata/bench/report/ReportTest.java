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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ConfigDifference;
import org.hbasestrata.bench.Machine;
import org.hbasestrata.bench.PageCache;
import org.hbasestrata.bench.Server;
import org.hbasestrata.bench.State;
import org.hbasestrata.tools.Json;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ReportTest {
  private static final double EXACT = 1e-9;
  /** What is left of a value in a histogram of three digits. */
  private static final double HISTOGRAM = 0.001;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private ComparisonFiles files;
  private final StringWriter messages = new StringWriter();

  @Before
  public void setUp() {
    files = new ComparisonFiles(folder.getRoot().toPath());
  }

  private JsonNode report() throws IOException {
    PrintWriter writer = new PrintWriter(messages, true);
    ReportCommand.make(files.folder(), writer, writer);
    return Json.MAPPER.readTree(read(ReportFiles.DATA));
  }

  private String read(String name) throws IOException {
    return Files.readString(files.folder().report().resolve(name));
  }

  private static JsonNode figure(JsonNode report, String id) {
    for (JsonNode figure : report.get("figures")) {
      if (figure.get("id").asText().equals(id)) {
        return figure;
      }
    }
    return null;
  }

  private static void assertSpread(JsonNode node, double median, double min, double max,
    double relative) {
    assertThat(node.get("median").asDouble()).isCloseTo(median, within(median * relative));
    assertThat(node.get("min").asDouble()).isCloseTo(min, within(min * relative));
    assertThat(node.get("max").asDouble()).isCloseTo(max, within(max * relative));
  }

  private static long[] times(int count, long micros) {
    long[] times = new long[count];
    Arrays.fill(times, micros);
    return times;
  }

  private static Server server(double factor) {
    return new Server(2 * factor, (long) (4_000_000 * factor), (long) (1_000_000 * factor),
      3_000_000L, (long) (9_000_000 * factor),
      new LinkedHashMap<>(Map.of("L1", new Server.CacheTier(750, 250))), (long) (100 * factor),
      (long) (80_000 * factor), (long) (500 * factor), (long) (7_000 * factor));
  }

  /** Two arms, two rounds: 1,000 and 2,000 reads of stock, twice as many and fast of strata. */
  private void writeComparison() {
    files.comparison(2, "stock", "strata");
    for (int round = 1; round <= 2; round++) {
      files.run(round, "stock").server(server(1)).pause(-5, 400).pause(1, 10).pause(2, 30)
        .latencies("READ", 1, times(1_000 * round, 800)).write();
      files.run(round, "strata").server(server(0.5)).pause(1, 5).pause(11, 500)
        .latencies("READ", 1, times(2_000 * round, 400)).write();
    }
  }

  @Test
  public void throughputAndLatencyAreTheClients() throws IOException {
    writeComparison();
    JsonNode report = report();
    JsonNode throughput = figure(report, "throughput");
    assertSpread(throughput.get("arms").get("stock"), 150, 100, 200, EXACT);
    assertSpread(throughput.get("arms").get("strata"), 300, 200, 400, EXACT);
    JsonNode ratio = throughput.get("ratios").get("strata");
    assertSpread(ratio, 2, 2, 2, EXACT);
    assertThat(ratio.get("rounds").get("1").asDouble()).isEqualTo(2);
    assertThat(ratio.get("verdict").asText()).isEqualTo("better");
    for (String of : List.of("mean", "p50", "p95", "p99", "p999", "max")) {
      JsonNode latency = figure(report, "latency.READ." + of);
      assertSpread(latency.get("arms").get("stock"), 800, 800, 800, HISTOGRAM);
      assertSpread(latency.get("arms").get("strata"), 400, 400, 400, HISTOGRAM);
      assertThat(latency.get("ratios").get("strata").get("verdict").asText()).isEqualTo("better");
    }
    assertThat(report.get("state").asText()).isEqualTo("complete");
  }

  @Test
  public void percentilesAreTheHistograms() throws IOException {
    files.comparison(1, "stock", "strata");
    long[] spread = new long[1_000];
    Arrays.setAll(spread, i -> i + 1);
    files.run(1, "stock").latencies("READ", 1, spread).write();
    files.run(1, "strata").latencies("READ", 1, spread).write();
    JsonNode report = report();
    Map.of("p50", 500.0, "p95", 950.0, "p99", 990.0, "p999", 999.0, "max", 1_000.0)
      .forEach((id, micros) -> assertThat(figure(report, "latency.READ." + id).get("arms")
        .get("stock").get("median").asDouble()).isCloseTo(micros, within(1.0)));
  }

  @Test
  public void serverFiguresAreDividedByOperations() throws IOException {
    writeComparison();
    JsonNode report = report();
    // Of stock: 2 s, 4 MB, 100 blocks, 80 kB and 500 I/Os for 1,000 and for 2,000 reads.
    assertStock(report, "cpu_seconds_per_million_operations", 2_000, 1_000);
    assertStock(report, "allocated_bytes_per_operation", 4_000, 2_000);
    assertStock(report, "hdfs_block_reads_per_operation", 0.1, 0.05);
    assertStock(report, "device_bytes_read_per_operation", 80, 40);
    assertStock(report, "ios_per_operation", 0.5, 0.25);
    assertStock(report, "cache.L1.hits_per_operation", 0.75, 0.375);
    assertStock(report, "cache.L1.hit_percent", 75, 75);
    assertStock(report, "heap_after_full_gc_bytes", 1e6, 1e6);
    assertStock(report, "off_heap_bytes", 3e6, 3e6);
    assertStock(report, "resident_bytes", 9e6, 9e6);
    JsonNode cpu = figure(report, "cpu_seconds_per_million_operations").get("ratios")
      .get("strata");
    assertSpread(cpu, 0.25, 0.25, 0.25, EXACT);
  }

  private static void assertStock(JsonNode report, String id, double first, double second) {
    assertSpread(figure(report, id).get("arms").get("stock"), (first + second) / 2,
      Math.min(first, second), Math.max(first, second), EXACT);
  }

  @Test
  public void onlyPausesOfTheMeasuredPartCount() throws IOException {
    writeComparison();
    JsonNode report = report();
    assertStock(report, "gc_pauses", 2, 2);
    assertStock(report, "gc_pause_total_ms", 40, 40);
    assertStock(report, "gc_pause_max_ms", 30, 30);
    assertStock(report, "gc_ms_per_second", 4, 4);
    assertSpread(figure(report, "gc_pause_max_ms").get("arms").get("strata"), 5, 5, 5, EXACT);
    JsonNode run = report.get("runs").get(0);
    assertThat(run.get("pauses")).hasSize(2);
    assertThat(run.get("pauses").get(0).get("type").asText()).isEqualTo("Young");
  }

  @Test
  public void pausesAreCountedByLength() throws IOException {
    writeComparison();
    JsonNode histogram = report().get("charts").get("pause_histogram");
    // Two rounds of ten seconds: a pause of each length in each is six a minute.
    assertThat(histogram.get("bars")).extracting(JsonNode::asText)
      .containsExactly("5\u201310", "10\u201320", "20\u201350");
    assertThat(histogram.get("per_minute").get("stock")).extracting(JsonNode::asDouble)
      .containsExactly(0.0, 6.0, 6.0);
    assertThat(histogram.get("per_minute").get("strata")).extracting(JsonNode::asDouble)
      .containsExactly(6.0, 0.0, 0.0);
  }

  @Test
  public void latencyCurveEndsAtTheSlowestOfAllRounds() throws IOException {
    files.comparison(2, "stock", "strata");
    for (int round = 1; round <= 2; round++) {
      files.run(round, "stock").latencies("READ", 1, times(500, 100 * round)).write();
      files.run(round, "strata").latencies("READ", 1, times(500, 100)).write();
    }
    JsonNode curve = report().get("charts").get("latencies").get(0).get("arms").get("stock");
    assertThat(curve.get(0).get(1).asDouble()).isCloseTo(100, within(0.1));
    JsonNode last = curve.get(curve.size() - 1);
    assertThat(last.get(0).asDouble()).isEqualTo(1_000);
    assertThat(last.get(1).asDouble()).isCloseTo(200, within(0.2));
  }

  @Test
  public void operationsOfManyRowsTellRowsToo() throws IOException {
    files.comparison(1, "stock", "strata");
    for (String arm : List.of("stock", "strata")) {
      files.run(1, arm).latencies("MULTIGET", 50, times(1_000, 900))
        .latencies("MULTIGET-INTENDED", 50, times(1_000, 1_900)).write();
    }
    JsonNode report = report();
    assertSpread(figure(report, "rows_per_second").get("arms").get("stock"), 5_000, 5_000, 5_000,
      EXACT);
    assertSpread(figure(report, "latency.MULTIGET-INTENDED.p99").get("arms").get("stock"), 1_900,
      1_900, 1_900, HISTOGRAM);
  }

  @Test
  public void rowsOfAReadModifyWriteAreItsReadAndItsUpdate() throws IOException {
    files.comparison(1, "stock", "strata");
    for (String arm : List.of("stock", "strata")) {
      files.run(1, arm).latencies("READ", 1, times(1_000, 400))
        .latencies("UPDATE", 1, times(500, 400))
        .latencies("READ-MODIFY-WRITE", 1, times(500, 900)).write();
    }
    assertSpread(figure(report(), "rows_per_second").get("arms").get("stock"), 150, 150, 150,
      EXACT);
  }

  @Test
  public void scanBesideTheOperationsIsNoted() throws IOException {
    files.comparison(1, "stock", "strata");
    for (String arm : List.of("stock", "strata")) {
      files.run(1, arm).latencies("READ", 1, times(1_000, 400))
        .latencies("FULL-SCAN", 500, times(10, 4_000)).write();
    }
    assertThat(report().get("notes").toString())
      .contains("stock; strata: figures per operation hold what the scan");
  }

  @Test
  public void failedOperationsAreNotThroughput() throws IOException {
    files.comparison(1, "stock", "strata");
    for (String arm : List.of("stock", "strata")) {
      files.run(1, arm).latencies("READ", 1, times(900, 100))
        .latencies("READ-FAILED", 1, times(100, 50)).write();
    }
    JsonNode report = report();
    assertSpread(figure(report, "throughput").get("arms").get("stock"), 90, 90, 90, EXACT);
    assertSpread(figure(report, "failed_operations").get("arms").get("stock"), 100, 100, 100,
      EXACT);
    assertThat(figure(report, "latency.READ-FAILED.p99")).isNull();
    assertThat(report.get("notes").toString()).contains("stock; strata: 100 operations failed");
  }

  @Test
  public void partialComparisonSaysWhatIsMissing() throws IOException {
    files.comparison(3, "stock", "strata");
    for (int round = 1; round <= 2; round++) {
      files.run(round, "stock").latencies("READ", 1, times(1_000, 800)).write();
    }
    files.run(1, "strata").latencies("READ", 1, times(2_000, 800)).write();
    files.run(2, "strata").latencies("READ", 1, times(9, 800)).partial("interrupted").write();
    files.run(3, "stock").write();
    JsonNode report = report();
    assertThat(report.get("state").asText()).isEqualTo("partial");
    assertThat(report.get("reasons")).extracting(JsonNode::asText).containsExactly(
      "round 2, strata: interrupted", "round 3, stock: there is no ycsb.json",
      "round 3, strata: did not run");
    JsonNode throughput = figure(report, "throughput");
    assertSpread(throughput.get("arms").get("strata"), 200, 200, 200, EXACT);
    assertThat(throughput.get("ratios").get("strata").get("rounds")).hasSize(1);
    assertThat(throughput.get("ratios").get("strata").get("verdict").asText())
      .isEqualTo("undecided");
    for (String name : List.of(ReportFiles.PAGE, ReportFiles.TEXT, ReportFiles.ALLOCATION_PAGE,
      ReportFiles.ALLOCATION_TEXT)) {
      assertThat(read(name)).contains("Partial", "round 3, strata: did not run");
    }
    assertThat(messages.toString()).contains("bench: partial: round 2, strata: interrupted");
  }

  @Test
  public void nothingMeasuredIsStillAReport() throws IOException {
    files.comparison(1, "stock", "strata");
    JsonNode report = report();
    assertThat(report.get("figures")).isEmpty();
    assertThat(report.get("reasons")).hasSize(2);
    assertThat(read(ReportFiles.PAGE)).contains("did not run");
  }

  @Test
  public void missingPiecesAreNotedAndTheRestIsThere() throws IOException {
    files.comparison(1, "stock", "strata");
    for (String arm : List.of("stock", "strata")) {
      files.run(1, arm).latencies("READ", 1, times(1_000, 800)).write();
    }
    JsonNode report = report();
    assertThat(report.get("state").asText()).isEqualTo("complete");
    assertThat(figure(report, "throughput")).isNotNull();
    assertThat(figure(report, "gc_pauses")).isNull();
    assertThat(figure(report, "allocated_bytes_per_operation")).isNull();
    assertThat(report.get("notes")).extracting(JsonNode::asText).containsExactly(
      "stock; strata: no GC pauses: there is no gc.log, and none are in server.jfr",
      "stock; strata: no safepoints and no allocation by site: there is no server.jfr");
  }

  @Test
  public void unreadableResultsMakeARunPartial() throws IOException {
    files.comparison(1, "stock", "strata");
    for (String arm : List.of("stock", "strata")) {
      files.run(1, arm).write();
    }
    Files.writeString(files.folder().run(1, "stock").resolve("ycsb.json"), "{\"phases\": [");
    Files.writeString(files.folder().run(1, "strata").resolve("ycsb.json"), "{\"phases\": []}");
    assertThat(report().get("reasons").toString()).contains("round 1, stock: ycsb.json: ",
      "round 1, strata: ycsb.json has no phase 'run'");
  }

  @Test
  public void whateverIsInTheFilesTheyAreText() throws IOException {
    String evil = "</script><img src=x onerror=alert(1)>|*_`[a](b) & \"'";
    List<Arm> arms = List.of(new Arm("stock", evil, List.of(evil), evil, evil, List.of(evil)),
      new Arm("a<b>\"&", null, null, null, null, null));
    files.folder().write(new Comparison(evil, evil, State.PARTIAL, evil, null, null, arms, 1, 1L,
      1.0, 1.0, 1L, PageCache.COLD, evil, new Machine(evil, 2, 1L, evil, evil),
      Map.of(evil, evil), List.of(new ConfigDifference(evil, evil, Map.of("stock", evil))),
      List.of(evil)));
    files.run(1, "stock").latencies("<i>READ</i>", 1, 1, 2, 3).write();
    files.run(1, "a<b>\"&").latencies("<i>READ</i>", 1, 1, 2, 3).write();
    Files.writeString(files.folder().run(1, "stock").resolve("flags.txt"), evil);
    report();
    for (String name : List.of(ReportFiles.PAGE, ReportFiles.ALLOCATION_PAGE)) {
      String page = read(name);
      assertThat(page).doesNotContain("<img src=x", "<i>READ", "a<b>")
        .contains("&lt;/script&gt;&lt;img src", "a&lt;b&gt;&quot;&amp;");
      // Its own three scripts end, no other.
      assertThat(page.split("</script>", -1)).hasSize(4);
    }
    for (String name : List.of(ReportFiles.TEXT, ReportFiles.ALLOCATION_TEXT)) {
      read(name).lines().filter(line -> !line.startsWith("    "))
        .forEach(line -> assertThat(line).doesNotContain("<img", "<i>", "`[a]"));
    }
  }

  @Test
  public void pageNeedsNothingElse() throws IOException {
    writeComparison();
    report();
    String page = read(ReportFiles.PAGE);
    assertThat(page).contains("default-src 'none'", "Apache License", "prefers-color-scheme",
      "\u25B2 better", "bench compare point-get");
    assertThat(page).doesNotContainPattern("<(script|img|link|iframe)[^>]*\\s(src|href)=\"?http")
      .doesNotContain("@import");
  }

  @Test
  public void reportOfTheSameFilesIsTheSame() throws IOException {
    writeComparison();
    report();
    String page = read(ReportFiles.PAGE);
    String data = read(ReportFiles.DATA);
    report();
    assertThat(read(ReportFiles.PAGE)).isEqualTo(page);
    assertThat(read(ReportFiles.DATA)).isEqualTo(data);
  }

  @Test
  public void pathsOfRunsAreTheContract() {
    Path root = folder.getRoot().toPath();
    assertThat(files.folder().runJson(2, "stock"))
      .isEqualTo(root.resolve("runs").resolve("2-stock").resolve("run.json"));
    assertThat(files.folder().report()).isEqualTo(root.resolve("report"));
  }
}
