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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The device that a folder is on, whoever writes to it. */
final class Device {
  private static final Path STATISTICS = Path.of("/proc/diskstats");
  private static final int NAME = 2;
  private static final int SECTORS_WRITTEN = 9;
  private static final int SECTOR = 512;

  /** As {@code 8 0}. */
  private final List<String> number;

  Device(Path folder) throws IOException {
    long dev = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
    number = List.of(Long.toString(dev >>> 8 & 0xFFF),
      Long.toString(dev & 0xFF | dev >>> 12 & 0xFFF00));
  }

  /** Returns the bytes that were written to it since the system started. */
  long getWrittenBytes() throws IOException {
    for (String line : Files.readAllLines(STATISTICS)) {
      List<String> fields = List.of(line.trim().split(" +"));
      if (fields.subList(0, NAME).equals(number)) {
        return Long.parseLong(fields.get(SECTORS_WRITTEN)) * SECTOR;
      }
    }
    throw new IOException("there is no device " + String.join(":", number) + " in " + STATISTICS
      + "; name a folder on a disk by --dir");
  }
}
