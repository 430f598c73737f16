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
package org.hbasestrata.jvm;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Processors and memory of the machine, or less if the control groups of this process limit them:
 * its own group and the groups above it. JVMs before 8u372 and 11.0.16 ignore groups of version 2,
 * and all JVMs ignore the groups above their own. Immutable.
 */
final class Machine {
  private static final int BYTES_OF_MB_BITS = 20;

  private final int cpus;
  private final long memoryMb;
  private final long mostMemoryMb;

  /** @param memoryMb MB */
  Machine(int cpus, long memoryMb) {
    this(cpus, memoryMb, memoryMb);
  }

  /**
   * @param memoryMb     MB that a process can have without being slowed down
   * @param mostMemoryMb MB that it can have at all
   */
  Machine(int cpus, long memoryMb, long mostMemoryMb) {
    this.cpus = cpus;
    this.memoryMb = memoryMb;
    this.mostMemoryMb = mostMemoryMb;
  }

  /**
   * Reads the limits.
   * @param root    folder that contains proc/ and sys/
   * @param jvmCpus number of processors that the JVM sees
   */
  static Machine read(Path root, int jvmCpus) {
    double quota = jvmCpus;
    long bytes = physicalBytes(root);
    long unslowed = bytes;
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] parts = line.split(":", 3);
      if (parts.length < 3) {
        continue;
      }
      Path groups = root.resolve("sys/fs/cgroup");
      boolean second = parts[1].isEmpty();
      List<String> controllers = Arrays.asList(parts[1].split(","));
      if (second || controllers.contains("memory")) {
        bytes = Math.min(bytes, least(second ? groups : groups.resolve("memory"), parts[2],
          group -> bytes(group, second ? "memory.max" : "memory.limit_in_bytes")).longValue());
      }
      if (second) {
        unslowed = Math.min(unslowed,
          least(groups, parts[2], group -> bytes(group, "memory.high")).longValue());
      }
      if (second || controllers.contains("cpu")) {
        quota = Math.min(quota, least(second ? groups : groups.resolve("cpu"), parts[2],
          group -> second ? quota(group) : firstQuota(group)));
      }
    }
    return new Machine(Math.max(1, (int) Math.ceil(quota)),
      Math.min(bytes, unslowed) >> BYTES_OF_MB_BITS, bytes >> BYTES_OF_MB_BITS);
  }

  int cpus() {
    return cpus;
  }

  /**
   * Returns the memory that a process can have without being slowed down: less than
   * {@link #mostMemoryMb} where a group of version 2 has memory.high (MemoryHigh of a unit).
   */
  long memoryMb() {
    return memoryMb;
  }

  /** Returns the memory beyond which a process is killed. */
  long mostMemoryMb() {
    return mostMemoryMb;
  }

  /** Returns the number of threads for stop-the-world phases, by the rule of source B. */
  int gcThreads() {
    return cpus <= 8 ? cpus : 8 + (cpus - 8) * 5 / 8;
  }

  private static long physicalBytes(Path root) {
    for (String line : lines(root.resolve("proc/meminfo"))) {
      if (line.startsWith("MemTotal:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
      .getTotalPhysicalMemorySize();
  }

  private interface Limit {
    /** Returns infinity if there is no limit. */
    double of(Path group);
  }

  /**
   * Returns the least limit of a group and the groups above it. In a container the path may be one
   * of the host's, which doesn't exist here: then the limit of the top folder counts, which is the
   * container's.
   */
  private static Double least(Path top, String path, Limit limit) {
    Path group = top.resolve(path.replaceAll("^/+", "")).normalize();
    double least = limit.of(top);
    while (group.startsWith(top) && !group.equals(top)) {
      least = Math.min(least, limit.of(group));
      group = group.getParent();
    }
    return least;
  }

  private static double bytes(Path group, String file) {
    return number(lines(group.resolve(file)), 0);
  }

  /** Reads version 2: quota and period in microseconds. */
  private static double quota(Path group) {
    List<String> words = lines(group.resolve("cpu.max"));
    return ratio(number(words, 0), number(words, 1));
  }

  private static double firstQuota(Path group) {
    return ratio(number(lines(group.resolve("cpu.cfs_quota_us")), 0),
      number(lines(group.resolve("cpu.cfs_period_us")), 0));
  }

  private static double ratio(double quota, double period) {
    return Double.isInfinite(quota) ? quota : quota / period;
  }

  /** Returns the number at this position in the first line; infinity if there is none. */
  private static double number(List<String> lines, int word) {
    String[] words = lines.isEmpty() ? new String[0] : lines.get(0).trim().split("\\s+");
    return word < words.length && words[word].matches("\\d+") ? Double.parseDouble(words[word])
      : Double.POSITIVE_INFINITY;
  }

  /** Returns the lines of a file; none if it can't be read. */
  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return Collections.emptyList();
    }
  }
}
