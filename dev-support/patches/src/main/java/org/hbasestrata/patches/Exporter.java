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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.hbasestrata.seams.Patch;
import org.hbasestrata.seams.PatchedModule;
import org.hbasestrata.seams.Seam;
import org.hbasestrata.seams.SeamException;
import org.hbasestrata.tools.ToolException;

/**
 * Makes commits of patches in a tree of upstream's sources, laid out as upstream has it.
 */
final class Exporter {
  /** Java that is generated from templates, which upstream doesn't publish: not in its tree. */
  private static final String GENERATED = "org/apache/hadoop/hbase/tmpl/";
  private static final int LINE = 100;

  private final PatchSet checkout;
  private final Upstream upstream;
  private final GitTree tree;
  private final String base;

  /**
   * Unpacks upstream's sources.
   * @param folder that takes them; must be empty, or not exist
   */
  Exporter(PatchSet checkout, Upstream upstream, Author author, Path folder)
    throws IOException, InterruptedException {
    this.checkout = checkout;
    this.upstream = upstream;
    tree = new GitTree(folder, author);
    for (String module : PatchSet.MODULES) {
      upstream.sources(module).unpack(java(module),
        name -> name.endsWith(".java") && !name.startsWith(GENERATED));
    }
    Path defaults = folder.resolve(DefaultsFile.PATH);
    upstream.sources("hbase-common").unpack(defaults.getParent(),
      name -> name.equals(defaults.getFileName().toString()));
    base = tree.commit("Apache HBase " + upstream.version());
  }

  private Path java(String module) {
    return tree.folder().resolve(module).resolve("src/main/java");
  }

  GitTree tree() {
    return tree;
  }

  /** The commit of upstream's sources as they are. */
  String base() {
    return base;
  }

  /**
   * Writes a file for each patch of a series, each on top of those before it.
   * @param out takes the files
   */
  List<Path> export(List<Manifest> series, Path out) throws IOException, InterruptedException {
    return export(series, out, s -> true);
  }

  /**
   * Writes a file for each patch of a series, with a part of the seams.
   * @param kept seams that aren't left out
   */
  List<Path> export(List<Manifest> series, Path out, Predicate<Seam> kept)
    throws IOException, InterruptedException {
    tree.reset(base);
    Set<String> ids = new HashSet<>();
    for (Manifest manifest : series) {
      ids.add(manifest.id());
      for (String module : PatchSet.MODULES) {
        seams(module, ids, kept).writeSources(java(module));
      }
      for (OwnClass own : checkout.files(manifest)) {
        Path file = tree.folder().resolve(own.path());
        Files.createDirectories(file.getParent());
        Files.writeString(file, own.text());
      }
      List<Key> keys = checkout.keys(manifest);
      if (!keys.isEmpty()) {
        Path defaults = tree.folder().resolve(DefaultsFile.PATH);
        Files.writeString(defaults, DefaultsFile.with(Files.readString(defaults), keys));
      }
      tree.commit(message(manifest));
    }
    return tree.formatPatches(base, out);
  }

  /** The sources of a module that the seams of these patches touch, with them. */
  private PatchedModule seams(String module, Set<String> ids, Predicate<Seam> kept)
    throws IOException {
    List<Patch> patches = new ArrayList<>();
    for (Patch patch : checkout.seams(module)) {
      if (ids.contains(patch.id())) {
        patches.add(new Patch(patch.id(), patch.title(),
          patch.seams().stream().filter(s -> !isGenerated(s) && kept.test(s)).toList()));
      }
    }
    try {
      return new PatchedModule(upstream.sources(module), patches);
    } catch (SeamException e) {
      throw ToolException.failed(e.getMessage());
    }
  }

  private static boolean isGenerated(Seam seam) {
    return seam.anchor().sourcePath().startsWith(GENERATED);
  }

  /** What is to be changed by hand in upstream's templates, in words; empty for most. */
  static List<String> leftOut(PatchSet checkout, Manifest manifest) {
    List<String> leftOut = new ArrayList<>();
    for (String module : PatchSet.MODULES) {
      for (Patch patch : checkout.seams(module)) {
        if (patch.id().equals(manifest.id())) {
          patch.seams().stream().filter(Exporter::isGenerated).forEach(s -> leftOut.add(
            s.anchor().sourcePath().replaceFirst("Impl\\.java$", ".jamon") + ": " + s.why()));
        }
      }
    }
    return leftOut;
  }

  private static String message(Manifest manifest) {
    return manifest.subject() + "\n\n" + Text.wrapped(manifest.why(), LINE) + "\n";
  }
}
