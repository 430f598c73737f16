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
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hbasestrata.seams.Patch;
import org.hbasestrata.seams.PatchFile;
import org.hbasestrata.seams.SeamException;
import org.hbasestrata.seams.SeamFiles;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;

/** What this repository has: patches, and the classes that several of them use. Read once. */
final class PatchSet {
  /** The modules of upstream that are patched, in the order in which they depend on each other. */
  static final List<String> MODULES = List.of("hbase-common", "hbase-client", "hbase-server");

  private final Path root;
  private final Map<String, Manifest> manifests = new LinkedHashMap<>();
  private final Map<String, List<Patch>> seams = new LinkedHashMap<>();
  private final Map<String, OwnClass> classes = new TreeMap<>();

  /** @param root folder with the modules, and the patches in its folder of this name */
  PatchSet(Path root) throws IOException {
    this.root = root.toAbsolutePath().normalize();
    try {
      List<PatchFile> files = PatchFile.readAll(this.root.resolve("patches"));
      for (Manifest manifest : Manifests.read(files)) {
        manifests.put(manifest.id(), manifest);
      }
      for (String module : MODULES) {
        seams.put(module, SeamFiles.read(files, module));
        readClasses(this.root, module, null);
        for (PatchFile file : files) {
          readClasses(file.folder(), module, file.id());
        }
      }
    } catch (SeamException e) {
      throw ToolException.failed(e.getMessage());
    }
  }

  /** What a package-info says is for readers here, and in no patch. */
  private static boolean isClass(Path file) {
    return !file.endsWith("package-info.java");
  }

  private void readClasses(Path folder, String module, String patch) throws IOException {
    for (String part : List.of("main", "test")) {
      Path sources = folder.resolve(module).resolve("src/" + part + "/java");
      for (Path file : Folders.tree(sources, ".java")) {
        if (isClass(file)) {
          add(new OwnClass(
            sources.relativize(file).toString().replace('/', '.').replaceFirst("\\.java$", ""),
            file, root.relativize(file).toString(), folder.relativize(file).toString(), patch,
            part.equals("test")));
        }
      }
    }
  }

  private void add(OwnClass own) {
    OwnClass other = classes.put(own.name(), own);
    if (other != null) {
      throw ToolException.failed(own.where() + " and " + other.where() + " are the same class");
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

  /** The patches with seams in a module. */
  List<Patch> seams(String module) {
    return seams.get(module);
  }

  /** A patch's own classes, in the order of their names. */
  List<OwnClass> classes(Manifest manifest) {
    return own(manifest, false);
  }

  /** A patch's own tests and what they alone use, in the order of their names. */
  List<OwnClass> tests(Manifest manifest) {
    return own(manifest, true);
  }

  /** The keys that a patch's classes declare, in the order of the names of these, in any case. */
  List<Key> keys(Manifest manifest) {
    return classes(manifest).stream()
      .sorted(Comparator.comparing(OwnClass::name, String.CASE_INSENSITIVE_ORDER))
      .flatMap(own -> Declarations.of(own).stream()).toList();
  }

  private List<OwnClass> own(Manifest manifest, boolean test) {
    return classes.values().stream()
      .filter(own -> manifest.id().equals(own.patch()) && own.test() == test).toList();
  }

  /** The patch of a number, or of the name of its folder. */
  Manifest manifest(String patch) {
    Manifest manifest = manifests.get(patch);
    if (manifest != null) {
      return manifest;
    }
    return manifests.values().stream().filter(m -> m.name().equals(patch)).findFirst()
      .orElseThrow(() -> ToolException.usage("no patch " + patch + "; there are "
        + manifests.values().stream().map(m -> m.id() + " " + m.name())
          .collect(Collectors.joining(", "))));
  }

  /** A class by its name; null if there is none. */
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

  /**
   * All that a patch brings into upstream's tree as files of its own: its classes and tests, and
   * what these and its seams use of the base.
   */
  List<OwnClass> files(Manifest manifest) {
    Map<String, OwnClass> base = new HashMap<>();
    classes.values().stream().filter(OwnClass::isOfBase)
      .forEach(own -> base.put(own.simpleName(), own));
    List<OwnClass> files = new ArrayList<>(classes(manifest));
    files.addAll(tests(manifest));
    Set<String> named = new TreeSet<>();
    MODULES.stream().flatMap(module -> seams(module).stream())
      .filter(patch -> patch.id().equals(manifest.id())).flatMap(patch -> patch.seams().stream())
      .forEach(seam -> named.addAll(OwnClass.typeNames(seam.text() + seam.imports())));
    // The list grows by what the files in it name.
    for (int i = 0; i <= files.size(); i++) {
      named.stream().filter(base::containsKey).forEach(name -> files.add(base.remove(name)));
      named.clear();
      if (i < files.size()) {
        named.addAll(OwnClass.typeNames(files.get(i).text()));
      }
    }
    return files;
  }
}
