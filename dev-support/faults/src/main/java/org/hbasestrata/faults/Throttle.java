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
package org.hbasestrata.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Holds up what one process reads from and writes to a device, by the blkio controller of cgroups
 * version 1. Not thread-safe.
 */
public final class Throttle implements AutoCloseable {
  /** For {@link #limit}: nothing gets through. */
  public static final long HANG = 0;

  private static final Path BLKIO = Path.of("/sys/fs/cgroup/blkio");
  private static final String NO_LIMIT = "0";
  private static final int REMOVE_TRIES = 50;
  private static final int REMOVE_PAUSE_MILLIS = 100;

  private final String device;
  private final Path group;

  private Throttle(String device, Path group) {
    this.device = device;
    this.group = group;
  }

  /** Whether there is such a controller, and this process may use it. */
  public static boolean isAvailable() {
    return Files.isWritable(BLKIO.resolve("cgroup.procs"));
  }

  /**
   * Puts a process into a group of its own.
   * @param device major:minor
   */
  public static Throttle on(String device, long pid) throws IOException {
    Path group = BLKIO.resolve("hbase-strata-faults-" + pid);
    Files.createDirectories(group);
    Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
    return new Throttle(device, group);
  }

  /** @param perSecond reads, and writes, a second; or {@link #HANG} */
  public void limit(long perSecond) throws IOException {
    for (String way : new String[] { "read", "write" }) {
      if (perSecond == HANG) {
        set(way + "_bps", "1");
      } else {
        set(way + "_iops", Long.toString(perSecond));
      }
    }
  }

  /** How many reads the process has asked the device for since it is in the group. */
  public long reads() throws IOException {
    String reads = device + " Read ";
    return Files.readAllLines(group.resolve("blkio.throttle.io_serviced")).stream()
      .filter(line -> line.startsWith(reads))
      .mapToLong(line -> Long.parseLong(line.substring(reads.length()))).sum();
  }

  private void set(String what, String value) throws IOException {
    Files.writeString(group.resolve("blkio.throttle." + what + "_device"), device + " " + value);
  }

  /** Ends it: what was held up goes on. */
  @Override
  public void close() throws IOException {
    for (String way : new String[] { "read", "write" }) {
      set(way + "_bps", NO_LIMIT);
      set(way + "_iops", NO_LIMIT);
    }
    for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
      Files.writeString(BLKIO.resolve("cgroup.procs"), pid);
    }
    for (int i = 0; i < REMOVE_TRIES && !group.toFile().delete(); i++) {
      try {
        Thread.sleep(REMOVE_PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
