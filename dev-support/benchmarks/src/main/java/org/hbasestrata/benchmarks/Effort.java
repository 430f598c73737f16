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

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** How long and how often benchmarks run. */
enum Effort {
  /** For numbers that are to be trusted: a JVM for each benchmark in each round. */
  FULL(3, 1, 3, 1_000, 4, 1_000, 512),
  /** For a first look: one JVM for all benchmarks of an arm, small caches. */
  QUICK(1, 0, 2, 40, 5, 40, 64),
  /** To see that benchmarks work at all; the numbers mean nothing. */
  SMOKE(1, 0, 0, 1, 1, 1, 64);

  private final int rounds;
  private final int forks;
  private final int warmups;
  private final int warmupMillis;
  private final int iterations;
  private final int iterationMillis;
  private final int cacheMb;

  Effort(int rounds, int forks, int warmups, int warmupMillis, int iterations,
    int iterationMillis, int cacheMb) {
    this.rounds = rounds;
    this.forks = forks;
    this.warmups = warmups;
    this.warmupMillis = warmupMillis;
    this.iterations = iterations;
    this.iterationMillis = iterationMillis;
    this.cacheMb = cacheMb;
  }

  /** How often each arm runs. */
  int rounds() {
    return rounds;
  }

  /** JMH's options for a run of one benchmark in each of its parameters' combinations. */
  Options options(String benchmark) {
    ChainedOptionsBuilder options = new OptionsBuilder().include("^" + benchmark.replace(".", "\\.") + "$")
      .mode(Mode.AverageTime).forks(forks)
      .warmupIterations(warmups).warmupTime(TimeValue.milliseconds(warmupMillis))
      .measurementIterations(iterations)
      .measurementTime(TimeValue.milliseconds(iterationMillis))
      .param("cacheMb", Integer.toString(cacheMb))
      .addProfiler(GCProfiler.class).shouldFailOnError(true);
    if (this == SMOKE) {
      options.param("batchKb", "1", "1024");
    }
    return options.build();
  }

  @Override
  public String toString() {
    return rounds + (rounds == 1 ? " round, " : " rounds, ")
      + (forks == 0 ? "one JVM for all benchmarks of an arm" : "a JVM for each benchmark")
      + ", " + warmups + " x " + warmupMillis + " ms of warm-up, " + iterations + " x "
      + iterationMillis + " ms measured, caches of " + cacheMb + " MB";
  }
}
