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

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server's class path in the order that an archive of the JVM needs: an archive is of jars alone,
 * and these must come first. What was in front of the jars, such as conf/, comes behind them.
 */
final class ServerClassPath {
  private static final String WILDCARD = "*";

  private final List<String> jars = new ArrayList<>();
  private final List<String> folders = new ArrayList<>();
  private final String rest;

  /**
   * @param front what bin/hbase has up to the jars of lib/, as for {@code java -cp}
   * @param rest  what comes behind, which no archive has; may be empty
   */
  ServerClassPath(String front, String rest) {
    this.rest = rest;
    for (String entry : front.split(File.pathSeparator, -1)) {
      if (entry.equals(WILDCARD) || entry.endsWith(File.separator + WILDCARD)) {
        jars.addAll(jarsOf(Paths.get(entry.substring(0, entry.length() - 1))));
      } else if (Files.isRegularFile(Paths.get(entry))) {
        jars.add(entry);
      } else {
        folders.add(entry);
      }
    }
  }

  /** Returns the jars of a folder by name: the JVM would take them in the order of the disk. */
  private static List<String> jarsOf(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toString)
        .filter(name -> name.endsWith(".jar") || name.endsWith(".JAR")).sorted()
        .collect(Collectors.toList());
    } catch (IOException | UncheckedIOException e) {
      return Collections.emptyList(); // as the JVM does
    }
  }

  /** Returns what an archive is made with. */
  List<String> jars() {
    return Collections.unmodifiableList(jars);
  }

  /** Returns what was in front of the last jars and isn't one, in its order. */
  List<String> folders() {
    return Collections.unmodifiableList(folders);
  }

  /** Returns the jars alone, for {@code java -cp}. */
  String ofJars() {
    return String.join(File.pathSeparator, jars);
  }

  /** Returns all of it, jars first, for {@code java -cp}. */
  String jarsFirst() {
    List<String> all = new ArrayList<>(jars);
    all.addAll(folders);
    if (!rest.isEmpty()) {
      all.add(rest);
    }
    return String.join(File.pathSeparator, all);
  }
}
