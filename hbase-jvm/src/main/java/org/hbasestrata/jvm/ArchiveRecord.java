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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * What an archive of the JVM was made of, in a file beside it. The JVM isn't asked: JDK 25 takes
 * classes of an archive though their jar is another one now, and looks at no byte of an archive
 * before it uses it.
 */
final class ArchiveRecord {
  private static final String ARCHIVE = "archive";
  private static final String JAR = "jar";
  private static final String NAME = "name";

  private long archiveBytes;
  private long archiveChecksum;
  /** Checksums by path, in the order of the class path. */
  private final Map<String, Long> jars = new LinkedHashMap<>();
  /** First parts of the names of what is in the jars. */
  private final Set<String> names = new TreeSet<>();

  private ArchiveRecord() {
  }

  /** Computes the record of an archive that was just made with these jars. */
  static ArchiveRecord of(Path archive, List<String> jars) throws IOException {
    ArchiveRecord record = new ArchiveRecord();
    record.archiveBytes = Files.size(archive);
    record.archiveChecksum = Checksums.ofFile(archive);
    for (String jar : jars) {
      record.jars.put(jar, Checksums.ofJar(Paths.get(jar)));
      try (JarFile file = new JarFile(jar)) {
        for (JarEntry entry : Collections.list(file.entries())) {
          record.names.add(entry.getName().replaceFirst("/.*", ""));
        }
      }
    }
    return record;
  }

  /** @throws IOException if it can't be read, or is no record */
  static ArchiveRecord read(Path file) throws IOException {
    ArchiveRecord record = new ArchiveRecord();
    try {
      for (String line : Files.readAllLines(file)) {
        record.add(line.split(" ", 3));
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new IOException("no record of an archive", e);
    }
    return record;
  }

  private void add(String[] parts) throws IOException {
    switch (parts[0]) {
      case ARCHIVE:
        archiveBytes = Long.parseLong(parts[1]);
        archiveChecksum = Long.parseLong(parts[2]);
        break;
      case JAR:
        jars.put(parts[2], Long.valueOf(parts[1]));
        break;
      case NAME:
        names.add(parts[2]);
        break;
      default:
        throw new IOException("no record of an archive");
    }
  }

  void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(ARCHIVE + " " + archiveBytes + " " + archiveChecksum);
    jars.forEach((jar, checksum) -> lines.add(JAR + " " + checksum + " " + jar));
    names.forEach(name -> lines.add(NAME + " - " + name));
    Files.write(file, lines, StandardCharsets.UTF_8);
  }

  /**
   * Returns why the archive isn't for this class path, or isn't what was made, in words that follow
   * "because"; null if it is.
   * @param home whose folders never hide what is in a jar
   */
  String misfit(Path archive, ServerClassPath path, Path home) throws IOException {
    if (!new ArrayList<>(jars.keySet()).equals(path.jars())) {
      return "it was made with other jars: " + difference(path.jars());
    }
    for (Map.Entry<String, Long> jar : jars.entrySet()) {
      if (Checksums.ofJar(Paths.get(jar.getKey())) != jar.getValue()) {
        return "it was made with another " + jar.getKey();
      }
    }
    String hidden = hidden(path, home);
    if (hidden != null) {
      return hidden + " stands in front of what the jars have of that name";
    }
    if (Files.size(archive) != archiveBytes || Checksums.ofFile(archive) != archiveChecksum) {
      return "it is damaged";
    }
    return null;
  }

  /** Names a jar that is only in one of the two lists, or says that their order differs. */
  private String difference(List<String> now) {
    for (String jar : now) {
      if (!jars.containsKey(jar)) {
        return jar + " is new";
      }
    }
    for (String jar : jars.keySet()) {
      if (!now.contains(jar)) {
        return jar + " is gone";
      }
    }
    return "their order is another";
  }

  /** Returns what a folder has that would no longer come before the jars' own; or null. */
  private String hidden(ServerClassPath path, Path home) throws IOException {
    for (String entry : path.folders()) {
      Path folder = Paths.get(entry);
      if (Files.isDirectory(folder) && !folder.equals(home)) {
        String[] files = folder.toFile().list();
        if (files == null) {
          throw new IOException(folder + " can't be listed");
        }
        for (String file : files) {
          if (names.contains(file)) {
            return folder.resolve(file).toString();
          }
        }
      }
    }
    return null;
  }
}
