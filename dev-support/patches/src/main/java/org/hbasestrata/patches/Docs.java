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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The pages in docs/ that are made from the files and the settings of the patches. */
final class Docs {
  private static final String NOTE =
    "<!-- Made by dev-support/bin/patches docs from the patches. -->\n";

  private static final int LINE = 100;

  private Docs() {
  }

  /** Texts of the pages, by their paths in the checkout. */
  static Map<String, String> pages(PatchSet checkout) {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("docs/configuration.md", configuration(checkout));
    pages.put("docs/fixes.md", fixes(checkout));
    pages.put("docs/patches.md", patches(checkout));
    return pages;
  }

  static void write(PatchSet checkout) throws IOException {
    for (Map.Entry<String, String> page : pages(checkout).entrySet()) {
      Path file = checkout.root().resolve(page.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, page.getValue());
    }
  }

  /** A line for each page that isn't what the patches say. */
  static List<String> problems(PatchSet checkout) throws IOException {
    List<String> problems = new ArrayList<>();
    for (Map.Entry<String, String> page : pages(checkout).entrySet()) {
      Path file = checkout.root().resolve(page.getKey());
      if (!Files.isRegularFile(file) || !Files.readString(file).equals(page.getValue())) {
        problems.add(page.getKey() + " isn't what the patches say:"
          + " run dev-support/bin/patches docs");
      }
    }
    return problems;
  }

  private static String configuration(PatchSet checkout) {
    StringBuilder text = new StringBuilder(NOTE);
    text.append("# Configuration reference\n\n").append("""
      The keys of `hbase-site.xml` that are new here, by the patch that reads them. Upstream's keys
      keep their meaning.

      None has to be set: the second column says what is used then. Only tiers need more than their
      switch, `hbase.bucketcache.l1.ioengine`: `l1.size`, and an engine and a size of the second
      tier, `l2.ioengine` and `l2.size`, for which upstream's `hbase.bucketcache.ioengine` and
      `size` stand in. Without the switch the keys of tiers, `l1.*`, `l2.*` and `composite.*`,
      aren't read. The third column is what the shipped `conf/` sets, by the
      [profile](shipped-configuration.md#profiles) `memory` that it takes unless another is named.

      A value that isn't allowed stops a server at its start, with a line that names the key, the
      value and what to do. Keys that are *live* can be changed while a server runs, with
      `update_config` in the shell; if a value isn't allowed then, such a line says so, and the
      feature keeps all the values that it had. If a table's or family's own value isn't allowed,
      its regions open without the feature, and a line of the log says so.

      `hbase.profile.ssd.path` is used only by profile `ssd`: the second tier's path, or its paths,
      with commas between them.
      """);
    ShippedConfiguration shipped = new ShippedConfiguration(checkout.root().resolve("conf"));
    for (Manifest manifest : checkout.manifests()) {
      List<Key> keys = checkout.keys(manifest);
      if (!keys.isEmpty()) {
        text.append("\n## ").append(manifest.id()).append(": ").append(manifest.title())
          .append("\n\n| key | if it isn't set | `conf/` | what it is |\n|---|---|---|---|\n");
        for (Key key : keys) {
          text.append("| `").append(key.name()).append("` | ").append(cell(key.byDefault()))
            .append(" | ").append(cell(shipped.text(key)))
            .append(" | ").append(cell(key.text())).append(key.live() ? " *Live.*" : "")
            .append(" |\n");
        }
      }
    }
    return text.toString();
  }

  private static String cell(String text) {
    return text.replaceAll("\\s*\\n\\s*", " ").replace("|", "\\|");
  }

  private static String patches(PatchSet checkout) {
    StringBuilder text = new StringBuilder(NOTE);
    text.append("# Patches\n\n").append(Text.wrapped("""
      Each patch is a folder, whose `patch.yaml` says why it is there and where it stands upstream.
      %s can go upstream, behind those that they require: `dev-support/bin/patches export` writes a
      patch for `git am`, and `dev-support/bin/patches verify` proves it on a clean unpack of
      upstream's sources. A STRATA number is a patch without a JIRA: one that is still to be filed,
      or none if the patch isn't for upstream. HBASE-21879, 21917, 22802 and 22905 are in releases
      already: what is here goes on from them, and wants a JIRA of its own, linked to them, when it
      is proposed. What 2.6.5 to 2.6.7 and 3.0.0 have as well is on the page about
      [fixes](fixes.md).%s
      """.formatted(forUpstream(checkout.manifests()), unused(checkout.manifests())), LINE))
      .append("""


      | patch | folder | what | requires | classes, tests, seams |
      |---|---|---|---|---|
      """);
    for (Manifest manifest : checkout.manifests()) {
      text.append("| ").append(link(manifest)).append(" | [").append(manifest.name())
        .append("](../patches/").append(manifest.name()).append(") | ").append(manifest.title())
        .append(" | ").append(String.join(", ", manifest.requires())).append(" | ")
        .append(checkout.classes(manifest).size()).append(", ")
        .append(checkout.tests(manifest).size()).append(", ").append(seams(checkout, manifest))
        .append(" |\n");
    }
    return text.toString();
  }

