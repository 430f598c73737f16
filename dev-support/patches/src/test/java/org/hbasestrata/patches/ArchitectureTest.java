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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hbasestrata.patches.MarkdownPage.Snippet;
import org.hbasestrata.seams.Patch;
import org.hbasestrata.seams.Seam;
import org.hbasestrata.tools.Folders;
import org.junit.BeforeClass;
import org.junit.Test;

/** What the pages for developers say of the code: classes, packages and seams. */
public class ArchitectureTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Path ARCHITECTURE = Path.of("docs", "architecture.md");
  private static final Path CONTRIBUTING = Path.of("CONTRIBUTING.md");
  private static final int COLUMNS = 100;
  private static final String HBASE = "org.apache.hadoop.hbase.";

  /** The classes of upstream on the pages that no seam is in. */
  private static final List<String> UPSTREAM =
    List.of("ByteBufferIOEngine", "IOEngine");

  /** Has two capitals, as HFile, and a small letter; isn't an option, as -DskipTests. */
  private static final Pattern CLASS_NAME = Pattern.compile(
    "(?<![\\w-])(?=[A-Za-z0-9]*[a-z])[A-Z][A-Za-z0-9]*[A-Z][A-Za-z0-9]*(?!\\w)");
  private static final Pattern DECLARATION =
    Pattern.compile("\\b(?:class|interface|enum|record)\\s+([A-Z]\\w*)");

  /** A class and a method or constant of it, as on the pages. */
  private static final Pattern MEMBER = Pattern.compile("([A-Z]\\w*)\\.(\\w+)(?:\\(\\))?");

  private static final Pattern QUALIFIED_CLASS =
    Pattern.compile("\\borg\\.apache\\.hadoop\\.hbase\\.(?:[a-z]\\w*\\.)*[A-Z]\\w*");

  private static final Map<Path, MarkdownPage> PAGES = new TreeMap<>();
  private static PatchSet checkout;

  @BeforeClass
  public static void read() throws IOException {
    checkout = new PatchSet(ROOT);
    for (Path page : List.of(ARCHITECTURE, CONTRIBUTING)) {
      PAGES.put(page, new MarkdownPage(Files.readString(ROOT.resolve(page))));
    }
  }

  private static List<String> classNames(String code) {
    return CLASS_NAME.matcher(code).results().map(MatchResult::group).toList();
  }

  /**
   * Classes that the repository declares, also nested ones and those of tests, each with the text
   * of the files that do.
   */
  private static Map<String, String> ours() throws IOException {
    Map<String, String> texts = new HashMap<>();
    for (Path module : modules()) {
      try (Stream<Path> walk = Files.walk(module.resolve("src"))) {
        for (Path file : walk.filter(f -> f.toString().endsWith(".java")).toList()) {
          String text = Files.readString(file);
          DECLARATION.matcher(text).results()
            .forEach(declaration -> texts.merge(declaration.group(1), text, String::concat));
        }
      }
    }
    return texts;
  }

  /** Whether a page's {@code Class.member}, of a class of ours, is in the class. */
  private static boolean isThere(String code, Map<String, String> texts) {
    Matcher member = MEMBER.matcher(code);
    return !member.matches() || !texts.containsKey(member.group(1))
      || Pattern.compile("\\b" + member.group(2) + "\\b").matcher(texts.get(member.group(1)))
        .find();
  }

  private static List<Path> modules() throws IOException {
    List<Path> modules = new ArrayList<>();
    List<Path> parents = new ArrayList<>(List.of(ROOT, ROOT.resolve("dev-support")));
    parents.addAll(Folders.list(ROOT.resolve("patches"), "*"));
    parents.removeIf(parent -> !Files.isDirectory(parent));
    for (Path parent : parents) {
      try (Stream<Path> folders = Files.list(parent)) {
        folders.filter(folder -> Files.isDirectory(folder.resolve("src"))).forEach(modules::add);
      }
    }
    return modules;
  }

  /** Classes of upstream that seams are in, nested ones beside those around them. */
  private static Set<String> patched() {
    Set<String> names = new HashSet<>();
    for (String module : PatchSet.MODULES) {
      for (Patch patch : checkout.seams(module)) {
        for (Seam seam : patch.seams()) {
          names.addAll(List.of(seam.anchor().className().split("[.$]")));
        }
      }
    }
    return names;
  }

  private static String packageOf(String className) {
    return className.substring(0, className.lastIndexOf('.'));
  }

  /** The packages whose classes a package's classes name, of those that aren't tests. */
  private static Map<String, Set<String>> packagesUsed() {
    Map<String, Set<String>> used = new TreeMap<>();
    for (OwnClass own : checkout.classes()) {
      if (!own.test()) {
        String from = packageOf(own.name());
        QUALIFIED_CLASS.matcher(own.text()).results().map(MatchResult::group)
          .filter(name -> checkout.ownClass(name) != null && !checkout.ownClass(name).test())
          .map(ArchitectureTest::packageOf).filter(to -> !to.equals(from))
          .forEach(to -> used.computeIfAbsent(from, name -> new TreeSet<>()).add(to));
      }
    }
    return used;
  }

  /** The packages that a circle goes through; empty if there is none. */
  private static Set<String> inCircles(Map<String, Set<String>> used) {
    Map<String, Set<String>> left = new TreeMap<>();
    used.forEach((from, to) -> left.put(from, new TreeSet<>(to)));
    // What uses no package that is left, or isn't used by one, is in no circle.
    boolean changed = true;
    while (changed) {
      Set<String> targets =
        left.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
      changed = left.keySet().retainAll(targets);
      for (Set<String> to : left.values()) {
        changed |= to.retainAll(Set.copyOf(left.keySet()));
      }
      changed |= left.values().removeIf(Set::isEmpty);
    }
    return left.keySet();
  }

  @Test
  public void everyClassIsThere() throws IOException {
    Set<String> known = new HashSet<>(ours().keySet());
    known.addAll(patched());
    known.addAll(UPSTREAM);
    List<String> unknown = new ArrayList<>();
    PAGES.forEach((file, page) -> {
      for (Snippet snippet : page.snippets()) {
        classNames(snippet.text()).stream().filter(name -> !known.contains(name))
          .forEach(name -> unknown.add(file + ":" + snippet.line() + ": " + name));
      }
    });
    for (String picture : List.of("get", "block")) {
      String text = Files.readString(
        ROOT.resolve("dev-support/patches/pictures/" + picture + ".yaml"));
      classNames(text.substring(text.indexOf("\ncolumn:"))).stream()
        .filter(name -> !known.contains(name))
        .forEach(name -> unknown.add(picture + ".yaml: " + name));
    }
    assertThat(unknown).as("neither ours, nor upstream's with a seam or in the list of this test")
      .isEmpty();
  }

  @Test
  public void everyMethodOfOurClassesIsThere() throws IOException {
    Map<String, String> texts = ours();
    PAGES.forEach((file, page) -> assertThat(page.snippets()).as(file.toString())
      .allSatisfy(snippet -> assertThat(isThere(snippet.text(), texts)).as(snippet.text())
        .isTrue()));
  }

  @Test
  public void aMethodIsThereIfItsClassHasIt() {
    Map<String, String> texts = Map.of("Tank", "class Tank { void fill() { } }");
    assertThat(isThere("Tank.fill", texts)).isTrue();
    assertThat(isThere("Tank.fill()", texts)).isTrue();
    assertThat(isThere("Tank.fil", texts)).isFalse();
    assertThat(isThere("Pump.fill", texts)).isTrue();
    assertThat(isThere("Tank, Pump", texts)).isTrue();
  }

  @Test
  public void upstreamsClassesWithoutASeamAreInItsSources() throws IOException {
    Upstream upstream = new Upstream(ROOT);
    Set<String> files = new HashSet<>();
    for (String module : PatchSet.MODULES) {
      // Takes the names and unpacks nothing.
      upstream.sources(module).unpack(ROOT.resolve("target"), entry -> {
        files.add(entry.substring(entry.lastIndexOf('/') + 1));
        return false;
      });
    }
    assertThat(UPSTREAM).allSatisfy(name -> assertThat(files).contains(name + ".java"));
  }

  @Test
  public void upstreamsClassesWithoutASeamAreOnThePages() {
    Set<String> named = PAGES.values().stream().flatMap(page -> page.snippets().stream())
      .flatMap(snippet -> classNames(snippet.text()).stream()).collect(Collectors.toSet());
    assertThat(named).containsAll(UPSTREAM);
    assertThat(patched()).doesNotContainAnyElementsOf(UPSTREAM);
  }

  @Test
  public void noCircleOfPackages() {
    Map<String, Set<String>> used = packagesUsed();
    assertThat(used.get(HBASE + "io.hfile")).contains(HBASE + "io.hfile.bucket");
    assertThat(inCircles(used)).as("use each other: " + used).isEmpty();
  }

  @Test
  public void aCircleIsFound() {
    assertThat(inCircles(Map.of("a", Set.of("b", "d"), "b", Set.of("c"), "c", Set.of("b", "e"))))
      .containsExactly("b", "c");
    assertThat(inCircles(Map.of("a", Set.of("b", "c"), "b", Set.of("c")))).isEmpty();
  }

  @Test
  public void codeAndDrawingsFitTheColumns() {
    PAGES.forEach((file, page) -> assertThat(page.snippets()).as(file.toString())
      .allSatisfy(snippet -> assertThat(snippet.text()).hasSizeLessThanOrEqualTo(COLUMNS)));
  }

  @Test
  public void aClassNameHasTwoCapitals() {
    assertThat(classNames("RSRpcServices.multi(HFile), HFileBlock$FSReaderImpl -Dtest=TestTank"))
      .containsExactly("RSRpcServices", "HFile", "HFileBlock", "FSReaderImpl", "TestTank");
    assertThat(classNames("Fault L1 HDFS cacheBlock SIZE_KEY -DskipTests STRATA-1.yaml")).isEmpty();
  }

  @Test
  public void codeIsFoundInTextTablesAndBlocks() {
    MarkdownPage page = new MarkdownPage("""
      See `One` and
      [`Two`](two.md).

      | a |
      |---|
      | `Three` |

          Four

      ```
      Five

      Six
      ```
      """);
    assertThat(page.snippets()).containsExactly(new Snippet(1, "One"), new Snippet(2, "Two"),
      new Snippet(6, "Three"), new Snippet(8, "Four"), new Snippet(11, "Five"),
      new Snippet(12, ""), new Snippet(13, "Six"));
  }
}
