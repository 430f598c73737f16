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

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.hbasestrata.patches.MarkdownPage.Reference;
import org.hbasestrata.patches.MarkdownPage.Title;
import org.hbasestrata.tools.Git;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The pages of this repository: their links, headings and lines. */
public class DocumentsTest {
  @ClassRule
  public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path README = Path.of("README.md");
  private static final int README_LINES = 150;
  private static final int COLUMNS = 100;

  /** Pages of features that are of several patches; a patch's own is in its folder. */
  private static final List<String> FEATURES =
    List.of("pooled-buffers", "checksums", "warm-start");
  private static final List<String> FEATURE_TITLES = List.of("What it does", "When to use it",
    "Turn it on", "See that it works", "What it costs", "Keys", "Back");

  /** A scheme, or a host without one. */
  private static final Pattern ELSEWHERE = Pattern.compile("(?:[A-Za-z][A-Za-z0-9+.-]*:|//).*");

  /** Files and folders in the checkout, without those that git ignores. */
  private static final Set<Path> PATHS = new HashSet<>();
  private static final Map<Path, MarkdownPage> PAGES = new TreeMap<>();

  @BeforeClass
  public static void readPages() throws Exception {
    for (String name : gitFiles()) {
      Path file = Path.of(name);
      if (Files.isRegularFile(ROOT.resolve(file))) {
        for (Path path = file; path != null; path = path.getParent()) {
          PATHS.add(path);
        }
        if (name.endsWith(".md")) {
          PAGES.put(file, new MarkdownPage(Files.readString(ROOT.resolve(file))));
        }
      }
    }
  }

  /** Git refuses the checkout of another user, unless it is told that this is meant. */
  private static List<String> gitFiles() throws InterruptedException {
    return Arrays.asList(new Git(ROOT).run("-c", "safe.directory=*", "ls-files", "-z", "--cached",
      "--others", "--exclude-standard").split("\0"));
  }

  /** What is wrong with a link, null if nothing is. */
  private static String problem(Path page, String target) {
    int hash = target.indexOf('#');
    String name = hash < 0 ? target : target.substring(0, hash);
    Path file = name.isEmpty() ? page : page.resolveSibling(name).normalize();
    if (!PATHS.contains(file)) {
      return "there is no such file";
    }
    if (hash < 0) {
      return null;
    }
    MarkdownPage linked = PAGES.get(file);
    return linked != null && linked.anchors().contains(target.substring(hash + 1)) ? null
      : "there is no such heading";
  }

  @Test
  public void everyLinkLeadsSomewhere() {
    List<String> broken = new ArrayList<>();
    PAGES.forEach((file, page) -> {
      for (Reference reference : page.references()) {
        if (!ELSEWHERE.matcher(reference.target()).matches()) {
          String problem = problem(file, reference.target());
          if (problem != null) {
            broken.add(file + ":" + reference.line() + ": " + reference.target() + ": " + problem);
          }
        }
      }
    });
    assertThat(PAGES).hasSizeGreaterThan(40);
    assertThat(broken).isEmpty();
  }

  private static List<Path> featurePages() {
    List<Path> pages = new ArrayList<>();
    FEATURES.forEach(feature -> pages.add(Path.of("docs", feature + ".md")));
    PAGES.keySet().stream()
      .filter(page -> page.startsWith("patches") && page.getNameCount() == 3
        && page.endsWith(README)).forEach(pages::add);
    return pages;
  }

  @Test
  public void theReadmeIsShortAndNamesEachFeature() {
    MarkdownPage readme = PAGES.get(README);
    assertThat(readme.lineCount()).isLessThanOrEqualTo(README_LINES);
    assertThat(readme.references()).extracting(Reference::target)
      .containsAll(featurePages().stream().map(Path::toString).toList());
  }

  @Test
  public void featurePagesAreAlike() {
    for (Path file : featurePages()) {
      assertThat(PAGES).containsKey(file);
      assertThat(PAGES.get(file).titles()).as(file.toString())
        .filteredOn(title -> title.level() == 2).extracting(Title::text)
        .containsExactlyElementsOf(FEATURE_TITLES);
    }
  }

  @Test
  public void linesAreNotTooLong() {
    List<String> tooLong = new ArrayList<>();
    PAGES.forEach((file, page) -> {
      if (file.getParent() == null || file.startsWith("docs") || file.endsWith(README)) {
        page.longLines(COLUMNS).forEach(line -> tooLong.add(file + ":" + line));
      }
    });
    assertThat(tooLong).isEmpty();
  }

  @Test
  public void linksAreFoundInTextTablesAndHtmlButNotInCode() {
    MarkdownPage page = new MarkdownPage("""
      # One

      See [two](#one) and
      [three](other.md#x), not `[four](four.md)`.

          [five](five.md)

      | a |
      |---|
      | [six](six.md) |

      <picture>
        <source srcset="seven.svg 1x, eight.svg 2x">
      </picture>

      ![nine](nine.svg)
      """);
    assertThat(page.references()).containsExactly(new Reference(3, "#one"),
      new Reference(4, "other.md#x"), new Reference(10, "six.md"), new Reference(13, "seven.svg"),
      new Reference(13, "eight.svg"), new Reference(16, "nine.svg"));
  }

  @Test
  public void anchorsAreThoseOfGitHub() {
    MarkdownPage page = new MarkdownPage("""
      # L2 on `direct:`
      ## When the cache's device fails
      ## HBASE-1: a pump, for the tank
      ## Keys
      ## Keys
      """);
    assertThat(page.anchors()).containsExactlyInAnyOrder("l2-on-direct",
      "when-the-caches-device-fails", "hbase-1-a-pump-for-the-tank", "keys", "keys-1");
  }

  @Test
  public void onlyProseHasLinesThatAreTooLong() {
    String word = "x".repeat(COLUMNS + 1);
    MarkdownPage page = new MarkdownPage(word + "\n[a](" + word + ")\n\n    " + word + "\n\n| a |\n"
      + "|---|\n| " + word + " |\n\n```\n" + word + "\n```\n\n<p>" + word + "</p>\n");
    assertThat(page.longLines(COLUMNS)).containsExactly(1);
  }

  @Test
  public void aLinkIsBrokenWithoutItsFileOrHeading() {
    Path page = Path.of("docs", "upgrade.md");
    assertThat(problem(page, "../README.md")).isNull();
    assertThat(problem(page, "../dev-support")).isNull();
    assertThat(problem(page, "../patches/row-path/README.md#keys")).isNull();
    assertThat(problem(page, "README.md")).isEqualTo("there is no such file");
    assertThat(problem(page, "../../outside.md")).isEqualTo("there is no such file");
    assertThat(problem(page, "../patches/row-path/README.md#locks"))
      .isEqualTo("there is no such heading");
    assertThat(problem(page, "#keys")).isEqualTo("there is no such heading");
  }
}
