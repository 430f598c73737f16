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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.Machine;
import org.hbasestrata.bench.State;
import org.hbasestrata.bench.report.YcsbResult;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.Interrupts;
import org.hbasestrata.tools.ToolException;

/** What is measured on a cluster of its own, from its start to the report. For one thread. */
abstract class ClusterRun {
  /** What a load may take until it has begun, or a server until it answers it. */
  private static final int MOST_START_SECONDS = 180;
  private static final int POLL_MILLIS = 500;

  final Request request;
  final Checkout checkout;
  final PrintWriter out;
  final Progress progress;
  final LocalCluster cluster;
  final Client client;
  final Instant start = Instant.now();
  final Differences differences = new Differences();
  final List<String> notes = new ArrayList<>();
  private final Map<String, Arm> arms = new HashMap<>();
  Map<String, String> versions = Map.of();
  Machine machine;
  String commit;

  ClusterRun(Request request, Checkout checkout, PrintWriter out, Progress progress) {
    this.request = request;
    this.checkout = checkout;
    this.out = out;
    this.progress = progress;
    this.cluster = new LocalCluster(checkout, request.out().resolve("cluster"),
      request.out().resolve("cluster.log"));
    this.client = new Client(request, cluster, progress::detail);
    request.arms().forEach(arm -> arms.put(arm.name(), arm.described(checkout, null)));
  }

  /** Starts the cluster, and measures. */
  abstract void measure() throws IOException, InterruptedException;

  /**
   * Writes the report, when the cluster is down.
   * @param reason why it is partial; null when it is complete
   */
  abstract void report(String reason);

  /** Configurations beside those of the arms. */
  void writeConf() throws IOException {
  }

  /** Ends what was started beside the cluster. */
  void close() {
  }

  /**
   * Does it, and writes its report in any case.
   * @param diskFactor bytes on disk for each byte of rows in HFiles
   * @throws ToolException when it failed, in one line
   */
  final void run(double diskFactor, Memory memory) throws InterruptedException {
    Host.checkRoom(request.out(), diskFactor * request.profile().bytes(request.rows()), memory);
    makeFolder();
    try (Interrupts interrupts = new Interrupts(out::println)) {
      String[] reason = { "interrupted" };
      try {
        machine = Host.machine(request.out(), request.deviceIops());
        commit = checkout.commit();
        measure();
        reason[0] = null;
      } catch (IOException | RuntimeException e) {
        reason[0] = e instanceof ToolException ? e.getMessage() : ToolException.oneLine(e);
        cluster.keepLogs(request.out().resolve("logs"), out);
        throw e instanceof IOException || e instanceof UncheckedIOException
          ? ToolException.failed(reason[0], e) : (RuntimeException) e;
      } finally {
        interrupts.undisturbed(() -> end(reason[0]));
      }
    }
  }

  private void end(String reason) {
    try {
      if (cluster.exists()) {
        progress.end("taking the cluster down");
        cluster.remove(out);
      }
    } finally {
      close();
      report(reason);
    }
  }

  private void makeFolder() {
    try {
      Files.createDirectories(request.out());
      for (ArmSpec arm : request.arms()) {
        ArmConf.write(arm, checkout.shippedConf(), request.settings(), conf(arm.name()));
      }
      writeConf();
    } catch (IOException e) {
      throw ToolException.usage("--out " + request.out() + " can't be made: "
        + ToolException.oneLine(e), e);
    }
  }

  /** The configuration that an arm's region server is started with. */
  final Path conf(String arm) {
    return request.out().resolve("conf").resolve(arm);
  }

  /** What has to be said when the cluster is up, before it is used. */
  final void checkCluster() throws InterruptedException {
    for (ArmSpec arm : request.arms()) {
      cluster.checkJvm(arm, request.environment(arm), request.out().resolve("jvm.log"));
    }
    versions = cluster.versions();
  }

  /**
   * Starts the cluster, and loads the table.
   * @return how many regions the table has
   */
  final int startWithTable() throws InterruptedException {
    progress.stage("starting the cluster");
    cluster.up(request.environment());
    return loadTable();
  }

  /** Loads the table, when the cluster is up; returns how many regions it has. */
  final int loadTable() throws InterruptedException {
    checkCluster();
    loadRows();
    progress.stage("flushing and compacting");
    return client.prepareTable(request.out());
  }

  final void loadRows() throws InterruptedException {
    progress.stage("loading " + (request.rows() == null ? "the profile's" : request.rows())
      + " rows");
    client.load(request.out());
  }

  /**
   * Does the profile with as many operations as go.
   * @param folder for what the client writes
   * @param target operations a second; null for a share of what was done in the second half
   * @return the target
   */
  final int warmUp(Client armClient, String arm, Path folder, Integer target, double share)
    throws IOException, InterruptedException {
    progress.stage("warming up for " + Progress.duration(request.warmUpMinutes() * 60));
    Path warmUp = Files.createDirectories(folder.resolve("warm-up"));
    armClient.run(warmUp, request.warmUpMinutes(), null);
    if (target != null) {
      return target;
    }
    List<YcsbResult.Rate> rates = YcsbResult.read(warmUp.resolve("ycsb.json")).throughput();
    double most = rates.subList(rates.size() / 2, rates.size()).stream()
      .mapToDouble(YcsbResult.Rate::operationsPerSecond).average().orElseThrow(
        () -> ToolException.usage("--warm-up is too short to tell what the first arm can do; give"
          + " a longer one, or --target"));
    note(String.format(Locale.ROOT,
      "%s did %,.0f operations a second; %.0f %% of these is the target", arm, most, share * 100));
    return (int) Math.max(1, most * share);
  }

  /**
   * Waits until a load has come to something.
   * @param otherwise what it is if it doesn't, in time or before the load ends
   */
  static void await(Child load, BooleanSupplier condition, String otherwise)
    throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_START_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline || !load.isAlive()) {
        throw new IOException(otherwise);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** Notes an arm's JVM and settings, as they are in effect; once. */
  final void describe(ArmSpec arm, RegionServer server) throws IOException, InterruptedException {
    if (arms.get(arm.name()).java() == null) {
      RegionServer.Runtime runtime = server.runtime();
      arms.put(arm.name(), arm.described(checkout, runtime));
      differences.add(arm, server.configuration(), runtime.arguments());
    }
  }

  /** The arms, with what is known of them. */
  final List<Arm> arms() {
    return request.arms().stream().map(arm -> arms.get(arm.name())).toList();
  }

  /** What the report of a run that is over says of it. */
  final Comparison comparison(String reason, int rounds, Integer target) {
    return new Comparison(request.profile().name(), request.command(),
      reason == null ? State.COMPLETE : State.PARTIAL, reason, start, Instant.now(), arms(),
      rounds, request.rows(), null, target == null ? null : (double) target,
      request.memory().bytes(), null, commit, machine, versions, differences.found(), notes);
  }

  final void note(String note) {
    notes.add(note);
    out.println("Note: " + note);
  }
}
