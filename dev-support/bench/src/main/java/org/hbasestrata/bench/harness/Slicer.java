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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.hbasestrata.bench.pairs.ServerUse;
import org.hbasestrata.bench.pairs.Slice;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Daemon;

/*
 * A slice of one region server, for the warm-up:
 *
 *   settle    operations that aren't counted, since caches and clocks of the idle one went cold
 *   read      counters of both servers, while nothing happens
 *   run       the operations
 *   quiet     until the server is idle again: what it still does is due to the slice, such as a
 *             flush, and would else disturb the other's
 *   read
 *
 * A pair of slices, which is what counts, is the same with both servers: they take turns of a
 * fraction of a second. A machine that is shared changes from one second to the next, but not from
 * one turn to the next; and as each server is a process, its counters are of its turns alone.
 */

/** Takes slices of two region servers that are up. For one thread. */
final class Slicer {
  private static final int SETTLE_MILLIS = 300;
  private static final int QUIET_WINDOW_MILLIS = 200;
  /** Of a processor: a region server without clients takes a twentieth of that. */
  private static final double QUIET_SHARE = 0.2;
  private static final double QUIET_SECONDS = 20;

  private final List<Side> sides;
  private final SliceClients clients;
  private final long sliceMillis;
  private final long turnMillis;
  private final Consumer<String> notes;
  /** By the side that was asked when the other was idle, the last time. */
  private final Map<Side, Double> idleShares = new HashMap<>();

  /** An arm's region server. */
  record Side(ArmSpec arm, String table, Daemon daemon, RegionServer server,
    ServerProcess process) {
  }

  /**
   * @param turnMillis how long a server's turn is in a pair
   * @param notes      gets what a reader must know
   */
  Slicer(List<Side> sides, SliceClients clients, double sliceSeconds, long turnMillis,
    Consumer<String> notes) {
    this.sides = sides;
    this.clients = clients;
    this.sliceMillis = Math.round(sliceSeconds * 1_000);
    this.turnMillis = turnMillis;
    this.notes = notes;
  }

  /** Throws unless each table is where it belongs, whole. */
  void checkPlaces() throws InterruptedException {
    for (Side side : sides) {
      checkPlace(side.arm().name(), side.daemon().port(), client(side).servers(side.table()));
    }
  }

  static void checkPlace(String arm, int port, List<String> servers) {
    if (servers.size() != 1 || !servers.get(0).split(",")[1].equals(Integer.toString(port))) {
      throw ToolException.failed("a region moved: the table of " + arm + " should be on port "
        + port + " alone, and is on " + String.join(" and ", servers));
    }
  }

  /** Takes a slice of one side that isn't counted. */
  Slice take(Side side, int threads) throws IOException, InterruptedException {
    return take(List.of(side), threads, 0, 0, sliceMillis).get(0);
  }

  /**
   * Takes a slice of each side, in turns.
   * @param first which of them begins
   * @param start of the region servers, from 1
   * @param pair  its number, from 1
   * @return the slice of the one that began, and the other's
   */
  List<Slice> takePair(int first, int threads, int start, int pair)
    throws IOException, InterruptedException {
    return take(List.of(sides.get(first), sides.get(1 - first)), threads, start, pair, turnMillis);
  }

  private List<Slice> take(List<Side> taken, int threads, int start, int pair, long turn)
    throws IOException, InterruptedException {
    serve(taken, threads, SETTLE_MILLIS, SETTLE_MILLIS);
    for (Side side : taken) {
      awaitQuiet(side);
    }
    List<ServerProcess.Reading> before = new ArrayList<>();
    for (Side side : taken) {
      before.add(side.process().read());
    }
    double idleCpu = cpuOfOthers(taken);
    long begin = System.nanoTime();
    List<JsonNode> done = serve(taken, threads, sliceMillis, turn);
    List<Double> quietSeconds = new ArrayList<>();
    for (Side side : taken) {
      quietSeconds.add(awaitQuiet(side));
    }
    if (taken.size() == 1) {
      idleShares.put(taken.get(0),
        (cpuOfOthers(taken) - idleCpu) / ((System.nanoTime() - begin) / 1e9));
    }
    List<Slice> slices = new ArrayList<>();
    for (int i = 0; i < taken.size(); i++) {
      Side side = taken.get(i);
      slices.add(slice(side, threads, start, pair, i > 0, done.get(i),
        side.process().since(before.get(i)), idleShares.getOrDefault(side, 0.0),
        quietSeconds.get(i)));
    }
    return slices;
  }

  /**
   * Has operations done on sides in turn: A B, B A, A B and so on.
   * @param millis for each side
   * @param turn   milliseconds of a side's turn
   * @return for each side what its client did
   */
  private List<JsonNode> serve(List<Side> taken, int threads, long millis, long turn)
    throws InterruptedException {
    List<Side> order = new ArrayList<>(taken);
    for (long left = millis; left > 0; left -= turn) {
      for (Side side : order) {
        client(side).turn(side.table(), threads, Math.min(left, turn));
      }
      Collections.reverse(order);
    }
    List<JsonNode> done = new ArrayList<>();
    for (Side side : taken) {
      done.add(client(side).slice(side.table()));
    }
    return done;
  }

  private SliceClient client(Side side) {
    return clients.of(sides.indexOf(side));
  }

  private double cpuOfOthers(List<Side> taken) throws IOException {
    double seconds = 0;
    for (Side side : sides) {
      if (!taken.contains(side)) {
        seconds += side.process().cpuSeconds();
      }
    }
    return seconds;
  }

  private static Slice slice(Side side, int threads, int start, int pair, boolean second,
    JsonNode done, ServerUse use, double idleShare, double quietSeconds) {
    long operations = done.path("operations").asLong();
    if (done.path("failed").asLong() > 0) {
      throw ToolException.failed(done.path("failed").asLong() + " operations of " + operations
        + " failed on " + side.arm().name() + ": " + done.path("failure").asText());
    }
    return new Slice(threads, start, pair, side.arm().name(), second, operations,
      done.path("rows").asLong(), done.path("seconds").asDouble(), use,
      done.path("cpu_seconds").asDouble(), done.path("context_switches").asDouble(),
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
