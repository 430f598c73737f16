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

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.BenchException;
import org.hbasestrata.bench.Machine;
import org.hbasestrata.bench.State;
import org.hbasestrata.bench.pairs.PairedFigure;
import org.hbasestrata.bench.pairs.Pairs;
import org.hbasestrata.bench.pairs.PairsFiles;
import org.hbasestrata.bench.pairs.ServerUse;
import org.hbasestrata.bench.pairs.Slice;

/*
 * Region server 1 loads the rows and then has hbase:meta and what else isn't compared; 2 and 3 are
 * the arms'. A slice, on one of them:
 *
 *   settle    operations that aren't counted, since caches and clocks of the idle one went cold
 *   read      counters of both servers and of the client, while nothing happens
 *   run       the operations
 *   quiet     until the server is idle again: what it still does is due to the slice, such as a
 *             flush, and would else disturb the other's
 *   read
 */

/** Does a {@code bench pairs}, from the cluster's start to the report. For one thread. */
final class PairsRun {
  private static final Path PROC = Path.of("/proc");
  private static final List<String> TABLES = List.of("pairs_a", "pairs_b");
  private static final int LOADER = 1;
  private static final int FIRST_OF_ARMS = 2;
  private static final int SERVERS = 3;
  /** Of the rows in HFiles: those loaded, the two tables, one of these being compacted, the WAL. */
  private static final double DISK_FACTOR = 5.5;
  private static final Map<String, String> LOADER_MEMORY =
    Map.of("HBASE_HEAPSIZE", "1g", "HBASE_OFFHEAPSIZE", "512m");
  private static final double OVERHEAD_SECONDS = 1;
  private static final int SETTLE_MILLIS = 300;
  private static final int QUIET_WINDOW_MILLIS = 200;
  private static final double QUIET_SHARE = 0.2;
  private static final double QUIET_SECONDS = 20;
  /** JIT compilers that take no more of a server's CPU have compiled what counts. */
  private static final double COMPILE_SHARE = 0.05;
  private static final double SAME_WITHIN = 0.02;
  private static final double MICROS = 1e6;

  private final PairsRequest pairsRequest;
  private final Request request;
  private final Checkout checkout;
  private final PrintWriter out;
  private final Progress progress;
  private final LocalCluster cluster;
  private final Client client;
  private final Instant start = Instant.now();
  private final Differences differences = new Differences();
  private final List<Side> sides = new ArrayList<>();
  private final List<Arm> arms;
  private final List<Pairs.WarmUp> warmUps = new ArrayList<>();
  private final List<Pairs.Result> results = new ArrayList<>();
  private final List<Slice> slices = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private Map<String, String> versions = Map.of();
  private Machine machine;
  private String commit;
  private SliceClient sliceClient;
  private ProcessFiles clientFiles;

  /** An arm's region server, which is up. */
  private record Side(ArmSpec arm, String table, LocalCluster.Daemon daemon, RegionServer server,
    ServerProcess process) {
  }

  PairsRun(PairsRequest pairsRequest, Checkout checkout, PrintWriter out) {
    this.pairsRequest = pairsRequest;
    this.request = pairsRequest.request();
    this.checkout = checkout;
    this.out = out;
    this.arms = new ArrayList<>(request.arms().stream()
      .map(arm -> arm.described(checkout, null)).toList());
    this.progress = new Progress(out, pairsRequest.threads().size(), 2 * pairsRequest.mostPairs()
      * (pairsRequest.sliceSeconds() + OVERHEAD_SECONDS));
    this.cluster = new LocalCluster(checkout, request.out().resolve("cluster"),
      request.out().resolve("cluster.log"));
    this.client = new Client(request, cluster, progress::detail);
  }

