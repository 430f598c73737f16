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
package org.hbasestrata.tools.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.hbasestrata.tools.Folders;

/** What the kernel tells of a process in /proc/PID. */
public final class ProcessFiles {
  /** USER_HZ: the unit of times in /proc, the same on all of Linux's common platforms. */
  private static final double TICKS_PER_SECOND = 100;
  /** Fields of /proc/PID/stat behind the name in brackets: the state is the first. */
  private static final int UTIME = 11;
  private static final int STIME = 12;

  private final Path folder;

  /** @param proc /proc */
  public ProcessFiles(Path proc, long pid) {
    this.folder = proc.resolve(Long.toString(pid));
  }

  /** User and system time of all its threads so far. */
  public double cpuSeconds() throws IOException {
    return secondsIn(Files.readString(folder.resolve("stat")));
  }

  /** The same of those threads that are there, and have this in their names. */
  public double cpuSeconds(String name) throws IOException {
    double seconds = 0;
    for (Path thread : Folders.list(folder.resolve("task"), "*")) {
      Path file = thread.resolve("stat");
      try {
        String stat = Files.readString(file);
        if (stat.substring(0, stat.lastIndexOf(')')).contains(name)) {
          seconds += secondsIn(stat);
        }
      } catch (IOException e) {
        throwUnlessEnded(file, e);
      }
    }
    return seconds;
  }

  /** If a thread ends after its file was opened, there is "No such process". */
  private static void throwUnlessEnded(Path file, IOException failure) throws IOException {
    if (Files.exists(file)) {
      throw failure;
    }
  }

  private static double secondsIn(String stat) {
    // The name may hold anything, brackets too.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) / TICKS_PER_SECOND;
  }

  /** Bytes that were fetched from disks for it: what the page cache had doesn't count. */
  public double deviceBytesRead() throws IOException {
    return number("io", "read_bytes");
  }

  public long residentBytes() throws IOException {
    return number("status", "VmRSS") * 1024;
  }

  /**
   * How often each of its threads has given up a processor or lost it, by the thread's id. Of
   * threads that ended nothing is left.
   */
  public Map<Long, Long> contextSwitches() throws IOException {
    Map<Long, Long> switches = new HashMap<>();
    for (Path thread : Folders.list(folder.resolve("task"), "*")) {
      Path status = thread.resolve("status");
      try {
        switches.put(Long.parseLong(thread.getFileName().toString()),
          number(status, "voluntary_ctxt_switches")
            + number(status, "nonvoluntary_ctxt_switches"));
      } catch (IOException e) {
        throwUnlessEnded(status, e);
      }
    }
    return switches;
  }

  private long number(String file, String key) throws IOException {
    return number(folder.resolve(file), key);
  }

  private static long number(Path file, String key) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(key + ":")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException(file + " has no " + key);
  }
}
