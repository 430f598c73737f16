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
package org.hbasestrata.seams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Where text lands, and when an anchor is refused. */
public class PatchedSourceTest {
  private static final String SOURCE = String.join("\n",
    "package a;",
    "",
    "import java.util.List;",
    "// sets",
    "import java.util.Set;",
    "",
    "/** count() in a comment is no match. */",
    "public class Tank {",
    "  private int level = 3; // litres",
    "",
    "  Tank() {",
    "    super(); // nothing",
    "    level++;",
    "  }",
    "",
    "  int count() { return level; }",
    "",
    "  int fill(int litres) {",
    "    if (litres > 10) {",
    "      level = 10;",
    "    } else if (litres < 0) level = 0;",
    "    return level;",
    "  }",
    "",
    "  int fill(List<Set<String>> names, long... sizes) {",
    "    return names.size();",
    "  }",
    "",
    "  static class Valve {",
    "    void open() {",
    "      System.out.println(\"open\");",
    "    }",
    "  }",
    "}",
    "");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private PatchedSource patch(String source, String... seams) throws Exception {
    StringBuilder yaml =
      new StringBuilder("number: STRATA-9\ntitle: a test\nseams:\n  up:\n");
    for (String seam : seams) {
      String entry = "why: a reason\n" + seam;
      yaml.append("  - ").append(entry.replace("\n", "\n    ")).append('\n');
    }
    Path patchFolders = folder.newFolder().toPath();
    Files.writeString(Files.createDirectory(patchFolders.resolve("pump")).resolve("patch.yaml"),
      yaml.toString());
    List<Patch> patches = SeamFiles.read(patchFolders, "up");
    return new PatchedSource("a/Tank.java", source, patches.get(0).seams());
  }

  private void assertAdded(PatchedSource patched, String... lines) {
    List<String> added = patched.diff("").stream()
      .filter(line -> line.startsWith("+") && !line.startsWith("+++")).toList();
    assertThat(added).containsExactly(lines);
    assertThat(patched.diff("")).noneMatch(line -> line.matches("-(?!--).*"));
  }

  private void assertRefused(String message, String... seams) {
    assertThatThrownBy(() -> patch(SOURCE, seams)).isInstanceOf(SeamException.class)
      .hasMessageContaining("pump/patch.yaml #1").hasMessageContaining(message);
  }

  @Test
  public void textAtTheStartOfAMethodIsItsFirstLine() throws Exception {
    PatchedSource patched =
      patch(SOURCE, "class: a.Tank\nmethod: fill(int)\nat: start\ninsert: |\n  log();\n  log();");
    assertAdded(patched, "+    log();", "+    log();");
    assertThat(patched.text()).contains("int fill(int litres) {\n    log();\n    log();\n    if (");
  }

  @Test
  public void textAtTheEndOfABodyIsItsLastLine() throws Exception {
    assertThat(patch(SOURCE, "class: a.Tank\nconstructor: ()\nat: end\ninsert: log();").text())
      .contains("    level++;\n    log();\n  }");
    assertThat(patch(SOURCE, "class: a.Tank\nat: end\ninsert: int more;").text())
      .endsWith("  }\n  int more;\n}\n");
  }

  @Test
  public void textAtTheStartOfAConstructorFollowsTheCallOfSuper() throws Exception {
    PatchedSource patched =
      patch(SOURCE, "class: a.Tank\nconstructor: ()\nat: start\ninsert: log();");
    assertThat(patched.text()).contains("    super(); // nothing\n    log();\n    level++;");
  }

  @Test
  public void textAtTheStartOfAClassIsItsFirstMember() throws Exception {
    assertThat(patch(SOURCE, "class: a.Tank\nat: start\ninsert: int more;").text())
      .contains("public class Tank {\n  int more;\n  private int level");
  }

  @Test
  public void textGoesBesideAFieldAndItsComment() throws Exception {
    assertThat(patch(SOURCE, "class: a.Tank\nfield: level\nat: after\ninsert: int more;").text())
      .contains("level = 3; // litres\n  int more;\n\n");
    assertThat(patch(SOURCE, "class: a.Tank\nfield: level\nat: before\ninsert: int more;").text())
      .contains("{\n  int more;\n  private int level");
    assertThat(patch(SOURCE, "class: a.Tank\nat: before\ninsert: '@Deprecated'").text())
      .contains("\n@Deprecated\n/** count() in a comment");
  }

  @Test
  public void textGoesBesideTheStatementThatContainsThePattern() throws Exception {
    String anchor = "class: a.Tank\nmethod: fill(int)\nstatement: level = 10\n";
    assertThat(patch(SOURCE, anchor + "at: before\ninsert: log();").text())
      .contains("{\n      log();\n      level = 10;\n");
    assertThat(patch(SOURCE, anchor + "at: after\ninsert: log();").text())
      .contains("      level = 10;\n      log();\n    }");
  }

