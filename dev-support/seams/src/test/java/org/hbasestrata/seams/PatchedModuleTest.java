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
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import java.io.File;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** From a sources jar to compiled classes. */
public class PatchedModuleTest {
  private static final String UPSTREAM = """
      package a;

      public class Tank {
        java.util.List rawTypeThatTheCompilerWarnsOf;

        public int level() {
          return 1;
        }

        void drain() {
          new IllegalStateException("which Error Prone calls an error");
        }
      }

      class Gauge {
      }
      """;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  private Path jar;
  private Path pins;
  private Path seams;
  private Path newClasses;
  private Path classes;

  @Before
  public void setUp() throws Exception {
    Path root = folder.getRoot().toPath();
    jar = root.resolve("up-1-sources.jar");
    pins = root.resolve("upstream.sha256");
    seams = Files.createDirectory(root.resolve("seams"));
    newClasses = Files.createDirectory(root.resolve("java"));
    classes = Files.createDirectory(root.resolve("classes"));
    try (OutputStream out = Files.newOutputStream(jar);
      ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("a/Tank.java"));
      zip.write(UPSTREAM.getBytes(StandardCharsets.UTF_8));
    }
    pin(HexFormat.of().formatHex(
      MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar))));
  }

  private void pin(String sum) throws Exception {
    Files.writeString(pins, sum + "  up-1-sources.jar\n");
  }

  private PatchedModule module(String insert) throws Exception {
    writePatch("pump", """
        number: STRATA-9
        title: t
        seams:
          up:
            - class: a.Tank
              method: level
              at: start
              why: w
              insert: %s
        """.formatted(insert));
    return new PatchedModule(new UpstreamJar(jar, pins), SeamFiles.read(seams, "up"));
  }

  private void writePatch(String name, String text) throws Exception {
    Files.writeString(Files.createDirectories(seams.resolve(name)).resolve("patch.yaml"), text);
  }

  private void compile(String insert) throws Exception {
    compile(insert, List.of());
  }

  private static void assumeErrorProneKnowsTheJdk() {
    assumeTrue(Runtime.version().feature() == PatchMojo.ERROR_PRONE_JDK);
  }

  private void compileWithErrorProne(String insert) throws Exception {
    compile(insert, List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
  }

  private void compile(String insert, List<String> errorProne) throws Exception {
    Path patched = folder.newFolder().toPath();
    PatchedModule module = module(insert);
    module.writeSources(patched);
    module.compile(patched, List.of(newClasses), classes, List.of(), "8", "all,-options",
      errorProne);
  }

  @Test
  public void patchedSourcesAndNewClassesAreCompiledTogether() throws Exception {
    Files.writeString(newClasses.resolve("Pump.java"),
      "package a; public class Pump { "
        + "public static boolean on(Tank tank) { return tank != null; } }");
    compile("'if (Pump.on(this)) { return 2; }'");
    assertThat(classes.resolve("a/Tank.class")).exists();
    assertThat(classes.resolve("a/Pump.class")).exists();
  }

  @Test
  public void anErrorInASeamNamesTheSeam() {
    assertThatThrownBy(() -> compile("'int x = \"no number\";'")).isInstanceOf(SeamException.class)
      .hasMessageContaining("seam pump/patch.yaml #1 in ")
      .hasMessageContaining("Tank.java:7: error:");
  }

  @Test
  public void anErrorThatASeamCausesInUpstreamsTextNamesTheSeam() {
    assertThatThrownBy(() -> compile("'throw new IllegalStateException();'"))
      .hasMessageContaining("with the seams pump/patch.yaml #1 around it")
      .hasMessageContaining("Tank.java:8: error: unreachable statement");
  }

  @Test
  public void warningsCountInWhatWeWroteOnly() throws Exception {
    assertThatCode(() -> compile("'int x = 3;'")).doesNotThrowAnyException();
    assertThatThrownBy(() -> compile("'java.util.List raw = null;'"))
      .hasMessageContaining("seam pump/patch.yaml #1").hasMessageContaining("warning: ");
    Files.writeString(newClasses.resolve("Pump.java"),
      "package a; class Pump { java.util.Set raw; }");
    assertThatThrownBy(() -> compile("'int x = 3;'"))
      .hasMessageContaining("Pump.java:1: warning: ");
  }

  @Test
  public void whatErrorProneCallsAnErrorInASeamFailsTheBuild() throws Exception {
    assumeErrorProneKnowsTheJdk();
    String seam = "new IllegalStateException();";
    assertThatCode(() -> compile(seam)).doesNotThrowAnyException();
    assertThatThrownBy(() -> compileWithErrorProne(seam)).isInstanceOf(SeamException.class)
      .hasMessageContaining("seam pump/patch.yaml #1 in ")
      .hasMessageContaining("Tank.java:7: warning: [DeadException]");
  }

  @Test
  public void whatErrorProneCallsAnErrorInANewClassFailsTheBuild() throws Exception {
    assumeErrorProneKnowsTheJdk();
    Files.writeString(newClasses.resolve("Pump.java"),
      "package a; class Pump { boolean isSame(Tank tank) { return tank.equals(tank); } }");
    assertThatThrownBy(() -> compileWithErrorProne("'int x = 3;'"))
      .isInstanceOf(SeamException.class)
      .hasMessageContaining("Pump.java:1: warning: [SelfEquals]");
  }

  @Test
  public void neitherErrorPronesWarningsNorUpstreamsErrorsFailTheBuild() throws Exception {
    assumeErrorProneKnowsTheJdk();
    compileWithErrorProne("'int unused = 3;'");
    assertThat(classes.resolve("a/Tank.class")).exists();
  }

  @Test
  public void classesOfPatchedSourcesReplaceUpstreams() throws Exception {
    PatchedModule module = module("x();");
    assertThat(List.of("a/Tank.class", "a/Tank$1.class", "a/Tank$Valve$Pin.class", "a/Gauge.class"))
      .allMatch(module::replaces);
    assertThat(List.of("a/Tanker.class", "b/Tank.class", "a/Tank.properties", "a/b/Tank.class"))
      .noneMatch(module::replaces);
  }

  @Test
  public void aSeamForAFileThatUpstreamLacksIsNamed() throws Exception {
    writePatch("boiler", "number: STRATA-8\ntitle: t\n"
      + "seams: {up: [{class: a.Boiler, at: end, why: w, insert: x(); }]}\n");
    assertThatThrownBy(() -> module("x();"))
      .hasMessageContaining("up-1-sources.jar has no a/Boiler.java")
      .hasMessageContaining("boiler/patch.yaml #1");
  }

  @Test
  public void aJarThatIsNotThePinnedOneIsRefused() throws Exception {
    pin("0".repeat(64));
    assertThatThrownBy(() -> new UpstreamJar(jar, pins)).isInstanceOf(SeamException.class)
      .hasMessageContaining(jar + " is not the pinned jar").hasMessageContaining("0".repeat(64));
    Files.writeString(pins, "");
    assertThatThrownBy(() -> new UpstreamJar(jar, pins))
      .hasMessageContaining("has no line for up-1");
  }
}
