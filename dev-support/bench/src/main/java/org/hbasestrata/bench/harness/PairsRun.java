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
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ConfigDifference;
import org.hbasestrata.bench.State;
import org.hbasestrata.bench.pairs.PairedFigure;
import org.hbasestrata.bench.pairs.Pairs;
import org.hbasestrata.bench.pairs.PairsFiles;
import org.hbasestrata.bench.pairs.Slice;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Daemon;
import org.hbasestrata.tools.cluster.Jmx;

/*
 * Region server 1 loads the rows and then has hbase:meta and what else isn't compared; 2 and 3 are
 * the arms'.
 */

/** Does a {@code bench pairs}, from the cluster's start to the report. For one thread. */
final class PairsRun extends ClusterRun {
  private static final Path PROC = Path.of("/proc");
  private static final List<String> TABLES = List.of("pairs_a", "pairs_b");
  /** No arm may have its name: it has a character that no arm's name begins with. */
  private static final String CLUSTER = "-cluster";
  private static final int LOADER = 1;
  private static final int FIRST_OF_ARMS = 2;
  private static final int SERVERS = 3;
  /** Of the rows in HFiles: those loaded, the two tables, one of these being compacted, the WAL. */
  private static final double DISK_FACTOR = 5.5;
  private static final Map<String, String> LOADER_MEMORY =
    Map.of("HBASE_HEAPSIZE", "1g", "HBASE_OFFHEAPSIZE", "512m");
  /** Of the master: else it keeps hbase:meta on whichever arm's server has the newest version. */
  private static final Map<String, String> CLUSTER_SETTINGS =
    Map.of("hbase.min.version.move.system.tables", "99");
  private static final double OVERHEAD_SECONDS = 1;
  private static final double SAME_WITHIN = 0.02;

  private final PairsRequest pairsRequest;
  private final List<Slicer.Side> sides = new ArrayList<>();
  private Map<String, String> clientJars = Map.of();
  private final List<Pairs.WarmUp> warmUps = new ArrayList<>();
  private final List<Slice> slices = new ArrayList<>();

  PairsRun(PairsRequest pairsRequest, Checkout checkout, PrintWriter out) {
    super(pairsRequest.request(), checkout, out,
      new Progress(out, pairsRequest.starts() * pairsRequest.threads().size(),
        2 * pairsRequest.mostPairs() * (pairsRequest.sliceSeconds() + OVERHEAD_SECONDS)));
    this.pairsRequest = pairsRequest;
  }

  /** @throws ToolException when it failed, in one line */
  void run() throws InterruptedException {
    run(DISK_FACTOR, new Memory(request.memory().bytes() * 2));
    if (pairsRequest.selfTest()) {
      checkSelfTest(results());
    }
  }

  @Override
  void writeConf() {
    ArmConf.write(ArmSpec.stock(checkout), checkout.shippedConf(), CLUSTER_SETTINGS,
      conf(CLUSTER));
  }

  @Override
  void measure() throws IOException, InterruptedException {
    startCluster();
    for (int start = 1; start <= pairsRequest.starts(); start++) {
      try {
        startArms(start);
        measureArms(start);
      } finally {
        sides.forEach(side -> side.process().close());
        sides.clear();
      }
    }
  }

  private void measureArms(int start) throws IOException, InterruptedException {
    try (SliceClients clients = new SliceClients(client, pairsRequest, TABLES,
      () -> sides.stream().allMatch(side -> side.daemon().isAlive()))) {
      clientJars = clients.jars(request.arms());
      Slicer slicer = new Slicer(sides, clients, pairsRequest.sliceSeconds(),
        pairsRequest.turnMillis(), this::note);
      slicer.checkPlaces();
      warmUp(slicer);
      for (int threads : pairsRequest.threads()) {
        progress.beginRun((pairsRequest.starts() == 1 ? "" : "start " + start + ", ") + threads
          + " threads");
        measure(slicer, start, threads);
        progress.endRun();
      }
    }
  }

  private void startCluster() throws InterruptedException {
    progress.stage("starting the cluster");
    Map<String, String> loader = new LinkedHashMap<>(request.environment());
    loader.putAll(LOADER_MEMORY);
    cluster.up(loader, conf(CLUSTER), SERVERS, pairsRequest.secure());
    checkCluster();
    loadRows();
    progress.stage("making the two tables");
    client.makeTwins(request.out(), twins());
  }

  private List<String> twins() {
    List<String> twins = new ArrayList<>();
    for (int i = 0; i < TABLES.size(); i++) {
      String encoding = pairsRequest.encodings().get(request.arms().get(i).name());
      twins.add(encoding == null ? TABLES.get(i) : TABLES.get(i) + "=" + encoding);
    }
    return twins;
  }

  private void startArms(int start) throws IOException, InterruptedException {
    progress.stage("starting the region servers");
    Map<String, Integer> ports = new LinkedHashMap<>();
    for (int i = 0; i < TABLES.size(); i++) {
      ArmSpec arm = request.arms().get(i);
      cluster.startRegionServer(serverOf(i, start), arm, conf(arm.name()), request.environment(arm),
        List.of());
      ports.put(TABLES.get(i), cluster.regionServer(serverOf(i, start)).port());
    }
    ports.put("", cluster.regionServer(LOADER).port());
    client.pin(request.out(), ports);
    for (int i = 0; i < TABLES.size(); i++) {
      sides.add(side(i, start));
    }
  }

