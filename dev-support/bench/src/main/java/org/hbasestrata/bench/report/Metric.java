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
package org.hbasestrata.bench.report;

/**
 * A figure of a run.
 * @param id       its name for programs, such as latency.READ.p99
 * @param group    what it is shown under
 * @param label    its name for people
 * @param unit     the unit of its values
 * @param better   which values are better
 * @param headline whether it belongs to the few that are shown first
 */
public record Metric(String id, Group group, String label, Unit unit, Better better,
  boolean headline) {
  /** In the order of the report. */
  public enum Group {
    THROUGHPUT("Throughput"),
    LATENCY("Latency"),
    CPU("CPU and allocation"),
    GC("GC and safepoints"),
    MEMORY("Memory"),
    IO("Cache and I/O");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  /** Which of two values is better. */
  public enum Better {
    HIGHER, LOWER,
    /** Neither, it only tells what happened. */
    NEITHER
  }
}
