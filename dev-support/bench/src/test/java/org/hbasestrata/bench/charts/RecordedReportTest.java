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
package org.hbasestrata.bench.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import org.hbasestrata.bench.report.Metric.Better;
import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class RecordedReportTest {
  private static final String COMPARISON = """
    # point-get: one, two against stock

    | | stock | one | ratio | | two | ratio | |
    |:--|--:|--:|--:|:--|--:|--:|:--|
    | **Throughput** | | | | | | | |
    | Operations, ops/s | **3,788** 2,846\u20134,048 | **14,654** 14,176\u201315,521 \
    | **3.87** 3.50\u20135.45 | \u25b2 better | **3,788**  | **1.00**  | = same |
    | GC pauses, time, ms/s | **0**  | **1**  | **\u2013**  |   | **0**  | **1.00**  | = same |
    | GC pauses, count | **20**  | **1**  | **0.050**  | better | **0**  | **0.00**  | better |
    | Off-heap buffers, GiB | **0.1**  | **149**  | **1,492** 1,426\u20131,584 | higher \
    | **0.1**  | **1.00**  | = same |

    - Profile: point-get
    - Rounds: 3
    """;

  private static final String ALLOCATION = """
    | path | unpooled | share | stock | share | strata | share | what |
    |:--|--:|--:|--:|--:|--:|--:|:--|
    | HDFS packets | 3.12 KiB | 11 % | 2.96 KiB | 14 % | 33.7 B | 0.2 % | what is sent |
    | WAL | \u2013 | 0 % | 0 B | &lt; 0.1 % | 0 B | 0 % | appends |

    ## Where and how

    - Rounds: 1
    """;

  private static final String PAIRS = """
    ## 16 threads, 5 pairs of slices

    | figure | better | stock | new | ratio | 95 % interval | |
    |:--|:--|--:|--:|--:|:-:|:--|
    | READ P99 | less | 10 ms | 9 ms | **0.900** | 0.800 to 0.950 | better |
    | READ P999 | less | 10 ms | 9 ms | **0.900** | | |

    ## 1 threads, 4 pairs of slices

    | figure | better | stock | new | ratio | 95 % interval | |
    |:--|:--|--:|--:|--:|:-:|:--|
    | READ P99 | less | 10 ms | 5 ms | **0.500** | 0.400 to 1.600 | |
    """;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private RecordedReport report(String text) throws IOException {
    return RecordedReport.read(Files.writeString(folder.newFile().toPath(), text));
  }

  @Test
  public void ratioIsTheReports() throws IOException {
    RecordedReport report = report(COMPARISON);
    assertThat(report.ratio("one", "stock", null, "Operations"))
      .isEqualTo(new RecordedRatio(3.87, 3.50, 5.45, 3));
    assertThat(report.ratio("one", "stock", null, "Operations, ops/s"))
      .isEqualTo(report.ratio("one", "stock", null, "Operations"));
    assertThat(report.ratio("one", "stock", null, "Off-heap buffers"))
      .isEqualTo(new RecordedRatio(1492, 1426, 1584, 3));
    assertThat(report.ratio("one", "stock", null, "GC pauses, count"))
      .isEqualTo(new RecordedRatio(0.050, 0.050, 0.050, 3));
  }

  @Test
  public void eachArmHasARatioOfItsOwn() throws IOException {
    assertThat(report(COMPARISON).ratio("two", "stock", null, "GC pauses, time"))
      .isEqualTo(new RecordedRatio(1, 1, 1, 3));
  }

  @Test
  public void ratioIsComputedWhereThereIsNone() throws IOException {
    RecordedRatio ratio = report(ALLOCATION).ratio("strata", "stock", null, "HDFS packets");
    assertThat(ratio.median()).isCloseTo(33.7 / (2.96 * 1024), within(1e-12));
    assertThat(ratio.text()).isEqualTo("0.011");
    assertThat(ratio.once()).isTrue();
  }

  @Test
  public void whatHasNoRatioIsNamed() throws IOException {
    RecordedReport comparison = report(COMPARISON);
    assertWrong(comparison, "one", "stock", "GC pauses, time", "has no ratio, but: \u2013");
    assertWrong(comparison, "two", "stock", "GC pauses, count", "has a ratio of 0.00");
    assertWrong(comparison, "two", "one", "Operations", "its ratios are to stock, not to one");
    assertWrong(comparison, "three", "stock", "Operations", "0 rows are named 'Operations'");
    assertWrong(report(COMPARISON.replace("Off-heap buffers", "Operations")), "one", "stock",
      "Operations", "2 rows are named 'Operations'");
    assertWrong(report(COMPARISON.replace("Rounds", "Round")), "one", "stock", "Operations",
      "of how many rounds");
    RecordedReport allocation = report(ALLOCATION);
    assertWrong(allocation, "strata", "stock", "WAL", "'WAL' has a ratio of NaN");
    assertWrong(allocation, "strata", "unpooled", "WAL", "'WAL' has no number, but: \u2013");
  }

  @Test
  public void pairsHaveASectionForEachNumberOfThreads() throws IOException {
    RecordedReport report = report(PAIRS);
    RecordedRatio sixteen = report.ratio("new", "stock", "16 threads", "READ P99");
    assertThat(sixteen).isEqualTo(RecordedRatio.ofPairs(0.9, 0.8, 0.95, 5));
    assertThat(sixteen.isBetter(Better.LOWER)).as("the interval is below 1").isTrue();
    assertThat(report.ratio("new", "stock", "1 threads", "READ P99"))
      .isEqualTo(RecordedRatio.ofPairs(0.5, 0.4, 1.6, 4));
    assertThatThrownBy(() -> report.ratio("new", "stock", null, "READ P99"))
      .isInstanceOf(ToolException.class).hasMessageContaining("2 rows are named 'READ P99'");
    assertThatThrownBy(() -> report.ratio("new", "stock", "4 threads", "READ P99"))
      .isInstanceOf(ToolException.class).hasMessageContaining("of section '4 threads'");
    assertThatThrownBy(() -> report.ratio("new", "stock", "16 threads", "READ P999"))
      .isInstanceOf(ToolException.class).hasMessageContaining("has no interval of pairs");
  }

  private static void assertWrong(RecordedReport report, String arm, String against, String row,
    String message) {
    assertThatThrownBy(() -> report.ratio(arm, against, null, row))
      .isInstanceOf(ToolException.class).hasMessageContaining(message);
  }

  @Test
  public void betterIsWhatIsBetterInEachRoundByMoreThanNoise() {
    assertThat(new RecordedRatio(0.5, 0.4, 0.7, 3).isBetter(Better.LOWER)).isTrue();
    assertThat(new RecordedRatio(0.5, 0.4, 0.7, 3).isWorse(Better.HIGHER)).isTrue();
    assertThat(new RecordedRatio(0.5, 0.4, 0.8, 3).isBetter(Better.LOWER)).isFalse();
    assertThat(new RecordedRatio(0.5, 0.4, 0.8, 3).isWorse(Better.HIGHER)).isFalse();
    assertThat(new RecordedRatio(2, 1.5, 3, 3).isBetter(Better.HIGHER)).isTrue();
    assertThat(new RecordedRatio(2, 1.5, 3, 3).isWorse(Better.LOWER)).isTrue();
    assertThat(new RecordedRatio(2, 1.2, 3, 3).isWorse(Better.LOWER)).isFalse();
  }
}
