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
package org.hbasestrata.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.hbasestrata.it.Packages.Result;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;

/** The jars tarball's strata-jars, run on installs that are made up of upstream's jars. */
@RunWith(SideBySide.class)
public class JarSwapIT {
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;
  private static final String KEPT = "lib-before-strata";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path packaged;
  private Path script;
  private Path home;
  private Path lib;
  private Path kept;

  @Before
  public void makeInstall() throws Exception {
    packaged = Packages.unpack(Packages.jarsTarball(), folder.newFolder("a package").toPath());
    script = packaged.resolve("bin/strata-jars");
    home = folder.newFolder("an install").toPath();
    lib = Files.createDirectories(home.resolve("lib"));
    kept = home.resolve(KEPT);
    for (String module : Packages.PATCHED) {
      Files.copy(Packages.stockJars().resolve(stockJar(module)), lib.resolve(stockJar(module)));
    }
    Files.writeString(lib.resolve("hbase-http-2.6.4-hadoop3.jar"), "not ours to touch");
    Files.writeString(lib.resolve("hbase-server-2.6.4-hadoop3-tests.jar"), "neither");
  }

  @Test
  public void installsOursAndKeepsTheStockJars() throws Exception {
    Map<String, Long> before = contents(lib);

    Result result = strataJars("install");

    assertThat(result.exitCode()).as(result.output()).isZero();
    assertThat(result.output()).contains("profiles", packaged.resolve("docs/deploy.md").toString());
    assertThat(packaged.resolve("conf/profiles/memory.xml")).isNotEmptyFile();
    assertThat(packaged.resolve("conf/profiles/ssd.xml")).isNotEmptyFile();
    for (String module : Packages.PATCHED) {
      assertThat(lib.resolve(stockJar(module))).doesNotExist();
      assertThat(lib.resolve(ourJar(module)))
        .hasSameBinaryContentAs(packaged.resolve("jars").resolve(ourJar(module)));
      assertThat(kept.resolve(stockJar(module)))
        .hasSameBinaryContentAs(Packages.stockJars().resolve(stockJar(module)));
    }
    assertThat(contents(lib)).hasSameSizeAs(before).containsKeys("hbase-http-2.6.4-hadoop3.jar",
      "hbase-server-2.6.4-hadoop3-tests.jar");
  }

  @Test
  public void undoRestoresTheInstallExactly() throws Exception {
    Map<String, Long> before = contents(home);
    succeed("install");
    succeed("undo");
    assertThat(contents(home)).isEqualTo(before);
  }

  /** With the other jars of an install, and a configuration. */
  @Test
  public void undoNamesWhatTheStockJarsWouldRefuseAndChangesNothing() throws Exception {
    for (Path jar : Packages.list(Packages.dist().resolve("lib"))) {
      Path here = lib.resolve(jar.getFileName());
      if (jar.toString().endsWith(".jar") && !Files.exists(here)
        && Packages.PATCHED.stream().noneMatch(
          module -> jar.getFileName().toString().matches(module + "-\\d.*"))
        && !jar.getFileName().toString().startsWith("hbase-jvm")) {
        Files.createSymbolicLink(here, jar);
      }
    }
    succeed("install");
    Packages.run(packaged, "cp", "-R", "conf", home.toString());
    Path site = home.resolve("conf/hbase-site.xml");
    Files.writeString(site, """
      <configuration xmlns:xi="http://www.w3.org/2001/XInclude">
        <xi:include href="profiles/memory.xml"/>
        <property>
          <name>hbase.bucketcache.ioengine</name>
          <value>direct:/mnt/ssd/cache</value>
        </property>
      </configuration>
      """);
    Map<String, Long> installed = contents(home);
    Result undo = strataJars("undo");
    assertThat(undo.exitCode()).as(undo.output()).isEqualTo(FAILED);
    assertThat(undo.output()).contains("hbase.bucketcache.ioengine is direct:/mnt/ssd/cache. ",
      "It is in " + site, "hbase.rs.prefetchblocksonopen is true. ",
      "It is in " + home.resolve("conf/profiles/memory.xml"), "nothing was changed");
    assertThat(contents(home)).isEqualTo(installed);

    Result anyway = Packages.run(home, script.toString(), "undo", "--anyway", "--hbase-home",
      home.toString());
    assertThat(anyway.exitCode()).as(anyway.output()).isZero();
    assertThat(anyway.output()).contains("direct:/mnt/ssd/cache", "has the stock jars again");

    succeed("install");
    Files.writeString(site, "<configuration/>");
    assertThat(succeed("undo")).contains("nothing has to change", "has the stock jars again");
  }

  @Test
  public void aSecondInstallOrUndoChangesNothing() throws Exception {
    succeed("install");
    Map<String, Long> installed = contents(home);
    assertThat(succeed("install")).contains("already has " + Packages.VERSION);
    assertThat(contents(home)).isEqualTo(installed);

    succeed("undo");
    Map<String, Long> stock = contents(home);
    assertThat(succeed("undo")).contains("nothing to undo");
    assertThat(contents(home)).isEqualTo(stock);
  }

