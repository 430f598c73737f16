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
package org.hbasestrata.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A daemon is killed again and again under a load that writes chains of rows and reads them back.
 * Every acknowledged write must be found, once, and every operation succeed.
 */
record KillFault(String name, String about, boolean endsServers, Kill kill) implements Fault {
  private static final int BETWEEN_SECONDS = 3;
  private static final int DOWN_MILLIS = 1000;
  private static final int SUPERVISION_MILLIS = 500;
  /** For regions to be served again, with retries of clients that wait longer each time. */
  private static final int RECOVERY_SECONDS = 120;
  /** The same when no region server is left and the master has to be started, too. */
  private static final int START_OF_ALL_SECONDS = 300;
  /** Of the load, which a kill must find at work. */
  private static final int OPERATIONS_BETWEEN = 200;
  /** That are told. */
  private static final int MOST_CRASHES = 8;
  private static final int PAUSE_MILLIS = 2;
  private static final int BRIEF_PAUSE_MILLIS = 10;
  /** For L2's list, which is written each second if blocks came or went. */
  private static final int LIST_SECONDS = 20;
  private static final String STARTED_AGAIN = "servers that ended and were started again";

  /** Kills and brings back, for the n-th time. */
  interface Kill {
    /** Returns Whether that was all that the fault is about. */
    boolean run(Scene scene, int n) throws IOException, InterruptedException;
  }

  static List<Fault> all() {
    return List.of(
      new KillFault("kill-regionserver",
        "region servers are killed in turn; what L2 had persisted is served again", false,
        (scene, n) -> {
          String server = Integer.toString(1 + n % 2);
          scene.cluster("kill", "regionserver", server);
          Thread.sleep(DOWN_MILLIS);
          scene.restartRegionServer(1 + n % 2, Map.of());
          return true;
        }),
      new KillFault("stale-list",
        "region servers are killed, and L2's list of blocks is of a time before its file", false,
        KillFault::killWithStaleList),
      new KillFault("kill-datanode",
        "the only DataNode is killed; region servers that end for lack of it are started again",
        true, (scene, n) -> {
          scene.cluster("kill", "datanode");
          scene.cluster("restart", "datanode");
          return true;
        }),
      new KillFault("kill-zookeeper", "ZooKeeper is killed", false, (scene, n) -> {
        scene.cluster("kill", "zookeeper");
        scene.cluster("restart", "zookeeper");
        return true;
      }));
  }

  private static boolean killWithStaleList(Scene scene, int n)
    throws IOException, InterruptedException {
    int server = 1 + n % 2;
    Path list = Path.of(scene.cacheFile(server) + ".list");
    Path kept = scene.folder().resolve("kept.list");
    boolean there = Scene.await(LIST_SECONDS, () -> Files.exists(list)) >= 0;
    if (there) {
      Files.copy(list, kept, StandardCopyOption.REPLACE_EXISTING);
    }
    Thread.sleep(BETWEEN_SECONDS * 1000L);
    Scene.await(LIST_SECONDS, () -> !there || differ(kept, list));
    scene.cluster("kill", "regionserver", Integer.toString(server));
    boolean stale = there && differ(kept, list);
    if (stale) {
      Files.copy(kept, list, StandardCopyOption.REPLACE_EXISTING);
    }
    scene.restartRegionServer(server, Map.of());
    return stale;
  }

  private static boolean differ(Path one, Path other) {
    try {
      return Files.mismatch(one, other) != -1;
    } catch (IOException e) {
      return false;
    }
  }

  private void supervise(Scene scene, Outcome outcome) throws InterruptedException {
    Thread.sleep(SUPERVISION_MILLIS);
    if (endsServers) {
      outcome.count(STARTED_AGAIN, scene.startEnded());
    }
  }

  /** Returns Whether the load does enough of them in time. */
  private boolean awaitOperations(Scene scene, ChainLoad load, int atMost, Outcome outcome)
    throws InterruptedException {
    long enough = load.operations() + OPERATIONS_BETWEEN;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(atMost);
    while (load.isAlive() && load.operations() <= enough && System.nanoTime() < end) {
      supervise(scene, outcome);
    }
    boolean works = load.operations() > enough;
    outcome.expect(works, load.isAlive()
      ? "less than " + OPERATIONS_BETWEEN + " operations of the load in " + atMost + " s"
      : "the load ended");
    return works;
  }

  @Override
  public void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    Set<String> crashes = scene.crashes();
    int pause = scene.amounts().brief() ? BRIEF_PAUSE_MILLIS : PAUSE_MILLIS;
    try (ChainLoad load = scene.startChains(name, pause)) {
      boolean works = awaitOperations(scene, load, Scene.START_SECONDS, outcome);
      for (int i = 0; i < scene.amounts().kills() && works; i++) {
        long startedAgain = outcome.count(STARTED_AGAIN);
        outcome.count("injected", kill.run(scene, i) ? 1 : 0);
        works = awaitOperations(scene, load,
          endsServers ? START_OF_ALL_SECONDS : RECOVERY_SECONDS, outcome);
        startedAgain = outcome.count(STARTED_AGAIN) - startedAgain;
        outcome.expect(startedAgain <= Scene.MOST_STARTS,
          "servers ended " + startedAgain + " times after one kill");
        Thread.sleep(BETWEEN_SECONDS * 1000L);
      }
      load.stop();
      while (load.isAlive()) {
        supervise(scene, outcome);
      }
      if (endsServers) {
        outcome.count(STARTED_AGAIN, scene.revive());
      }
      load.end(outcome);
    }
    for (int server = 1; server <= 2; server++) {
      Scene.Daemon up = scene.regionServer(server);
      outcome.count("hits of L2", DeviceFault.Counters.of(scene, up).l2Hits());
    }
    Set<String> more = scene.crashes();
    more.removeAll(crashes);
    more.stream().limit(MOST_CRASHES).forEach(crash -> outcome.fail("crashed: " + crash));
    outcome.expect(outcome.count("injected") > 0, "no kill was as the fault has it");
    outcome.expect(outcome.count("operations") > 0, "there was no load");
  }
}
