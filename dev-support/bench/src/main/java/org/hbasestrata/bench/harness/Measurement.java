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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hbasestrata.bench.Server;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.ProcessFiles;

/*
 * The client's JVM takes seconds to start, and its operations begin and end when they like. So
 * counters are read many times a second all along, with the time; ycsb.json tells afterwards from
 * when to when operations ran, and what was counted in between is worked out from the readings
 * around the two times. Counters of HBase's metrics, which are a second or two old, are read while
 * nothing happens: when the warm-up has ended, and again when the run has.
 */

/** The measured part of an arm's run under one load. For one thread. */
final class Measurement {
  private static final Duration PROCESS_INTERVAL = Duration.ofMillis(100);
  private static final Duration JMX_INTERVAL = Duration.ofMillis(500);
  /** HBase's and Hadoop's periods after one another, and some room. */
  private static final long SETTLE_MILLIS = 2_500L * ArmConf.METRICS_PERIOD_SECONDS;
  /** More failed operations than this, and the numbers say nothing. */
  private static final double FAILED_AT_MOST = 0.001;

  private final Load load;
  private final Path folder;
  private final List<String> notes = new ArrayList<>();
  private Instant start;
  private Instant end;
  private Server server;

  /** @param folder where its files go */
  Measurement(Load load, Path folder) {
    this.load = load;
    this.folder = folder;
  }

  Load load() {
    return load;
  }

  Path folder() {
    return folder;
  }

  /** When the client's first operation began; null before it ran, as is what follows. */
  Instant start() {
    return start;
  }

  Instant end() {
    return end;
  }

  Server server() {
    return server;
  }

  List<String> notes() {
    return notes;
  }

  void note(String note) {
    notes.add(note);
  }

  /**
   * Runs the profile, and reads the region server's counters meanwhile.
   * @param process     the region server's
   * @param regionsOpen when its regions were, after a restart; null without one
   * @param jvm         has a recording, which ends with this
   */
  void take(Comparer comparer, ProcessFiles process, RegionServer regionServer, Recorder jvm,
    Instant regionsOpen) throws IOException, InterruptedException {
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
      Series requests = sampler.sample(PROCESS_INTERVAL, comparer.groups()::ios);
      Series allocated = sampler.sample(JMX_INTERVAL, regionServer::allocatedBytes);
      HitRatio ratio = regionsOpen == null ? null : new HitRatio(sampler, regionServer);
      comparer.client.run(folder, comparer.minutes(load), load.target());
      long operations = readInterval();
      if (ratio != null) {
        warmAfterMillis = ratio.millisUntilWarm(regionsOpen, start, end);
        if (warmAfterMillis == null) {
          note("fewer than 95 % of look-ups in the block cache hit, to the end of the run");
        }
      }
      Thread.sleep(SETTLE_MILLIS);
      after = regionServer.counters(before, operations);
      cpuSeconds = cpu.between(start, end);
      allocatedBytes = allocated.between(start, end);
      deviceBytes = device.between(start, end);
      ios = requests.between(start, end);
    }
    comparer.progress.stage("reading the region server's memory");
    long resident = process.residentBytes();
    long buffers = regionServer.bufferBytes();
    Long heap = null;
    if (jvm.endRecordingAndCollectGarbage(folder.resolve("server.jfr"))) {
      heap = regionServer.heapBytes();
    } else {
      note("no heap after a full GC: -XX:+DisableExplicitGC");
    }
    Files.write(folder.resolve("flags.txt"), jvm.flags());
    RegionServer.Counters counters = after.since(before);
    server = new Server(cpuSeconds, whole(allocatedBytes), heap, buffers, resident,
      counters.tiers(), counters.hdfsBlocksRead(), whole(deviceBytes), whole(ios),
      warmAfterMillis);
    if (cpuSeconds == null) {
      note("CPU time wasn't read often enough");
    }
  }

  private static Long whole(Double value) {
    return value == null ? null : Math.round(value);
  }

  /**
   * When operations began and ended, from what the client wrote.
   * @return how many were answered
   */
  private long readInterval() throws IOException {
    JsonNode json = Json.MAPPER.readTree(folder.resolve("ycsb.json").toFile());
    JsonNode phase = json.path("phases").path(0);
    long operations = phase.path("operations").asLong();
    long failed = phase.path("failed").asLong();
    if (operations == 0 || failed > operations * FAILED_AT_MOST) {
      throw ToolException.failed(failed + " of " + operations + " operations failed; see "
        + folder.resolve("ycsb.log"));
    }
    start = Instant.ofEpochMilli(phase.path("start_ms").asLong());
    end = start.plusNanos((long) (phase.path("seconds").asDouble() * 1e9));
    return operations - failed;
  }

  /** Keeps the region server's GC log: files in the order in which they were written. */
  void keepGcLog(List<Path> logs) throws IOException {
    Path kept = folder.resolve("gc.log");
    try (OutputStream all = Files.newOutputStream(kept)) {
      for (Path log : logs) {
        Files.copy(log, all);
      }
    }
    try (Stream<String> lines = Files.lines(kept)) {
      if (lines.findAny().isEmpty()) {
        note("there is no GC log");
      }
    }
  }
}
