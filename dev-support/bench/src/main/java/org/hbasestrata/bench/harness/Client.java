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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.Program;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Daemon;
import org.hbasestrata.tools.cluster.ProcessFiles;

/** What is run against the cluster: the tarball's {@code hbase ycsb}, or JanusGraph. */
final class Client {
  /**
   * For processes that share the processors with what is measured: C2 would take up to half of a
   * processor for minutes.
   */
  static final String FEW_COMPILATIONS = "-XX:TieredStopAtLevel=1";
  private static final String GRAPH_TOOL = "org.hbasestrata.janusgraph.GraphTool";
  private static final String SNAPSHOT = "bench-as-loaded";
  /** Some operations failed; how many is in its JSON. */
  private static final int SOME_FAILED = 1;
  /** What disk and memory the table takes. */
  private static final Pattern FOOTPRINT = Pattern.compile("(Disk|Cache|Client): .*");

  private final Request request;
  private final LocalCluster cluster;
  private final Consumer<String> progress;
  /** Whose jars and configuration it has; null for the distribution's, and the cluster's. */
  private final ArmSpec arm;

  /** @param progress gets lines that say how far a load or run is */
  Client(Request request, LocalCluster cluster, Consumer<String> progress) {
    this(request, cluster, progress, null);
  }

  private Client(Request request, LocalCluster cluster, Consumer<String> progress, ArmSpec arm) {
    this.request = request;
    this.cluster = cluster;
    this.progress = progress;
    this.arm = arm;
  }

  /** Returns the client of an arm, with which the master has been started. */
  Client of(ArmSpec arm) {
    return new Client(request, cluster, progress, arm);
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
    Daemon server = cluster.regionServer();
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
    return regions(table(TableTool.PREPARE, folder));
  }

  private static int regions(List<String> lines) {
    return lines.stream().filter(line -> line.startsWith(TableTool.REGIONS))
      .mapToInt(line -> Integer.parseInt(line.substring(TableTool.REGIONS.length()))).findFirst()
      .orElseThrow();
  }

  /** Puts the table back into the state that it was loaded in. */
  void restoreTable(Path folder) throws InterruptedException {
    table(TableTool.RESTORE, folder);
  }

  private List<String> table(String command, Path folder) throws InterruptedException {
    return tableTool(folder, List.of(command, request.profile().table(), SNAPSHOT));
  }

