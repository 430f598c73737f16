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
import java.util.List;
import org.hbasestrata.bench.restart.Restart;
import org.hbasestrata.bench.restart.Side;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Daemon;
import org.hbasestrata.tools.cluster.Jmx;

/** Does a {@code bench restart}, from the cluster's start to the report. For one thread. */
final class RestartRun extends ClusterRun {
  /** Of the rows in HFiles: those loaded, and those being compacted, the WAL. */
  private static final double DISK_FACTOR = 4;
  private static final double EXPECTED_SECONDS = 300;
  /** Longer than any restart; the client is ended before. */
  private static final double MOST_MINUTES = 120;

  private final RestartRequest restartRequest;
  private final List<Side> sides = new ArrayList<>();
  private Integer target;
  private Client armClient;

  RestartRun(RestartRequest restartRequest, Checkout checkout, PrintWriter out) {
    super(restartRequest.request(), checkout, out,
      new Progress(out, restartRequest.request().arms().size(), EXPECTED_SECONDS));
    this.restartRequest = restartRequest;
    this.target = restartRequest.target();
  }

  /** @throws ToolException when it failed, in one line */
  void run() throws InterruptedException {
    run(DISK_FACTOR, new Memory(request.memory().bytes() * restartRequest.servers()));
  }

  @Override
  void measure() throws IOException, InterruptedException {
    progress.stage("starting the cluster");
    cluster.up(request.environment(), ArmSpec.conf(checkout, ArmSpec.STOCK),
      restartRequest.servers(), List.of());
    loadTable();
    for (ArmSpec arm : request.arms()) {
      progress.beginRun(arm.name());
      Path folder = Files.createDirectories(request.out().resolve("arms").resolve(arm.name()));
      armClient = client.of(arm);
      startServers(arm);
      target = warmUp(armClient, arm.name(), folder, target, restartRequest.share());
      sides.add(restart(arm, folder));
      progress.endRun();
    }
  }

  private void startServers(ArmSpec arm) throws IOException, InterruptedException {
    progress.stage("starting master and region servers");
    cluster.startMaster(arm, conf(arm.name()), request.environment());
    for (int server = 1; server <= restartRequest.servers(); server++) {
      start(server, arm);
    }
    describe(arm, new RegionServer(new Jmx(cluster.regionServer().webPort())));
    armClient.spread(request.out());
  }

  private void start(int server, ArmSpec arm) throws InterruptedException {
    cluster.startRegionServer(server, arm, conf(arm.name()), request.environment(arm), List.of());
  }

  private Side restart(ArmSpec arm, Path folder) throws IOException, InterruptedException {
    // Besides the steady state, for the rate is another than the warm-up's.
    int settling = restartRequest.steadySeconds() / 3;
    Child load = armClient.startVerified(folder, MOST_MINUTES, target);
    try (RestartWatch watch = new RestartWatch(cluster, restartRequest.servers())) {
      progress.stage("steady state at " + target + " operations a second");
      Thread.sleep(settling * 1_000L);
      long start = System.currentTimeMillis();
      Thread.sleep(restartRequest.steadySeconds() * 1_000L);
      List<Side.Step> steps = new ArrayList<>();
      if (restartRequest.kill()) {
        kill(folder, start, steps);
      } else {
        for (int server = 1; server <= restartRequest.servers(); server++) {
          restart(server, arm, folder, start, steps);
        }
      }
      double done = secondsSince(start);
      Thread.sleep(restartRequest.afterSeconds() * 1_000L);
      double end = secondsSince(start);
      if (restartRequest.kill()) {
        steps.add(new Side.Step(Side.BACK, done, end));
      }
      if (!load.isAlive()) {
        throw new IOException("the load ended before its time; see " + folder.resolve("ycsb.log"));
      }
      load.end();
      Side side = Side.of(arm.name(), folder, start, steps, end, watch.seconds(),
        cluster.regionServerLogs());
      if (side.stillWaits()) {
        note(arm.name() + ": operations still waited " + restartRequest.afterSeconds()
          + " s after the regions were back; give a longer --after");
      }
      return side;
    } finally {
      load.end();
    }
  }

  private void restart(int server, ArmSpec arm, Path folder, long start, List<Side.Step> steps)
    throws InterruptedException {
    progress.stage("restarting region server " + server);
    Daemon daemon = cluster.regionServer(server);
    Path regions = folder.resolve("regions-of-" + server);
    double begin = secondsSince(start);
    armClient.moveRegions(folder, "unload", daemon.port(), regions);
    double off = secondsSince(start);
    steps.add(new Side.Step("regions move off", begin, off));
    start(server, arm);
    armClient.awaitReport(folder, daemon.port());
    double up = secondsSince(start);
    steps.add(new Side.Step("server restarts", off, up));
    armClient.moveRegions(folder, "load", daemon.port(), regions);
    steps.add(new Side.Step("regions move back", up, secondsSince(start)));
  }

  private void kill(Path folder, long start, List<Side.Step> steps) throws InterruptedException {
    progress.stage("killing a region server");
    int port = cluster.regionServer().port();
    double begin = secondsSince(start);
    cluster.killRegionServer();
    armClient.awaitLoss(folder, port);
    steps.add(new Side.Step("a server is killed", begin, secondsSince(start)));
  }

  private static double secondsSince(long millis) {
    return (System.currentTimeMillis() - millis) / 1e3;
  }

  @Override
  void report(String reason) {
    out.println(new Restart(comparison(reason, 1, target), restartRequest.servers(), sides)
      .write(request.out()));
  }
}
