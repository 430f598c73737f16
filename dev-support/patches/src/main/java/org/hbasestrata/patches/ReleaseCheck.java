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
package org.hbasestrata.patches;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hbasestrata.seams.Patch;
import org.hbasestrata.seams.PatchedSource;
import org.hbasestrata.seams.Seam;
import org.hbasestrata.seams.SeamException;
import org.hbasestrata.seams.UpstreamJar;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;

/**
 * Whether seams and classes fit another release. Seams are tried one by one. Those that fit are
 * applied, and compiled with our classes against the release's jars. A module that can't be had is
 * taken from the release that this repository is built on.
 */
final class ReleaseCheck {
  private final PatchSet checkout;
  private final Upstream upstream;
  private final Path work;
  private final List<Row> rows = new ArrayList<>();
  private final List<String> moved = new ArrayList<>();

  /**
   * @param work takes what is made; must be empty, or not exist
   */
  ReleaseCheck(PatchSet checkout, Upstream upstream, Path work) {
    this.checkout = checkout;
    this.upstream = upstream;
    this.work = work;
  }

  /**
   * A module's result.
   * @param seams    that it has, and {@code fitting} of them match once
   * @param classes  of ours that it has, and {@code compiling} of them do
   * @param compiled whether the release's jar was there to compile against
   */
  record Row(String module, int seams, int fitting, int classes, int compiling,
    boolean compiled) {
  }

  /** Returns a row for each module whose sources can be had. */
  List<Row> check(Release release) throws IOException, InterruptedException {
    Map<String, UpstreamJar> had = new HashMap<>();
    for (String module : PatchSet.MODULES) {
      release.sources(module).ifPresent(sources -> had.put(module, sources));
    }
    if (had.isEmpty()) {
      return rows;
    }
    List<Path> classPath = classPath(release);
    List<Path> outputs = new ArrayList<>();
    for (String module : PatchSet.MODULES) {
      UpstreamJar sources = had.get(module);
      Path patched = work.resolve("patched/" + module);
      int fitting = apply(module, sources != null ? sources : upstream.sources(module),
        patched);
      List<Path> all = new ArrayList<>(outputs);
      all.addAll(classPath);
      int compiling = compile(module, patched, all);
      outputs.add(0, work.resolve("classes/" + module));
      if (sources != null) {
        rows.add(new Row(module, seams(module), fitting, ownClasses(module).size(), compiling,
          release.jar(module).isPresent()));
      }
    }
    return rows;
  }

  /** A line for each seam and class that doesn't fit, and why. */
  List<String> moved() {
    return moved;
  }

  private List<Path> classPath(Release release) throws IOException, InterruptedException {
    List<Path> whole = release.classPath().orElse(null);
    if (whole != null) {
      return whole;
    }
    List<Path> classPath = new ArrayList<>();
    for (String module : PatchSet.MODULES) {
      release.jar(module).ifPresent(classPath::add);
    }
    classPath.addAll(upstream.classPath());
    return classPath;
  }

  /** Writes the sources with the seams that fit, and returns how many these are. */
  private int apply(String module, UpstreamJar sources, Path patched) throws IOException {
    Map<String, List<Seam>> fitting = new LinkedHashMap<>();
    int count = 0;
    for (Patch patch : checkout.seams(module)) {
      for (Seam seam : patch.seams()) {
        String path = seam.anchor().sourcePath();
        try {
          new PatchedSource(path, sources.source(path), List.of(seam));
          fitting.computeIfAbsent(path, p -> new ArrayList<>()).add(seam);
          count++;
        } catch (SeamException e) {
          moved.add(module + ": " + e.getMessage());
        }
      }
    }
    for (Map.Entry<String, List<Seam>> file : fitting.entrySet()) {
      Path target = patched.resolve(file.getKey());
      Files.createDirectories(target.getParent());
      try {
        Files.writeString(target,
          new PatchedSource(file.getKey(), sources.source(file.getKey()), file.getValue()).text());
      } catch (SeamException e) {
        throw ToolException.failed(e.getMessage());
      }
    }
    return count;
  }

  /** Returns how many of our classes have no errors. */
  private int compile(String module, Path patched, List<Path> classPath) throws IOException {
    List<Path> files = new ArrayList<>(Folders.tree(patched, ".java"));
    List<OwnClass> own = ownClasses(module);
    own.forEach(o -> files.add(o.file()));
    Set<String> failing = new TreeSet<>();
    for (JavaSources.Message message : JavaSources.compile(files, classPath, "none",
      work.resolve("classes/" + module))) {
      if (message.error()) {
        String file = message.file() == null ? "" : message.file().getFileName().toString();
        failing.add(String.valueOf(message.file()));
        moved.add(module + ": " + file + ":" + message.line() + ": " + message.text());
      }
    }
    return (int) own.stream().filter(o -> !failing.contains(o.file().toString())).count();
  }

  private List<OwnClass> ownClasses(String module) {
    return checkout.classes().stream()
      .filter(o -> !o.test() && o.path().startsWith(module + "/")).toList();
  }

  private int seams(String module) {
    return checkout.seams(module).stream().mapToInt(p -> p.seams().size()).sum();
  }
}