  private static String fixes(PatchSet checkout) {
    Map<String, List<Manifest>> byRelease = checkout.manifests().stream()
      .filter(manifest -> manifest.fix() != null).collect(Collectors
        .groupingBy(manifest -> manifest.fix().release(), TreeMap::new, Collectors.toList()));
    StringBuilder text = new StringBuilder(NOTE);
    text.append("# Fixes\n\n").append("""
      Defects of Apache HBase 2.6.4 that are mended here. A release of Apache has the fixes of its
      own section and of those above it, and still has the defects of the sections below: 2.6.6, for
      example, has the fixes under 2.6.5 and 2.6.6. Rows say where a release has only a part. What
      later releases changed for the worse, and isn't here, is on the page about
      [upgrades](upgrade.md#not-taken-from-later-releases).

      `mvn -B test -pl hbase-server -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest=NAME` runs a
      test, with `hbase-client` in place of `hbase-server` for one that is there.
      `dev-support/bin/patches verify --without` tries whether a test of each fix fails on
      upstream's classes without the fix.
      """);
    byRelease.forEach((release, manifests) -> {
      text.append("\n## ").append(release.equals(Manifest.Fix.NO_RELEASE)
        ? "In no release of Apache, as far as is known"
        : "Fixed in Apache " + release).append("""


          | defect | what holds here | patch | tests |
          |---|---|---|---|
          """);
      manifests.forEach(manifest -> text.append("| ").append(cell(manifest.fix().defect()))
        .append(" | ").append(manifest.title()).append(" | ").append(link(manifest))
        .append(" [").append(manifest.name()).append("](../patches/").append(manifest.name())
        .append(") | ").append(tests(checkout, manifest)).append(" |\n"));
    });
    return text.toString();
  }

  private static String tests(PatchSet checkout, Manifest manifest) {
    return checkout.tests(manifest).stream().map(OwnClass::simpleName)
      .filter(name -> name.startsWith("Test")).sorted().map(name -> "`" + name + "`")
      .collect(Collectors.joining(", "));
  }

  /** Names the patches that can go upstream by those that can't, as there are few of these. */
  private static String forUpstream(List<Manifest> manifests) {
    List<String> own =
      manifests.stream().filter(m -> !m.isForUpstream()).map(Manifest::id).toList();
    if (own.isEmpty()) {
      return "All";
    }
    // None of these has a JIRA, so they share a prefix, which is said once.
    String names = own.get(0) + own.stream().skip(1).map(id -> id.replaceFirst(".*-", ", "))
      .collect(Collectors.joining());
    return "All but " + names.replaceFirst(", ([0-9]+)$", " and $1");
  }

  /** A sentence about the numbers below the last that no patch has. */
  private static String unused(List<Manifest> manifests) {
    Set<Integer> used = manifests.stream().filter(manifest -> !manifest.hasJira())
      .map(manifest -> Integer.valueOf(manifest.id().replaceFirst(".*-", "")))
      .collect(Collectors.toCollection(TreeSet::new));
    String names = IntStream.range(1, used.stream().max(Integer::compare).orElse(1))
      .filter(number -> !used.contains(number)).mapToObj(Integer::toString)
      .collect(Collectors.joining(", ")).replaceFirst(", ([0-9]+)$", " or $1");
    return names.isEmpty() ? "" : " No patch has the number STRATA-" + names + ".";
  }

  private static String link(Manifest manifest) {
    return manifest.hasJira()
      ? "[" + manifest.id() + "](https://issues.apache.org/jira/browse/" + manifest.id() + ")"
      : manifest.id();
  }

  private static int seams(PatchSet checkout, Manifest manifest) {
    return PatchSet.MODULES.stream().flatMap(m -> checkout.seams(m).stream())
      .filter(p -> p.id().equals(manifest.id())).mapToInt(p -> p.seams().size()).sum();
  }
}
