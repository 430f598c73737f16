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

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.ClusterScript;
import org.hbasestrata.tools.cluster.Daemon;

/** The comparison's cluster, by dev-support/bin/cluster. For one thread. */
final class LocalCluster {
  private static final String REGION_SERVER = "regionserver-";
  private static final String MASTER = "master";
  private static final String DATA_NODE = "datanode";
  private static final int FIRST = 1;

  private final Checkout checkout;
  private final Path folder;
  private final Path log;
  private final ClusterScript script;

  /**
   * A cluster that isn't up yet.
   * @param folder where its data goes
   * @param log    what the script prints goes there
   */
  LocalCluster(Checkout checkout, Path folder, Path log) {
    this.checkout = checkout;
    this.folder = folder;
    this.log = log;
    this.script = new ClusterScript(checkout, folder, log);
  }

  /** Brings it up on upstream's jars, with the configuration of the stock arm. */
  void up(Map<String, String> environment) throws InterruptedException {
    up(environment, FIRST);
  }

  /** The same with several DataNodes. */
  void up(Map<String, String> environment, int dataNodes) throws InterruptedException {
    up(environment, ArmSpec.conf(checkout, ArmSpec.STOCK), FIRST,
      List.of("--datanodes", Integer.toString(dataNodes)));
  }

