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
import java.util.Locale;
import org.hbasestrata.bench.Machine;
import org.hbasestrata.tools.ToolException;

/** The machine that the bench runs on. */
public final class Host {
  private Host() {
  }

  public static Machine machine(Path data, Integer deviceIops) {
    String disk = disk(data);
    return new Machine(value("/proc/cpuinfo", "model name", ":"),
      Runtime.getRuntime().availableProcessors(), kilobytes("MemTotal"),
      value("/etc/os-release", "PRETTY_NAME", "=") + ", Linux "
        + System.getProperty("os.version"),
      disk == null || deviceIops == null ? disk : disk + ", held to " + deviceIops + " reads/s");
  }

  /** Memory that can be had without swapping. */
  static long availableBytes() {
    return kilobytes("MemAvailable");
  }

  private static Long kilobytes(String key) {
    String value = value("/proc/meminfo", key, ":");
    return value == null ? null : Long.parseLong(value.replaceAll("\\D", "")) * 1024;
  }

  /** The value of a key in a file of keys and values; null when there is none. */
  private static String value(String file, String key, String separator) {
    try {
      for (String line : Files.readAllLines(Path.of(file))) {
        String[] halves = line.split(separator, 2);
        if (halves.length == 2 && halves[0].strip().equals(key)) {
          return halves[1].strip().replaceAll("^\"|\"$", "");
        }
      }
    } catch (IOException e) {
      // Not known then.
    }
    return null;
  }

  private static String disk(Path folder) {
    String device = device(folder);
    if (device == null) {
      return null;
    }
    try {
      return Path.of("/sys/dev/block", device).toRealPath().getFileName() + ", "
        + Files.getFileStore(folder).type();
    } catch (IOException e) {
      return null;
    }
  }

  /** The disk under a folder, as major:minor; null when it is on none that the kernel names. */
  public static String device(Path folder) {
    try {
      long number = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
      String device = (number >> 8 & 0xfff) + ":" + (number & 0xff | number >> 12 & 0xfff00);
      Path block = Path.of("/sys/dev/block", device);
      if (!Files.exists(block)) {
        return null;
      }
      // Of a partition the disk.
      Path disk = block.toRealPath();
      return Files.readString((Files.exists(disk.resolve("partition")) ? disk.getParent() : disk)
        .resolve("dev")).strip();
    } catch (IOException | UnsupportedOperationException e) {
      return null;
    }
  }

  static void checkRoom(Path folder, double bytes, Memory memory) {
    try {
      Path there = folder;
      while (!Files.exists(there)) {
        there = there.getParent();
      }
      long free = Files.getFileStore(there).getUsableSpace();
      if (free < bytes) {
        throw ToolException.failed("too little disk: the rows take up to " + gigabytes(bytes)
          + " while they are compacted, and " + gigabytes(free) + " are free in " + there
          + "; give fewer --rows, or another --out");
      }
    } catch (IOException e) {
      throw ToolException.failed(folder + " can't be looked at: " + ToolException.oneLine(e), e);
    }
    if (availableBytes() < memory.bytes()) {
      throw ToolException.failed("too little memory: --memory is " + memory + ", and "
        + gigabytes(availableBytes()) + " are available; give less, or end other programs");
    }
  }

  private static String gigabytes(double bytes) {
    return String.format(Locale.ROOT, "%.1f GB", bytes / (1 << 30));
  }
}