  @Test
  public void checkAndStatusChangeNothing() throws Exception {
    Map<String, Long> before = contents(home);
    assertThat(succeed("check")).contains("can take " + Packages.VERSION);
    assertThat(succeed("status")).contains("stock " + Packages.UPSTREAM_VERSION);
    assertThat(contents(home)).isEqualTo(before);

    succeed("install");
    assertThat(succeed("check")).contains("already has " + Packages.VERSION);
    assertThat(succeed("status")).contains(Packages.VERSION);
  }

  @Test
  public void aSwapInterruptedAtAnyRenameCanBeFinished() throws Exception {
    succeed("install");
    Map<String, Long> installed = contents(home);
    for (int renames = 0; renames < 2 * Packages.PATCHED.size(); renames++) {
      leaveAsInterruptedAfter(renames);
      assertThat(fail("status")).contains("interrupted");
      assertThat(fail("check")).contains("interrupted");
      succeed("install");
      assertThat(contents(home)).as("after %d renames", renames).isEqualTo(installed);
    }
  }

  /** A server that is started then has lib/* on its class path, which takes hidden jars, too. */
  @Test
  public void noJarIsInLibTwiceBeforeTheSwap() throws Exception {
    Path programs = folder.newFolder("programs").toPath();
    Path sync = programs.resolve("sync");
    Path seen = programs.resolve("seen");
    Files.writeString(sync, "#!/bin/sh\nls -A '" + lib + "' > '" + seen + "'\nexit 1\n");
    assertThat(sync.toFile().setExecutable(true)).isTrue();
    List<String> before = jarNames();
    Result result = Packages.run(folder.getRoot().toPath(), "env",
      "PATH=" + programs + ":" + System.getenv("PATH"), script.toString(), "install",
      "--hbase-home", home.toString());
    assertThat(result.exitCode()).isNotZero();
    assertThat(Files.readAllLines(seen)).filteredOn(name -> name.endsWith(".jar"))
      .containsExactlyInAnyOrderElementsOf(before);
    assertThat(jarNames()).isEqualTo(before);
    assertThat(lib.resolve(".strata-jars")).doesNotExist();
  }

  private List<String> jarNames() {
    return Packages.list(lib).stream().map(file -> file.getFileName().toString())
      .filter(name -> name.endsWith(".jar")).toList();
  }

  @Test
  public void aSwapInterruptedAtAnyRenameCanBeUndone() throws Exception {
    Map<String, Long> stock = contents(home);
    for (int renames = 0; renames < 2 * Packages.PATCHED.size(); renames++) {
      succeed("install");
      leaveAsInterruptedAfter(renames);
      succeed("undo");
      assertThat(contents(home)).as("after %d renames", renames).isEqualTo(stock);
    }
  }

  @Test
  public void anotherVersionIsRefused() throws Exception {
    rename(stockJar("hbase-server"), "hbase-server-2.6.3-hadoop3.jar");
    assertRefused("hbase-server-2.6.3-hadoop3.jar is another version");
  }

  @Test
  public void theBuildForHadoop2IsRefused() throws Exception {
    for (String module : Packages.PATCHED) {
      rename(stockJar(module),
        module + "-" + Packages.UPSTREAM_VERSION.replace("-hadoop3", "") + ".jar");
    }
    assertRefused("build for Hadoop 2");
  }

  @Test
  public void twoJarsOfOneModuleAreRefused() throws Exception {
    Files.writeString(lib.resolve("hbase-client-2.6.3-hadoop3.jar"), "left over");
    assertRefused("more than one jar of hbase-client");
  }

  @Test
  public void jarsSwappedByHandAreRefused() throws Exception {
    Files.delete(lib.resolve(stockJar("hbase-client")));
    Files.copy(packaged.resolve("jars").resolve(ourJar("hbase-client")),
      lib.resolve(ourJar("hbase-client")));
    assertRefused("already HBase Strata's");
  }

  @Test
  public void aJarThatNoSwapKeptIsNotWrittenOver() throws Exception {
    Files.createDirectory(kept);
    Files.writeString(kept.resolve(stockJar("hbase-server")), "patched by the operator");
    Map<String, Long> before = contents(home);
    for (String command : List.of("check", "install")) {
      assertThat(fail(command)).contains("no swap put it there", "move " + kept + " away");
    }
    assertThat(contents(home)).isEqualTo(before);
  }

  @Test
  public void nothingIsWrittenThroughALinkThatWasPutInTheWay() throws Exception {
    Path precious = Files.writeString(folder.getRoot().toPath().resolve("precious"), "data");
    Files.createSymbolicLink(Files.createDirectory(lib.resolve(".strata-jars"))
      .resolve(ourJar("hbase-server")), precious);
    Files.createSymbolicLink(Files.createDirectory(kept).resolve("swap.sha256.new"), precious);
    succeed("install");
    assertThat(precious).content().isEqualTo("data");
  }

