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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hbasestrata.seams.Patch;
import org.hbasestrata.seams.Seam;

/**
 * Whether manifests, seam files and classes fit each other: what can be told without upstream's
 * jars. Each problem is one line that names the patch and what to do.
 */
final class Completeness {
  private static final Pattern TYPE_NAME = Pattern.compile("\\b[A-Z]\\w*");
  /** What upstream must never read in a patch: this project's name, and words for the two sides. */
  private static final Pattern OUR_WORD =
    Pattern.compile("(?i)strata|upstream|\\b(?:stock|ours)\\b");

  private final PatchSet checkout;
  private final List<String> problems = new ArrayList<>();
  private final Map<String, String> owners = new HashMap<>();

  private Completeness(PatchSet checkout) {
    this.checkout = checkout;
  }

  static List<String> problems(PatchSet checkout) {
    Completeness check = new Completeness(checkout);
    check.ownership();
    check.seamFiles();
    for (Manifest manifest : checkout.manifests()) {
      check.requirements(manifest);
      if (manifest.isForUpstream()) {
        check.words(manifest);
      }
    }
    return check.problems;
  }

  private void ownership() {
    for (Manifest manifest : checkout.manifests()) {
      own(manifest, manifest.classes(), false);
      own(manifest, manifest.tests(), true);
    }
    for (OwnClass own : checkout.classes()) {
      if (!owners.containsKey(own.name())) {
        problems.add(own.name() + " belongs to no patch: list it in one's manifest");
      }
    }
    for (Manifest manifest : checkout.manifests()) {
      for (String shared : manifest.shares()) {
        if (checkout.ownClass(shared) == null) {
          problems.add(manifest.id() + " shares " + shared + ", which there isn't");
        } else if (manifest.id().equals(owners.get(shared))) {
          problems.add(manifest.id() + " shares " + shared + ", which is its own");
        }
      }
    }
  }

  private void own(Manifest manifest, List<String> names, boolean tests) {
    for (String name : names) {
      OwnClass own = checkout.ownClass(name);
      if (own == null) {
        problems.add(manifest.id() + " lists " + name + ", which there isn't");
      } else if (own.test() != tests) {
        problems.add(manifest.id() + " lists " + name + " among its "
          + (tests ? "tests" : "classes") + ", but it is in " + own.path());
      }
      String other = owners.put(name, manifest.id());
      if (other != null) {
        problems.add(name + " belongs to " + other + " and to " + manifest.id()
          + ": list it in one, and let the other share it");
      }
    }
  }

  private void seamFiles() {
    Set<String> ids = new HashSet<>();
    checkout.manifests().forEach(m -> ids.add(m.id()));
    for (String module : PatchSet.MODULES) {
      for (Patch patch : checkout.seams(module)) {
        if (!ids.contains(patch.id())) {
          problems.add(module + " has seams of " + patch.id() + ", which has no manifest");
        } else if (!checkout.manifest(patch.id()).title().equals(patch.title())) {
          problems.add(patch.id() + " has another title in its manifest than in " + module
            + "'s seam file, '" + patch.title() + "'");
        }
      }
    }
  }

  /** Classes that the text of a patch names are its own, shared, or of a patch that it requires. */
  private void requirements(Manifest manifest) {
    Set<String> there = new HashSet<>();
    List<Manifest> series = checkout.series(List.of(manifest.id()));
    for (Manifest applied : series) {
      there.addAll(applied.classes());
      there.addAll(applied.tests());
      there.addAll(applied.shares());
      if (manifest.isForUpstream() && !applied.isForUpstream()) {
        problems.add(manifest.id() + " requires " + applied.id() + ", which never goes upstream");
      }
    }
    Map<String, OwnClass> elsewhere = new HashMap<>();
    for (OwnClass own : checkout.classes()) {
      if (!there.contains(own.name())) {
        elsewhere.put(own.simpleName(), own);
      }
    }
    Set<String> found = new TreeSet<>();
    texts(manifest).forEach((where, text) -> {
      Matcher names = TYPE_NAME.matcher(text);
      while (names.find()) {
        OwnClass own = elsewhere.get(names.group());
        if (own != null) {
          found.add(manifest.id() + ": " + where + " names " + own.simpleName() + " of "
            + owners.get(own.name()) + ": require that patch, or share the class");
        }
      }
    });
    problems.addAll(found);
    keysOfOthers(manifest, series);
  }

  /** A key of a patch that isn't there can't be set; those that are put together aren't found. */
  private void keysOfOthers(Manifest manifest, List<Manifest> series) {
    Map<String, String> texts = texts(manifest);
    for (Manifest other : checkout.manifests()) {
      if (!series.contains(other)) {
        other.keys().stream().flatMap(key -> key.names().stream()).forEach(key ->
          texts.forEach((where, text) -> {
            if (text.contains('"' + key + '"')) {
              problems.add(manifest.id() + ": " + where + " has the key " + key + " of "
                + other.id() + ": require that patch, or do without it");
            }
          }));
      }
    }
  }

  private void words(Manifest manifest) {
    texts(manifest).forEach((where, text) -> {
      Matcher word = OUR_WORD.matcher(text);
      if (word.find()) {
        problems.add(manifest.id() + ": " + where + " says " + word.group()
          + ", which means nothing upstream");
      }
    });
  }

  /** What the patch writes into upstream's tree, by where it is here. */
  private Map<String, String> texts(Manifest manifest) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (List<String> names : List.of(manifest.classes(), manifest.tests(), manifest.shares())) {
      for (String name : names) {
        OwnClass own = checkout.ownClass(name);
        if (own != null) {
          texts.put(own.path(), own.name() + "\n" + own.text());
        }
      }
    }
    for (String module : PatchSet.MODULES) {
      for (Patch patch : checkout.seams(module)) {
        if (patch.id().equals(manifest.id())) {
          for (Seam seam : patch.seams()) {
            texts.put("seam " + seam.name() + " of " + module, seam.text());
          }
        }
      }
    }
    texts.put("its commit message", manifest.title() + "\n" + manifest.why());
    manifest.keys().forEach(key -> texts.put("key " + key.pattern(),
      key.pattern() + "\n" + key.text() + "\n" + key.byDefault()));
    return texts;
  }
}