  @Test
  public void textGoesIntoALine() throws Exception {
    PatchedSource patched = patch(SOURCE,
      "class: a.Tank\nmethod: fill(int)\ntext: litres > 10\nat: after\ninsert: ' && level > 0'");
    assertThat(patched.text()).contains("if (litres > 10 && level > 0) {");
  }

  @Test
  public void aBodyOnOneLineIsBroken() throws Exception {
    assertThat(patch(SOURCE, "class: a.Tank\nmethod: count\nat: start\ninsert: log();").text())
      .contains("int count() {\n    log();\n   return level; }");
  }

  @Test
  public void nestedClassesAndOverloadsAreToldApart() throws Exception {
    assertThat(patch(SOURCE, "class: a.Tank$Valve\nmethod: open\nat: start\ninsert: log();").text())
      .contains("void open() {\n      log();\n");
    assertThat(patch(SOURCE,
      "class: a.Tank\nmethod: 'fill(List<Set<String>>, long...)'\nat: start\ninsert: log();")
        .text())
      .contains("sizes) {\n    log();\n");
  }

  @Test
  public void seamsAtOnePlaceKeepTheirOrderAndAllLinesAreKnown() throws Exception {
    String anchor = "class: a.Tank\nmethod: fill(int)\nat: start\n";
    PatchedSource patched =
      patch(SOURCE, anchor + "insert: first();", anchor + "insert: second();");
    assertThat(patched.text()).contains("    first();\n    second();\n");
    List<String> lines = patched.text().lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String seam = patched.seamAt(i + 1).map(Seam::name).orElse("none");
      assertThat(seam).as(lines.get(i)).isEqualTo(lines.get(i).contains("first()")
        ? "pump/patch.yaml #1"
        : lines.get(i).contains("second()") ? "pump/patch.yaml #2" : "none");
    }
  }

  @Test
  public void importsAreSortedIn() throws Exception {
    String anchor = "class: a.Tank\nat: end\ninsert: int more;\nimports: ";
    assertThat(patch(SOURCE, anchor + "[java.util.Map, 'static java.util.Map.entry', b.C]").text())
      .contains("package a;\nimport static java.util.Map.entry;\nimport b.C;\n")
      .contains("import java.util.List;\nimport java.util.Map;\n// sets\n");
    assertThatThrownBy(() -> patch(SOURCE, anchor + "[java.util.Set]"))
      .hasMessageContaining("upstream has 'import java.util.Set;' already");
  }

  @Test
  public void upstreamsTextIsKeptByteForByte() throws Exception {
    String windows = SOURCE.replace("\n", "\r\n").replace("  ", "\t");
    PatchedSource patched = patch(windows,
      "class: a.Tank\nmethod: fill(int)\nat: start\ninsert: log();",
      "class: a.Tank$Valve\nmethod: open\nat: end\ninsert: log();");
    assertThat(patched.text()).contains("int fill(int litres) {\r\n\t  log();\n");
    assertThat(patched.text().replaceAll("\t+  log\\(\\);\n", "")).isEqualTo(windows);
  }

  @Test
  public void anAnchorThatMatchesNothingIsRefused() {
    assertRefused("class a.Pump matches 0 times", "class: a.Pump\nat: end\ninsert: x();");
    assertRefused("a.Tank.drain matches 0 times",
      "class: a.Tank\nmethod: drain\nat: end\ninsert: x();");
    assertRefused("there: int fill(int) | int fill(List<Set<String>>, long...)",
      "class: a.Tank\nmethod: fill(String)\nat: end\ninsert: x();");
    assertRefused("matches 0 times",
      "class: a.Tank\nmethod: count\nstatement: nowhere\nat: after\ninsert: x();");
    assertRefused("matches 0 times",
      "class: a.Tank\nmethod: count\ntext: in a comment\nat: after\ninsert: x();");
  }

  @Test
  public void anAnchorThatMatchesTwiceIsRefused() {
    assertRefused("a.Tank.fill matches 2 times",
      "class: a.Tank\nmethod: fill\nat: start\ninsert: x();");
    assertRefused("matches 2 times, not once; there: line 20 | line 21",
      "class: a.Tank\nmethod: fill(int)\nstatement: level =\nat: after\ninsert: x();");
    assertRefused("matches 3 times",
      "class: a.Tank\nmethod: fill(int)\ntext: litres\nat: after\ninsert: x();");
  }

  @Test
  public void aStatementWithoutABlockIsRefused() {
    assertRefused("not one of a block",
      "class: a.Tank\nmethod: fill(int)\nstatement: level = 0\nat: before\ninsert: x();");
  }
}
