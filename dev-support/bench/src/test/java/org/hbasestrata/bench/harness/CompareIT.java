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
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.Run;
import org.hbasestrata.bench.State;
import org.hbasestrata.tools.Json;
import org.junit.Test;

/**
 * A whole comparison of a few seconds a run, on a cluster of its own, from the tarball. It is by
 * {@code bench alloc}, which is {@code bench compare} with an arm more.
 */
public class CompareIT extends BenchCommand {
  private static final int ROUNDS = 1;
  private static final int ROWS = 2_000;
  private static final int BATCH = 10;
  private static final List<String> ARMS = List.of("unpooled", "stock", "strata");
  private static final Duration EDGE = Duration.ofMillis(200);
  private static final Pattern PAUSE =
    Pattern.compile("\\[gc *\\] GC\\(\\d+\\) Pause .* ([0-9.]+)ms");

  @Test
  public void theReportsNumbersAreThoseOfTheRawFiles() throws Exception {
    // With a blank in its name.
    Path out = folder.getRoot().toPath().resolve("a comparison");
    Path log = folder.getRoot().toPath().resolve("log");
    long pid = run(log, "alloc", "multiget-50", "--rows", Integer.toString(ROWS), "--minutes",
      "0.07", "--rounds", Integer.toString(ROUNDS), "--warm-up", "0", "--memory", "1g",
      "--page-cache", "limited", "-p", "threadcount=2", "-p", "multigetbatch=" + BATCH, "--out",
      out.toString());

    assertThat(Files.readString(log)).contains("loading 2000 rows", "round 1 of 1, unpooled: ",
      "round 1 of 1, strata: ", " left)");
    ComparisonFolder files = new ComparisonFolder(out);
    Comparison comparison = files.readComparison();
    assertThat(comparison.state()).isEqualTo(State.COMPLETE);
    assertThat(comparison.arms()).extracting(arm -> arm.name()).isEqualTo(ARMS);
    assertThat(comparison.arms())
      .allSatisfy(arm -> assertThat(arm.jvmFlags()).contains("-Xmx256m"));
    assertThat(comparison.arms().get(ARMS.indexOf("stock")).patchLevel()).startsWith("stock 2.");
    assertThat(comparison.arms().get(ARMS.indexOf("strata")).patchLevel()).contains("-strata.");
    assertThat(comparison.configDifferences()).extracting(difference -> difference.key())
      .contains("jars", "hbase.server.allocator.pool.enabled");
    JsonNode report =
      Json.MAPPER.readTree(files.report().resolve("report.json").toFile());
    assertThat(report.path("state").asText()).isEqualTo("complete");
    for (int round = 1; round <= ROUNDS; round++) {
      for (String arm : ARMS) {
        check(files.run(round, arm), files.readRun(round, arm), figures(report, round, arm));
      }
    }
    assertThat(files.readRun(1, "unpooled").position()).isEqualTo(1);
    assertThat(files.readRun(1, "strata").position()).isEqualTo(3);
    checkMedian(report, "throughput");
    checkPaths(report.path("charts").path("paths"), files.report());
    assertNothingIsLeft(out, pid);
  }

  /**
   * Blocks out of the cache's file: arrays without pools, else in their buffers. Of a run as short
   * as this one there are few samples, too few to compare the answers, which are smaller. Not
   * warmed up, since in the end all that is read is in L1.
   */
  private static void checkPaths(JsonNode paths, Path folder) throws IOException {
    for (String arm : ARMS) {
      double percent = 0;
      for (JsonNode path : paths) {
        percent += path.path("percent").path(arm).asDouble();
      }
      assertThat(percent).isCloseTo(100, within(1e-6));
    }
    assertThat(bytes(paths, "Responses", "unpooled")).isPositive();
    assertThat(bytes(paths, "L2 reads", "unpooled"))
      .isGreaterThan(bytes(paths, "L2 reads", "stock"))
      .isGreaterThan(bytes(paths, "L2 reads", "strata"));
    assertThat(Files.readString(folder.resolve("allocation.html"))).contains("L2 reads");
    assertThat(Files.readString(folder.resolve("flame-1-unpooled.html")))
      .contains("Heap allocation in bytes: unpooled, round 1");
  }

  private static double bytes(JsonNode paths, String name, String arm) {
    for (JsonNode path : paths) {
      if (path.path("path").asText().equals(name)) {
        return path.path("bytes_per_operation").path(arm).asDouble();
      }
    }
    throw new AssertionError("the report has no path " + name);
  }

  private static JsonNode figures(JsonNode report, int round, String arm) {
    for (JsonNode run : report.path("runs")) {
      if (run.path("round").asInt() == round && run.path("arm").asText().equals(arm)) {
        return run.path("figures");
      }
    }
    throw new AssertionError("the report has no round " + round + " of " + arm);
  }

