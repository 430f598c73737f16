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
package org.hbasestrata.faults;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.cluster.Daemon;

/** A server that runs from an install of its own, whose jars are swapped as an operator does it. */
final class UpgradeServer {
  private static final String HOME = "-Dhbase.home.dir=";
  private static final Pattern JAR =
    Pattern.compile("/hbase-(?:common|client|server)-(\\d[^/:]*?)(-tests)?\\.jar(?=:|$)");
  private static final int METRICS_SECONDS = 10;

  private final Scene scene;
  private final JarsTarball jars;
  private final String[] role;
  private Path home;

  /** @param role as `cluster restart` has it */
  UpgradeServer(Scene scene, JarsTarball jars, String... role) {
    this.scene = scene;
    this.jars = jars;
    this.role = role;
  }

  boolean hasRegions() {
    return role[0].equals("regionserver");
  }

  @Override
  public String toString() {
    return String.join("-", role);
  }

  /** Starts it anew from an install that is its own, with upstream's jars. */
  void moveIn() throws IOException, InterruptedException {
    Path stock = Files.createDirectories(scene.folder().resolve("installs").resolve(toString()));
    for (Path jar : Folders.list(scene.stockHome().resolve("lib"),
      "hbase-{common,client,server}-[0-9]*.jar")) {
      if (!Files.isSymbolicLink(jar)) {
        Files.copy(jar, stock.resolve(jar.getFileName()));
      }
    }
    restart("--jars", stock.toString());
    String commandLine = Files.readString(
      Path.of("/proc/" + scene.daemon(toString()).pid() + "/cmdline"), StandardCharsets.UTF_8);
    for (String word : commandLine.split("\0")) {
      if (word.startsWith(HOME)) {
        home = Path.of(word.substring(HOME.length()));
      }
    }
    if (home == null) {
      throw new IOException(this + " was started without " + HOME);
    }
  }

  void restart(String... options) throws InterruptedException {
    List<String> words = new ArrayList<>(List.of("restart"));
    words.addAll(List.of(role));
    words.addAll(List.of(options));
    scene.cluster(words.toArray(String[]::new));
  }

  void install() throws InterruptedException {
    jars.swap("check", home);
    jars.swap("install", home);
  }

  void undo() throws InterruptedException {
    jars.swap("undo", home);
  }

  /** What it says of its jars and its patches over JMX. */
  String reported() throws InterruptedException {
    Daemon up = scene.daemon(toString());
    return reported(scene.bean(up, "java.lang:type=Runtime").path("ClassPath").asText(),
      scene.bean(up, "Hadoop:service=HBase,name=PatchLevel").path("Version").asText());
  }

  /** @param patchLevel empty if it has none */
  static String reported(String classPath, String patchLevel) {
    SortedSet<String> versions = new TreeSet<>();
    Matcher jar = JAR.matcher(classPath);
    while (jar.find()) {
      if (jar.group(2) == null) {
        versions.add(jar.group(1));
      }
    }
    return "jars " + String.join(" and ", versions) + ", patch level "
      + (patchLevel.isEmpty() ? "none" : patchLevel);
  }

  /** The blocks in its cache, once it tells. */
  long cachedBlocks() throws InterruptedException {
    Daemon up = scene.daemon(toString());
    long[] blocks = new long[1];
    Scene.await(METRICS_SECONDS, () -> {
      try {
        JsonNode count = scene.metrics(up, "Server").path("blockCacheCount");
        blocks[0] = count.asLong();
        return blocks[0] > 0;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return true;
      }
    });
    return blocks[0];
  }
}
