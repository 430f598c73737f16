/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class PresetTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Preset read(String... lines) throws IOException {
    Path file = folder.getRoot().toPath().resolve("mine.preset");
    Files.write(file, Arrays.asList(lines), StandardCharsets.UTF_8);
    return Preset.read("mine",
      Arrays.asList(folder.getRoot().toPath(), Jvms.PRESETS.get(0)));
  }

  private static List<String> options(Preset preset) {
    return preset.lines().stream().map(PresetLine::option).collect(Collectors.toList());
  }

  @Test
  public void eachOptionThatShipsHasAReason() {
    List<String> names = Preset.names(Jvms.PRESETS);
    assertThat(names).containsExactly("cms-small-heap", "default", "g1", "g1-mixed", "g1-read",
      "shenandoah", "zgc");
    for (String name : names) {
      Preset preset = Preset.read(name, Jvms.PRESETS);
      assertThat(preset.summary()).as(name).isNotEmpty().doesNotContain("Licensed");
      assertThat(preset.lines()).as(name).isNotEmpty().allSatisfy(
        line -> assertThat(line.reason()).as(line.place()).isNotEmpty());
    }
  }

  @Test
  public void aReasonIsTheCommentAboveForAllOptionsUpToTheNextBlankLine() throws IOException {
    Preset preset = read("# Licensed to the Apache Software Foundation", "", "# What it is", "#",
      "# and more", "", "jdk 8..13", "heap ..8g", "otherwise g1", "# one", "# reason", "-Xmx1g",
      "-Xms1g", "# another", "[17..] -Xss1m", "", "-Xint");
    assertThat(preset.summary()).isEqualTo("What it is");
    assertThat(preset.lines()).extracting(PresetLine::reason).containsExactly("one reason",
      "one reason", "another", "");
    assertThat(options(preset)).containsExactly("-Xmx1g", "-Xms1g", "-Xss1m", "-Xint");
    assertThat(preset.lines().get(2).jdks().contains(16)).isFalse();
    assertThat(preset.lines().get(2).jdks().contains(17)).isTrue();
    assertThat(preset.heaps().contains(8192)).isTrue();
    assertThat(preset.heaps().contains(8193)).isFalse();
    assertThat(preset.instead()).isEqualTo("; set HBASE_JVM_PRESET=g1");
  }

  @Test
  public void includedFilesAreLookedForBesideThePresetAndWhereOthersAre() throws IOException {
    Files.write(folder.newFile("my.flags").toPath(), Collections.singletonList("-Xint"));
    Preset preset = read("include my.flags", "include base.flags", "-Xcomp");
    assertThat(options(preset)).startsWith("-Xint", "-Xmx{heap}").endsWith("-Xcomp");
    assertThat(preset.lines().get(0).isOwn()).isFalse();
    assertThat(preset.lines().get(preset.lines().size() - 1).isOwn()).isTrue();
  }

  @Test
  public void aPathIsAPreset() throws IOException {
    Path file = read("-Xint").file();
    assertThat(options(Preset.read(file.toString(), Jvms.PRESETS))).containsExactly("-Xint");
  }

  @Test
  public void whatIsWrongIsNamedWithItsLine() throws IOException {
    assertThatThrownBy(() -> Preset.read("nope", Jvms.PRESETS)).isInstanceOf(JvmException.class)
      .hasMessageContaining("'nope'").hasMessageContaining("g1-read");
    assertThatThrownBy(() -> read("jdk 8", "UseG1GC")).isInstanceOf(JvmException.class)
      .hasMessageContaining("mine.preset, line 2: 'UseG1GC'");
    assertThatThrownBy(() -> read("jdk eight")).hasMessageContaining("'jdk eight'");
    assertThatThrownBy(() -> read("heap huge")).hasMessageContaining("heap=huge is not a size");
    assertThatThrownBy(() -> read("[8..x] -Xint")).hasMessageContaining("line 1");
    assertThatThrownBy(() -> read("include nope.flags"))
      .hasMessageContaining("nope.flags isn't there");
    assertThatThrownBy(() -> read("include mine.preset")).hasMessageContaining("includes itself");
  }

  @Test
  public void aJdkThatItIsNotForIsRefusedWithWhatToUse() {
    Preset cms = Preset.read("cms-small-heap", Jvms.PRESETS);
    cms.checkJdk(8);
    cms.checkJdk(13);
    assertThatThrownBy(() -> cms.checkJdk(17)).isInstanceOf(JvmException.class).hasMessage(
      "JVM preset cms-small-heap is for JDK 8 to 13, and this is JDK 17; set HBASE_JVM_PRESET=g1");
    assertThatThrownBy(() -> Preset.read("zgc", Jvms.PRESETS).checkJdk(11))
      .hasMessageContaining("JDK 17 and more").hasMessageContaining("HBASE_JVM_PRESET=g1");
  }
}
