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
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;
import java.util.Map;

/**
 * Chooses where the JVM writes its GC log: to the disk if the JVM has a thread for the log,
 * otherwise to memory, from where bin/gc-log-copy copies it (source D). Immutable.
 */
final class LogPlace {
  static final String TMPFS = "HBASE_GC_LOG_TMPFS";

  private static final String DEFAULT_TMPFS = "/dev/shm";
  /** The first JDK with a thread for its log. */
  private static final int ASYNC_SINCE = 17;
  private static final int BITS_OF_MB = 20;
  private static final int MEMORY_FILES = 4;
  private static final int MEMORY_FILE_MB = 10;

  private final Path folder;
  private final String file;

  private LogPlace(Path folder, String file) {
    this.folder = folder;
    this.file = file;
  }

  /**
   * Chooses the place. If a server is to be started, creates the folder in memory.
   * @param environment may name a tmpfs
   * @param warnings    gets a warning if there is no room in memory
   */
  static LogPlace choose(Request request, Jvm jvm, Map<String, String> environment,
    List<String> warnings) {
    LogPlace onDisk = new LogPlace(null, request.gcLog);
    if (jvm.major() >= ASYNC_SINCE || request.operator.stream().anyMatch(Options::isGcLog)) {
      return onDisk;
    }
    String named = environment.getOrDefault(TMPFS, "");
    Path tmpfs = Paths.get(named.isEmpty() ? DEFAULT_TMPFS : named);
    if (hasRoom(tmpfs)) {
      try {
        Path folder = folder(tmpfs, request);
        return new LogPlace(folder,
          folder.resolve(Paths.get(request.gcLog).getFileName()).toString());
      } catch (IOException e) {
        // The warning below covers it.
      }
    }
    warnings.add("the GC log is written to the disk, and pauses may wait for that: " + tmpfs
      + " is no tmpfs that can be written to with room for it; set " + TMPFS
      + " to one, or run on JDK " + ASYNC_SINCE + " or later");
    return onDisk;
  }

  /** Creates a folder with an unpredictable name, unless the plan is only displayed. */
  private static Path folder(Path tmpfs, Request request) throws IOException {
    String name = "hbase-gc-" + request.id;
    return request.lookOnly ? tmpfs.resolve(name) : Files.createTempDirectory(tmpfs, name + ".");
  }

  /** Removes the folder of a server that isn't started. */
  void remove() {
    try {
      if (folder != null) {
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      // The folder is empty, and the next one has another name.
    }
  }

  private static boolean hasRoom(Path tmpfs) {
    try {
      FileStore store = Files.getFileStore(tmpfs);
      return store.type().equals("tmpfs")
        && store.getUsableSpace() >> BITS_OF_MB >= (MEMORY_FILES + 1) * MEMORY_FILE_MB;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the folder in memory from which the log is copied; null if the log is on disk. */
  Path copiedFrom() {
    return folder;
  }

  /** Returns the path of the log for the JVM. */
  String file() {
    return file;
  }

  /** Returns the number of old files beside the current one. */
  int files() {
    return folder == null ? 10 : MEMORY_FILES;
  }

  int fileMegabytes() {
    return folder == null ? 20 : MEMORY_FILE_MB;
  }
}
