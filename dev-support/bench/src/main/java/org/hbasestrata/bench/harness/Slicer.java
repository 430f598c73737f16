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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.hbasestrata.bench.BenchException;
import org.hbasestrata.bench.pairs.ServerUse;
import org.hbasestrata.bench.pairs.Slice;

/*
 * A slice, on one of the two region servers:
 *
 *   settle    operations that aren't counted, since caches and clocks of the idle one went cold
 *   read      counters of both servers and of the client, while nothing happens
 *   run       the operations
 *   quiet     until the server is idle again: what it still does is due to the slice, such as a
 *             flush, and would else disturb the other's
 *   read
 */

/** Takes slices of two region servers that are up. For one thread. */
final class Slicer {
  private static final int SETTLE_MILLIS = 300;
  private static final int QUIET_WINDOW_MILLIS = 200;
  /** Of a processor: a region server without clients takes a twentieth of that. */
  private static final double QUIET_SHARE = 0.2;
  private static final double QUIET_SECONDS = 20;

  private final List<Side> sides;
  private final SliceClient client;
  private final ProcessFiles clientFiles;
  private final long sliceMillis;
  private final Consumer<String> notes;

  /** An arm's region server. */
  record Side(ArmSpec arm, String table, LocalCluster.Daemon daemon, RegionServer server,
    ServerProcess process) {
  }

  /** @param notes gets what a reader must know */
  Slicer(List<Side> sides, SliceClient client, double sliceSeconds, Consumer<String> notes) {
    this.sides = sides;
    this.client = client;
    this.clientFiles = new ProcessFiles(Path.of("/proc"), client.pid());
    this.sliceMillis = Math.round(sliceSeconds * 1_000);
    this.notes = notes;
  }

  /** Throws unless each table is where it belongs, whole. */
  void checkPlaces() throws InterruptedException {
    JsonNode servers = client.servers();
    for (Side side : sides) {
      List<String> found = new ArrayList<>();
      servers.path(side.table()).forEach(server -> found.add(server.asText()));
      checkPlace(side.arm().name(), side.daemon().port(), found);
    }
  }

  static void checkPlace(String arm, int port, List<String> servers) {
    if (servers.size() != 1 || !servers.get(0).split(",")[1].equals(Integer.toString(port))) {
      throw BenchException.failed("a region moved: the table of " + arm + " should be on port "
        + port + " alone, and is on " + String.join(" and ", servers), null);
    }
  }

  /**
   * Takes a slice of a side.
   * @param start  of the region servers, from 1
   * @param pair   its number, 0 when it isn't counted
   * @param second whether the other side's slice of the pair came first
   */
  Slice take(Side side, int threads, int start, int pair, boolean second)
    throws IOException, InterruptedException {
    Side other = sides.get(side == sides.get(0) ? 1 : 0);
    client.run(side.table(), threads, SETTLE_MILLIS);
    awaitQuiet(side);
    double idleCpu = other.process().cpuSeconds();
    ServerProcess.Reading before = side.process().read();
    Map<Long, Long> switches = clientFiles.contextSwitches();
    double clientCpu = clientFiles.cpuSeconds();
    long begin = System.nanoTime();
    JsonNode done = client.run(side.table(), threads, sliceMillis);
    clientCpu = clientFiles.cpuSeconds() - clientCpu;
    double clientSwitches = ServerProcess.sum(switches, clientFiles.contextSwitches());
    double quietSeconds = awaitQuiet(side);
    ServerUse use = side.process().since(before);
    double idleShare = (other.process().cpuSeconds() - idleCpu)
      / ((System.nanoTime() - begin) / 1e9);
    long operations = done.path("operations").asLong();
    if (done.path("failed").asLong() > 0) {
      throw BenchException.failed(done.path("failed").asLong() + " operations of " + operations
        + " failed on " + side.arm().name() + ": " + done.path("failure").asText(), null);
    }
    return new Slice(threads, start, pair, side.arm().name(), second, operations,
      done.path("rows").asLong(), done.path("seconds").asDouble(), use, clientCpu, clientSwitches,
      done.path("allocated_bytes").asDouble(), idleShare, quietSeconds,
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

  /** Returns for how many seconds the server still worked. */
  private double awaitQuiet(Side side) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    double cpu = side.process().cpuSeconds();
    while (true) {
      long window = System.nanoTime();
      Thread.sleep(QUIET_WINDOW_MILLIS);
      double now = side.process().cpuSeconds();
      double seconds = (window - begin) / 1e9;
      if (now - cpu <= QUIET_SHARE * (System.nanoTime() - window) / 1e9) {
        return seconds;
      }
      if (seconds > QUIET_SECONDS) {
        notes.accept(side.arm().name() + " still worked " + Math.round(seconds)
          + " seconds after a slice; the next one began then");
        return seconds;
      }
      cpu = now;
    }
  }
}