  /** The arms take turns, so that nothing else of a server is always the same arm's. */
  private static int serverOf(int arm, int start) {
    return FIRST_OF_ARMS + (arm + start - 1) % TABLES.size();
  }

  private Slicer.Side side(int index, int start) throws IOException, InterruptedException {
    ArmSpec arm = request.arms().get(index);
    Daemon daemon = cluster.regionServer(serverOf(index, start));
    RegionServer server = new RegionServer(new Jmx(daemon.webPort()));
    describe(arm, server);
    return new Slicer.Side(arm, TABLES.get(index), daemon, server,
      ServerProcess.attach(PROC, daemon.pid()));
  }

  private void warmUp(Slicer slicer) throws IOException, InterruptedException {
    if (request.warmUpMinutes() == 0) {
      return;
    }
    progress.stage("warming up, at most " + Progress.duration(request.warmUpMinutes() * 60));
    List<PairWarmth> both = sides.stream().map(PairWarmth::new).toList();
    long deadline = System.nanoTime() + (long) (request.warmUpMinutes() * 60e9);
    do {
      for (PairWarmth warmth : both) {
        warmth.go(slicer, pairsRequest.mostThreads());
      }
    } while (System.nanoTime() < deadline && !both.stream().allMatch(PairWarmth::isReached));
    both.forEach(warmth -> warmUps.add(warmth.state()));
    warmUps.stream().filter(state -> !state.reached())
      .forEach(state -> note(state.arm() + " wasn't steady when the warm-up ended: hit ratio, CPU"
        + " per operation or JIT compilation still changed"));
  }

  private void measure(Slicer slicer, int start, int threads)
    throws IOException, InterruptedException {
    slicer.checkPlaces();
    progress.stage("at most " + pairsRequest.mostPairs() + " pairs of slices");
    // Not counted: it is another load than the one before.
    for (Slicer.Side side : sides) {
      slicer.take(side, threads);
    }
    boolean narrow = false;
    for (int pair = 1; pair <= pairsRequest.mostPairs() && !narrow; pair++) {
      slices.addAll(slicer.takePair(PairsRequest.first(pair), threads, start, pair));
      narrow = pair >= pairsRequest.leastPairs()
        && resultOfStart(threads, start).isNarrow(pairsRequest.stopAt());
    }
    PairsFiles.lines(result(threads), request.arms().stream().map(ArmSpec::name).toList())
      .forEach(out::println);
    slicer.checkPlaces();
  }

  /** Of all pairs of slices so far; there must be one. */
  private Pairs.Result result(int threads) {
    return Pairs.Result.of(threads, slices(threads, 0), slices(threads, 1),
      request.profile().scans());
  }

  private Pairs.Result resultOfStart(int threads, int start) {
    return Pairs.Result.of(threads, ofStart(slices(threads, 0), start),
      ofStart(slices(threads, 1), start), request.profile().scans());
  }

  private static List<Slice> ofStart(List<Slice> slices, int start) {
    return slices.stream().filter(slice -> slice.start() == start).toList();
  }

  private List<Slice> slices(int threads, int arm) {
    return slices.stream().filter(slice -> slice.threads() == threads
      && slice.arm().equals(request.arms().get(arm).name())).toList();
  }

  private List<Pairs.Result> results() {
    return slices.stream().map(Slice::threads).distinct().map(this::result).toList();
  }

  /** Throws unless two arms of the same jars came out as the same. */
  static void checkSelfTest(List<Pairs.Result> results) {
    String wrong = results.stream()
      .filter(result -> Math.abs(result.figure(PairedFigure.SERVER_CPU).ratio() - 1) > SAME_WITHIN)
      .map(result -> String.format(Locale.ROOT, "%.3f at %d threads, known to %.1f %%",
        result.figure(PairedFigure.SERVER_CPU).ratio(), result.threads(),
        result.figure(PairedFigure.SERVER_CPU).halfWidth() * 100))
      .collect(Collectors.joining("; "));
    if (!wrong.isEmpty()) {
      throw ToolException.failed("self-test: the same jars differ in server CPU by more than 2 %: "
        + wrong);
    }
  }

  /** Without what must differ, for two region servers that are up together. */
  private List<ConfigDifference> differences() {
    return differences.found().stream()
      .filter(difference -> !difference.key().equals("hbase.regionserver.port"))
      .filter(difference -> difference.values().values().stream()
        .noneMatch(value -> value.contains("regionserver-")))
      .toList();
  }

  @Override
  void report(String reason) {
    Comparison comparison = new Comparison(request.profile().name(), request.command(),
      reason == null ? State.COMPLETE : State.PARTIAL, reason, start, Instant.now(), arms(),
      pairsRequest.starts(), request.rows(), null, null, request.memory().bytes(), null, commit,
      machine, versions, differences(), notes);
    out.println(PairsFiles.write(new Pairs(comparison, pairsRequest.sliceSeconds(),
      request.profile().scans(), pairsRequest.ownClients(), clientJars, warmUps, results(), slices),
      request.out()));
  }
}
