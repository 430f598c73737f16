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
package org.hbasestrata.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.Server;
import org.hbasestrata.bench.State;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Ten seconds of steady state, three in which the regions move, and two after that. */
public class SideTest {
  private static final long START = 1_700_000_000_500L;
  private static final int STEADY = 10;
  private static final int END = 15;
  private static final long STEADY_MICROS = 200;
  private static final long MOVING_MICROS = 5_000;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path files;

  @Before
  public void writeFiles() throws IOException {
    files = folder.getRoot().toPath();
    Files.writeString(files.resolve("ycsb.json"), """
      {"verified": {"rows": 1500, "wrong": 2, "missing": 1}, "phases": [{"phase": "run",
      "start_ms": 1700000000000, "seconds": 20, "operations": 1503, "failed": 3, "series": {},
      "per_second": []}]}""");
    writeLog(second -> second < STEADY ? STEADY_MICROS : MOVING_MICROS);
  }

  private void writeLog(IntToLongFunction micros) throws IOException {
    HistogramLogWriter log = new HistogramLogWriter(files.resolve("ycsb.hlog").toFile());
    log.outputLogFormatVersion();
    log.outputStartTime(START - 3_000);
    log.outputLegend();
    for (int second = -3; second < END; second++) {
      write(log, "READ", second, 1);
      write(log, "READ-INTENDED", second, micros.applyAsLong(second));
      if (second == STEADY) {
        write(log, "READ-FAILED", second, 1);
      }
    }
    log.close();
  }

  private static void write(HistogramLogWriter log, String series, int second, long micros) {
    Histogram histogram = new Histogram(3);
    histogram.setTag(series);
    histogram.recordValueWithCount(micros, 100);
    histogram.setStartTimeStamp(START + second * 1_000L);
    histogram.setEndTimeStamp(START + second * 1_000L + 999);
    log.outputIntervalHistogram(histogram);
  }

  private Side side(String arm) {
    return side(arm, List.of(new Side.Step("regions move off", STEADY, 13)));
  }

  private Side side(String arm, List<Side.Step> steps) {
    Map<Long, ServerSecond> servers = new TreeMap<>();
    for (int second = 0; second < END; second++) {
      servers.put(START / 1_000 + 1 + second,
        new ServerSecond(Map.of(ServerSecond.ALL, second < STEADY ? new Server.CacheTier(90, 10)
          : new Server.CacheTier(50, 50)), 20, 0.5, 0.1, second == STEADY ? 2 : 0));
    }
    return Side.of(arm, files, START, steps, END, servers, List.of());
  }

  @Test
  public void partsHaveTheLatenciesOfTheirSeconds() {
    Side side = side("one");
    assertThat(side.parts()).extracting(Side.Part::name).containsExactly(Side.STEADY,
      Side.RESTART, "regions move off");
    Side.Part steady = side.part(Side.STEADY);
    assertThat(steady.latencies()).containsOnlyKeys("READ");
    assertThat(steady.latencies().get("READ").count()).isEqualTo(1_000);
    assertThat(steady.latencies().get("READ").p99Micros()).isEqualTo(STEADY_MICROS);
    assertThat(steady.failed()).isZero();
    assertThat(steady.hitPercents().get(ServerSecond.ALL)).isEqualTo(90);
    assertThat(steady.cpuSeconds()).isBetween(0.44, 0.51);
    Side.Part whole = side.part(Side.RESTART);
    assertThat(whole.latencies().get("READ").count()).isEqualTo(500);
    assertThat(whole.latencies().get("READ").p50Micros()).isBetween(MOVING_MICROS - 10,
      MOVING_MICROS + 10);
    assertThat(whole.failed()).isEqualTo(100);
    assertThat(side.part("regions move off").latencies().get("READ").count()).isEqualTo(300);
  }

  @Test
  public void whatWasDueWhileAServerWasAwayIsntCountedAsBack() throws IOException {
    writeLog(second -> second < STEADY ? STEADY_MICROS : second < 13 ? 2_000_000 : MOVING_MICROS);
    Side side = side("one", List.of(new Side.Step("a server is killed", STEADY, 11),
      new Side.Step(Side.BACK, 11, END)));
    assertThat(side.parts()).extracting(Side.Part::name).containsExactly(Side.STEADY,
      Side.RESTART, "a server is killed", Side.BACKLOG, Side.BACK);
    assertThat(side.part(Side.BACKLOG).latencies().get("READ").count()).isEqualTo(200);
    assertThat(side.part(Side.BACK).latencies().get("READ").count()).isEqualTo(200);
    assertThat(side.part(Side.BACK).latencies().get("READ").maxMicros())
      .isBetween(MOVING_MICROS - 10, MOVING_MICROS + 10);
    assertThat(side.stillWaits()).isFalse();
  }

  @Test
  public void aSideSaysThatOperationsStillWait() throws IOException {
    writeLog(second -> second < STEADY ? STEADY_MICROS : 2_000_000);
    assertThat(side("one", List.of(new Side.Step(Side.BACK, 11, END))).stillWaits()).isTrue();
  }

  @Test
  public void eachSecondIsThere() {
    Side side = side("one");
    assertThat(side.timeline()).hasSize(END);
    assertThat(side.timeline().get(STEADY - 1).latencies().get("READ").p99Micros())
      .isEqualTo(STEADY_MICROS);
    assertThat(side.timeline().get(STEADY).failed()).isEqualTo(100);
    assertThat(side.wrong()).isEqualTo(2);
    assertThat(side.missing()).isEqualTo(1);
    assertThat(side.failed()).isEqualTo(3);
  }

  @Test
  public void reportComparesTheRestartWithTheSteadyState() throws IOException {
    Comparison comparison = new Comparison("gets", "bench restart", State.COMPLETE, null,
      Instant.EPOCH, Instant.EPOCH, List.of(new Arm("one", null, null, null, null, null),
        new Arm("two", null, null, null, null, null)), 1, 1_000L, null, 100.0, 1L << 30, null,
      null, null, null, null, null);
    new Restart(comparison, 3, List.of(side("one"), side("two"))).write(files);
    assertThat(Files.readString(files.resolve("report/report.md")))
      .contains("1,500 rows compared, 2 wrong, 1 missing; 3 operations failed")
      .containsPattern("by the steady state \\|.*\\| 25\\.\\d+ \\| 25");
    assertThat(files.resolve("report/index.html")).exists();
  }
}
