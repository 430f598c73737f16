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
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** What is done with folders. */
final class Folders {
  private Folders() {
  }

  /** The jars in {@code folder}, by name. */
  static List<Path> jars(Path folder) {
    return list(folder, "*.jar");
  }

  /** The entries whose names match the glob, by name; none when there is no such folder. */
  static List<Path> list(Path folder, String glob) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
      List<Path> found = new ArrayList<>();
      entries.forEach(found::add);
      Collections.sort(found);
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean isEmpty(Path folder) {
    return list(folder, "*").isEmpty();
  }

  /** Copies a folder with all that is in it; links are followed. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from, FileVisitOption.FOLLOW_LINKS)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
