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

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The CPU time that the JVM's threads take for an operation, the collector's and the compiler's
 * among them. Other than the time on the clock it stays much the same when other processes want the
 * CPUs too.
 */
public final class CpuProfiler implements InternalProfiler {
  /** The name of JMH's secondary result. */
  static final String RESULT = "cpu.norm";

  private final OperatingSystemMXBean system =
    (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private long startNanos;

  @Override
  public String getDescription() {
    return "CPU time of the process";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    startNanos = system.getProcessCpuTime();
  }

  @Override
  public List<ScalarResult> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
    IterationResult result) {
    long nanos = system.getProcessCpuTime() - startNanos;
    long operations = result.getMetadata().getAllOps();
    if (operations == 0) {
      return List.of();
    }
    TimeUnit unit = benchmark.getTimeUnit();
    double perOperation = (double) nanos / unit.toNanos(1) / operations;
    return List.of(new ScalarResult(RESULT, perOperation, TimeValue.tuToString(unit) + "/op",
      AggregationPolicy.AVG));
  }
}
