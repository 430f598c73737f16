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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells how much of the CPU quotas of this process's cgroups, version 1 or 2, is unused: a
 * container's limit. A group's quota limits the groups below it, so all visible groups above the
 * process count. Not thread-safe.
 */
@InterfaceAudience.Private
final class CgroupCpuQuota {
  private final LongSupplier nanoTime;
  private final List<Group> groups = new ArrayList<>();

  /** A cgroup that may have a quota. */
  private abstract static class Group {
    /** Negative if unknown. */
    private long usedNanos = -1;
    private long sinceNanos;

    /** Returns the quota in processors; infinite if there is none. */
    abstract double readQuota() throws IOException;

    /** Returns the processor time that the group has used so far, in nanoseconds. */
    abstract long readUsedNanos() throws IOException;

    double getUnused(long now) {
      long usedBefore = usedNanos;
      long before = sinceNanos;
      usedNanos = -1;
      sinceNanos = now;
      try {
        double quota = readQuota();
        if (quota == Double.POSITIVE_INFINITY) {
          return quota;
        }
        usedNanos = readUsedNanos();
        return usedBefore < 0 ? 0 : quota - (double) (usedNanos - usedBefore) / (now - before);
      } catch (IOException | RuntimeException e) {
        return 0;
      }
    }
  }

  private static final class GroupV1 extends Group {
    private final Path folder;
    private final Path accounting;

    /** @param accounting folder of the cpuacct controller, possibly the same as that of cpu */
    GroupV1(Path folder, Path accounting) {
      this.folder = folder;
      this.accounting = accounting;
    }

    @Override
    double readQuota() throws IOException {
      long quota = Long.parseLong(readFirstLine(folder.resolve("cpu.cfs_quota_us")));
      return quota < 0
        ? Double.POSITIVE_INFINITY
        : (double) quota / Long.parseLong(readFirstLine(folder.resolve("cpu.cfs_period_us")));
    }

    @Override
    long readUsedNanos() throws IOException {
      return Long.parseLong(readFirstLine(accounting.resolve("cpuacct.usage")));
    }
  }

  private static final class GroupV2 extends Group {
    private final Path folder;

    GroupV2(Path folder) {
      this.folder = folder;
    }

    @Override
    double readQuota() throws IOException {
      String[] quotaAndPeriod = readFirstLine(folder.resolve("cpu.max")).split(" ");
      return quotaAndPeriod[0].equals("max")
        ? Double.POSITIVE_INFINITY
        : Double.parseDouble(quotaAndPeriod[0]) / Long.parseLong(quotaAndPeriod[1]);
    }

    @Override
    long readUsedNanos() throws IOException {
      for (String line : readLines(folder.resolve("cpu.stat"))) {
        String[] nameAndValue = line.split(" ");
        if (nameAndValue[0].equals("usage_usec")) {
          return TimeUnit.MICROSECONDS.toNanos(Long.parseLong(nameAndValue[1]));
        }
      }
      throw new IOException("No usage_usec in " + folder);
    }
  }

  /** The mount point of a cgroup hierarchy, and the process's group in it. */
  private static final class Hierarchy {
    private final Path top;
    private final Path own;

    Hierarchy(Path top, Path own) {
      this.top = top;
      this.own = own;
    }
  }

  /** @param root folder that contains {@code proc} and {@code sys} */
  CgroupCpuQuota(Path root, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    List<String> mounts = readIfThere(root.resolve("proc/self/mountinfo"));
    List<String> memberships = readIfThere(root.resolve("proc/self/cgroup"));
    Hierarchy v2 = find(root, mounts, memberships, "cgroup2", "");
    if (v2 != null) {
      for (Path folder : upwards(v2, "cpu.max")) {
        groups.add(new GroupV2(folder));
      }
    }
    Hierarchy v1 = find(root, mounts, memberships, "cgroup", "cpu");
    Hierarchy accounting = find(root, mounts, memberships, "cgroup", "cpuacct");
    if (v1 != null && accounting != null) {
      for (Path folder : upwards(v1, "cpu.cfs_quota_us")) {
        groups.add(new GroupV1(folder, accounting.top.resolve(v1.top.relativize(folder))));
      }
    }
  }

  /**
   * Returns the processors that the quotas left unused on average since the last call: infinite if
   * there is no quota, 0 or less if the quotas were used up or the use isn't known.
   */
  double getUnused() {
    long now = nanoTime.getAsLong();
    double unused = Double.POSITIVE_INFINITY;
    for (Group group : groups) {
      unused = Math.min(unused, group.getUnused(now));
    }
    return unused;
  }

  private static List<Path> upwards(Hierarchy hierarchy, String file) {
    List<Path> folders = new ArrayList<>();
    Path folder = hierarchy.own;
    for (; folder != null && folder.startsWith(hierarchy.top); folder = folder.getParent()) {
      if (Files.isReadable(folder.resolve(file))) {
        folders.add(folder);
      }
    }
    return folders;
  }

  /**
   * Finds the mount of a controller, as described in proc(5) and cgroups(7).
   * @param controller empty for version 2
   * @return null if there is none
   */
  private static Hierarchy find(Path root, List<String> mounts, List<String> memberships,
    String fileSystem, String controller) {
    String group = findGroup(memberships, controller);
    for (String mount : mounts) {
      String[] halves = mount.split(" - ", 2);
      String[] left = halves[0].split(" ");
      String[] right = halves[halves.length - 1].split(" ");
      if (
        group != null && halves.length == 2 && left.length > 4 && right.length > 2
          && right[0].equals(fileSystem)
          && (controller.isEmpty() || Arrays.asList(right[2].split(",")).contains(controller))
      ) {
        Path top = root.resolve(left[4].substring(1));
        // A container's mount begins at its own group, and names its path on the host.
        String below = group.startsWith(left[3]) ? group.substring(left[3].length()) : "";
        Path own = top.resolve(below.replaceFirst("^/+", "")).normalize();
        return new Hierarchy(top, Files.isDirectory(own) ? own : top);
      }
    }
    return null;
  }

  private static String findGroup(List<String> memberships, String controller) {
    for (String membership : memberships) {
      String[] parts = membership.split(":", 3);
      if (parts.length == 3 && Arrays.asList(parts[1].split(",")).contains(controller)) {
        return parts[2];
      }
    }
    return null;
  }

  private static List<String> readIfThere(Path file) {
    try {
      return readLines(file);
    } catch (IOException e) {
      return Collections.emptyList(); // Not Linux, or no cgroups: no quota.
    }
  }

  private static List<String> readLines(Path file) throws IOException {
    return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
  }

  private static String readFirstLine(Path file) throws IOException {
    return readLines(file).get(0).trim();
  }
}