  /**
   * The same with another configuration and several region servers, of which one is started.
   * @param more options
   */
  void up(Map<String, String> environment, Path conf, int regionServers, List<String> more)
    throws InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("up", "--stock", "--only-conf",
      conf.toString(), "--regionservers", Integer.toString(regionServers), "--start",
      Integer.toString(FIRST)));
    arguments.addAll(more);
    script.run(environment, arguments);
  }

  /** Asks bin/hbase whether an arm's region server could be started so. */
  void checkJvm(ArmSpec arm, Map<String, String> environment, Path jvmLog)
    throws InterruptedException {
    Map<String, String> all = new HashMap<>(environment);
    all.put("HBASE_CONF_DIR", arm.conf().toString());
    try {
      Child.run("hbase", List.of(dist().resolve("bin/hbase").toString(), "jvm", "--flags"), all,
        jvmLog);
    } catch (ToolException e) {
      throw ToolException.failed(arm.name() + ": " + e.getMessage().replaceFirst("^hbase: ", ""),
        e);
    }
  }

  /**
   * Starts the region server of an arm.
   * @param procs files that the process writes itself into: its cgroups
   */
  void startRegionServer(ArmSpec arm, Path conf, Map<String, String> environment,
    List<Path> procs) throws InterruptedException {
    startRegionServer(FIRST, arm, conf, environment, procs);
  }

  /** @param index which region server, from 1 */
  void startRegionServer(int index, ArmSpec arm, Path conf, Map<String, String> environment,
    List<Path> procs) throws InterruptedException {
    restart(List.of("regionserver", Integer.toString(index)), arm, conf, environment, procs);
  }

  /** Starts the master as an arm has it; clients of the arm then have {@link #masterConf}. */
  void startMaster(ArmSpec arm, Path conf, Map<String, String> environment)
    throws InterruptedException {
    restart(List.of(MASTER), arm, conf, environment, List.of());
  }

  private void restart(List<String> daemon, ArmSpec arm, Path conf,
    Map<String, String> environment, List<Path> procs) throws InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("restart"));
    arguments.addAll(daemon);
    switch (arm.jars()) {
      case ArmSpec.STOCK, ArmSpec.STRATA -> arguments.add("--" + arm.jars());
      default -> arguments.addAll(List.of("--jars", arm.jars()));
    }
    arguments.addAll(List.of("--only-conf", conf.toString()));
    run(environment, procs, arguments);
  }

  void stopRegionServer() throws InterruptedException {
    script.run(Map.of(), List.of("stop", "regionserver", Integer.toString(FIRST)));
  }

  /** Ends the first region server by SIGKILL. */
  void killRegionServer() throws InterruptedException {
    script.run(Map.of(), List.of("kill", "regionserver", Integer.toString(FIRST)));
  }

  /** Ends all of it, and erases its data. */
  private void down() throws InterruptedException {
    // The data goes: nothing is lost by not closing regions in order.
    script.kill("regionserver");
    script.kill(MASTER);
    script.run(Map.of(), List.of("down", "--purge"));
  }

  Daemon regionServer() throws InterruptedException {
    return regionServer(FIRST);
  }

  Daemon regionServer(int index) throws InterruptedException {
    return daemon(REGION_SERVER + index);
  }

  /** The process of a region server as it is started or up; null when it isn't. */
  Long regionServerProcess(int index) {
    try {
      return Long.valueOf(Files.readString(pidFile(index)).strip());
    } catch (IOException | NumberFormatException e) {
      return null;
    }
  }

  /** Has the number of a region server's process while there is one. */
  Path pidFile(int index) {
    return folder.resolve("pids/" + REGION_SERVER + index + ".pid");
  }

  Daemon master() throws InterruptedException {
    return daemon(MASTER);
  }

  Daemon dataNode() throws InterruptedException {
    return daemon(dataNodeName(FIRST));
  }

  /** @param index which DataNode, from 1 */
  Daemon dataNode(int index) throws InterruptedException {
    return daemon(dataNodeName(index));
  }

  /** Starts a DataNode again, compiled as those of {@link NeighboursRun} are. */
  void restartDataNode(int index) throws InterruptedException {
    script.run(Map.of("HBASE_OPTS", Client.FEW_COMPILATIONS),
      List.of("restart", DATA_NODE, Integer.toString(index)));
  }

  /** Where a DataNode has its blocks. */
  Path dataNodeFolder(int index) {
    return script.data().resolve(dataNodeName(index));
  }

  private static String dataNodeName(int index) {
    return index == FIRST ? DATA_NODE : DATA_NODE + "-" + index;
  }

  private Daemon daemon(String name) throws InterruptedException {
    try {
      return script.daemon(name);
    } catch (ToolException e) {
      throw ToolException.failed("the " + name.replace("-1", "") + " ended; its log is kept in "
        + "the comparison's folder logs", e);
    }
  }

  private void run(Map<String, String> environment, List<Path> procs, List<String> arguments)
    throws InterruptedException {
    List<String> command = new ArrayList<>();
    if (!procs.isEmpty()) {
      command.addAll(List.of("sh", "-c",
        "while [ \"$1\" != -- ]; do echo $$ > \"$1\" || exit 1; shift; done; shift; exec \"$@\"",
        "cluster"));
      procs.forEach(file -> command.add(file.toString()));
      command.add("--");
    }
    command.addAll(script.words(arguments));
    Child.run("cluster", command, environment, log);
  }

  /** For clients. */
  Path conf() {
    return script.conf();
  }

  /** For clients on the jars and with the configuration that the master was started with. */
  Path masterConf() {
    return folder.resolve("conf-" + MASTER);
  }

  Path data() {
    return script.data();
  }

  /** What clients need besides to log in, if the cluster is a secured one. */
  Map<String, String> login() {
    Path ticket = folder.resolve("secure/tickets/hbase");
    return Files.exists(ticket) ? Map.of("KRB5CCNAME", ticket.toString()) : Map.of();
  }

  /** The unpacked tarball. */
  Path dist() {
    return script.dist();
  }

  /** The same with upstream's jars in it. */
  Path stockHome() {
    return script.stockHome();
  }

  /** The region server's GC log: rotated files, and the one that is written to. */
  List<Path> gcLogs() {
    return Folders.list(script.logs(), REGION_SERVER + FIRST + ".gc.log*");
  }

  /** The logs of all region servers, from the cluster's start. */
  List<Path> regionServerLogs() {
    return Folders.list(script.logs(), REGION_SERVER + "*.log");
  }

  /**
   * The logs go with the cluster, but for these copies: for who looks for what went wrong.
   * @param out told if it can't be done
   */
  void keepLogs(Path kept, PrintWriter out) {
    try {
      Files.createDirectories(kept);
      for (Path file : Folders.list(script.logs(), "*.{log,out}")) {
        Files.copy(file, kept.resolve(file.getFileName()));
      }
    } catch (IOException e) {
      out.println("bench: logs can't be kept: " + ToolException.oneLine(e));
    }
  }

  boolean exists() {
    return Files.exists(folder);
  }

  /**
   * Ends and erases all of it, for a thread that isn't interrupted any more.
   * @param out told what can't be done
   */
  void remove(PrintWriter out) {
    try {
      down();
      Files.deleteIfExists(folder);
    } catch (ToolException | IOException e) {
      out.println("bench: " + e.getMessage());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What it runs, by name. */
  Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    Path dist = dist();
    versions.put("HBase Strata", dist.getFileName().toString().replace("hbase-strata-", ""));
    for (Path jar : Folders.list(dist.resolve("lib"), "hadoop-common-[0-9]*.jar")) {
      versions.put("Hadoop", jar.getFileName().toString().replace("hadoop-common-", "")
        .replace(".jar", ""));
    }
    versions.put("Client's Java", System.getProperty("java.runtime.version"));
    return versions;
  }
}
