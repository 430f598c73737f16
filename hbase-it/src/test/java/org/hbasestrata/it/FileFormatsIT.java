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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * HFiles of each compression and encoding that the distribution has, and WALs, are read whoever
 * wrote them: the distribution with its conf/, or upstream's jars with their defaults or with
 * HBase's own codec of ZSTD. What isn't read is what the page on the shipped configuration says.
 */
public class FileFormatsIT {
  private static final List<String> ENCODINGS =
    List.of("NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1");
  private static final String BLOCK_CODEC = """
    <configuration>
      <property>
        <name>hbase.io.compress.zstd.codec</name>
        <value>org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec</value>
      </property>
    </configuration>
    """;

  @ClassRule
  public static final TemporaryFolder FOLDER = new TemporaryFolder();

  /** Has the compiled program that writes and reads files. */
  private static Path program;
  private static Install ours;
  private static Install stock;
  private static Install stockWithBlockCodec;

  /** A class path, and the folder of what was written by it. */
  private record Install(String classPath, Path files) {
    static Install of(Path conf, Collection<Path> jars) throws Exception {
      List<String> classPath = new ArrayList<>(List.of(conf.toString()));
      jars.forEach(jar -> classPath.add(jar.toString()));
      Install install = new Install(String.join(":", classPath), FOLDER.newFolder().toPath());
      install.run("write", install.files);
      return install;
    }

    /** What became of each file. */
    Map<String, String> run(String action, Path folder) throws Exception {
      List<String> command =
        new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
      command.addAll(List.of(Cluster.SHORT_LIVED.get("HBASE_OPTS").split(" ")));
      command.addAll(List.of("-cp", program + ":" + classPath, "FileFormats", action,
        folder.toString()));
      Packages.Result result =
        Packages.run(FOLDER.getRoot().toPath(), command.toArray(new String[0]));
      assertThat(result.exitCode()).as(result.output()).isZero();
      Map<String, String> outcomes = new TreeMap<>();
      result.output().lines().filter(line -> line.startsWith("file ")).forEach(line -> {
        String[] words = line.split(" ", 3);
        outcomes.put(words[1], words[2]);
      });
      return outcomes;
    }

    Map<String, String> read(Install writer) throws Exception {
      return run("read", writer.files);
    }
  }

  @BeforeClass
  public static void write() throws Exception {
    List<Path> jars = new ArrayList<>();
    List<Path> stockJars = new ArrayList<>(Packages.list(Packages.stockJars()));
    for (Path jar : Packages.list(Packages.dist().resolve("lib"))) {
      if (jar.toString().endsWith(".jar")) {
        jars.add(jar);
        if (Packages.PATCHED.stream()
          .noneMatch(module -> jar.endsWith(module + "-" + Packages.VERSION + ".jar"))) {
          stockJars.add(jar);
        }
      }
    }
    Path blockCodec = FOLDER.newFolder().toPath();
    Files.writeString(blockCodec.resolve("hbase-site.xml"), BLOCK_CODEC);
    program = FOLDER.newFolder().toPath();
    int compiled = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d",
      program.toString(), "-cp", stockJars.stream().map(Path::toString)
        .collect(Collectors.joining(":")),
      Packages.module("hbase-it/src/test/resources/FileFormats.java").toString());
    assertThat(compiled).isZero();
    ours = Install.of(Packages.dist().resolve("conf"), jars);
    stock = Install.of(FOLDER.newFolder().toPath(), stockJars);
    stockWithBlockCodec = Install.of(blockCodec, stockJars);
  }

  private static void assertAllOk(Map<String, String> outcomes, String... compressions) {
    Map<String, String> expected = new TreeMap<>(Map.of("async.wal", "ok"));
    for (String compression : compressions) {
      ENCODINGS.forEach(encoding -> expected.put(compression + "-" + encoding + ".hfile", "ok"));
      expected.put(compression + ".wal", "ok");
    }
    assertThat(outcomes).isEqualTo(expected);
  }

  @Test
  public void theDistributionReadsWhatItAndUpstreamWrote() throws Exception {
    assertAllOk(ours.read(ours), "NONE", "GZ", "SNAPPY", "ZSTD");
    assertAllOk(ours.read(stock), "NONE", "GZ", "SNAPPY");
    assertAllOk(ours.read(stockWithBlockCodec), "NONE", "GZ", "SNAPPY", "ZSTD");
  }

  @Test
  public void upstreamReadsWhatTheDistributionWroteWhereItHasTheCodec() throws Exception {
    for (Install reader : List.of(stock, stockWithBlockCodec)) {
      Map<String, String> outcomes = reader.read(ours);
      assertThat(outcomes.keySet()).contains("ZSTD-NONE.hfile", "ZSTD.wal");
      outcomes.entrySet().removeIf(
        file -> file.getKey().startsWith("ZSTD") && file.getValue().startsWith("fails"));
      assertAllOk(outcomes, "NONE", "GZ", "SNAPPY");
    }
  }
}
