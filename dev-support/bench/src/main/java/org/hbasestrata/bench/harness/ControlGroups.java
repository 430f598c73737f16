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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;

/*
 * Below the cgroup that the bench itself is in (in version 2: below the nearest one above that can
 * hold further ones), so that limits which are set there go on to hold:
 *
 *   hbase-strata-bench-PID/               limit of I/Os; of memory, when the page cache counts
 *   hbase-strata-bench-PID/regionserver/  limit of memory, when it doesn't
 *   hbase-strata-bench-PID/datanode/      no limit
 *
 * The kernel charges a page of the page cache to the cgroup of the process that read it in. With
 * the region server those are the files of a cache on disk; HFiles are read by the DataNode, and
 * their pages are the DataNode's. So to limit heap, off-heap memory and page cache together takes
 * one limit over both. What the DataNode had before it was moved in, such as its heap, isn't
 * counted.
 *
 * Version 1 has a tree per controller. Its blkio knows no trees: there both are in the upper group.
 */

/** The cgroups that region server and DataNode run in. For one thread, but {@link #ios()}. */
final class ControlGroups implements AutoCloseable {
  /** Who runs in them. */
  enum Member {
    REGION_SERVER("regionserver"), DATA_NODE("datanode");

    private final String folder;

    Member(String folder) {
      this.folder = folder;
    }
  }

  private static final String PREFIX = "hbase-strata-bench-";
  private static final String PROCS = "cgroup.procs";
  private static final int REMOVE_TRIES = 50;
  private static final int REMOVE_PAUSE_MILLIS = 100;
  /** Reads a second that no disk reaches: version 1 counts I/Os only where there is a limit. */
  private static final long NO_LIMIT_IOPS = 1_000_000_000L;

  private final boolean version2;
  /** The upper group of the memory controller; null when it can't be had. */
  private final Path memory;
  /** The upper group of the I/O controller; null when it can't be had. */
  private final Path io;
  private final List<String> problems = new ArrayList<>();

  private ControlGroups(boolean version2, Path memory, Path io, List<String> problems) {
    this.version2 = version2;
    this.memory = memory;
    this.io = io;
    this.problems.addAll(problems);
  }

  /**
   * Makes the groups, as far as that may be.
   * @param root the root of the file system
   * @param pid  the bench's
   */
  static ControlGroups create(Path root, long pid) {
    List<String> problems = new ArrayList<>();
    Map<String, Path> own = new TreeMap<>();
    try {
      own.putAll(ownGroups(root));
    } catch (IOException e) {
      problems.add("no cgroups: " + ToolException.oneLine(e));
    }
    own.values().stream().distinct().forEach(group -> removeLeftOvers(root, group));
    String name = PREFIX + pid;
    if (own.containsKey("memory") || !own.containsKey("")) {
      return new ControlGroups(false, make1(own.get("memory"), "memory", name, problems),
        make1(own.get("blkio"), "blkio", name, problems), problems);
    }
    Path group = make2(own.get(""), name, problems);
    boolean io = group != null && controls(group.getParent(), "io");
    if (group != null && !io) {
      problems.add("the io controller of cgroups isn't there");
    }
    return new ControlGroups(true, group, io ? group : null, problems);
  }

  /** By controller the group that this process is in; version 2's has an empty name. */
  private static Map<String, Path> ownGroups(Path root) throws IOException {
    Map<String, String> paths = new TreeMap<>();
    for (String line : Files.readAllLines(root.resolve("proc/self/cgroup"))) {
      String[] fields = line.split(":", 3);
      for (String controller : fields[1].split(",", -1)) {
        paths.put(controller, fields[2]);
      }
    }
    Map<String, Path> groups = new TreeMap<>();
    for (String line : Files.readAllLines(root.resolve("proc/self/mountinfo"))) {
      String[] halves = line.split(" - ", 2);
      String[] mount = halves[0].split(" ");
      String[] type = halves[1].split(" ");
      Path point = root.resolve(mount[4].substring(1));
      if (type[0].equals("cgroup2")) {
        groups.put("", within(point, mount[3], paths.getOrDefault("", "/")));
      } else if (type[0].equals("cgroup")) {
        for (String controller : type[2].split(",")) {
          if (paths.containsKey(controller)) {
            groups.put(controller, within(point, mount[3], paths.get(controller)));
          }
        }
      }
    }
    return groups;
  }

  /** In a container the mount may show only a part of the tree. */
  private static Path within(Path point, String mountRoot, String path) {
    String relative = mountRoot.equals("/") ? path
      : path.startsWith(mountRoot) ? path.substring(mountRoot.length()) : "/";
    Path group = point.resolve(relative.replaceFirst("^/+", "")).normalize();
    return Files.isDirectory(group) && group.startsWith(point) ? group : point;
  }

  private static Path make1(Path parent, String controller, String name, List<String> problems) {
    if (parent == null) {
      problems.add("the " + controller + " controller of cgroups isn't there");
      return null;
    }
    Path group = parent.resolve(name);
    try {
      Files.createDirectory(group);
      if (controller.equals("memory")) {
        for (Member member : Member.values()) {
          Files.createDirectory(group.resolve(member.folder));
        }
      }
      return group;
    } catch (IOException e) {
      problems.add("no cgroup for " + controller + ": " + ToolException.oneLine(e));
      return null;
    }
  }

