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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What the file of a patch may say of seams, and of the patches that it requires. */
public class SeamFilesTest {
  private static final String SEAM = "number: HBASE-1\ntitle: t\nseams:\n  up:\n"
    + "    - class: a.B\n      at: end\n      why: w\n      insert: x();\n";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  private Path patches;

  @Before
  public void setUp() {
    patches = folder.getRoot().toPath();
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(Files.createDirectories(patches.resolve(name)).resolve("patch.yaml"),
      content);
  }

  private void assertRefused(String content, String message) throws Exception {
    write("pump", content);
    assertThatThrownBy(() -> SeamFiles.read(patches, "up")).isInstanceOf(SeamException.class)
      .hasMessageContaining("pump/patch.yaml").hasMessageContaining(message);
  }

  @Test
  public void patchesAreReadInTheOrderOfTheirNumbers() throws Exception {
    write("a", SEAM.replace("HBASE-1", "STRATA-2"));
    write("b", SEAM);
    write("c", "number: HBASE-2\ntitle: has no seam in it\n");
    assertThat(SeamFiles.read(patches, "up")).extracting(Patch::id).containsExactly("HBASE-1",
      "STRATA-2");
    assertThat(SeamFiles.read(patches, "other")).isEmpty();
    assertThat(SeamFiles.read(patches.resolve("missing"), "up")).isEmpty();
  }

  @Test
  public void aFolderWithoutTheFileIsRefused() throws Exception {
    Files.createDirectory(patches.resolve("notes"));
    assertThatThrownBy(() -> SeamFiles.read(patches, "up"))
      .hasMessageContaining("notes/patch.yaml is missing");
  }

  @Test
  public void aNumberIsThatOfAPatchAndOfOneAlone() throws Exception {
    assertRefused(SEAM.replace("HBASE-1", "HADOOP-1"), "'number' is HADOOP-1; it must be");
    assertRefused("title: t\n", "'number' is null");
    write("pump", SEAM);
    write("tank", SEAM);
    assertThatThrownBy(() -> SeamFiles.read(patches, "up")).hasMessage(
      "tank/patch.yaml and pump/patch.yaml have the same number, HBASE-1");
  }

  @Test
  public void aPatchThatOthersRequireCanNotGoAlone() throws Exception {
    write("pump", SEAM + "requires: [HBASE-2]\n");
    write("tank", "number: HBASE-3\ntitle: t\nrequires: [HBASE-2, HBASE-1]\n");
    assertThatThrownBy(() -> PatchFile.readAll(patches)).hasMessage("the patch HBASE-2 isn't"
      + " there, but is required by pump, tank: put it back, or remove these, too");
    write("lid", "number: HBASE-2\ntitle: t\n");
    assertThat(PatchFile.readAll(patches)).extracting(PatchFile::requires)
      .containsExactly(List.of("HBASE-2"), List.of(), List.of("HBASE-2", "HBASE-1"));
  }

  @Test
  public void mistakesAreNamed() throws Exception {
    assertRefused("title: [", "not YAML");
    assertRefused("- a", "must be a mapping");
    assertRefused("number: HBASE-1\ntitle: t\nseams: none\n", "must be a mapping");
    assertRefused("number: HBASE-1\ntitle: t\nseams: {up: none}\n", "must be a list");
    assertRefused(SEAM.replace("title: t", "titel: t"),
      "unknown key 'titel'; allowed are [fixes, ");
    assertRefused(SEAM.replace("title: t\n", ""), "'title' is missing");
    assertRefused(SEAM + "title: t\n", "found duplicate key title");
    assertRefused(SEAM.replace("title: t", "title: \"a\\nb\""), "'title' must be one line");
    assertRefused(SEAM + "requires: HBASE-2\n", "'requires' must be a list");
    assertRefused(SEAM.replace("why: w", "because: w"), "unknown key 'because'");
    assertRefused(SEAM.replace("      why: w\n", ""), "'why' is missing");
    assertRefused(SEAM.replace("at: end", "at: middle"), "allowed are start, end, before, after");
    assertRefused(and("method: a", "field: b"), "only one of");
    assertRefused(and("constructor: Foo"), "parameter types");
    assertRefused(and("field: a"), "'before' or 'after'");
    assertRefused(and("text: a"), "'before' or 'after'");
    assertRefused(and("statement: a", "text: b"), "only one of");
    assertRefused(and("method: a b"), "not NAME or NAME(TYPE, ...)");
    assertRefused(and("imports: a.B"), "'imports' must be a list");
  }

  private static String and(String... lines) {
    return SEAM.replace("at: end", "at: end\n      " + String.join("\n      ", lines));
  }
}
