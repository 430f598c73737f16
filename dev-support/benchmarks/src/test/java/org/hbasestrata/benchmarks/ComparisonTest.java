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
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ComparisonTest {
  private static final Arm STOCK = new Arm("stock", List.of());
  private static final Arm STRATA = new Arm("strata", List.of());

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Comparison comparison = new Comparison();

  private Path jmhResults(String benchmark, double[] times, double[] bytes) throws IOException {
    Path file = folder.newFile().toPath();
    return Files.writeString(file, """
      [{"benchmark": "org.example.%s", "threads": 2, "params": {"kb": "64"},
        "primaryMetric": {"scoreUnit": "ns/op", "rawData": [[%s]]},
        "secondaryMetrics": {"cpu.norm": {"scoreUnit": "ns/op", "rawData": [[%s]]},
          "gc.alloc.rate.norm": {"scoreUnit": "B/op", "rawData": [[%s]]}}}]
      """.formatted(benchmark, list(times), list(times), list(bytes)));
  }

  private static String list(double[] values) {
    return Arrays.stream(values).mapToObj(Double::toString).collect(Collectors.joining(", "));
  }

  @Test
  public void roundsOfAnArmAreOneSample() throws IOException {
    comparison.add(STOCK, jmhResults("Read.hit", new double[] { 9, 11 }, new double[] { 50, 50 }));
    comparison.add(STRATA, jmhResults("Read.hit", new double[] { 4, 6 }, new double[] { 25, 25 }));
    comparison.add(STRATA, jmhResults("Read.hit", new double[] { 4, 6 }, new double[] { 25, 25 }));
    comparison.add(STOCK, jmhResults("Read.hit", new double[] { 9, 11 }, new double[] { 50, 50 }));

    assertThat(comparison.results()).singleElement().satisfies(result -> {
      assertThat(result.benchmark()).isEqualTo("Read.hit");
      assertThat(result.time().stock().samples()).containsExactly(9.0, 11.0, 9.0, 11.0);
      assertThat(result.time().ratio().mean()).isEqualTo(0.5);
      assertThat(result.allocated().ratio().toString()).isEqualTo("0.50 ± 0.00");
    });
  }

  @Test
  public void errorIsHalfOfTheConfidenceInterval() {
    Estimate estimate = Estimate.of(List.of(9.0, 11.0, 9.0, 11.0));
    // Student's t for 99.9 % and 3 degrees of freedom: 12.924.
    assertThat(estimate.error()).isCloseTo(12.924 * Math.sqrt(4.0 / 3) / 2, within(0.001));
  }

  @Test
  public void relativeErrorsOfARatioAddUpAsSquares() {
    Estimate ratio = new Estimate(20, 0.6, null).relativeTo(new Estimate(10, 0.4, null));
    assertThat(ratio.mean()).isEqualTo(2);
    assertThat(ratio.error()).isCloseTo(2 * 0.05, within(1e-9));
  }

  @Test
  public void aSingleIterationHasNoError() {
    assertThat(Estimate.of(List.of(12.345)).toString()).isEqualTo("12.3");
  }

  @Test
  public void aMissingArmShowsAsFailed() throws IOException {
    comparison.add(STOCK, jmhResults("Read.hit", new double[] { 9 }, new double[] { 50 }));
    assertThat(comparison.results().get(0).time().ratio()).isNull();
    assertThat(comparison.table().lines().skip(1).map(line -> line.strip().replaceAll(" +", " ")))
      .containsExactly("Read.hit kb=64 time, ns/op 9.00 failed", "CPU, ns/op 9.00 failed",
        "allocated, B/op 50.0 failed");
  }
}
