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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.PageCache;
import org.hbasestrata.bench.Run;
import org.hbasestrata.bench.State;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Daemon;
import org.hbasestrata.tools.cluster.Jmx;
import org.hbasestrata.tools.cluster.ProcessFiles;

/** One run of one arm: a region server from its start to its end. For one thread. */
final class ArmRun {
  private static final Path PROC = Path.of("/proc");
  private static final int REGIONS_SECONDS = 120;
  private static final int POLL_MILLIS = 500;
  private static final int WARM_UP_WINDOW_SECONDS = 5;

  private final Comparer comparer;
  private final Request request;
  private final ArmSpec arm;
  private final int round;
  private final int position;
  private final LocalCluster cluster;
  private final Client client;
  private final ControlGroups groups;
  private final Progress progress;
  private final List<Measurement> measurements;
  /** Of the first measurement: what isn't any one's alone goes there too. */
  private final Path folder;

  private Instant start;
  private Instant end;
  /** When they were after the restart; null without one. */
  private Instant regionsOpen;

  /** @param loads what is asked of the region server, one after the other */
  ArmRun(Comparer comparer, ArmSpec arm, int round, int position, List<Load> loads) {
    this.comparer = comparer;
    this.request = comparer.request;
    this.arm = arm;
    this.round = round;
    this.position = position;
    this.cluster = comparer.cluster;
    this.client = comparer.client;
    this.groups = comparer.groups();
    this.progress = comparer.progress;
    this.measurements = loads.stream()
      .map(load -> new Measurement(load, comparer.folder(load).run(round, arm.name()))).toList();
    this.folder = measurements.get(0).folder();
  }

  /** Runs it, and writes run.json in any case. */
  void run() throws InterruptedException {
    progress.beginRun("round " + round + " of " + request.rounds() + ", " + arm.name());
    try {
      for (Measurement measurement : measurements) {
        Files.createDirectories(measurement.folder());
      }
      startAndMeasure();
      write(State.COMPLETE, null);
    } catch (IOException | UncheckedIOException e) {
      throw failed(ToolException.failed(ToolException.oneLine(e), e));
    } catch (ToolException e) {
      throw failed(e);
    } catch (InterruptedException e) {
      write(State.PARTIAL, "interrupted");
      throw e;
    }
    progress.endRun();
  }

  private ToolException failed(ToolException e) {
    String reason = e.getMessage();
    if (groups.kills() > comparer.killsSeen()) {
      reason = "the kernel ended a process that took more than --memory " + request.memory() + ": "
        + reason;
    }
    write(State.PARTIAL, reason);
    return ToolException.failed("round " + round + ", " + arm.name() + ": " + reason, e);
  }

  private void write(State state, String reason) {
    for (Measurement part : measurements) {
      comparer.folder(part.load()).write(new Run(round, arm.name(), position, state, reason, start,
        end, part.start(), part.end(), part.server(), part.notes()));
    }
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
    Daemon daemon = startRegionServer();
    RegionServer regionServer = new RegionServer(new Jmx(daemon.webPort()));
    awaitRegions(regionServer, comparer.regions());
    comparer.describe(arm, regionServer);
    if (request.profile().writes()) {
      progress.stage("restoring the table as it was loaded");
      client.restoreTable(folder);
      awaitRegions(regionServer, comparer.regions());
    }
    Recorder jvm = new Recorder(daemon.pid(), folder.resolve("jcmd.log"));
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
      jvm = new Recorder(daemon.pid(), folder.resolve("jcmd.log"));
      jvm.startRecording(regionServer.runtime().version(), folder);
    }
    for (Measurement measurement : measurements) {
      if (measurement != measurements.get(0)) {
        jvm.startRecording(regionServer.runtime().version(), measurement.folder());
      }
      if (request.pageCache() == PageCache.COLD) {
        dropPageCache(regionServer.configuration());
      }
      progress.stage("running " + request.profile().name()
        + (measurement.load().name() == null ? "" : ", " + measurement.load().name()) + " for "
        + Progress.duration(comparer.minutes(measurement.load()) * 60));
      measurement.take(comparer, new ProcessFiles(PROC, daemon.pid()), regionServer, jvm,
        regionsOpen);
    }
    progress.stage("stopping the region server");
    cluster.stopRegionServer();
    end = Instant.now();
    keepGcLog();
  }

  private Daemon startRegionServer() throws InterruptedException {
    cluster.startRegionServer(arm, comparer.conf(arm.name()), request.environment(arm),
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
    throw ToolException.failed("the region server had opened " + found + " of " + regions
      + " regions after " + REGIONS_SECONDS + " seconds");
  }

  private void warmUp(Daemon daemon, RegionServer regionServer)
    throws IOException, InterruptedException {
    double most = request.warmUpMinutes() * 60;
    if (most == 0) {
      return;
    }
    progress.stage("warming up, at most " + Progress.duration(most));
    ProcessFiles process = new ProcessFiles(PROC, daemon.pid());
    Warmth warmth = new Warmth();
    Child running = client.warmUp(folder, request.warmUpMinutes(),
      measurements.get(0).load().target());
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
      measurements.forEach(measurement -> measurement
        .note("the region server wasn't warm when the warm-up ended, after "
          + Progress.duration(most) + ": hit ratio or CPU per request still changed"));
    }
  }

  /** The JVM rotates its log; what it wrote last is newest. */
  private void keepGcLog() throws IOException {
    List<Path> logs = cluster.gcLogs().stream()
      .sorted(Comparator.comparing((Path log) -> log.toFile().lastModified())).toList();
    for (Measurement measurement : measurements) {
      measurement.keepGcLog(logs);
    }
  }
}
