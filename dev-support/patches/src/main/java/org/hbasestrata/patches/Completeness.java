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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hbasestrata.seams.Patch;
import org.hbasestrata.seams.Seam;

/**
 * Whether patches and their classes fit each other: what can be told without upstream's jars. Each
 * problem is one line that names the patch and what to do.
 */
final class Completeness {
  /** What upstream must never read in a patch: this project's name, and words for the two sides. */
  private static final Pattern OUR_WORD =
    Pattern.compile("(?i)strata|upstream|\\b(?:stock|ours)\\b");

  private final PatchSet checkout;
  private final List<String> problems = new ArrayList<>();

  private Completeness(PatchSet checkout) {
    this.checkout = checkout;
  }

  static List<String> problems(PatchSet checkout) {
    Completeness check = new Completeness(checkout);
    check.base();
    for (Manifest manifest : checkout.manifests()) {
      check.requirements(manifest);
      if (manifest.isForUpstream()) {
        check.words(manifest);
      }
    }
    return check.problems;
  }

  /** What several patches use is in the modules' own folders, and nothing else. */
  private void base() {
    Map<String, Set<String>> users = new TreeMap<>();
    for (Manifest manifest : checkout.manifests()) {
      checkout.files(manifest).stream().filter(OwnClass::isOfBase).forEach(
        own -> users.computeIfAbsent(own.name(), n -> new TreeSet<>()).add(manifest.name()));
    }
    for (OwnClass own : checkout.classes()) {
      if (own.isOfBase()) {
        Set<String> names = users.getOrDefault(own.name(), Set.of());
        if (names.size() < 2) {
          problems.add(own.where() + (names.isEmpty()
            ? " is used by no patch: move it to one's folder, or remove it"
            : " is used by " + names.iterator().next() + " alone: move it to that patch's folder"));
        }
        foreign(own.where(), own.text(), classesOutside(List.of()),
          "let that patch have it, or move what it names here");
      }
    }
  }

  /** Classes that the text of a patch names are its own, of the base, or of a patch it requires. */
  private void requirements(Manifest manifest) {
    List<Manifest> series = checkout.series(List.of(manifest.id()));
    for (Manifest applied : series) {
      if (manifest.isForUpstream() && !applied.isForUpstream()) {
        problems.add(
          manifest.name() + " requires " + applied.name() + ", which never goes upstream");
      }
    }
    Map<String, OwnClass> elsewhere = classesOutside(series);
    texts(manifest).forEach((where, text) -> foreign(manifest.name() + ": " + where, text,
      elsewhere, "require that patch, or move the class to the base"));
    keysOfOthers(manifest, series);
  }

  /** The classes of all patches but these, by their simple names. */
  private Map<String, OwnClass> classesOutside(List<Manifest> series) {
    Set<String> ids = series.stream().map(Manifest::id).collect(Collectors.toSet());
    Map<String, OwnClass> outside = new TreeMap<>();
    checkout.classes().stream().filter(own -> !own.isOfBase() && !ids.contains(own.patch()))
      .forEach(own -> outside.put(own.simpleName(), own));
    return outside;
  }

  private void foreign(String where, String text, Map<String, OwnClass> elsewhere, String advice) {
    for (String name : new TreeSet<>(OwnClass.typeNames(text))) {
      OwnClass own = elsewhere.get(name);
      if (own != null) {
        problems.add(where + " names " + name + " of " + checkout.manifest(own.patch()).name()
          + ": " + advice);
      }
    }
  }

  /** A key of a patch that isn't there can't be set; those that are put together aren't found. */
  private void keysOfOthers(Manifest manifest, List<Manifest> series) {
    Map<String, String> texts = texts(manifest);
    for (Manifest other : checkout.manifests()) {
      if (!series.contains(other)) {
        checkout.keys(other).stream().map(Key::name).forEach(key ->
          texts.forEach((where, text) -> {
            if (text.contains('"' + key + '"')) {
              problems.add(manifest.name() + ": " + where + " has the key " + key + " of "
                + other.name() + ": require that patch, or do without it");
            }
          }));
      }
    }
  }

  private void words(Manifest manifest) {
    texts(manifest).forEach((where, text) -> {
      Matcher word = OUR_WORD.matcher(text);
      if (word.find()) {
        problems.add(manifest.name() + ": " + where + " says " + word.group()
          + ", which means nothing upstream");
      }
    });
  }

  /** What the patch writes into upstream's tree, by where it is here. */
  private Map<String, String> texts(Manifest manifest) {
    Map<String, String> texts = new LinkedHashMap<>();
    checkout.files(manifest)
      .forEach(own -> texts.put(own.where(), own.name() + "\n" + own.text()));
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
    return texts;
  }
}