  private static void check(Path raw, Run run, JsonNode figures) throws Exception {
    assertThat(run.state()).isEqualTo(State.COMPLETE);
    JsonNode phase = Json.MAPPER.readTree(raw.resolve("ycsb.json").toFile())
      .path("phases").path(0);
    double operations = phase.path("operations").asDouble() - phase.path("failed").asDouble();
    double seconds = phase.path("seconds").asDouble();
    JsonNode multiget = phase.path("series").path("MULTIGET");
    assertThat(operations).isPositive();
    assertThat(run.measuredStart().toEpochMilli()).isEqualTo(phase.path("start_ms").asLong());
    assertThat(Duration.between(run.measuredStart(), run.measuredEnd()).toNanos() / 1e9)
      .isCloseTo(seconds, within(1e-3));

    assertFigure(figures, "throughput", operations / seconds);
    assertFigure(figures, "rows_per_second", multiget.path("rows").asDouble() / seconds);
    assertFigure(figures, "latency.MULTIGET.p99",
      histogram(multiget).getValueAtPercentile(99));
    assertFigure(figures, "cpu_seconds_per_million_operations",
      run.server().cpuSeconds() * 1e6 / operations);
    if (run.server().allocatedBytes() != null) {
      assertFigure(figures, "allocated_bytes_per_operation",
        run.server().allocatedBytes() / operations);
      // A row's cells are turned into objects. Few operations on a busy machine share what the
      // server allocates for itself.
      assertThat(run.server().allocatedBytes() / (operations * BATCH)).isBetween(100.0, 1e7);
    }
    assertFigure(figures, "heap_after_full_gc_bytes", run.server().heapAfterFullGcBytes());
    assertFigure(figures, "resident_bytes", run.server().residentBytes());
    assertFigure(figures, "hdfs_block_reads_per_operation",
      run.server().hdfsBlocksRead() / operations);

    assertThat(run.server().cpuSeconds())
      .isBetween(0.01, Runtime.getRuntime().availableProcessors() * (seconds + 0.5));
    assertThat(run.server().heapAfterFullGcBytes()).isBetween(10L << 20, 256L << 20);
    // Each row is a look-up at the least, and the client looks for its regions too.
    long lookups = run.server().cacheTiers().values().stream()
      .mapToLong(tier -> tier.hits() + tier.misses()).sum();
    assertThat((double) lookups).isBetween(operations * BATCH, operations * BATCH * 5 + 1_000);
    checkPauses(raw, run, figures);
  }

  /**
   * By a reading of our own: the log's lines that end a pause, but for those of G1's cleanup, of
   * which GCToolKit doesn't know them all. A pause at the edge of the run may be counted or not.
   */
  private static void checkPauses(Path raw, Run run, JsonNode figures) throws IOException {
    double leastSum = 0;
    double mostSum = 0;
    int least = 0;
    int most = 0;
    for (String line : Files.readAllLines(raw.resolve("gc.log"))) {
      Matcher pause = PAUSE.matcher(line);
      if (pause.find()) {
        double millis = Double.parseDouble(pause.group(1));
        boolean known = !line.contains("Pause Cleanup");
        if (known && inTheRun(line, run, EDGE.negated())) {
          least++;
          leastSum += millis;
        }
        if (inTheRun(line, run, EDGE)) {
          most++;
          mostSum += millis;
        }
      }
    }
    assertThat(figures.path("gc_pauses").asInt()).isBetween(least, most);
    assertThat(figures.path("gc_pause_total_ms").asDouble()).isBetween(leastSum - 0.5,
      mostSum + 0.5);
  }

  /** Whether a line of the log, which is written when a pause ends, was written in the run. */
  private static boolean inTheRun(String line, Run run, Duration edge) {
    Instant time = OffsetDateTime.parse(line.substring(1, line.indexOf(']')),
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSZ")).toInstant();
    return !time.isBefore(run.measuredStart().minus(edge))
      && !time.isAfter(run.measuredEnd().plus(edge));
  }

  private static void assertFigure(JsonNode figures, String id, double expected) {
    assertThat(figures.path(id).asDouble(-1)).as(id)
      .isCloseTo(expected, within(Math.abs(expected) * 1e-6 + 1e-9));
  }

  private static Histogram histogram(JsonNode series) throws Exception {
    return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(
      Base64.getDecoder().decode(series.path("hdrhistogram_base64").asText())), 0);
  }

  private static void checkMedian(JsonNode report, String id) {
    for (JsonNode figure : report.path("figures")) {
      if (figure.path("id").asText().equals(id)) {
        for (String arm : ARMS) {
          double sum = 0;
          for (int round = 1; round <= ROUNDS; round++) {
            sum += figures(report, round, arm).path(id).asDouble();
          }
          assertThat(figure.path("arms").path(arm).path("median").asDouble())
            .isCloseTo(sum / ROUNDS, within(sum * 1e-6));
        }
        return;
      }
    }
    throw new AssertionError("the report has no " + id);
  }
}