  /** Returns the exit code. */
  int run() throws InterruptedException {
    Host.checkRoom(request.out(), DISK_FACTOR * request.profile().bytes(request.rows()),
      new Memory(request.memory().bytes() * 2));
    makeFolder();
    Interrupts interrupts = Interrupts.ofThisThread();
    String reason = "interrupted";
    try {
      measure();
      reason = failure();
    } catch (BenchException e) {
      reason = e.getMessage();
      keepLogs();
    } catch (IOException | UncheckedIOException e) {
      reason = BenchException.oneLine(e);
      keepLogs();
    } catch (InterruptedException e) {
      out.println("Interrupted: ending what was started ...");
    } catch (RuntimeException e) {
      reason = BenchException.oneLine(e);
      keepLogs();
      throw e;
    } finally {
      try {
        interrupts.hold();
        cleanUp();
        report(reason);
      } finally {
        interrupts.release();
      }
    }
    if (reason != null) {
      throw BenchException.failed(reason, null);
    }
    return 0;
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

  private Path conf(ArmSpec arm) {
    return request.out().resolve("conf").resolve(arm.name());
  }

  private void measure() throws IOException, InterruptedException {
    machine = Host.machine(request.out(), null);
    commit = checkout.commit(request.out().resolve("git.log"));
    startCluster();
    try {
      sliceClient = client.slices(request.out(), TABLES, pairsRequest.mostThreads(),
        () -> sides.stream().allMatch(side -> side.daemon().isAlive()));
      clientFiles = new ProcessFiles(PROC, sliceClient.pid());
      checkServers();
      warmUp();
      for (int threads : pairsRequest.threads()) {
        progress.beginRun(threads + " threads");
        measure(threads);
        progress.endRun();
      }
    } finally {
      if (sliceClient != null) {
        sliceClient.close();
      }
      sides.forEach(side -> side.process().close());
    }
  }

  private void startCluster() throws IOException, InterruptedException {
    progress.stage("starting the cluster");
    Map<String, String> loader = new LinkedHashMap<>(request.environment());
    loader.putAll(LOADER_MEMORY);
    cluster.up(loader, SERVERS);
    for (ArmSpec arm : request.arms()) {
      cluster.checkJvm(arm, request.environment(arm), request.out().resolve("jvm.log"));
    }
    versions = cluster.versions();
    for (int i = 0; i < TABLES.size(); i++) {
      cluster.stopRegionServer(FIRST_OF_ARMS + i);
    }
    progress.stage("loading " + (request.rows() == null ? "the profile's" : request.rows())
      + " rows");
    client.load(request.out());
    progress.stage("making the two tables");
    client.makeTwins(request.out(), TABLES);
    progress.stage("starting the region servers");
    Map<String, Integer> ports = new LinkedHashMap<>();
    for (int i = 0; i < TABLES.size(); i++) {
      ArmSpec arm = request.arms().get(i);
      cluster.startRegionServer(FIRST_OF_ARMS + i, arm, conf(arm), request.environment(arm),
        List.of());
      ports.put(TABLES.get(i), cluster.regionServer(FIRST_OF_ARMS + i).port());
    }
    ports.put("", cluster.regionServer(LOADER).port());
    client.pin(request.out(), ports);
    for (int i = 0; i < TABLES.size(); i++) {
      sides.add(side(i));
    }
  }

  private Side side(int index) throws IOException, InterruptedException {
    ArmSpec arm = request.arms().get(index);
    LocalCluster.Daemon daemon = cluster.regionServer(FIRST_OF_ARMS + index);
    RegionServer server = new RegionServer(new Jmx(daemon.webPort()));
    RegionServer.Runtime runtime = server.runtime();
    arms.set(index, arm.described(checkout, runtime));
    differences.add(arm, server.configuration(), runtime.arguments());
    return new Side(arm, TABLES.get(index), daemon, server,
      ServerProcess.attach(PROC, daemon.pid()));
  }

  /** Throws unless each table is where it belongs, whole. */
  private void checkServers() throws InterruptedException {
    JsonNode servers = sliceClient.servers();
    for (Side side : sides) {
      List<String> found = new ArrayList<>();
      servers.path(side.table()).forEach(server -> found.add(server.asText()));
      if (found.size() != 1
        || !found.get(0).split(",")[1].equals(Integer.toString(side.daemon().port()))) {
        throw BenchException.failed("a region moved: the table of " + side.arm().name()
          + " should be on port " + side.daemon().port() + " alone, and is on " + found, null);
      }
    }
  }

  private void warmUp() throws IOException, InterruptedException {
    if (request.warmUpMinutes() == 0) {
      return;
    }
    progress.stage("warming up, at most " + Progress.duration(request.warmUpMinutes() * 60));
    List<Warming> warming = sides.stream().map(Warming::new).toList();
    long deadline = System.nanoTime() + (long) (request.warmUpMinutes() * 60e9);
    while (System.nanoTime() < deadline && !warming.stream().allMatch(Warming::isReached)) {
      for (Warming one : warming) {
        one.go();
      }
    }
    warming.forEach(one -> warmUps.add(one.state()));
    warmUps.stream().filter(state -> !state.reached())
      .forEach(state -> note(state.arm() + " wasn't steady when the warm-up ended: hit ratio, CPU"
        + " per operation or JIT compilation still changed"));
  }

  /** An arm that gets warm. */
  private final class Warming {
    private final Side side;
    private final Warmth warmth = new Warmth();
    private RegionServer.Counters before;
    private RegionServer.Counters after;
    private Slice last;
    private double cpuSeconds;
    private int count;

    private Warming(Side side) {
      this.side = side;
    }

    private void go() throws IOException, InterruptedException {
      before = side.server().counters();
      if (count == 0) {
        warmth.add(before, 0);
      }
      last = slice(side, pairsRequest.mostThreads(), 0, false);
      cpuSeconds += last.server().cpuSeconds();
      after = side.server().counters();
      warmth.add(after, cpuSeconds);
      count++;
    }

    private double compileShare() {
      return last.server().compileSeconds() / last.server().cpuSeconds();
    }

    private boolean isReached() {
      return warmth.isReached() && compileShare() <= COMPILE_SHARE;
    }

    private Pairs.WarmUp state() {
      double hits = after.hits() - before.hits();
      double lookups = hits + after.misses() - before.misses();
      return new Pairs.WarmUp(side.arm().name(), count, isReached(),
        lookups == 0 ? 1 : hits / lookups,
        last.server().cpuSeconds() * MICROS / last.operations(), compileShare());
    }
  }

  private void note(String note) {
    notes.add(note);
    out.println("Note: " + note);
  }

  private void measure(int threads) throws IOException, InterruptedException {
    checkServers();
    progress.stage("at most " + pairsRequest.mostPairs() + " pairs of slices");
    // Not counted: it is another load than the one before.
    for (Side side : sides) {
      slice(side, threads, 0, false);
    }
    List<List<Slice>> done = List.of(new ArrayList<>(), new ArrayList<>());
    boolean narrow = false;
    for (int pair = 1; pair <= pairsRequest.mostPairs() && !narrow; pair++) {
      boolean second = false;
      for (int index : PairsRequest.order(pair)) {
        Slice slice = slice(sides.get(index), threads, pair, second);
        done.get(index).add(slice);
        slices.add(slice);
        second = true;
      }
      narrow = pair >= pairsRequest.leastPairs() && isNarrow(result(threads, done));
    }
    Pairs.Result result = result(threads, done);
    results.add(result);
    PairsFiles.lines(result, arms.stream().map(Arm::name).toList()).forEach(out::println);
    checkServers();
  }

  private boolean isNarrow(Pairs.Result result) {
    return List.of(PairedFigure.THROUGHPUT, PairedFigure.SERVER_CPU).stream()
      .allMatch(id -> result.figure(id).halfWidth() <= pairsRequest.stopAt());
  }

  private Pairs.Result result(int threads, List<List<Slice>> done) {
    // The other one's slices are when it was idle.
    List<Double> idle = IntStream.of(1, 0).mapToObj(other -> done.get(other).stream()
      .mapToDouble(Slice::idleShare).average().orElseThrow()).toList();
    return new Pairs.Result(threads,
      PairedFigure.of(done.get(0), done.get(1), request.profile().scans()), idle);
  }

  private Slice slice(Side side, int threads, int pair, boolean second)
    throws IOException, InterruptedException {
    Side other = sides.get(side == sides.get(0) ? 1 : 0);
    sliceClient.run(side.table(), threads, SETTLE_MILLIS);
    awaitQuiet(side);
    double idleBefore = other.process().cpuSeconds();
    ServerProcess.Reading before = side.process().read();
    Map<Long, Long> switches = clientFiles.contextSwitches();
    double clientCpu = clientFiles.cpuSeconds();
    long begin = System.nanoTime();
    JsonNode done = sliceClient.run(side.table(), threads,
      Math.round(pairsRequest.sliceSeconds() * 1_000));
    clientCpu = clientFiles.cpuSeconds() - clientCpu;
    double clientSwitches = ServerProcess.sum(switches, clientFiles.contextSwitches());
    double quietSeconds = awaitQuiet(side);
    ServerUse use = side.process().since(before);
    double idle = (other.process().cpuSeconds() - idleBefore)
      / ((System.nanoTime() - begin) / 1e9);
    if (done.path("failed").asLong() > 0) {
      throw BenchException.failed(done.path("failed").asLong() + " operations of "
        + done.path("operations").asLong() + " failed on " + side.arm().name() + ": "
        + done.path("failure").asText(), null);
    }
    return new Slice(threads, pair, side.arm().name(), second, done.path("operations").asLong(),
      done.path("rows").asLong(), 0, done.path("seconds").asDouble(), use, clientCpu,
      clientSwitches, done.path("allocated_bytes").asDouble(), idle, quietSeconds,
      latencies(done.path("series")));
  }

  private static Map<String, Slice.Latency> latencies(JsonNode series) {
    Map<String, Slice.Latency> latencies = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> one : series.properties()) {
      ToDoubleFunction<String> value = name -> one.getValue().path(name).asDouble();
      latencies.put(one.getKey(), new Slice.Latency(one.getValue().path("count").asLong(),
        value.applyAsDouble("mean_us"), value.applyAsDouble("p50_us"),
        value.applyAsDouble("p99_us"), value.applyAsDouble("p999_us")));
    }
    return latencies;
  }

