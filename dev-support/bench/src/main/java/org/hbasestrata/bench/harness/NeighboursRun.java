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
import java.util.concurrent.TimeUnit;
import org.hbasestrata.bench.neighbours.Beside;
import org.hbasestrata.bench.neighbours.Neighbours;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Jmx;
import org.hbasestrata.tools.cluster.ProcessFiles;

/** Does a {@code bench neighbours}, from the cluster's start to the report. For one thread. */
final class NeighboursRun extends ClusterRun {
  /** Of the rows in HFiles: those loaded, those being compacted, the WAL, and other tables. */
  private static final double DISK_FACTOR = 6;
  private static final double EXPECTED_START_SECONDS = 60;
  /** Longer than all of a round; the client is ended before. */
  private static final double MOST_MINUTES = 240;
  private static final Path PROC = Path.of("/proc");

  private final List<Neighbour> neighbours;
  private final double share;
  private final int seconds;
  private final int settleSeconds;
  private final List<Beside> results = new ArrayList<>();
  private Integer target;

  /**
   * @param target        operations a second; null for a share of what the first arm can do
   * @param share         that share
   * @param seconds       how long gets are measured beside each neighbour
   * @param settleSeconds how long a neighbour runs before that
   */
  NeighboursRun(Request request, List<Neighbour> neighbours, Integer target, double share,
    int seconds, int settleSeconds, Checkout checkout, PrintWriter out) {
    super(request, checkout, out, new Progress(out, request.rounds() * request.arms().size(),
      EXPECTED_START_SECONDS + request.warmUpMinutes() * 60
        + neighbours.size() * (seconds + 2 * settleSeconds)));
    this.neighbours = neighbours;
    this.target = target;
    this.share = share;
    this.seconds = seconds;
    this.settleSeconds = settleSeconds;
  }

  /** @throws ToolException when it failed, in one line */
  void run() throws InterruptedException {
    run(DISK_FACTOR, request.memory());
  }

  @Override
  void measure() throws IOException, InterruptedException {
    startCluster();
    loadTable();
    for (int round = 1; round <= request.rounds(); round++) {
      for (ArmSpec arm : request.order(round)) {
        progress.beginRun("round " + round + ", " + arm.name());
        measure(round, arm);
        progress.endRun();
      }
    }
  }

  private void startCluster() throws InterruptedException {
    progress.stage("starting the cluster");
    Map<String, String> environment = new HashMap<>(request.environment());
    environment.put("HBASE_OPTS", Client.FEW_COMPILATIONS);
    if (neighbours.stream().anyMatch(Neighbour::isDataNode)) {
      cluster.up(environment, DataNodeFault.DATA_NODES);
    } else {
      cluster.up(environment);
    }
  }

  private void measure(int round, ArmSpec arm) throws IOException, InterruptedException {
    startRegionServer(arm);
    Path folder = Files.createDirectories(
      request.out().resolve("rounds").resolve(Integer.toString(round)).resolve(arm.name()));
    target = warmUp(client, arm.name(), folder, target, share);
    measure(arm, folder, settleSeconds,
      neighbours.stream().filter(neighbour -> neighbour != Neighbour.START).toList());
    if (neighbours.contains(Neighbour.START)) {
      startRegionServer(arm);
      measure(arm, Files.createDirectories(folder.resolve(Neighbour.START.toString())), 0,
        List.of(Neighbour.START));
    }
  }

  private void startRegionServer(ArmSpec arm) throws IOException, InterruptedException {
    progress.stage("starting the region server");
    cluster.startRegionServer(arm, conf(arm.name()), request.environment(arm), List.of());
    describe(arm, new RegionServer(new Jmx(cluster.regionServer().webPort())));
  }

  /** Measures beside some neighbours, all with the same client. */
  private void measure(ArmSpec arm, Path folder, int settle, List<Neighbour> some)
    throws IOException, InterruptedException {
    Child load = client.startVerified(folder, MOST_MINUTES, target);
    try {
      await(load, () -> Files.exists(folder.resolve("ycsb.hlog")),
        "gets haven't begun; see " + folder.resolve("ycsb.log"));
      Thread.sleep(TimeUnit.SECONDS.toMillis(settle));
      List<Beside.Time> times = new ArrayList<>();
      for (Neighbour neighbour : some) {
        progress.stage(target + " gets a second beside " + neighbour.what());
        times.add(measure(neighbour, folder, load, settle));
      }
      load.end();
      times.forEach(time -> results.add(Beside.of(arm.name(), folder, time)));
    } finally {
      load.end();
    }
  }

  private Beside.Time measure(Neighbour neighbour, Path folder, Child gets, int settle)
    throws IOException, InterruptedException {
    Path samples = folder.resolve(neighbour + ".samples");
    Child load = null;
    DataNodeFault fault = null;
    try {
      if (neighbour.isDataNode()) {
        fault = DataNodeFault.begin(cluster, neighbour);
      } else if (neighbour.isLoad()) {
        load = client.neighbour(neighbour, folder, samples);
        await(load, () -> Files.exists(samples),
          neighbour + " hasn't begun; see " + folder.resolve(neighbour + ".log"));
      }
      Thread.sleep(TimeUnit.SECONDS.toMillis(settle));
      ProcessFiles server = new ProcessFiles(PROC, cluster.regionServer().pid());
      double cpu = server.cpuSeconds();
      ProcessorTime processors = ProcessorTime.now();
      long from = System.currentTimeMillis();
      Thread.sleep(TimeUnit.SECONDS.toMillis(seconds));
      long to = System.currentTimeMillis();
      double busy = ProcessorTime.now().busySince(processors);
      cpu = server.cpuSeconds() - cpu;
      if (!gets.isAlive() || load != null && !load.isAlive()) {
        throw new IOException("a load ended before its time; see " + folder);
      }
      return new Beside.Time(neighbour.toString(), neighbour.what(), neighbour.unit(), from, to,
        cpu, busy);
    } finally {
      if (fault != null) {
        fault.end();
      }
      if (load != null) {
        load.end();
      }
      if (fault != null || load != null) {
        Thread.sleep(TimeUnit.SECONDS.toMillis(settle));
      }
    }
  }

  @Override
  void report(String reason) {
    out.println(new Neighbours(comparison(reason, request.rounds(), target), results)
      .write(request.out()));
  }
}
