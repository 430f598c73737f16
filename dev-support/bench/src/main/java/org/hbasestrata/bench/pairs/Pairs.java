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

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.Comparison;

/**
 * All of a {@code bench pairs}.
 * @param comparison what was asked, and what it ran on: of two arms; rounds are starts of the
 *                   region servers, rows and memory are those of each arm
 * @param perRow     whether figures are per row, for operations differ in size
 * @param ownClients whether each arm had a client process of its own
 * @param clientJars the name of the jar that an arm's HBase client was from, by the arm's name;
 *                   empty when no client was started
 * @param warmUps    how each arm was when the warm-up ended: in the arms' order, for each start
 * @param results    by number of threads, in the order in which they ran
 * @param slices     of which the results are, in the order in which they ran
 */
public record Pairs(@JsonUnwrapped Comparison comparison, double sliceSeconds, boolean perRow,
  boolean ownClients, Map<String, String> clientJars, List<WarmUp> warmUps, List<Result> results,
  List<Slice> slices) {

  /**
   * How an arm was in the last slice of its warm-up.
   * @param slices       of the arm, in all
   * @param reached      whether hit ratio, CPU and compilation had become steady
   * @param hitRatio     of the block cache in that slice
   * @param cpuUs        of the region server per operation
   * @param compileShare what the JIT compilers took, as a share of that
   */
  public record WarmUp(String arm, int slices, boolean reached, double hitRatio, double cpuUs,
    double compileShare) {
  }

  /**
   * What came out with a number of threads.
   * @param idleShares CPU seconds a second of each arm's region server while it was idle, in the
   *                   arms' order
   * @param startRatios the ratio of server CPU for each start of the region servers
   */
  public record Result(int threads, List<PairedFigure> figures, List<Double> idleShares,
    List<Double> startRatios) {
    /**
     * @param first  the first arm's slices, in the order of the pairs
     * @param second the second arm's
     */
    public static Result of(int threads, List<Slice> first, List<Slice> second, boolean perRow) {
      // The other one's slices are when an arm was idle.
      return new Result(threads, PairedFigure.of(first, second, perRow),
        List.of(idle(second), idle(first)), startRatios(first, second, perRow));
    }

    private static List<Double> startRatios(List<Slice> first, List<Slice> second,
      boolean perRow) {
      return first.stream().map(Slice::start).distinct().map(start -> PairedFigure
        .of(ofStart(first, start), ofStart(second, start), perRow).stream()
        .filter(figure -> figure.id().equals(PairedFigure.SERVER_CPU)).findFirst().orElseThrow()
        .ratio()).toList();
    }

    private static List<Slice> ofStart(List<Slice> slices, int start) {
      return slices.stream().filter(slice -> slice.start() == start).toList();
    }

    private static double idle(List<Slice> others) {
      return others.stream().mapToDouble(Slice::idleShare).average().orElse(0);
    }

    /** The figure of this id. */
    public PairedFigure figure(String id) {
      return figures.stream().filter(figure -> figure.id().equals(id)).findFirst().orElseThrow();
    }

    /**
     * Whether more pairs would tell little more of throughput and of server CPU.
     * @param halfWidth of an interval that is narrow enough, as a share of the ratio
     */
    public boolean isNarrow(double halfWidth) {
      return figure(PairedFigure.THROUGHPUT).halfWidth() <= halfWidth
        && figure(PairedFigure.SERVER_CPU).halfWidth() <= halfWidth;
    }
  }
}