  /** Returns for how many seconds it still worked. */
  private double awaitQuiet(Side side) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    double cpu = side.process().cpuSeconds();
    while (true) {
      long windowBegin = System.nanoTime();
      Thread.sleep(QUIET_WINDOW_MILLIS);
      double now = side.process().cpuSeconds();
      double seconds = (windowBegin - begin) / 1e9;
      if (now - cpu <= QUIET_SHARE * (System.nanoTime() - windowBegin) / 1e9) {
        return seconds;
      }
      if (seconds > QUIET_SECONDS) {
        note(side.arm().name() + " still worked " + Math.round(seconds)
          + " seconds after a slice; the next one began then");
        return seconds;
      }
      cpu = now;
    }
  }

  /** What is wrong with results that are all there; null when nothing is. */
  private String failure() {
    if (!pairsRequest.selfTest()) {
      return null;
    }
    String wrong = results.stream()
      .filter(result -> Math.abs(result.figure(PairedFigure.SERVER_CPU).ratio() - 1) > SAME_WITHIN)
      .map(result -> String.format(Locale.ROOT, "%.3f at %d threads",
        result.figure(PairedFigure.SERVER_CPU).ratio(), result.threads()))
      .collect(Collectors.joining(", "));
    return wrong.isEmpty() ? null
      : "self-test: the same jars differ in server CPU by more than 2 %: " + wrong;
  }

  private void keepLogs() {
    try {
      cluster.keepLogs(request.out().resolve("logs"));
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
      // Not after hold().
      throw new IllegalStateException(e);
    }
  }

  private void report(String reason) {
    out.println(PairsFiles.write(new Pairs(request.profile().name(), request.command(),
      reason == null ? State.COMPLETE : State.PARTIAL, reason, start, Instant.now(), arms,
      request.rows(), request.memory().bytes(), pairsRequest.sliceSeconds(),
      request.profile().scans(), commit, machine, versions,
      differences.found(), warmUps, results, slices, notes), request.out()));
  }
}
