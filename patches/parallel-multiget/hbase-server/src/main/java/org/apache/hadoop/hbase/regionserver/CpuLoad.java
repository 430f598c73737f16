/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.regionserver;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.BitSet;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How busy the processors are that the JVM may use: those of its CPU affinity, and of their time no
 * more than its cgroups' quotas allow. Reads Linux's {@code /proc} and keeps its own counters. The
 * JVM's OperatingSystemMXBean has the load of the whole host since its last call, by any caller, so
 * calling it would shorten the period that JMX clients see. Not thread-safe.
 */
@InterfaceAudience.Private
final class CpuLoad implements DoubleSupplier {
  private static final Logger LOG = LoggerFactory.getLogger(CpuLoad.class);

  private static final String ALLOWED_CPUS = "Cpus_allowed_list:";

  // Columns of /proc/stat, behind the processor's name. Later ones are parts of the first two.
  private static final int IDLE_COLUMN = 4;
  private static final int IOWAIT_COLUMN = 5;
  private static final int STEAL_COLUMN = 8;

  private final Path stat;
  private final Path status;
  private final CgroupCpuQuota quota;
  private final IntSupplier availableProcessors;
  /** Null if it couldn't be read. */
  private CpuTimes last;

  /** Clock ticks of processors since the system started. */
  private static final class CpuTimes {
    private final BitSet cpus = new BitSet();
    private long idle;
    private long total;

    void add(int cpu, String[] columns) {
      cpus.set(cpu);
      idle += Long.parseLong(columns[IDLE_COLUMN]) + Long.parseLong(columns[IOWAIT_COLUMN]);
      for (int i = 1; i < columns.length && i <= STEAL_COLUMN; i++) {
        total += Long.parseLong(columns[i]);
      }
    }
  }

  CpuLoad() {
    this(Paths.get("/"), () -> Runtime.getRuntime().availableProcessors(), System::nanoTime);
  }

  /**
   * Begins to measure.
   * @param root                folder that contains {@code proc} and {@code sys}
   * @param availableProcessors number of processors that the JVM may use
   */
  CpuLoad(Path root, IntSupplier availableProcessors, LongSupplier nanoTime) {
    stat = root.resolve("proc/stat");
    status = root.resolve("proc/self/status");
    quota = new CgroupCpuQuota(root, nanoTime);
    this.availableProcessors = availableProcessors;
    try {
      quota.getUnused();
      last = read();
    } catch (IOException | RuntimeException e) {
      LOG.info("Can't read which processors are idle, so gets served from memory have no helpers:"
        + " {}", e.toString());
    }
  }

  /** Returns the used share, 0 to 1, of processor time since the last call; negative if unknown. */
  @Override
  public double getAsDouble() {
    CpuTimes before = last;
    last = null;
    try {
      double unused = quota.getUnused();
      CpuTimes now = read();
      last = now;
      if (before == null || !now.cpus.equals(before.cpus) || now.total <= before.total) {
        return -1;
      }
      // Linux's counter of the time waiting for I/O may decrease.
      double idleTicks = Math.max(0, now.idle - before.idle);
      double idle = now.cpus.cardinality() * idleTicks / (now.total - before.total);
      idle = Math.max(0, Math.min(idle, unused));
      return 1 - Math.min(1, idle / availableProcessors.getAsInt());
    } catch (IOException | RuntimeException e) {
      return -1;
    }
  }

  private CpuTimes read() throws IOException {
    BitSet allowed = readAllowedCpus();
    CpuTimes times = new CpuTimes();
    CpuTimes timesOfAll = new CpuTimes();
    try (BufferedReader lines = Files.newBufferedReader(stat, StandardCharsets.ISO_8859_1)) {
      for (String line; (line = lines.readLine()) != null && line.startsWith("cpu");) {
        String[] columns = line.split(" +");
        if (columns[0].length() == 3) {
          continue; // the sum of all processors
        }
        int cpu = Integer.parseInt(columns[0].substring(3));
        timesOfAll.add(cpu, columns);
        if (allowed.get(cpu)) {
          times.add(cpu, columns);
        }
      }
    }
    // A container's own /proc/stat (LXCFS) may renumber the processors.
    return times.cpus.isEmpty() ? timesOfAll : times;
  }

  /** Returns the numbers of the processors that the process may use; empty if unknown. */
  private BitSet readAllowedCpus() throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(status, StandardCharsets.ISO_8859_1)) {
      for (String line; (line = lines.readLine()) != null;) {
        if (line.startsWith(ALLOWED_CPUS)) {
          return parseCpus(line.substring(ALLOWED_CPUS.length()).trim());
        }
      }
    }
    return new BitSet();
  }

  /** Parses a list of processors such as {@code 0-15,32}. */
  private static BitSet parseCpus(String list) {
    BitSet cpus = new BitSet();
    for (String range : list.split(",")) {
      String[] ends = range.split("-");
      cpus.set(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]) + 1);
    }
    return cpus;
  }
}
