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
package org.hbasestrata.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.Test;

public class ReportTest {
  private final Latencies latencies = new Latencies(true);

  private Phase phase() {
    for (int i = 1; i <= 100; i++) {
      latencies.succeeded(OperationType.MULTIGET, 50, 0, 1_000_000, 1_000_000 + i * 10_000L);
    }
    latencies.failed(OperationType.READ, 1, 0, 5_000_000_000L,
      new IOException("outer", new IOException("no server\nfor long")));
    latencies.sample();
    return new Phase("run", 0, 2, 101, latencies,
      List.of(new Phase.Second(1, 60, Map.of("MULTIGET", new Phase.Interval(60, 1, 2, 3, 4)))),
      false, false, false);
  }

  @Test
  public void tableHoldsEverySeriesInReadableUnits() {
    String[] lines = Report.table(phase(), "operations").split("\n");
    assertThat(lines[0]).isEqualTo("run: 101 operations in 2.0 s, 51 operations/s");
    assertThat(lines[2]).matches(" +count +/s +mean +P50 +P95 +P99 +P999 +max");
    assertThat(lines[3]).matches(
      "READ-FAILED +1 +0\\.5 +5\\.00 s +5\\.00 s +5\\.00 s +5\\.00 s +5\\.00 s +5\\.00 s");
    assertThat(lines[4]).matches(
      "MULTIGET +100 +50 +505 us +500 us +950 us +990 us +1\\.00 ms +1\\.00 ms");
    assertThat(lines[5]).matches("MULTIGET-INTENDED +100 +50 +1\\.5\\d ms .*");
    assertThat(lines[7]).matches("per row +rows +/s +mean");
    assertThat(lines[8]).matches("MULTIGET +5,000 +2,500 +10\\.1 us");
    assertThat(lines[10]).isEqualTo("1 failed; the first: IOException: no server");
  }

  @Test
  public void operationsThatDidNotBeginAreTold() {
    Phase phase = phase();
    latencies.notBegun(List.of(OperationType.READ_MODIFY_WRITE, OperationType.READ), 0,
      2_500_000_000L);
    latencies.sample();
    assertThat(Report.table(phase, "operations")).containsPattern("READ-INTENDED +1 ")
      .containsPattern("READ-MODIFY-WRITE-INTENDED +1 ").contains("\n1 due and not"
        + " begun at the end (longest wait 2.50 s); INTENDED counts these waits.\n");
    Profile profile = Profile.read("multiget-50", List.of(Path.of("..", "conf", "ycsb")));
    assertThat(JsonParser.parseString(Report.json(profile, List.of(phase), null, 0))
      .getAsJsonObject().getAsJsonArray("phases").get(0).getAsJsonObject().get("not_begun")
      .getAsInt()).isEqualTo(1);
  }

  @Test
  public void jsonHoldsHistogramsThatCanBeMerged() throws DataFormatException {
    Profile profile = Profile.read("multiget-50", List.of(Path.of("..", "conf", "ycsb")));
    JsonObject root =
      JsonParser.parseString(Report.json(profile, List.of(phase()), null, 1)).getAsJsonObject();
    assertThat(root.get("exit_code").getAsInt()).isEqualTo(1);
    assertThat(root.getAsJsonObject("settings").get("threadcount").getAsString())
      .isEqualTo("30");
    JsonObject phase = root.getAsJsonArray("phases").get(0).getAsJsonObject();
    JsonObject multiget = phase.getAsJsonObject("series").getAsJsonObject("MULTIGET");
    assertThat(multiget.get("mean_per_row_us").getAsDouble()).isBetween(10.0, 10.2);
    Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(
      Base64.getDecoder().decode(multiget.get("hdrhistogram_base64").getAsString())), 0);
    assertThat(histogram.getTotalCount()).isEqualTo(100);
    assertThat(histogram.getValueAtPercentile(50)).isEqualTo(500);
    JsonObject second = phase.getAsJsonArray("per_second").get(0).getAsJsonObject();
    assertThat(second.get("operations").getAsLong()).isEqualTo(60);
  }

  @Test
  public void progressTellsWhatIsDoneAndLeft() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    Progress progress = new Progress(out, false, "load", "rows", 1_000_000, 0);
    assertThat(progress.line(10, 250_000, 26_000, 0))
      .isEqualTo("load: 250,000 of 1,000,000 rows, 25 %, 26,000 rows/s, 30 s left");
    assertThat(new Progress(out, false, "run", "operations", 0, 120).line(30, 5_000, 100, 3))
      .isEqualTo("run: 5,000 operations, 30 s of 2 min 0 s, 25 %, 100 operations/s, 1 min 30 s"
        + " left, 3 failed");
    Progress both = new Progress(out, false, "run", "operations", 10_000, 12);
    assertThat(both.line(11, 1_086, 99, 0))
      .isEqualTo("run: 1,086 operations, 11 s of 12 s, 91 %, 99 operations/s, 1.0 s left");
    assertThat(both.line(13, 1_200, 99, 0))
      .isEqualTo("run: 1,200 operations, 12 s of 12 s, 100 %, 99 operations/s, 0.0 s left");
    assertThat(both.line(3, 5_000, 1_667, 0))
      .isEqualTo("run: 5,000 of 10,000 operations, 50 %, 1,667 operations/s, 3.0 s left");
    progress.show(9, 1, 1, 0);
    assertThat(bytes.size()).isZero();
    progress.show(10, 1, 1, 0);
    progress.show(11, 1, 1, 0);
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).hasSize(1);
  }

  @Test
  public void unitsSuitTheNumber() {
    assertThat(Units.latency(0)).isEqualTo("0 us");
    assertThat(Units.latency(999)).isEqualTo("999 us");
    assertThat(Units.latency(1_234)).isEqualTo("1.23 ms");
    assertThat(Units.latency(61_500_000)).isEqualTo("61.5 s");
    assertThat(Units.bytes(150_000_000)).isEqualTo("150 MB");
    assertThat(Units.duration(7_500)).isEqualTo("2 h 5 min");
  }
}
