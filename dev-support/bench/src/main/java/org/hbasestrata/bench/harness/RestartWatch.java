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
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.hbasestrata.bench.Server;
import org.hbasestrata.bench.restart.ServerSecond;
import org.hbasestrata.tools.cluster.Jmx;
import org.hbasestrata.tools.cluster.ProcessFiles;

/*
 * A thread for each server: one that is starting answers late, and holds up no other.
 */

/** Reads counters of a cluster's servers each second, through their restarts, until closed. */
final class RestartWatch implements AutoCloseable {
  private static final Path PROC = Path.of("/proc");
  private static final String TRANSITIONS =
    "Hadoop:service=HBase,name=Master,sub=AssignmentManager";
  /** Of the threads C1 and C2, whose names the kernel cuts. */
  private static final String COMPILER = "CompilerThre";

  private final LocalCluster cluster;
  private final ScheduledExecutorService threads;
  private final NavigableMap<Long, ServerSecond> seconds = new TreeMap<>();

  RestartWatch(LocalCluster cluster, int servers) throws InterruptedException {
    this.cluster = cluster;
    this.threads = Executors.newScheduledThreadPool(servers + 1, task -> {
      Thread thread = new Thread(task, "restart-watch");
      thread.setDaemon(true);
      return thread;
    });
    Jmx master = new Jmx(cluster.master().webPort());
    every(() -> transitions(master));
    for (int i = 1; i <= servers; i++) {
      every(new Watched(i, cluster.regionServer(i).webPort())::read);
    }
  }

  /** What is read. */
  private interface Reading {
    void read() throws IOException, InterruptedException;
  }

  private void every(Reading reading) {
    threads.scheduleAtFixedRate(() -> {
      try {
        reading.read();
      } catch (IOException e) {
        // It is down, or its metrics aren't there yet: a second less.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, 0, 1, TimeUnit.SECONDS);
  }

  private void transitions(Jmx master) throws IOException, InterruptedException {
    JsonNode count = master.beans(TRANSITIONS).path(0).path("ritCount");
    if (!count.isMissingNode()) {
      add(new ServerSecond(Map.of(), 0, 0, 0, count.asInt()));
    }
  }

  private synchronized void add(ServerSecond second) {
    seconds.merge(System.currentTimeMillis() / 1_000, second, ServerSecond::plus);
  }

  /** By the second since the epoch. */
  synchronized NavigableMap<Long, ServerSecond> seconds() {
    return new TreeMap<>(seconds);
  }

  /** A region server. For one thread. */
  private final class Watched {
    private final int index;
    private final RegionServer server;
    private Long process;
    private double cpuSeconds;
    private double compilerSeconds;
    private RegionServer.Counters counters;

    private Watched(int index, int webPort) {
      this.index = index;
      this.server = new RegionServer(new Jmx(webPort));
    }

    private void read() throws IOException, InterruptedException {
      Long now = cluster.regionServerProcess(index);
      if (now == null) {
        return;
      }
      if (!now.equals(process)) {
        boolean first = process == null;
        process = now;
        cpuSeconds = first ? new ProcessFiles(PROC, now).cpuSeconds() : 0;
        compilerSeconds = first ? new ProcessFiles(PROC, now).cpuSeconds(COMPILER) : 0;
        counters = first ? server.counters() : null;
      }
      ProcessFiles files = new ProcessFiles(PROC, process);
      double cpu = files.cpuSeconds();
      double compilers = files.cpuSeconds(COMPILER);
      add(new ServerSecond(Map.of(), 0, cpu - cpuSeconds,
        // Such threads end when there is little to do.
        Math.max(0, compilers - compilerSeconds), 0));
      cpuSeconds = cpu;
      compilerSeconds = compilers;
      RegionServer.Counters last = counters;
      counters = server.counters();
      if (last != null) {
        RegionServer.Counters change = counters.since(last);
        Map<String, Server.CacheTier> lookups = new TreeMap<>(change.tiers());
        lookups.put(ServerSecond.ALL, change.blockCache());
        add(new ServerSecond(lookups, change.hdfsBlocksRead(), 0, 0, 0));
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