  private static Path make2(Path own, String name, List<String> problems) {
    for (Path parent = own; parent != null && Files.exists(parent.resolve("cgroup.controllers"));
      parent = parent.getParent()) {
      if (!enable(parent, "memory")) {
        continue;
      }
      enable(parent, "io");
      Path group = parent.resolve(name);
      try {
        Files.createDirectory(group);
        enable(group, "memory");
        enable(group, "io");
        for (Member member : Member.values()) {
          Files.createDirectory(group.resolve(member.folder));
        }
        return group;
      } catch (IOException e) {
        problems.add("no cgroup: " + ToolException.oneLine(e));
        return null;
      }
    }
    problems.add("no cgroup: none from " + own + " upward passes the memory controller on, or may"
      + " be told to");
    return null;
  }

  /** Whether a group's children have the controller already. */
  private static boolean controls(Path group, String controller) {
    try {
      return Arrays.asList(Files.readString(group.resolve("cgroup.subtree_control")).strip()
        .split(" ")).contains(controller);
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether a group's children have the controller, if need be from now on. */
  private static boolean enable(Path group, String controller) {
    if (controls(group, controller)) {
      return true;
    }
    try {
      write(group.resolve("cgroup.subtree_control"), "+" + controller);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Groups of benches that were killed. */
  private static void removeLeftOvers(Path root, Path parent) {
    for (Path group : Folders.list(parent, PREFIX + "*")) {
      String pid = group.getFileName().toString().substring(PREFIX.length());
      if (!Files.exists(root.resolve("proc").resolve(pid))) {
        remove(group);
      }
    }
  }

  /** What couldn't be had, a line each. */
  List<String> problems() {
    return problems;
  }

  boolean limitsMemory() {
    return memory != null;
  }

  boolean limitsIo() {
    return io != null;
  }

  /**
   * Sets the one limit.
   * @param pageCache whether what the DataNode reads counts too
   */
  void limitMemory(long bytes, boolean pageCache) throws IOException {
    Path group = pageCache ? memory : memory.resolve(Member.REGION_SERVER.folder);
    write(group.resolve(version2 ? "memory.max" : "memory.limit_in_bytes"), Long.toString(bytes));
    Path swap = group.resolve(version2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes");
    if (Files.exists(swap)) {
      write(swap, version2 ? "0" : Long.toString(bytes));
    }
  }

  /**
   * Holds reads from a disk to a rate.
   * @param device major:minor of the disk
   * @param iops   null for no limit, only to count
   */
  void limitReads(String device, Integer iops) throws IOException {
    if (version2) {
      if (iops != null) {
        write(io.resolve("io.max"), device + " riops=" + iops);
      }
    } else {
      write(io.resolve("blkio.throttle.read_iops_device"),
        device + " " + (iops == null ? NO_LIMIT_IOPS : iops));
    }
  }

  /** Files that a process writes its id into to join. */
  List<Path> procs(Member member) {
    List<Path> files = new ArrayList<>();
    if (memory != null) {
      files.add(memory.resolve(member.folder).resolve(PROCS));
    }
    if (io != null && !version2) {
      files.add(io.resolve(PROCS));
    }
    return files;
  }

  void join(Member member, long pid) throws IOException {
    for (Path file : procs(member)) {
      write(file, Long.toString(pid));
    }
  }

  /** Requests to disks by both members so far; null when not known. Any thread may call it. */
  Double ios() throws IOException {
    if (io == null) {
      return null;
    }
    double sum = 0;
    for (String line : Files.readAllLines(
      io.resolve(version2 ? "io.stat" : "blkio.throttle.io_serviced"))) {
      String[] words = line.split(" ");
      if (version2) {
        for (String word : words) {
          if (word.startsWith("rios=") || word.startsWith("wios=")) {
            sum += Long.parseLong(word.substring(5));
          }
        }
      } else if (words.length == 3 && (words[1].equals("Read") || words[1].equals("Write"))) {
        sum += Long.parseLong(words[2]);
      }
    }
    return sum;
  }

  /** How often the kernel ended a process because it found no memory within the limit. */
  long kills() {
    if (memory == null) {
      return 0;
    }
    long kills = 0;
    for (Path group : List.of(memory, memory.resolve(Member.REGION_SERVER.folder))) {
      try {
        for (String line : Files.readAllLines(
          group.resolve(version2 ? "memory.events" : "memory.oom_control"))) {
          if (line.startsWith("oom_kill ")) {
            kills = Math.max(kills, Long.parseLong(line.substring("oom_kill ".length()).strip()));
          }
        }
      } catch (IOException e) {
        // An older kernel doesn't tell.
      }
    }
    return kills;
  }

  /** Removes the groups; ends what is still in them. */
  @Override
  public void close() {
    if (memory != null) {
      remove(memory);
    }
    if (io != null && !io.equals(memory)) {
      remove(io);
    }
  }

  private static void remove(Path group) {
    for (Member member : Member.values()) {
      removeOne(group.resolve(member.folder));
    }
    removeOne(group);
  }

  private static void removeOne(Path group) {
    boolean interrupted = false;
    for (int i = 0; i < REMOVE_TRIES && Files.isDirectory(group); i++) {
      endProcesses(group.resolve(PROCS));
      // Not Files.delete of what is in there: a cgroup's files go with it.
      if (!group.toFile().delete()) {
        try {
          Thread.sleep(REMOVE_PAUSE_MILLIS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void endProcesses(Path procs) {
    try {
      for (String pid : Files.readAllLines(procs)) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
      }
    } catch (IOException e) {
      // Not there any more.
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
  }
}
