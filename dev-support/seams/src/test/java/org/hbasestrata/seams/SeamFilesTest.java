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
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a seam file may say. */
public class SeamFilesTest {
  private static final String SEAM =
    "title: t\nseams:\n  - class: a.B\n    at: end\n    why: w\n    insert: x();\n";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  private Path seams;

  @Before
  public void setUp() {
    seams = folder.getRoot().toPath();
  }

  private void assertRefused(String content, String message) throws Exception {
    Files.writeString(seams.resolve("HBASE-1.yaml"), content);
    assertThatThrownBy(() -> SeamFiles.read(seams)).isInstanceOf(SeamException.class)
      .hasMessageContaining("HBASE-1.yaml").hasMessageContaining(message);
  }

  @Test
  public void filesAreReadInOrderAndNamedAfterTheirPatch() throws Exception {
    Files.writeString(seams.resolve("STRATA-2.yaml"), SEAM);
    Files.writeString(seams.resolve("HBASE-23296.yaml"), SEAM);
    assertThat(SeamFiles.read(seams)).extracting(Patch::id).containsExactly("HBASE-23296",
      "STRATA-2");
    assertThat(SeamFiles.read(seams.resolve("missing"))).isEmpty();
  }

  @Test
  public void aFileOfAnotherNameIsRefused() throws Exception {
    Files.writeString(seams.resolve("notes.yaml"), SEAM);
    assertThatThrownBy(() -> SeamFiles.read(seams)).hasMessageContaining("notes.yaml")
      .hasMessageContaining("named after its patch");
  }

  @Test
  public void mistakesAreNamed() throws Exception {
    assertRefused("title: [", "not YAML");
    assertRefused("title: t\nseams: none\n", "'seams' must be a list");
    assertRefused(SEAM.replace("title: t", "titel: t"), "unknown key 'titel'");
    assertRefused(SEAM.replace("title: t", "title: \"a\\nb\""), "'title' must be one line");
    assertRefused(SEAM.replace("why: w", "because: w"), "unknown key 'because'");
    assertRefused(SEAM.replace("    why: w\n", ""), "'why' is missing");
    assertRefused(SEAM.replace("at: end", "at: middle"), "allowed are start, end, before, after");
    assertRefused(SEAM.replace("at: end", "at: end\n    method: a\n    field: b"), "only one of");
    assertRefused(SEAM.replace("at: end", "at: end\n    constructor: Foo"), "parameter types");
    assertRefused(SEAM.replace("at: end", "at: end\n    field: a"), "'before' or 'after'");
    assertRefused(SEAM.replace("at: end", "at: end\n    text: a"), "'before' or 'after'");
    assertRefused(SEAM.replace("at: end", "at: end\n    statement: a\n    text: b"), "only one of");
    assertRefused(SEAM.replace("at: end", "at: end\n    method: a b"),
      "not NAME or NAME(TYPE, ...)");
    assertRefused(SEAM.replace("at: end", "at: end\n    imports: a.B"), "'imports' must be a list");
  }
}
