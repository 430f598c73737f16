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
package org.hbasestrata.bench.harness;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.BenchException;

/**
 * The source checkout that the bench runs from.
 * @param root its folder
 */
public record Checkout(Path root) {
  /** Set by dev-support/bin/bench. */
  public static final String PROPERTY = "bench.checkout";

  public static Checkout fromProperty() {
    String root = System.getProperty(PROPERTY);
    if (root == null) {
      throw BenchException.usage("system property " + PROPERTY
        + " isn't set: run dev-support/bin/bench", null);
    }
    return new Checkout(Path.of(root));
  }

  public Path clusterScript() {
    return root.resolve("dev-support/bin/cluster");
  }

  public Path hbaseScript() {
    return root.resolve("bin/hbase");
  }

  public Path shippedConf() {
    return root.resolve("conf");
  }

  Path stockConf() {
    return benchConf(ArmSpec.STOCK);
  }

  /** Says what the charts of the documents show. */
  public Path chartList() {
    return root.resolve("dev-support/bench/results/charts.yaml");
  }

  /** Where the pictures of the documents are. */
  public Path images() {
    return root.resolve("docs/images");
  }

  /** What the GC lab has beside its code. */
  public Path gcLab() {
    return root.resolve("dev-support/gclab");
  }

  /** The bench's own configuration of this name. */
  Path benchConf(String name) {
    return root.resolve("dev-support/bench/conf").resolve(name);
  }

  /** The JVM preset of pairs of region servers. */
  Path pairsPreset() {
    return benchConf("jvm").resolve("pairs.preset");
  }

  /** A path as seen from the checkout when it is within, for people. */
  String relative(String path) {
    String folder = root + "/";
    return path.startsWith(folder) ? path.substring(folder.length()) : path;
  }

  /** A text whose paths within the checkout are as seen from it, for people. */
  public String withoutRoot(String text) {
    return text.replace(root + "/", "");
  }

  /** Where comparisons go that aren't told where to. */
  Path results() {
    return root.resolve("target/bench");
  }

  /** The file of a profile that is given by name or path. */
  Path profile(String nameOrPath) {
    boolean path = nameOrPath.contains("/") || nameOrPath.endsWith(".properties");
    Path file = path ? Path.of(nameOrPath).toAbsolutePath()
      : shippedConf().resolve("ycsb").resolve(nameOrPath + ".properties");
    if (!Files.isRegularFile(file)) {
      throw BenchException.usage("no profile '" + nameOrPath + "': there is no " + file
        + (path ? "" : "; there are: " + String.join(", ", Folders
          .list(file.getParent(), "*.properties").stream()
          .map(p -> p.getFileName().toString().replace(".properties", "")).toList())), null);
    }
    return file;
  }

  /**
   * The commit that is checked out, with -dirty if files differ from it.
   * @param log for what git prints
   * @return null if it isn't a clone
   */
  public String commit(Path log) throws InterruptedException {
    List<String> git = List.of("git", "-C", root.toString());
    try {
      List<String> head = new ArrayList<>(git);
      head.addAll(List.of("rev-parse", "HEAD"));
      List<String> status = new ArrayList<>(git);
      status.addAll(List.of("status", "--porcelain", "--untracked-files=no"));
      String found = Child.run("git", head, Map.of(), log).get(0);
      return Child.run("git", status, Map.of(), log).isEmpty() ? found : found + "-dirty";
    } catch (BenchException e) {
      return null;
    }
  }
}
