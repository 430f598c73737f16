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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.restart.Start;
import org.hbasestrata.bench.restart.Starts;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Jmx;

/** Does a {@code bench starts}, from the cluster's start to the report. For one thread. */
final class StartsRun extends ClusterRun {
  /** Of the rows in HFiles: those loaded, and those being compacted, the WAL. */
  private static final double DISK_FACTOR = 4;
  private static final int SERVER = 1;
  /** What the server may take until it answers. */
  private static final double EXPECTED_START_SECONDS = 15;

  private final int starts;
  private final int target;
  private final int seconds;
  private final int steadySeconds;
  private final Map<String, List<Start>> results = new LinkedHashMap<>();

  /** @param seconds how long a start is measured, the steady state at its end included */
  StartsRun(Request request, int starts, int target, int seconds, int steadySeconds,
    Checkout checkout, PrintWriter out) {
    super(request, checkout, out, new Progress(out, starts * request.arms().size(),
      seconds + EXPECTED_START_SECONDS));
    this.starts = starts;
    this.target = target;
    this.seconds = seconds;
    this.steadySeconds = steadySeconds;
    request.arms().forEach(arm -> results.put(arm.name(), new ArrayList<>()));
  }

  /** @throws ToolException when it failed, in one line */
  void run() throws InterruptedException {
    run(DISK_FACTOR, request.memory());
  }

  @Override
  void measure() throws IOException, InterruptedException {
    startWithTable();
    Path samples = request.out().resolve("samples");
    Child load = client.steadyGets(target, cluster.pidFile(SERVER), samples);
    try {
      await(load, () -> Files.exists(samples), "the load hasn't begun" + seeLog());
      for (int start = 1; start <= starts; start++) {
        for (ArmSpec arm : request.arms()) {
          measure(arm, start, load, samples);
        }
      }
    } finally {
      load.end();
    }
  }

  private String seeLog() {
    return "; see " + request.out().resolve("gets.log");
  }

  private void measure(ArmSpec arm, int start, Child load, Path samples)
    throws IOException, InterruptedException {
    progress.beginRun(arm.name() + ", start " + start);
    progress.stage("starting the region server");
    cluster.startRegionServer(arm, conf(arm.name()), request.environment(arm), List.of());
    long pid = cluster.regionServer().pid();
    await(load, () -> Start.hasAnswered(samples, pid),
      "start " + start + " of " + arm.name() + ": no get was answered" + seeLog());
    progress.stage("gets for " + seconds + " seconds");
    Thread.sleep(seconds * 1_000L);
    if (!load.isAlive()) {
      throw new IOException("the load ended before its time" + seeLog());
    }
    results.get(arm.name()).add(Start.of(samples, pid, steadySeconds));
    describe(arm, new RegionServer(new Jmx(cluster.regionServer().webPort())));
    progress.endRun();
  }

  @Override
  void report(String reason) {
    out.println(new Starts(comparison(reason, starts, target), results).write(request.out()));
  }
}
