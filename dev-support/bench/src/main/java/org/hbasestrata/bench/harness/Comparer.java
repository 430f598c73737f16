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
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.BenchException;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.Machine;
import org.hbasestrata.bench.PageCache;
import org.hbasestrata.bench.State;
import org.hbasestrata.bench.report.ReportCommand;

/** Does a comparison, from the cluster's start to the report. For one thread. */
final class Comparer {
  /** A run's time beyond the measured part and the warm-up, as a first guess. */
  private static final int RUN_OVERHEAD_SECONDS = 60;
  /** Of the rows in HFiles: while they are compacted old and new files are there, and the WAL. */
  private static final double DISK_FACTOR = 3.5;

  private final Request request;
  private final Checkout checkout;
  private final PrintWriter out;
  private final ComparisonFolder folder;
  private final Progress progress;
  private final LocalCluster cluster;
  private final Client client;
  private final Instant start = Instant.now();
  private final Thread worker = Thread.currentThread();
  private final CountDownLatch finished = new CountDownLatch(1);
  private final Differences differences = new Differences();
  private final Map<String, Arm> arms = new HashMap<>();
  private final Map<String, String> versions = new TreeMap<>();
  private final List<String> notes = new ArrayList<>();
  private ControlGroups groups;
  private Machine machine;
  private String commit;
  private int regions;
  private long killsSeen;
  /** Whether the runs are over, and what follows isn't to be broken off. Guarded by this. */
  private boolean ending;

  Comparer(Request request, Checkout checkout, PrintWriter out) {
    this.request = request;
    this.checkout = checkout;
    this.out = out;
    this.folder = new ComparisonFolder(request.out());
    int runs = request.rounds() * request.arms().size();
    this.progress = new Progress(out, runs,
      (request.minutes() + request.warmUpMinutes()) * 60 + RUN_OVERHEAD_SECONDS);
    this.cluster = new LocalCluster(checkout, request.out().resolve("cluster"),
      request.out().resolve("cluster.log"));
    this.client = new Client(request, cluster, progress::detail);
    request.arms().forEach(arm -> arms.put(arm.name(), described(arm, null, List.of())));
  }

  Request request() {
    return request;
  }

  ComparisonFolder folder() {
    return folder;
  }

  Progress progress() {
    return progress;
  }

  LocalCluster cluster() {
    return cluster;
  }

  Client client() {
    return client;
  }

  ControlGroups groups() {
    return groups;
  }

  /** How many regions the server has open when the table is all there. */
  int regions() {
    return regions;
  }

  /** How often the kernel had ended a process for want of memory when a run began. */
  long killsSeen() {
    return killsSeen;
  }

  /** The configuration that an arm's region server is started with. */
  Path conf(ArmSpec arm) {
    return request.out().resolve("conf").resolve(arm.name());
  }