  @Test
  public void aFolderThatIsNoInstallIsRefused() throws Exception {
    Files.delete(lib.resolve(stockJar("hbase-common")));
    assertRefused("has no " + stockJar("hbase-common"));

    home = folder.newFolder("empty").toPath();
    assertThat(fail("install")).contains("has no folder lib");
  }

  @Test
  public void aFolderThatCannotBeWrittenIsRefused() throws Exception {
    assumeFalse("root may write everywhere", "root".equals(System.getProperty("user.name")));
    assertThat(lib.toFile().setWritable(false)).isTrue();
    try {
      assertRefused("can't be written");
    } finally {
      assertThat(lib.toFile().setWritable(true)).isTrue();
    }
  }

  @Test
  public void aJarChangedSinceIsFoundAndCanBeUndone() throws Exception {
    Map<String, Long> stock = contents(home);
    succeed("install");
    Files.writeString(lib.resolve(ourJar("hbase-server")), "damaged");
    assertThat(fail("status")).contains("has changed since it was swapped in");
    succeed("undo");
    assertThat(contents(home)).isEqualTo(stock);
  }

  @Test
  public void aJarThatCarriesHBaseIsRefusedBeforeTheSwap() throws Exception {
    Path fat = lib.resolve("phoenix-client.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(fat))) {
      jar.putNextEntry(new ZipEntry("org/apache/hadoop/hbase/util/VersionInfo.class"));
    }
    Map<String, Long> before = contents(home);
    for (String command : new String[] { "check", "install" }) {
      assertThat(fail(command)).contains("phoenix-client.jar");
    }
    assertThat(contents(home)).isEqualTo(before);

    Files.delete(fat);
    succeed("install");
    assertThat(succeed("check")).contains("already has " + Packages.VERSION);
  }

  @Test
  public void shadedClientsStayStockAndThatIsSaid() throws Exception {
    Path client = Files.createDirectories(lib.resolve("shaded-clients"))
      .resolve("hbase-shaded-client-2.6.4-hadoop3.jar");
    Files.writeString(client, "shaded");
    assertThat(succeed("install")).contains("lib/shaded-clients stays stock",
      "--internal-classpath version");
    assertThat(client).hasContent("shaded");
  }

  @Test
  public void wrongUsageIsOneLineAndItsOwnExitCode() throws Exception {
    for (String argument : new String[] { "instal", "--hbase-home" }) {
      Result result = Packages.run(home, script.toString(), argument);
      assertThat(result.exitCode()).isEqualTo(WRONG_USAGE);
      assertThat(result.output()).hasLineCount(1).contains("--help");
    }
    assertThat(Packages.run(home, script.toString(), "--help").exitCode()).isZero();
  }

  @Test
  public void worksThroughASymbolicLink() throws Exception {
    Path link = Files.createSymbolicLink(folder.getRoot().toPath().resolve("link"), script);
    Result result =
      Packages.run(home, link.toString(), "check", "--hbase-home", home.toString());
    assertThat(result.exitCode()).as(result.output()).isZero();
  }

  /** Takes a finished swap back to where a SIGKILL after so many of its renames leaves it. */
  private void leaveAsInterruptedAfter(int renames) throws IOException {
    for (int i = renames; i < 2 * Packages.PATCHED.size(); i++) {
      String module = Packages.PATCHED.get(i / 2);
      if (i % 2 == 0) {
        Files.move(kept.resolve(stockJar(module)), lib.resolve(stockJar(module)));
      } else {
        Files.move(lib.resolve(ourJar(module)),
          Files.createDirectories(lib.resolve(".strata-jars")).resolve(ourJar(module)));
      }
    }
  }

  private void assertRefused(String reason) throws Exception {
    Map<String, Long> before = contents(home);
    for (String command : new String[] { "check", "install", "undo", "status" }) {
      assertThat(fail(command)).contains(reason);
    }
    assertThat(contents(home)).isEqualTo(before);
  }

  private String succeed(String command) throws Exception {
    Result result = strataJars(command);
    assertThat(result.exitCode()).as(result.output()).isZero();
    return result.output();
  }

  private String fail(String command) throws Exception {
    Result result = strataJars(command);
    assertThat(result.exitCode()).as(result.output()).isEqualTo(FAILED);
    assertThat(result.output()).hasLineCount(1);
    return result.output();
  }

  private Result strataJars(String command) throws Exception {
    return Packages.run(folder.getRoot().toPath(), script.toString(), command, "--hbase-home",
      home.toString());
  }

  private void rename(String from, String to) throws IOException {
    Files.move(lib.resolve(from), lib.resolve(to));
  }

  private static String stockJar(String module) {
    return module + "-" + Packages.UPSTREAM_VERSION + ".jar";
  }

  private static String ourJar(String module) {
    return module + "-" + Packages.VERSION + ".jar";
  }

  /** The files below a folder, by their path in it, with a checksum of their content. */
  private static Map<String, Long> contents(Path root) throws IOException {
    Map<String, Long> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        CRC32 checksum = new CRC32();
        checksum.update(Files.readAllBytes(file));
        contents.put(root.relativize(file).toString(), checksum.getValue());
      }
    }
    return contents;
  }
}
