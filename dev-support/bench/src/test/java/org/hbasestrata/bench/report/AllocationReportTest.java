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
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.hbase.bench.Allocator;
import org.hbasestrata.bench.Run;
import org.hbasestrata.bench.State;
import org.hbasestrata.tools.Json;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Of two runs, each of 1,000 operations; that of stock has a recording of 500 MiB. */
public class AllocationReportTest {
  private static final int OPERATIONS = 1_000;
  /** Of Allocator; a flame graph's names leave out what they begin with as the one before does. */
  private static final String FRAME = "mebibytes";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private JsonNode report;

  @Before
  public void makeReport() throws IOException {
    ComparisonFiles files = new ComparisonFiles(folder.getRoot().toPath());
    files.comparison(1, "stock", "strata");
    long[] micros = new long[OPERATIONS];
    for (String arm : List.of("stock", "strata")) {
      files.run(1, arm).latencies("READ", 1, micros).write();
    }
    Instant start = Instant.now();
    try (jdk.jfr.Recording recording = new jdk.jfr.Recording()) {
      // Not sampled, so that the sum is exact.
      recording.enable("jdk.ObjectAllocationInNewTLAB");
      recording.enable("jdk.ObjectAllocationOutsideTLAB");
      recording.start();
      Allocator.mebibytes(500);
      recording.dump(files.folder().run(1, "stock").resolve("server.jfr"));
    }
    files.folder().write(new Run(1, "stock", 1, State.COMPLETE, null, start, start, start,
      Instant.now().plusSeconds(1), null, null));
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    ReportCommand.make(files.folder(), nowhere, nowhere);
    report = Json.MAPPER.readTree(read(ReportFiles.DATA)).get("charts");
  }

  private String read(String name) throws IOException {
    return Files.readString(folder.getRoot().toPath().resolve("report").resolve(name));
  }

  @Test
  public void pathsAddUpToWhatIsAllocated() {
    JsonNode paths = report.get("paths");
    assertThat(paths).extracting(path -> path.get("path").asText()).containsExactly("L2 reads",
      "Cache on write", "HDFS packets", "WAL", "HDFS reads", "Responses", "Everything else");
    JsonNode last = paths.get(6);
    assertThat(last.get("bytes_per_operation").get("stock").asDouble() * OPERATIONS)
      .isCloseTo(500 << 20, within(100e6));
    assertThat(last.get("percent").get("stock").asDouble()).isEqualTo(100);
    assertThat(paths.get(0).get("percent").get("stock").asDouble()).isZero();
    assertThat(last.get("percent").has("strata")).isFalse();
    assertThat(report.get("elsewhere").get(0).get("site").asText())
      .isEqualTo("Allocator.mebibytes");
  }

  @Test
  public void peopleSeeThemToo() throws IOException {
    assertThat(read(ReportFiles.ALLOCATION_TEXT)).contains("# Allocation: point-get: strata",
      "| path | stock | share | strata | share | what |", "| HDFS packets | 0 B | 0 % | \u2013 |",
      "| All | ", "Allocator.mebibytes", "bench compare point-get");
    assertThat(read(ReportFiles.ALLOCATION_PAGE)).contains("<h1>Allocation: point-get: strata",
      "HDFS packets", "data-chart=\"paths\"", "prefers-color-scheme", "bench compare point-get");
    assertThat(read(ReportFiles.PAGE)).contains("href=\"allocation.html\"");
  }

  @Test
  public void theFlameGraphIsOfTheMeasuredPart() throws IOException {
    String page = read(ReportFiles.ALLOCATION_PAGE);
    assertThat(page).contains("<a href=\"flame-1-stock.html\">stock, round 1</a>")
      .doesNotContain("flame-1-strata");
    assertThat(read("flame-1-stock.html")).contains("Heap allocation in bytes: stock, round 1",
      FRAME);
    assertThat(Path.of(folder.getRoot().toString(), "report", "flame-1-strata.html"))
      .doesNotExist();
  }

  @Test
  public void aFlameGraphLeavesOutWhatIsNotInTheWindow() throws IOException {
    ComparisonFiles files = new ComparisonFiles(folder.getRoot().toPath());
    Instant before = Instant.now().minusSeconds(600);
    files.folder().write(new Run(1, "stock", 1, State.COMPLETE, null, before, before, before,
      before.plusSeconds(1), null, null));
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    ReportCommand.make(files.folder(), nowhere, nowhere);
    assertThat(read("flame-1-stock.html")).doesNotContain(FRAME);
  }
}
