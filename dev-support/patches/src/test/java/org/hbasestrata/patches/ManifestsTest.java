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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.hbasestrata.seams.PatchFile;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What a manifest may say. */
public class ManifestsTest {
  private static final String LEAST = "title: t\nwhy: w\nupstream: u\n";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Manifest read(String id, String text) throws Exception {
    Path patch = folder.getRoot().toPath().resolve(id.toLowerCase(Locale.ROOT));
    Files.createDirectories(patch);
    Files.writeString(patch.resolve("patch.yaml"), "number: " + id + "\n" + text);
    return manifests().get(0);
  }

  private List<Manifest> manifests() throws Exception {
    return Manifests.read(PatchFile.readAll(folder.getRoot().toPath()));
  }

  @Test
  public void aPatchHasTheNameOfItsFolder() throws Exception {
    Manifest manifest = read("HBASE-7", LEAST);
    assertThat(manifest.id()).isEqualTo("HBASE-7");
    assertThat(manifest.name()).isEqualTo("hbase-7");
    assertThat(manifest.requires()).isEmpty();
  }

  @Test
  public void patchesAreInTheOrderOfTheirNumbers() throws Exception {
    for (String id : List.of("STRATA-10", "STRATA-2", "HBASE-100", "HBASE-99")) {
      read(id, LEAST);
    }
    assertThat(manifests()).extracting(Manifest::id).containsExactly("HBASE-99", "HBASE-100",
      "STRATA-2", "STRATA-10");
  }

  @Test
  public void refusesWhatIsMissingOrUnknown() {
    assertThatThrownBy(() -> read("HBASE-7", "title: t\nupstream: u\n"))
      .hasMessage("hbase-7/patch.yaml: 'why' is missing");
    assertThatThrownBy(() -> read("HBASE-7", LEAST + "keys: []\n"))
      .hasMessageContaining("unknown key 'keys'");
  }

  @Test
  public void whatHasNoJiraGoesUpstreamIfItSaysSo() throws Exception {
    assertThat(read("STRATA-7", "title: t\nwhy: w\n").isForUpstream()).isFalse();
    assertThat(read("STRATA-7", LEAST).isForUpstream()).isTrue();
    assertThat(read("STRATA-7", LEAST).subject()).isEqualTo("HBASE-XXXXX t");
  }

  @Test
  public void aFixNamesTheFirstReleaseWithoutTheDefect() throws Exception {
    assertThat(read("HBASE-7", LEAST).fix()).isNull();
    assertThat(read("HBASE-7", LEAST + "fixes: {in: 2.6.5, defect: d}\n").fix())
      .isEqualTo(new Manifest.Fix("2.6.5", "d"));
    assertThatThrownBy(() -> read("HBASE-7", LEAST + "fixes: {in: soon, defect: d}\n")).hasMessage(
      "hbase-7/patch.yaml, fixes: 'in' is soon; it must be the first release without the defect,"
        + " as 2.6.5, or none");
    assertThatThrownBy(() -> read("HBASE-7", LEAST + "fixes: {in: 2.6.5}\n"))
      .hasMessage("hbase-7/patch.yaml, fixes: 'defect' is missing");
  }
}
