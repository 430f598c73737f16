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
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.hbasestrata.bench.BenchException;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.PageCache;
import org.hbasestrata.bench.Run;
import org.hbasestrata.bench.Server;
import org.hbasestrata.bench.State;

/*
 * The client's JVM takes seconds to start, and its operations begin and end when they like. So
 * counters are read many times a second all along, with the time; ycsb.json tells afterwards from
 * when to when operations ran, and what was counted in between is worked out from the readings
 * around the two times. Counters of HBase's metrics, which are a second or two old, are read while
 * nothing happens: when the warm-up has ended, and again when the run has.
 */

/** One run of one arm. For one thread. */
final class ArmRun {
  private static final Path PROC = Path.of("/proc");
  private static final Duration PROCESS_INTERVAL = Duration.ofMillis(100);
  private static final Duration JMX_INTERVAL = Duration.ofMillis(500);
  /** HBase's and Hadoop's periods after one another, and some room. */
  private static final long SETTLE_MILLIS = 2_500L * ArmConf.METRICS_PERIOD_SECONDS;
  private static final int REGIONS_SECONDS = 120;
  private static final int POLL_MILLIS = 500;
  private static final int WARM_UP_WINDOW_SECONDS = 5;
  /** More failed operations than this, and the numbers say nothing. */
  private static final double FAILED_AT_MOST = 0.001;

  private final Comparer comparer;
  private final Request request;
  private final ArmSpec arm;
  private final int round;
  private final int position;
  private final Path folder;
  private final LocalCluster cluster;
  private final Client client;
  private final ControlGroups groups;
  private final Progress progress;
  private final List<String> notes = new ArrayList<>();

  private Instant start;
  private Instant end;
  /** When they were after the restart; null without one. */
  private Instant regionsOpen;
  private Instant measuredStart;
  private Instant measuredEnd;
  private Server server;

  ArmRun(Comparer comparer, ArmSpec arm, int round, int position) {
    this.comparer = comparer;
    this.request = comparer.request();
    this.arm = arm;
    this.round = round;
    this.position = position;
    this.folder = comparer.folder().run(round, arm.name());
    this.cluster = comparer.cluster();
    this.client = comparer.client();
    this.groups = comparer.groups();
    this.progress = comparer.progress();
  }

  /** Runs it, and writes run.json in any case. */
  void run() throws InterruptedException {
    progress.beginRun("round " + round + " of " + request.rounds() + ", " + arm.name());
    try {
      Files.createDirectories(folder);
      startAndMeasure();
      comparer.folder().write(result(State.COMPLETE, null));
    } catch (IOException | UncheckedIOException e) {
      throw failed(BenchException.failed(BenchException.oneLine(e), e));
    } catch (BenchException e) {
      throw failed(e);
    } catch (InterruptedException e) {
      comparer.folder().write(result(State.PARTIAL, "interrupted"));
      throw e;
    }
    progress.endRun();
  }

  private BenchException failed(BenchException e) {
    String reason = e.getMessage();
    if (groups.kills() > comparer.killsSeen()) {
      reason = "the kernel ended a process that took more than --memory " + request.memory() + ": "
        + reason;
    }
    comparer.folder().write(result(State.PARTIAL, reason));
    return BenchException.failed("round " + round + ", " + arm.name() + ": " + reason, e);
  }

  private Run result(State state, String reason) {
    return new Run(round, arm.name(), position, state, reason, start, end, measuredStart,
      measuredEnd, server, notes);
  }

  private void startAndMeasure() throws IOException, InterruptedException {
    progress.stage("starting the region server");
    for (Path log : cluster.gcLogs()) {
      Files.delete(log);
    }
    if (request.pageCache() != PageCache.WARM) {
      dropPageCache(Map.of());
    }
    start = Instant.now();
    LocalCluster.Daemon daemon = startRegionServer();
    RegionServer regionServer = new RegionServer(new Jmx(daemon.webPort()));
    awaitRegions(regionServer, comparer.regions());
    comparer.describe(arm, regionServer);
    if (request.profile().writes()) {
      progress.stage("restoring the table as it was loaded");
      client.restoreTable(folder);
      awaitRegions(regionServer, comparer.regions());
    }
    Jvm jvm = new Jvm(daemon.pid(), folder.resolve("jcmd.log"));
    // Before the warm-up: a JVM throws its compiled code away when its first recording begins.
    jvm.startRecording(regionServer.runtime().version(), folder);
    warmUp(daemon, regionServer);
    if (request.restart()) {
      progress.stage("restarting the region server");
      cluster.stopRegionServer();
      daemon = startRegionServer();
      regionServer = new RegionServer(new Jmx(daemon.webPort()));
      awaitRegions(regionServer, comparer.regions());
      regionsOpen = Instant.now();
      jvm = new Jvm(daemon.pid(), folder.resolve("jcmd.log"));
      jvm.startRecording(regionServer.runtime().version(), folder);
    }
    if (request.pageCache() == PageCache.COLD) {
      dropPageCache(regionServer.configuration());
    }
    measure(daemon, regionServer, jvm);
    progress.stage("stopping the region server");
    cluster.stopRegionServer();
    end = Instant.now();
    keepGcLog();
  }

  private LocalCluster.Daemon startRegionServer() throws InterruptedException {
    cluster.startRegionServer(arm, comparer.conf(arm), request.environment(arm),
      groups.procs(ControlGroups.Member.REGION_SERVER));
    return cluster.regionServer();
  }

  /** @param configuration the region server's, to tell where it caches */
  private void dropPageCache(Map<String, String> configuration) throws InterruptedException {
    List<Path> files = new ArrayList<>(List.of(cluster.data()));
    PageCacheFiles.ofBlockCache(configuration).stream().filter(Files::exists).forEach(files::add);
    PageCacheFiles.drop(files, folder.resolve("page-cache.log"));
  }

