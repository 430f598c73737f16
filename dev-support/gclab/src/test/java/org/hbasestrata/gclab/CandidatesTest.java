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
package org.hbasestrata.gclab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.harness.ServerJvm;
import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class CandidatesTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"));

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void aPresetsNameIsTheCandidates() {
    assertThat(parse("default", "g1")).containsExactly(
      Map.entry("default", new ServerJvm("default", null, null)),
      Map.entry("g1", new ServerJvm("g1", null, null)));
  }

  @Test
  public void theLabsOwnPresetsAndPathsAreFound() throws Exception {
    Path own = folder.newFile("cms-80.preset").toPath();
    folder.newFile("my.preset");
    Map<String, ServerJvm> jvms = parse("cms-80", "mine=" + own, own.getParent() + "/my.preset");
    assertThat(jvms.get("cms-80").preset()).isEqualTo(own.toString());
    assertThat(jvms.get("mine").preset()).isEqualTo(own.toString());
    assertThat(jvms.get("my").preset()).isEqualTo(own.getParent() + "/my.preset");
  }

  @Test
  public void aJavaHomeIsForAllOrForOne() throws Exception {
    Path other = folder.newFolder("jre").toPath();
    Files.createDirectories(other.resolve("bin"));
    Files.createSymbolicLink(other.resolve("bin/java"), JAVA.resolve("bin/java"));
    Map<String, ServerJvm> jvms = Candidates.parse(List.of("g1", "other=g1"),
      List.of(JAVA.toString(), "other=" + other), Map.of("other", "-Xmn1g"), null);
    assertThat(jvms.get("g1")).isEqualTo(new ServerJvm("g1", JAVA, null));
    assertThat(jvms.get("other")).isEqualTo(new ServerJvm("g1", other, "-Xmn1g"));
  }

  @Test
  public void whatIsWrongIsNamed() {
    assertThatThrownBy(() -> parse("g1")).isInstanceOf(ToolException.class)
      .hasMessageStartingWith("one preset is nothing to compare");
    assertThatThrownBy(() -> parse("g1", "g1")).hasMessageStartingWith("--presets has 'g1'");
    assertThatThrownBy(() -> parse("g1", "a b=g1"))
      .hasMessageStartingWith("--presets has 'a b=g1'");
    assertThatThrownBy(() -> parse("g1", "b=")).hasMessageStartingWith("--presets has 'b='");
    assertThatThrownBy(() -> parse("g1", "b=/nowhere/my.preset")).isInstanceOf(ToolException.class)
      .hasMessageStartingWith("--presets has '/nowhere/my.preset': there is no file /nowhere/my");
    assertThatThrownBy(() -> parse("g1", "/nowhere/my")).hasMessageStartingWith("--presets has");
    assertThatThrownBy(() -> parse("g1", "nowhere.preset")).hasMessageStartingWith(
      "--presets has 'nowhere.preset': there is no file "
        + Path.of("nowhere.preset").toAbsolutePath());
    assertThatThrownBy(() -> Candidates.parse(List.of("a=g1", "b=g1"), List.of("c=" + JAVA),
      Map.of(), null)).hasMessage("--java-home is for 'c', and candidates are a, b");
    assertThatThrownBy(() -> Candidates.parse(List.of("a=g1", "b=g1"), List.of("/nowhere"),
      Map.of(), null)).hasMessage("--java-home is '/nowhere': there is no /nowhere/bin/java");
    assertThatThrownBy(() -> Candidates.parse(List.of("a=g1", "b=g1"), List.of(),
      Map.of("c", "-Xmn1g"), null)).hasMessageStartingWith("--options is for 'c'");
  }

  private Map<String, ServerJvm> parse(String... texts) {
    return Candidates.parse(List.of(texts), List.of(), Map.of(), folder.getRoot().toPath());
  }
}
