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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hbasestrata.seams.Patch;
import org.hbasestrata.seams.SeamException;
import org.hbasestrata.seams.SeamFiles;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;

/** What this repository has: manifests, seam files and classes. Read once. */
final class PatchSet {
  /** The modules of upstream that are patched, in the order in which they depend on each other. */
  static final List<String> MODULES = List.of("hbase-common", "hbase-client", "hbase-server");

  private final Path root;
  private final Map<String, Manifest> manifests = new LinkedHashMap<>();
  private final Map<String, List<Patch>> seamFiles = new LinkedHashMap<>();
  private final Map<String, OwnClass> classes = new TreeMap<>();

  /** @param root folder with the modules; manifests are in its dev-support/patches */
  PatchSet(Path root) throws IOException {
    this.root = root.toAbsolutePath().normalize();
    for (Manifest manifest : Manifests.read(this.root.resolve("dev-support/patches"))) {
      manifests.put(manifest.id(), manifest);
    }
    for (String module : MODULES) {
      seamFiles.put(module, readSeams(this.root.resolve(module).resolve("src/main/seams")));
      readClasses(module, false);
      readClasses(module, true);
    }
  }

  private static List<Patch> readSeams(Path folder) throws IOException {
    try {
      return SeamFiles.read(folder);
    } catch (SeamException e) {
      throw ToolException.failed(e.getMessage());
    }
  }

  /** What a package-info says is of several patches, so it is in none. */
  private static boolean isClass(Path file) {
    return !file.endsWith("package-info.java");
  }

  private void readClasses(String module, boolean test) throws IOException {
    Path folder = root.resolve(module).resolve(test ? "src/test/java" : "src/main/java");
    for (Path file : Folders.tree(folder, ".java")) {
      if (isClass(file)) {
        String name = folder.relativize(file).toString().replace('/', '.').replaceFirst(
          "\\.java$", "");
        classes.put(name, new OwnClass(name, file, root.relativize(file).toString(), test));
      }
    }
  }

  Path root() {
    return root;
  }

  List<Manifest> manifests() {
    return List.copyOf(manifests.values());
  }

  /** Classes and tests of all modules, in the order of their names. */
  List<OwnClass> classes() {
    return List.copyOf(classes.values());
  }

  /** Seam files of a module. */
  List<Patch> seams(String module) {
    return seamFiles.get(module);
  }

  Manifest manifest(String id) {
    Manifest manifest = manifests.get(id);
    if (manifest == null) {
      throw ToolException.usage("no patch " + id + "; there are " + String.join(", ",
        manifests.keySet()));
    }
    return manifest;
  }

  /** A class that a manifest names; null if there is none. */
  OwnClass ownClass(String name) {
    return classes.get(name);
  }

  /** The patches of these names with all that they require, each behind what it requires. */
  List<Manifest> series(List<String> ids) {
    Set<Manifest> series = new LinkedHashSet<>();
    for (String id : ids) {
      add(series, id, new ArrayList<>());
    }
    return List.copyOf(series);
  }

  private void add(Set<Manifest> series, String id, List<String> dependents) {
    if (dependents.contains(id)) {
      throw ToolException.failed("patches require each other: " + String.join(" > ", dependents)
        + " > " + id);
    }
    dependents.add(id);
    Manifest manifest = manifest(id);
    for (String required : manifest.requires()) {
      add(series, required, dependents);
    }
    dependents.remove(id);
    series.add(manifest);
  }

  /** All that a patch brings into upstream's tree as files of its own. */
  List<OwnClass> files(Manifest manifest) {
    List<OwnClass> files = new ArrayList<>();
    for (List<String> names : List.of(manifest.classes(), manifest.tests(), manifest.shares())) {
      for (String name : names) {
        OwnClass own = classes.get(name);
        if (own == null) {
          throw ToolException.failed(manifest.id() + ".yaml: there is no class " + name);
        }
        files.add(own);
      }
    }
    return files;
  }
}
