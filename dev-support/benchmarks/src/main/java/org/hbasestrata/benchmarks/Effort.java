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

import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** How long and how often benchmarks run. */
enum Effort {
  /** For numbers that are to be trusted: a JVM for each benchmark in each round. */
  FULL(3, 1, 3, 1_000, 4, 1_000, 512, 20_000, List.of(32, 64),
    List.of(1, 100, 1024, 10240, 65536)),
  /** For a first look: one JVM for all benchmarks of an arm, small caches, no big batches. */
  QUICK(1, 0, 2, 40, 5, 40, 64, 20_000, List.of(64), List.of(1, 100, 1024)),
  /** To see that benchmarks work at all; the numbers mean nothing. */
  SMOKE(1, 0, 0, 1, 1, 1, 64, 1_000, List.of(64), List.of(1));

  /** They make the caches of {@code Threads1} again. */
  private static final Pattern SEVERAL_THREADS = Pattern.compile("\\.Threads[28]\\.");

  private final int rounds;
  private final int forks;
  private final int warmups;
  private final int warmupMillis;
  private final int iterations;
  private final int iterationMillis;
  private final int cacheMb;
  private final int rows;
  private final List<Integer> blocksKb;
  private final List<Integer> batchesKb;

  Effort(int rounds, int forks, int warmups, int warmupMillis, int iterations,
    int iterationMillis, int cacheMb, int rows, List<Integer> blocksKb, List<Integer> batchesKb) {
    this.rounds = rounds;
    this.forks = forks;
    this.warmups = warmups;
    this.warmupMillis = warmupMillis;
    this.iterations = iterations;
    this.iterationMillis = iterationMillis;
    this.cacheMb = cacheMb;
    this.rows = rows;
    this.blocksKb = blocksKb;
    this.batchesKb = batchesKb;
  }

  /** How often each arm runs. */
  int rounds() {
    return rounds;
  }

  /** JMH's options for a run of one benchmark in each of its parameters' combinations. */
  Options options(String benchmark) {
    ChainedOptionsBuilder options = new OptionsBuilder()
      .include("^" + benchmark.replace(".", "\\.") + "$")
      .mode(Mode.AverageTime).forks(forks)
      .warmupIterations(warmups).warmupTime(TimeValue.milliseconds(warmupMillis))
      .measurementIterations(iterations)
      .measurementTime(TimeValue.milliseconds(iterationMillis))
      .param("cacheMb", Integer.toString(cacheMb)).param("rows", Integer.toString(rows))
      .param("blockKb", texts(blocksKb)).param("batchKb", texts(batchesKb))
      .addProfiler(GCProfiler.class).addProfiler(CpuProfiler.class)
      .shouldFailOnError(true);
    if (this == QUICK) {
      options.param("files", "5-10x100", "5-5x20").param("scan", "5x20", "10x100")
        .param("keys", "user-10").param("writers", "1");
    }
    if (this == SMOKE) {
      options.param("shape", "row-files").param("files", "5-10x100-FAST_DIFF-GZ")
        .param("cells", "5x20").param("policy", "BASIC").param("scan", "5x20-MEMSTORE")
        .param("keys", "user-10").param("writers", "8");
      if (SEVERAL_THREADS.matcher(benchmark).find()) {
        options.param("tiers", "segment-tiers");
      }
    }
    return options.build();
  }

  private static String[] texts(List<Integer> numbers) {
    return numbers.stream().map(Object::toString).toArray(String[]::new);
  }

  @Override
  public String toString() {
    return rounds + (rounds == 1 ? " round, " : " rounds, ")
      + (forks == 0 ? "one JVM for all benchmarks of an arm" : "a JVM for each benchmark")
      + ", " + warmups + " x " + warmupMillis + " ms of warm-up, " + iterations + " x "
      + iterationMillis + " ms measured, caches of " + cacheMb + " MB, blocks of "
      + String.join(", ", texts(blocksKb)) + " KB, batches of "
      + String.join(", ", texts(batchesKb)) + " KB";
  }
}
