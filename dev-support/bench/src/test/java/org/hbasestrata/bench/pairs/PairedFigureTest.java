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
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.hbasestrata.bench.report.MeanRatio;
import org.hbasestrata.bench.report.Metric;
import org.hbasestrata.bench.report.Unit;
import org.junit.Test;

public class PairedFigureTest {
  private static final Metric METRIC = new Metric("x", Metric.Group.CPU, "X", Unit.COUNT,
    Metric.Better.LOWER, true);

  /** The machine is half as fast in the second pair: both arms are. */
  private static final List<Slice> STOCK = List.of(SliceExample.of("stock", 1, 40_000, 30),
    SliceExample.of("stock", 2, 20_000, 60), SliceExample.of("stock", 3, 40_000, 30));
  private static final List<Slice> STRATA = List.of(SliceExample.of("strata", 1, 50_000, 24),
    SliceExample.of("strata", 2, 25_000, 48), SliceExample.of("strata", 3, 50_000, 24));

  private static PairedFigure figure(String id, boolean perRow) {
    return Pairs.Result.of(16, STOCK, STRATA, perRow).figure(id);
  }

  @Test
  public void whatBothArmsSufferIsInNoRatio() {
    PairedFigure throughput = figure(PairedFigure.THROUGHPUT, false);
    assertThat(throughput.ratio()).isCloseTo(1.25, within(1e-9));
    assertThat(throughput.low()).isCloseTo(1.25, within(1e-6));
    assertThat(throughput.high()).isCloseTo(1.25, within(1e-6));
    assertThat(throughput.pairs()).isEqualTo(3);
    assertThat(throughput.first()).isCloseTo(100_000 / 12.0, within(1e-6));
    assertThat(throughput.better()).isEqualTo("more");
  }

  @Test
  public void figuresArePerOperation() {
    PairedFigure cpu = figure(PairedFigure.SERVER_CPU, false);
    assertThat(cpu.first()).isCloseTo(40, within(1e-9));
    assertThat(cpu.ratio()).isCloseTo(0.8, within(1e-9));
    assertThat(cpu.better()).isEqualTo("less");
    assertThat(figure("server_context_switches", false).first()).isEqualTo(2);
    assertThat(figure("client_context_switches", false).first()).isEqualTo(3);
    assertThat(figure("server_heap_bytes", false).first()).isEqualTo(1_000);
    assertThat(figure("client_heap_bytes", false).first()).isEqualTo(2_000);
    assertThat(figure("latency.READ.p999", false).ratio()).isCloseTo(1, within(1e-9));
  }

  @Test
  public void orPerRowWhereOperationsDifferInSize() {
    assertThat(figure(PairedFigure.SERVER_CPU, true).first()).isCloseTo(8, within(1e-9));
    assertThat(figure(PairedFigure.SERVER_CPU, true).label()).isEqualTo("Server CPU per row");
    assertThat(figure("server_heap_bytes", true).first()).isEqualTo(200);
  }

  @Test
  public void aFigureThatIsZeroHasNoInterval() {
    PairedFigure gc = figure("server_gc_us", false);
    assertThat(gc.ratio()).isNull();
    assertThat(gc.low()).isNull();
    PairedFigure some = PairedFigure.of(METRIC, List.of(1.0, 3.0), List.of(0.0, 2.0),
      List.of(1, 1));
    assertThat(some.ratio()).isEqualTo(0.5);
    assertThat(some.low()).isNull();
    assertThat(some.halfWidth()).isInfinite();
  }

  @Test
  public void onePairHasNoInterval() {
    PairedFigure one = PairedFigure.of(METRIC, List.of(2.0), List.of(3.0), List.of(1));
    assertThat(one.ratio()).isEqualTo(1.5);
    assertThat(one.low()).isNull();
  }

  @Test
  public void stopsOnceThroughputAndServerCpuAreKnownWellEnough() {
    assertThat(Pairs.Result.of(16, STOCK, STRATA, false).isNarrow(0.01)).isTrue();
    // The server's CPU varies.
    List<Slice> other = List.of(SliceExample.of("strata", 1, 50_000, 24),
      SliceExample.of("strata", 2, 25_000, 50), SliceExample.of("strata", 3, 50_000, 23));
    assertThat(Pairs.Result.of(16, STOCK, other, false).isNarrow(0.01)).isFalse();
    assertThat(Pairs.Result.of(16, STOCK, other, false).isNarrow(0.2)).isTrue();
    // Throughput varies.
    List<Slice> uneven = List.of(SliceExample.of("strata", 1, 52_000, 24),
      SliceExample.of("strata", 2, 25_000, 48), SliceExample.of("strata", 3, 50_000, 24));
    assertThat(Pairs.Result.of(16, STOCK, uneven, false).isNarrow(0.01)).isFalse();
    assertThat(Pairs.Result.of(16, STOCK.subList(0, 1), STRATA.subList(0, 1), false)
      .isNarrow(0.5)).isFalse();
  }

  @Test
  public void anArmIsIdleInTheOthersSlices() {
    assertThat(Pairs.Result.of(16, STOCK, STRATA, false).idleShares()).first()
      .satisfies(share -> assertThat(share).isCloseTo(0.01, within(1e-9)));
  }

  @Test
  public void eachStartHasARatioOfItsOwn() {
    List<Slice> first = List.of(SliceExample.of("stock", 1, 1, 40_000, 30),
      SliceExample.of("stock", 2, 1, 40_000, 30));
    List<Slice> second = List.of(SliceExample.of("strata", 1, 1, 40_000, 33),
      SliceExample.of("strata", 2, 1, 40_000, 27));
    assertThat(Pairs.Result.of(16, first, second, false).startRatios())
      .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : 1).containsExactly(1.1, 0.9);
  }

  /** Many pairs of one start tell much of these two JVMs, and little of the jars. */
  @Test
  public void theIntervalIsOfStartsIfThereAreSeveral() {
    List<Double> first = List.of(1.0, 1.0, 1.0, 1.0, 1.0, 1.0);
    PairedFigure figure = PairedFigure.of(METRIC, first,
      List.of(1.10, 1.10, 1.10, 1.10, 0.99, 0.99), List.of(1, 1, 1, 1, 2, 2));
    MeanRatio ofStarts = MeanRatio.of(List.of(1.10, 0.99));
    assertThat(figure.ratio()).isCloseTo(ofStarts.ratio(), within(1e-9));
    assertThat(figure.low()).isCloseTo(ofStarts.low(), within(1e-9));
    assertThat(figure.high()).isCloseTo(ofStarts.high(), within(1e-9));
    assertThat(figure.pairs()).isEqualTo(6);
  }
}
