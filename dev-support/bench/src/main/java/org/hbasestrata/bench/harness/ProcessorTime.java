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
package org.hbasestrata.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Time of all processors since the machine's start, in the kernel's ticks.
 * @param busy of these, what they weren't idle
 */
record ProcessorTime(long busy, long all) {
  /** User, nice, system, idle, waiting for a disk, interrupts of two kinds, stolen. */
  private static final int COLUMNS = 8;
  private static final int IDLE = 3;

  static ProcessorTime now() throws IOException {
    return of(Files.readString(Path.of("/proc/stat")));
  }

  static ProcessorTime of(String stat) {
    String[] words = stat.lines().findFirst().orElseThrow().trim().split(" +");
    long[] ticks =
      Arrays.stream(words).skip(1).limit(COLUMNS).mapToLong(Long::parseLong).toArray();
    long all = Arrays.stream(ticks).sum();
    return new ProcessorTime(all - ticks[IDLE] - ticks[IDLE + 1], all);
  }

  /** The share of all processors that was busy, from 0 to 1. */
  double busySince(ProcessorTime before) {
    return all == before.all ? 0 : (busy - before.busy) / (double) (all - before.all);
  }
}