  /** Returns the exit code. */
  int compare() throws InterruptedException {
    Host.checkRoom(request.out(), DISK_FACTOR * request.profile().bytes(request.rows()),
      request.memory());
    makeFolder();
    Thread hook = new Thread(this::onShutdown, "bench-interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
    String reason = "interrupted";
    try {
      run();
      reason = null;
    } catch (BenchException e) {
      reason = e.getMessage();
      keepLogs();
    } catch (InterruptedException e) {
      out.println("Interrupted: ending what was started ...");
    } catch (RuntimeException e) {
      reason = BenchException.oneLine(e);
      keepLogs();
      throw e;
    } finally {
      try {
        end();
        cleanUp();
        write(reason == null ? State.COMPLETE : State.PARTIAL, reason, Instant.now());
        // Why it is partial is said when all else has been.
        ReportCommand.make(folder, out, new PrintWriter(Writer.nullWriter()));
      } finally {
        finished.countDown();
      }
    }
    if (reason != null) {
      throw BenchException.failed(reason, null);
    }
    return 0;
  }

  /** Has everything ended and removed before the JVM goes down. */
  private void onShutdown() {
    if (finished.getCount() == 0) {
      return;
    }
    interrupt();
    try {
      finished.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void interrupt() {
    if (!ending) {
      worker.interrupt();
    }
  }

  private synchronized void end() {
    ending = true;
    // An interrupt that came too late.
    Thread.interrupted();
  }

  private void makeFolder() {
    try {
      Files.createDirectories(request.out());
      for (ArmSpec arm : request.arms()) {
        ArmConf.write(arm, checkout.shippedConf(), request.settings(), conf(arm));
      }
    } catch (IOException e) {
      throw BenchException.usage("--out " + request.out() + " can't be made: "
        + BenchException.oneLine(e), e);
    }
  }

  private void run() throws InterruptedException {
    machine = Host.machine(request.out(), request.deviceIops());
    commit = commit();
    write(State.PARTIAL, null, null);
    groups = ControlGroups.create(Path.of("/"), ProcessHandle.current().pid());
    prepareGroups();
    load();
    for (int round = 1; round <= request.rounds(); round++) {
      List<ArmSpec> order = request.order(round);
      for (int position = 1; position <= order.size(); position++) {
        killsSeen = groups.kills();
        new ArmRun(this, order.get(position - 1), round, position).run();
        write(State.PARTIAL, null, null);
      }
    }
  }

  private void prepareGroups() {
    boolean pageCache = request.pageCache() != PageCache.WARM;
    try {
      if (groups.limitsMemory()) {
        groups.limitMemory(request.memory().bytes(), pageCache);
      } else {
        note("memory is not limited: " + String.join("; ", groups.problems()));
      }
      String device = Host.device(request.out());
      if (groups.limitsIo() && device != null) {
        groups.limitReads(device, request.deviceIops());
      } else if (request.deviceIops() != null) {
        throw BenchException.failed("--device-iops can't be had: " + (device == null
          ? "the kernel names no disk under " + request.out()
          : String.join("; ", groups.problems())), null);
      } else if (groups.limitsMemory()) {
        note("I/Os are not counted: " + (device == null
          ? "the kernel names no disk under " + request.out()
          : String.join("; ", groups.problems())));
      }
    } catch (IOException e) {
      throw BenchException.failed("a cgroup can't be set: " + BenchException.oneLine(e), e);
    }
  }

  private void note(String note) {
    notes.add(note);
    out.println("Note: " + note);
  }

  private void load() throws InterruptedException {
    progress.stage("starting the cluster");
    cluster.up(request.environment());
    findVersions();
    progress.stage("loading " + (request.rows() == null ? "the profile's" : request.rows())
      + " rows");
    client.load(request.out());
    progress.stage("flushing and compacting");
    regions = client.prepareTable(request.out());
    cluster.stopRegionServer();
    try {
      groups.join(ControlGroups.Member.DATA_NODE, cluster.dataNode().pid());
    } catch (IOException e) {
      throw BenchException.failed("the DataNode can't be put into its cgroup: "
        + BenchException.oneLine(e), e);
    }
  }

  /** Notes an arm's JVM and settings, as they are in effect; once. */
  void describe(ArmSpec arm, RegionServer server) throws IOException, InterruptedException {
    if (arms.get(arm.name()).java() == null) {
      RegionServer.Runtime runtime = server.runtime();
      arms.put(arm.name(), described(arm, runtime.name(),
        runtime.arguments().stream().filter(flag -> !flag.startsWith("--add-"))
          .map(checkout::withoutRoot).toList()));
      differences.add(arm, server.configuration(), runtime.arguments());
    }
  }

  private Arm described(ArmSpec arm, String java, List<String> flags) {
    return new Arm(arm.name(), checkout.relative(arm.conf().toString()),
      List.of(checkout.relative(arm.jars())), java, flags);
  }

  private void findVersions() {
    Path dist = cluster.dist();
    versions.put("HBase Strata", dist.getFileName().toString().replace("hbase-strata-", ""));
    for (Path jar : Folders.list(dist.resolve("lib"), "hadoop-common-[0-9]*.jar")) {
      versions.put("Hadoop", jar.getFileName().toString().replace("hadoop-common-", "")
        .replace(".jar", ""));
    }
    versions.put("Client's Java", System.getProperty("java.runtime.version"));
  }

  private String commit() throws InterruptedException {
    List<String> git = List.of("git", "-C", checkout.root().toString());
    try {
      Path log = request.out().resolve("git.log");
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

  /** The cluster's logs go with it, but for these: for who looks for what went wrong. */
  private void keepLogs() {
    Path kept = request.out().resolve("logs");
    try {
      Files.createDirectories(kept);
      for (Path log : Folders.list(cluster.logs(), "*.{log,out}")) {
        Files.copy(log, kept.resolve(log.getFileName()));
      }
    } catch (IOException e) {
      out.println("bench: logs can't be kept: " + BenchException.oneLine(e));
    }
  }

  private void cleanUp() {
    try {
      if (Files.exists(request.out().resolve("cluster"))) {
        progress.end("taking the cluster down");
        cluster.down();
        Files.deleteIfExists(request.out().resolve("cluster"));
      }
    } catch (BenchException | IOException e) {
      out.println("bench: " + e.getMessage());
    } catch (InterruptedException e) {
      // Not after end().
      throw new IllegalStateException(e);
    } finally {
      if (groups != null) {
        groups.close();
      }
    }
  }

  private void write(State state, String reason, Instant end) {
    folder.write(new Comparison(request.profile().name(), request.command(), state, reason, start,
      end, request.arms().stream().map(arm -> arms.get(arm.name())).toList(), request.rounds(),
      request.rows(), request.minutes(), request.target() == null ? null
        : request.target().doubleValue(), groups != null && groups.limitsMemory()
          ? request.memory().bytes() : null, request.pageCache(), commit, machine, versions,
      differences.found(), notes));
  }
}
