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
package org.hbasestrata.linkage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.Test;

/** No class of ours needs one that needs it, so that each can be read and tested by itself. */
public class CirclesIT {
  private static final Path TARGET = Path.of("target");
  private static final String PATCHED = "hbase-(common|client|server)-[0-9].*\\.jar";
  private static final String PACKAGE = "org/apache/hadoop/hbase/";

  @Test
  public void noClassesNeedEachOther() throws IOException {
    Set<String> upstream = new HashSet<>();
    try (Stream<Path> jars = Files.list(TARGET.resolve("upstream"))) {
      for (Path jar : jars.filter(file -> file.toString().endsWith(".jar")).toList()) {
        try (JarFile classes = new JarFile(jar.toFile())) {
          upstream.addAll(ClassPath.classes(classes));
        }
      }
    }
    Map<String, Set<String>> needs = new TreeMap<>();
    for (String path : Files.readString(TARGET.resolve("class-path")).split(File.pathSeparator)) {
      if (Path.of(path).getFileName().toString().matches(PATCHED)) {
        addNeeds(Path.of(path), upstream, needs);
      }
    }
    assertThat(needs).hasSizeGreaterThan(200);
    needs.forEach((name, needed) -> needed.retainAll(needs.keySet()));

    leaveCircles(needs);
    assertThat(needs).as("classes that need each other").isEmpty();
  }

  /** Adds what each class of a jar that isn't upstream's needs; nested ones are part of theirs. */
  private static void addNeeds(Path jar, Set<String> upstream, Map<String, Set<String>> needs)
    throws IOException {
    try (JarFile classes = new JarFile(jar.toFile())) {
      for (String name : ClassPath.classes(classes)) {
        if (!upstream.contains(name.replaceFirst("\\$.*", ""))) {
          Set<String> needed = needs.computeIfAbsent(shortName(name), n -> new TreeSet<>());
          References.of(ClassPath.read(classes, name)).classes().stream()
            .map(CirclesIT::shortName).filter(other -> !other.equals(shortName(name)))
            .forEach(needed::add);
        }
      }
    }
  }

  private static String shortName(String name) {
    return name.replaceFirst("\\$.*", "").replace(PACKAGE, "");
  }

  /** Removes what needs nothing that is left, or isn't needed by it, until there is none such. */
  private static void leaveCircles(Map<String, Set<String>> needs) {
    boolean removed = true;
    while (removed) {
      Set<String> needed = new HashSet<>();
      needs.values().forEach(needed::addAll);
      removed =
        needs.entrySet().removeIf(e -> e.getValue().isEmpty() || !needed.contains(e.getKey()));
      needs.values().forEach(others -> others.retainAll(needs.keySet()));
    }
  }
}
