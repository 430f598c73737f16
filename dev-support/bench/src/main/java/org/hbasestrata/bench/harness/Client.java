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

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** What is run against the cluster: the tarball's {@code hbase ycsb}, the same for all arms. */
final class Client {
  private static final String SNAPSHOT = "bench-as-loaded";
  /** Some operations failed; how many is in its JSON. */
  private static final int SOME_FAILED = 1;
  /** What disk and memory the table takes. */
  private static final Pattern FOOTPRINT = Pattern.compile("(Disk|Cache|Client): .*");

  private final Request request;
  private final LocalCluster cluster;
  private final Consumer<String> progress;

  /** @param progress gets lines that say how far a load or run is */
  Client(Request request, LocalCluster cluster, Consumer<String> progress) {
    this.request = request;
    this.cluster = cluster;
    this.progress = progress;
  }

  void load(Path folder) throws InterruptedException {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    Path log = folder.resolve("load.log");
    int code = runToItsEnd("load", List.of(), log, lines);
    if (code != 0) {
      throw Child.failed("ycsb", code, lines, log);
    }
  }

  /** The client itself would try for minutes to reach a server that is gone. */
  private int runToItsEnd(String command, List<String> options, Path log, List<String> lines)
    throws InterruptedException {
    LocalCluster.Daemon server = cluster.regionServer();
    // Nothing between the two that an interrupt could end: the child would be left.
    int code = start(command, options, log, lines).await(server::isAlive);
    // Throws when it is gone.
    cluster.regionServer();
    return code;
  }

  /**
   * Flushes and compacts the table, and keeps its state for {@link #restoreTable}.
   * @return how many regions are open, of all tables
   */
  int prepareTable(Path folder) throws InterruptedException {
    return table(TableTool.PREPARE, folder).stream()
      .filter(line -> line.startsWith(TableTool.REGIONS))
      .mapToInt(line -> Integer.parseInt(line.substring(TableTool.REGIONS.length()))).findFirst()
      .orElseThrow();
  }

  /** Puts the table back into the state that it was loaded in. */
  void restoreTable(Path folder) throws InterruptedException {
    table(TableTool.RESTORE, folder);
  }

  private List<String> table(String command, Path folder) throws InterruptedException {
    Map<String, String> environment = environment();
    environment.put("HBASE_CLASSPATH", ownClasses().toString());
    return Child.run("table", List.of(hbase(), TableTool.class.getName(), command,
      request.profile().table(), SNAPSHOT), environment, folder.resolve("table.log"));
  }

  private static Path ownClasses() {
    try {
      return Path.of(TableTool.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Runs the profile, and writes ycsb.json.
   * @param target operations a second; null for as many as go
   */
  void run(Path folder, double minutes, Integer target) throws InterruptedException {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    Path log = folder.resolve("ycsb.log");
    Path json = folder.resolve("ycsb.json");
    int code = runToItsEnd("run", runOptions(minutes, target, "--json", json.toString()), log,
      lines);
    if (code != 0 && code != SOME_FAILED || !Files.exists(json)) {
      throw Child.failed("ycsb", code, lines, log);
    }
  }

  /** Starts the profile, to be ended by the caller. */
  Child warmUp(Path folder, double minutes, Integer target) {
    return start("run", runOptions(minutes, target), folder.resolve("warm-up.log"),
      new ArrayList<>());
  }

  private static List<String> runOptions(double minutes, Integer target, String... more) {
    List<String> options = new ArrayList<>(
      List.of("--minutes", String.format(Locale.ROOT, "%.4f", minutes)));
    if (target != null) {
      options.addAll(List.of("--target", target.toString()));
    }
    options.addAll(List.of(more));
    return options;
  }

  private Child start(String command, List<String> options, Path log, List<String> lines) {
    List<String> words = new ArrayList<>(List.of(hbase(), "ycsb", command,
      request.profile().file().toString()));
    if (request.rows() != null) {
      words.addAll(List.of("--rows", request.rows().toString()));
    }
    words.addAll(Profile.options(request.changes()));
    words.addAll(options);
    return Child.start(words, environment(), log, line -> {
      lines.add(line);
      if (line.startsWith(command + ": ") && line.contains(" %, ")
        || command.equals("load") && FOOTPRINT.matcher(line).matches()) {
        progress.accept(line);
      }
    });
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("HBASE_CONF_DIR", cluster.conf().toString());
    environment.put("HBASE_HEAPSIZE", "1g");
    environment.put("HBASE_OFFHEAPSIZE", "1g");
    return environment;
  }

  private String hbase() {
    return cluster.dist().resolve("bin/hbase").toString();
  }
}