  static void awaitRegions(RegionServer regionServer, int regions) throws InterruptedException {
    long deadline = System.nanoTime() + REGIONS_SECONDS * 1_000_000_000L;
    int found = 0;
    while (System.nanoTime() < deadline) {
      found = regionServer.regions();
      if (found >= regions) {
        return;
      }
      Thread.sleep(POLL_MILLIS);
    }
    throw BenchException.failed("the region server had opened " + found + " of " + regions
      + " regions after " + REGIONS_SECONDS + " seconds", null);
  }

  private void warmUp(LocalCluster.Daemon daemon, RegionServer regionServer)
    throws IOException, InterruptedException {
    double most = request.warmUpMinutes() * 60;
    if (most == 0) {
      return;
    }
    progress.stage("warming up, at most " + Progress.duration(most));
    ProcessFiles process = new ProcessFiles(PROC, daemon.pid());
    Warmth warmth = new Warmth();
    Child running = client.warmUp(folder, request.warmUpMinutes());
    try {
      while (running.isAlive() && daemon.isAlive() && !warmth.isReached()) {
        Thread.sleep(WARM_UP_WINDOW_SECONDS * 1_000L);
        warmth.add(regionServer.counters(), process.cpuSeconds());
      }
    } finally {
      running.end();
    }
    // Throws when it is gone.
    cluster.regionServer();
    if (!warmth.isReached()) {
      notes.add("the region server wasn't warm when the warm-up ended, after "
        + Progress.duration(most) + ": hit ratio or CPU per request still changed");
    }
  }

  private void measure(LocalCluster.Daemon daemon, RegionServer regionServer, Jvm jvm)
    throws IOException, InterruptedException {
    ProcessFiles process = new ProcessFiles(PROC, daemon.pid());
    progress.stage("running " + request.profile().name() + " for "
      + Progress.duration(request.minutes() * 60));
    Thread.sleep(SETTLE_MILLIS);
    RegionServer.Counters before = regionServer.counters();
    RegionServer.Counters after;
    Double cpuSeconds;
    Double allocatedBytes;
    Double deviceBytes;
    Double ios;
    Long warmAfterMillis = null;
    try (Sampler sampler = new Sampler()) {
      Series cpu = sampler.sample(PROCESS_INTERVAL, process::cpuSeconds);
      Series device = sampler.sample(PROCESS_INTERVAL, process::deviceBytesRead);
      Series requests = sampler.sample(PROCESS_INTERVAL, groups::ios);
      Series allocated = sampler.sample(JMX_INTERVAL, regionServer::allocatedBytes);
      HitRatio ratio = regionsOpen == null ? null : new HitRatio(sampler, regionServer);
      client.run(folder);
      readInterval();
      if (ratio != null) {
        warmAfterMillis = ratio.millisUntilWarm(regionsOpen, measuredStart, measuredEnd);
        if (warmAfterMillis == null) {
          notes.add("fewer than 95 % of look-ups in the block cache hit, to the end of the run");
        }
      }
      Thread.sleep(SETTLE_MILLIS);
      after = regionServer.counters();
      cpuSeconds = cpu.between(measuredStart, measuredEnd);
      allocatedBytes = allocated.between(measuredStart, measuredEnd);
      deviceBytes = device.between(measuredStart, measuredEnd);
      ios = requests.between(measuredStart, measuredEnd);
    }
    progress.stage("reading the region server's memory");
    long resident = process.residentBytes();
    long buffers = regionServer.bufferBytes();
    Long heap = null;
    if (jvm.endRecordingAndCollectGarbage(folder.resolve("server.jfr"))) {
      heap = regionServer.heapBytes();
    } else {
      notes.add("no heap after a full GC: -XX:+DisableExplicitGC");
    }
    Files.write(folder.resolve("flags.txt"), jvm.flags());
    RegionServer.Counters counters = after.since(before);
    server = new Server(cpuSeconds, whole(allocatedBytes), heap, buffers, resident,
      counters.tiers(), counters.hdfsBlocksRead(), whole(deviceBytes), whole(ios),
      warmAfterMillis);
    if (cpuSeconds == null) {
      notes.add("CPU time wasn't read often enough");
    }
  }

  private static Long whole(Double value) {
    return value == null ? null : Math.round(value);
  }

  /** When operations began and ended, from what the client wrote. */
  private void readInterval() throws IOException {
    JsonNode json = ComparisonFolder.JSON.readTree(folder.resolve("ycsb.json").toFile());
    JsonNode phase = json.path("phases").path(0);
    long operations = phase.path("operations").asLong();
    long failed = phase.path("failed").asLong();
    if (operations == 0 || failed > operations * FAILED_AT_MOST) {
      throw BenchException.failed(failed + " of " + operations + " operations failed; see "
        + folder.resolve("ycsb.log"), null);
    }
    measuredStart = Instant.ofEpochMilli(phase.path("start_ms").asLong());
    measuredEnd = measuredStart.plusNanos((long) (phase.path("seconds").asDouble() * 1e9));
  }

  /** The JVM rotates its log; what it wrote last is newest. */
  private void keepGcLog() throws IOException {
    List<Path> logs = cluster.gcLogs().stream()
      .sorted(Comparator.comparing((Path log) -> log.toFile().lastModified())).toList();
    try (OutputStream all = Files.newOutputStream(folder.resolve("gc.log"))) {
      for (Path log : logs) {
        Files.copy(log, all);
      }
    }
    try (Stream<String> lines = Files.lines(folder.resolve("gc.log"))) {
      if (lines.findAny().isEmpty()) {
        notes.add("there is no GC log");
      }
    }
  }
}
