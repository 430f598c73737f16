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
package org.hbasestrata.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;

/** Servers and clients whose jars don't belong together stop at once and name the files. */
@RunWith(SideBySide.class)
public class MixedJarsIT {
  private static final String REGION_SERVER =
    "org.apache.hadoop.hbase.regionserver.HRegionServer";
  private static final String START = "-Dhbase.cluster.distributed=true start";
  private static final String CLIENT = "org.hbasestrata.ycsb.YcsbTool";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  /** Class path of the distribution with one of the patched jars replaced. */
  private static List<Path> replace(String module, Path jar) {
    List<Path> jars = new ArrayList<>();
    for (Path file : Packages.list(Packages.dist().resolve("lib"))) {
      if (file.getFileName().toString().startsWith(module + "-")) {
        jars.add(jar);
      } else if (file.toString().endsWith(".jar")) {
        jars.add(file);
      }
    }
    return jars;
  }

  private void assertStops(List<Path> classPath, Path... named) throws Exception {
    Packages.Result result = run(classPath, REGION_SERVER, START);
    assertThat(result.exitCode()).as(result.output()).isNotZero();
    String message = result.output().lines().filter(line -> line.contains("don't belong together"))
      .findFirst().orElse(result.output());
    for (Path jar : named) {
      assertThat(message).contains(jar.toString());
    }
  }

  private void assertClientSaysSo(List<Path> classPath, Path... named) throws Exception {
    for (String arguments : List.of("run point-get", "load point-get --rows 10")) {
      Packages.Result result = run(classPath, CLIENT, arguments);
      assertThat(result.exitCode()).as(result.output()).isEqualTo(3);
      assertThat(result.output().lines()).singleElement().asString()
        .startsWith("ycsb: HBase jars that don't belong together are on the class path: ")
        .endsWith(". Remove the one that should not be there.")
        .contains(Stream.of(named).map(Path::toString).toList());
    }
  }

  private Packages.Result run(List<Path> classPath, String main, String arguments)
    throws Exception {
    List<String> command =
      new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-XX:+UseSerialGC"));
    command.addAll(List.of(Cluster.SHORT_LIVED.get("HBASE_OPTS").split(" ")));
    command.add("-Dhbase.ycsb.profile.dir=" + Packages.dist().resolve("conf/ycsb"));
    command.add("-cp");
    command.add(String.join(":", classPath.stream().map(Path::toString).toList()));
    command.add(main);
    command.addAll(List.of(arguments.split(" ")));
    return Packages.run(folder.getRoot().toPath(), command.toArray(new String[0]));
  }

  private static Path ours(String module) {
    return Packages.dist().resolve("lib/" + module + "-" + Packages.VERSION + ".jar");
  }

  @Test
  public void anUpstreamServerJarBesideOurs() throws Exception {
    List<Path> classPath = replace("none", null);
    classPath.add(Packages.stockJar("hbase-server"));
    assertStops(classPath, Packages.stockJar("hbase-server"), ours("hbase-common"));
  }

  @Test
  public void upstreamsServerJarInPlaceOfOurs() throws Exception {
    Path stock = Packages.stockJar("hbase-server");
    // As upstream's scripts ask for the version.
    Packages.Result version = run(replace("hbase-server", stock),
      "org.apache.hadoop.hbase.util.VersionInfo", "-");
    assertThat(version.exitCode()).as(version.output()).isNotZero();
    assertThat(version.output()).contains("don't belong together", stock.toString());
    assertStops(replace("hbase-server", stock), stock, ours("hbase-common"));
  }

  @Test
  public void upstreamsCommonJarInPlaceOfOurs() throws Exception {
    Path stock = Packages.stockJar("hbase-common");
    assertStops(replace("hbase-common", stock), stock, ours("hbase-server"));
    assertClientSaysSo(replace("hbase-common", stock), stock, ours("hbase-client"));
  }

  @Test
  public void upstreamsClientJarInPlaceOfOurs() throws Exception {
    Path stock = Packages.stockJar("hbase-client");
    assertStops(replace("hbase-client", stock), stock, ours("hbase-common"));
    assertClientSaysSo(replace("hbase-client", stock), stock, ours("hbase-common"));
  }

  @Test
  public void theScriptSaysItInOneLineBeforeAnythingElse() throws Exception {
    for (String module : Packages.PATCHED) {
      Path home = folder.newFolder().toPath().resolve("home");
      Packages.run(folder.getRoot().toPath(), "cp", "-al", Packages.dist().toString(),
        home.toString());
      Files.delete(home.resolve("lib/" + module + "-" + Packages.VERSION + ".jar"));
      Path stock = home.resolve("lib/" + Packages.stockJar(module).getFileName());
      Files.copy(Packages.stockJar(module), stock);
      for (String command : List.of("version", "regionserver start", "jvm --preset g1",
        "config check")) {
        List<String> words = new ArrayList<>(
          List.of("env", "HBASE_JVM_PRESET=g1", "HBASE_LOG_DIR=" + folder.getRoot(),
            home.resolve("bin/hbase").toString()));
        words.addAll(List.of(command.split(" ")));
        Packages.Result result =
          Packages.run(folder.getRoot().toPath(), words.toArray(new String[0]));
        assertThat(result.exitCode()).as(module + ", " + command).isEqualTo(1);
        assertThat(result.output().lines()).as(module + ", " + command).singleElement().asString()
          .startsWith("hbase: HBase jars that don't belong together").contains(stock.toString());
      }
    }
  }

  @Test
  public void aJarOfAnotherPatchLevel() throws Exception {
    Path other = folder.getRoot().toPath().resolve("hbase-server-other.jar");
    Files.copy(ours("hbase-server"), other);
    try (FileSystem zip = FileSystems.newFileSystem(other)) {
      Path level = zip.getPath("META-INF/patch-level/hbase-server.properties");
      Files.writeString(level,
        Files.readString(level).replace("version=" + Packages.VERSION, "version=2.6.4-strata.0"));
    }
    assertStops(replace("hbase-server", other), other, ours("hbase-common"));
  }
}