  private List<String> tableTool(Path folder, List<String> arguments)
    throws InterruptedException {
    Map<String, String> environment = environment();
    environment.put("HBASE_CLASSPATH", Program.classesOf(TableTool.class).toString());
    List<String> command = new ArrayList<>(List.of(hbase(), TableTool.class.getName()));
    command.addAll(arguments);
    return Child.run("table", command, environment, folder.resolve("table.log"));
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

  /**
   * Makes two tables of the rows that were loaded, each of files of its own, in place of the one.
   * @param twins names, each of which may be followed by = and the encoding of its data blocks
   * @return how many regions each has
   */
  int makeTwins(Path folder, List<String> twins) throws InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(TableTool.TWINS, request.profile().table(),
      SNAPSHOT));
    arguments.addAll(twins);
    return regions(tableTool(folder, arguments));
  }

  /**
   * Moves all regions of tables to servers, and those of other tables to another.
   * @param ports a server's RPC port by the name of the table; "" is for all others
   */
  void pin(Path folder, Map<String, Integer> ports) throws InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(TableTool.PIN));
    ports.forEach((table, port) -> arguments.add(table + "=" + port));
    tableTool(folder, arguments);
  }

  /**
   * Starts a client that does the profile in slices of time, on tables of the same rows.
   * @param jars {@link ArmSpec#STOCK} or {@link ArmSpec#STRATA}
   * @param log  a file's name
   */
  SliceClient slices(String jars, String log, List<String> tables, int threads,
    BooleanSupplier serversAlive) throws InterruptedException {
    Path home = home(jars);
    Map<String, String> environment = environment();
    environment.put("HBASE_HOME", home.toString());
    List<String> words = words("slices", List.of("--tables", String.join(",", tables),
      "--threads", Integer.toString(threads)));
    words.set(0, hbase(home));
    return new SliceClient(words, environment, request.out().resolve(log), serversAlive);
  }

  /**
   * Starts the profile, each row verified, to be ended by the caller; then there are ycsb.json, and
   * ycsb.hlog with histograms of each second.
   * @param target operations a second
   */
  Child startVerified(Path folder, double minutes, int target) {
    return start("run", runOptions(minutes, target, "--verify", "--json",
      folder.resolve("ycsb.json").toString(), "--hlog", folder.resolve("ycsb.hlog").toString()),
      folder.resolve("ycsb.log"), new ArrayList<>());
  }

  /**
   * Starts gets of a set rate, to be ended by the caller.
   * @param target  gets a second
   * @param pidFile has the number of the region server's process
   * @param samples the file that a line is written to, several times a second
   */
  Child steadyGets(int target, Path pidFile, Path samples) {
    Map<String, String> environment = environment();
    environment.put("HBASE_CLASSPATH", Program.classesOf(SteadyGets.class) + ":"
      + Program.classesOf(ProcessFiles.class));
    return Child.start(List.of(hbase(), SteadyGets.class.getName(), request.profile().table(),
      Integer.toString(target), pidFile.toString(), samples.toString()), environment,
      request.out().resolve("gets.log"), line -> {
      });
  }

  /**
   * Starts what runs beside gets, to be ended by the caller.
   * @param samples the file that a line is written to, several times a second
   */
  Child neighbour(Neighbour neighbour, Path folder, Path samples) {
    Map<String, String> environment = environment();
    environment.put("HBASE_CLASSPATH", Program.classesOf(NeighbourLoad.class) + ":"
      + Program.classesOf(ToolException.class));
    environment.put("HBASE_OPTS", FEW_COMPILATIONS);
    return Child.start(List.of(hbase(), NeighbourLoad.class.getName(), neighbour.toString(),
      request.profile().table(), samples.toString()), environment,
      folder.resolve(neighbour + ".log"), line -> {
      });
  }

  /** Gives each region server as many of the table's regions, and turns the balancer off. */
  void spread(Path folder) throws InterruptedException {
    tableTool(folder, List.of(TableTool.SPREAD, request.profile().table()));
  }

  /** Waits until the master may assign regions to a server that was started. */
  void awaitReport(Path folder, int port) throws InterruptedException {
    tableTool(folder, List.of(TableTool.AWAIT, Integer.toString(port)));
  }

  /** Waits until the regions of a server that is gone are open on others. */
  void awaitLoss(Path folder, int port) throws InterruptedException {
    tableTool(folder,
      List.of(TableTool.AWAIT_LOSS, request.profile().table(), Integer.toString(port)));
  }

  /**
   * Moves regions as bin/graceful_stop.sh does.
   * @param operation unload or load
   * @param regions   the file that an unload writes and a load reads
   */
  void moveRegions(Path folder, String operation, int port, Path regions)
    throws InterruptedException {
    // Behind servers and client: operators run it on a machine of its own.
    Child.run("table", List.of("nice", "-n", "19", hbase(),
      "org.apache.hadoop.hbase.util.RegionMover", "--regionserverhost", "localhost:" + port,
      "--operation", operation, "--filename", regions.toString()), environment(),
      folder.resolve("mover.log"));
  }

  private List<String> words(String command, List<String> options) {
    List<String> words = new ArrayList<>(List.of(hbase()));
    words.add(request.profile().isGraph() ? GRAPH_TOOL : "ycsb");
    words.addAll(List.of(command, request.profile().file().toString()));
    if (request.rows() != null) {
      words.addAll(List.of("--rows", request.rows().toString()));
    }
    words.addAll(Profile.options(request.changes()));
    words.addAll(options);
    return words;
  }

  private Child start(String command, List<String> options, Path log, List<String> lines) {
    return Child.start(words(command, options), environment(), log, line -> {
      lines.add(line);
      if (line.startsWith(command + ": ") && line.contains(" %, ")
        || command.equals("load") && FOOTPRINT.matcher(line).matches()) {
        progress.accept(line);
      }
    });
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.putAll(cluster.login());
    Path conf = arm == null ? cluster.conf() : cluster.masterConf();
    environment.put("HBASE_CONF_DIR", conf.toString());
    if (arm != null) {
      environment.put("HBASE_HOME", home(arm.jars()).toString());
    }
    environment.put("HBASE_HEAPSIZE", "1g");
    environment.put("HBASE_OFFHEAPSIZE", "1g");
    if (request.profile().isGraph()) {
      Path module = Checkout.fromProperty().folderOf("janusgraph").resolve("target");
      environment.put("HBASE_CLASSPATH_PREFIX",
        module.resolve("janusgraph.jar") + ":" + module.resolve("lib/*"));
    }
    return environment;
  }

  private String hbase() {
    return hbase(arm == null ? cluster.dist() : home(arm.jars()));
  }

  private Path home(String jars) {
    return jars.equals(ArmSpec.STOCK) ? cluster.stockHome() : cluster.dist();
  }

  private static String hbase(Path home) {
    return home.resolve("bin/hbase").toString();
  }
}
