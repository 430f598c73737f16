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
package org.hbasestrata.bench.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.State;
import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class NeighboursTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  /** A second at whose end 500 operations were due and not begun; none if negative. */
  private int owing = -1;

  /** A second each: 1,000 operations of 1 ms, of which the last ten took {@code slowest}. */
  private void write(long... slowest) throws IOException {
    Path log = folder.getRoot().toPath().resolve("ycsb.hlog");
    try (FileOutputStream out = new FileOutputStream(log.toFile())) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputLogFormatVersion();
      for (int i = 0; i < slowest.length; i++) {
        for (String tag : List.of("READ", "READ-INTENDED")) {
          Histogram second = new Histogram(3);
          second.setTag(tag);
          second.setStartTimeStamp(i * 1_000L);
          second.setEndTimeStamp((i + 1) * 1_000L);
          second.recordValueWithCount(1_000, 985);
          second.recordValueWithCount(tag.equals("READ") ? 1 : slowest[i], 15);
          if (i == owing && !tag.equals("READ")) {
            second.recordValueWithCount(5_000_000, 500);
          }
          writer.outputIntervalHistogram(second);
        }
      }
      writer.close();
    }
    Files.writeString(folder.getRoot().toPath().resolve("ycsb.json"),
      "{\"verified\": {\"rows\": 5000, \"wrong\": 0, \"missing\": 1}}");
  }

  private Beside beside(String neighbour, long from, long to) {
    return Beside.of("stock", folder.getRoot().toPath(),
      new Beside.Time(neighbour, neighbour + " runs", "rows", from, to, 1.5, 0.5));
  }

  @Test
  public void onlySecondsOfTheTimeCount() throws Exception {
    write(900_000, 10_000, 20_000, 900_000);
    Beside beside = beside(Beside.NOTHING, 1_000, 3_000);
    assertThat(beside.answered()).isEqualTo(1_000);
    assertThat(beside.p50Micros()).isEqualTo(1_000);
    assertThat(beside.p99Micros()).isBetween(10_000L, 20_100L);
    assertThat(beside.maxMicros()).isBetween(20_000L, 20_100L);
    assertThat(beside.wrong()).isEqualTo(1);
    assertThat(beside.serverCpu()).isEqualTo(0.75);
    assertThat(beside.work()).isZero();
  }

  @Test
  public void whatIsOwedIsNotAnsweredButLate() throws Exception {
    owing = 1;
    write(10_000, 10_000);
    Beside beside = beside(Beside.NOTHING, 0, 2_000);
    assertThat(beside.answered()).isEqualTo(1_000);
    assertThat(beside.p99Micros()).isBetween(4_900_000L, 5_100_000L);
  }

  @Test
  public void workIsWhatWasCountedWithinTheTime() throws Exception {
    write(1_000, 1_000);
    Files.writeString(folder.getRoot().toPath().resolve("scan.samples"),
      "900 10\n1000 20\n1500 30\n2000 50\n2100 500\n22");
    assertThat(beside("scan", 1_000, 2_000).work()).isEqualTo(30);
  }

  @Test
  public void aNeighbourWithoutAUnitDoesNoWork() throws Exception {
    write(1_000, 1_000);
    assertThat(Beside.of("stock", folder.getRoot().toPath(),
      new Beside.Time("datanode-stopped", "stands still", "", 0, 1_000, 1.5, 0.5)).work()).isZero();
  }

  @Test
  public void aMissingFileIsTold() {
    assertThatThrownBy(() -> beside("scan", 0, 1)).isInstanceOf(ToolException.class)
      .hasMessageContaining(folder.getRoot().toString());
  }

  @Test
  public void theReportHasMediansAndComparesThemWithNothing() throws Exception {
    write(2_000, 4_000, 8_000, 16_000);
    Files.writeString(folder.getRoot().toPath().resolve("scan.samples"), "2000 0\n3000 1234");
    Comparison comparison = new Comparison("gets", "bench neighbours", State.COMPLETE, null,
      Instant.EPOCH, Instant.EPOCH, List.of(new Arm("stock", null, null, null, null, null),
        new Arm("strata", null, null, null, null, null)), 2, 1_000L, null, 100.0, 1L << 30, null,
      null, null, null, null, null);
    List<String> lines = new Neighbours(comparison,
      List.of(beside(Beside.NOTHING, 0, 1_000), beside("scan", 2_000, 3_000),
        beside(Beside.NOTHING, 1_000, 2_000), beside("scan", 2_000, 3_000))).lines();
    assertThat(lines).contains(
      "| nothing runs | stock | 1,000 | 1.00 | 3.00 | 3.00 | 3.00 | 1.50 | 50 % | 0.00 rows/s |",
      "| scan runs | stock | 1,000 | 1.00 (1.0) | 8.00 (2.7) | 8.00 (2.7) | 8.00 (2.7) | 1.50 |"
        + " 50 % | 1,234 rows/s |",
      "Rows that weren't those that were loaded: 1. Gets that failed: 0.");
  }
}
