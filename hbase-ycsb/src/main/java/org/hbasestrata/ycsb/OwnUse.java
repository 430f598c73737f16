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
package org.hbasestrata.ycsb;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process has used so far. Any thread may ask. */
final class OwnUse {
  private static final Path TASKS = Path.of("/proc/self/task");
  private static final String SWITCHES = "ctxt_switches:";

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final OperatingSystemMXBean system =
    (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /**
   * Counters, or how far they went.
   * @param cpuSeconds      user and system time
   * @param contextSwitches of threads that are there, of their own will or not; 0 without /proc
   * @param allocatedBytes  on the heap, by threads that are there
   */
  record Reading(double cpuSeconds, long contextSwitches, long allocatedBytes) {
    static final Reading NONE = new Reading(0, 0, 0);

    Reading plus(Reading other) {
      return new Reading(cpuSeconds + other.cpuSeconds, contextSwitches + other.contextSwitches,
        allocatedBytes + other.allocatedBytes);
    }

    Reading minus(Reading other) {
      return new Reading(cpuSeconds - other.cpuSeconds, contextSwitches - other.contextSwitches,
        allocatedBytes - other.allocatedBytes);
    }
  }

  /** Reads before what is to be measured: what the reading itself takes is before it, too. */
  Reading begin() {
    long switches = contextSwitches();
    long allocated = allocatedBytes();
    return new Reading(cpuSeconds(), switches, allocated);
  }

  /** Reads after it, in the other order. */
  Reading end() {
    double cpu = cpuSeconds();
    long allocated = allocatedBytes();
    return new Reading(cpu, contextSwitches(), allocated);
  }

  private double cpuSeconds() {
    return system.getProcessCpuTime() / 1e9;
  }

  private long allocatedBytes() {
    long sum = 0;
    for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
      sum += Math.max(0, bytes);
    }
    return sum;
  }

  private static long contextSwitches() {
    if (!Files.isDirectory(TASKS)) {
      return 0;
    }
    long sum = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        sum += contextSwitches(task.resolve("status"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum;
  }

  private static long contextSwitches(Path status) throws IOException {
    long sum = 0;
    try {
      for (String line : Files.readAllLines(status)) {
        int begin = line.indexOf(SWITCHES);
        if (begin >= 0) {
          sum += Long.parseLong(line.substring(begin + SWITCHES.length()).strip());
        }
      }
    } catch (IOException e) {
      // If a thread ends after its file was opened, there is "No such process".
      if (Files.exists(status)) {
        throw e;
      }
      return 0;
    }
    return sum;
  }
}
