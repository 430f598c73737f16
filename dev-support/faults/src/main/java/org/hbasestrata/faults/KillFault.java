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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.hbasestrata.tools.Program;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * Kills a daemon repeatedly under a load that writes chains of rows and reads them back. Each
 * acknowledged write must be found exactly once, and each operation must succeed.
 * @param endsFor reasons for which servers may end by themselves and are started again; empty if
 *                they must not end
 * @param goesOn  what each server logs when the kill can't end it any more; empty if nothing tells
 */
record KillFault(String name, String about, Optional<Pattern> endsFor, Optional<Pattern> goesOn,
  Kill kill) implements Fault {
  private static final String STALE_LIST = "stale-list";
  private static final int SERVERS = 2;
  private static final int BETWEEN_SECONDS = 3;
  private static final int DOWN_MILLIS = 1000;
  /** Longer than a write may take before its log is rolled, shorter than HDFS's time-outs. */
  private static final int HANG_MILLIS = 15_000;
  private static final int SUPERVISION_MILLIS = 500;
  /** Time until regions are served again, with client retries that wait longer each time. */
  private static final int RECOVERY_SECONDS = 120;
  /** The same time if no region server is left and the master has to be started, too. */
  private static final int START_OF_ALL_SECONDS = 900;
  /** Time to read all rows back. */
  private static final int END_SECONDS = 600;
  /** Without their DataNode, region servers were seen to end within 3 s on an idle machine. */
  private static final int QUIET_SECONDS = 30;
  /** Limit of a server's starts, after which it isn't waited for. */
  private static final int MOST_STARTS = 9;
  /** Any reason for which a server ends by itself, but it has to report one. */
  private static final Pattern ANY_REASON = Pattern.compile(".");
  /** Reasons without ZooKeeper. The master may be the first to tell a region server. */
  private static final Pattern NO_ZOOKEEPER =
    Pattern.compile("received expired|KeeperException|YouAreDead");
  /** Of the session that a server ends without. */
  private static final Pattern SESSION =
    Pattern.compile("main-SendThread.*Session establishment complete");
  /** Operations of the load between two kills, so that each kill finds it at work. */
  private static final int OPERATIONS_BETWEEN = 200;
  /** Crashes that are reported. */
  private static final int MOST_CRASHES = 8;
  private static final int PAUSE_MILLIS = 2;
  private static final int BRIEF_PAUSE_MILLIS = 10;
  /** Time until L2's list is written, which happens each second if blocks have changed. */
  private static final int LIST_SECONDS = 20;
  /** Time until the session of a server that stands still has expired. */
  private static final int GIVEN_UP_SECONDS = 180;
  /** The n-th server goes on so many times this after it was given up: at another step each. */
  private static final int LATER_MILLIS = 300;
  /** Of puts and deletes, since the servers' last starts. */
  static final String ASYNC_WRITES = "batches of writes that no handler waited for";
  private static final String STARTED_AGAIN = "servers that ended and were started again";

  /** Kills a daemon for the n-th time and starts it again. */
  interface Kill {
    /** Returns true if the kill counts as one of the fault. */
    boolean run(Scene scene, int n) throws IOException, InterruptedException;
  }

  static List<Fault> all() {
    return List.of(
      new KillFault("kill-regionserver",
        "region servers are killed in turn; what L2 had persisted is served again",
        Optional.empty(), Optional.empty(), (scene, n) -> {
          String server = Integer.toString(1 + n % 2);
          scene.cluster("kill", "regionserver", server);
          Thread.sleep(DOWN_MILLIS);
          scene.restartRegionServer(1 + n % 2, Map.of());
          return true;
        }),
      new KillFault(STALE_LIST,
        "region servers are killed, and L2's list of blocks is of a time before its file",
        Optional.empty(), Optional.empty(), KillFault::killWithStaleList),
      new KillFault("kill-datanode",
        "the only DataNode is killed; region servers that end for lack of it are started again",
        Optional.of(ANY_REASON), Optional.empty(), (scene, n) -> {
          scene.cluster("kill", "datanode");
          scene.cluster("restart", "datanode");
          return true;
        }),
      new KillFault("hang-datanode",
        "the only DataNode stands still for seconds, and logs with it; servers wait, and go on",
        Optional.empty(), Optional.empty(), KillFault::hangDataNode),
      new KillFault("kill-zookeeper",
        "the only ZooKeeper is killed; servers whose sessions it lets expire are started again",
        Optional.of(NO_ZOOKEEPER), Optional.of(SESSION), (scene, n) -> {
          scene.cluster("kill", "zookeeper");
          scene.cluster("restart", "zookeeper");
          return true;
        }),
      new KillFault("fencing",
        "region servers, that of hbase:meta among them, stand still until the master has given them"
          + " up, and go on",
        Optional.of(ANY_REASON), Optional.empty(), KillFault::standStill));
  }

  /** Has a region server, first that of hbase:meta, stand still until the master gives it up. */
  private static boolean standStill(Scene scene, int n) throws IOException, InterruptedException {
    int server = n % 2 == 0 ? SlowServer.serverOfMeta(scene, SERVERS) : 1 + n % SERVERS;
    Map<String, Long> logs = scene.logEnds();
    long pid = scene.regionServer(server).pid();
    signal(scene, "STOP", pid);
    try {
      boolean givenUp = Scene.await(GIVEN_UP_SECONDS,
        () -> scene.firstTime("master", logs, EndFault.NODE_GONE).isPresent()) >= 0;
      Thread.sleep((long) n * LATER_MILLIS);
      return givenUp;
    } finally {
      signal(scene, "CONT", pid);
    }
  }

  private static boolean hangDataNode(Scene scene, int n)
    throws IOException, InterruptedException {
    long pid = scene.daemon("datanode").pid();
    signal(scene, "STOP", pid);
    try {
      Thread.sleep(HANG_MILLIS);
    } finally {
      signal(scene, "CONT", pid);
    }
    return true;
  }

  /** Isn't interrupted, so that no server is left standing still. */
  static void signal(Scene scene, String signal, long pid) throws IOException {
    List<String> command = List.of("kill", "-" + signal, Long.toString(pid));
    int code = Program.in(scene.folder(), command).inheritIO().start().onExit().join().exitValue();
    if (code != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + code);
    }
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

  /** Starts servers that ended, which they may for the fault's reasons only. */
  private int startEnded(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    if (endsFor.isEmpty()) {
      return 0;
    }
    List<Ended> ended = scene.ended();
    for (Ended server : ended) {
      outcome.expect(endsFor.get().matcher(server.why()).find(), server.server() + " ended, "
        + (server.why().isEmpty() ? "and its log doesn't tell why" : "since " + server.why()));
      scene.startAgain(server);
    }
    outcome.count(STARTED_AGAIN, ended.size());
    return ended.size();
  }

  /** Starts servers that end while it waits. Returns true if the condition came true in time. */
  private boolean await(int seconds, BooleanSupplier condition, Scene scene, Outcome outcome)
    throws IOException, InterruptedException {
    long end = in(seconds);
    int started = 0;
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(SUPERVISION_MILLIS);
      started += startEnded(scene, outcome);
    }
    outcome.expect(started <= MOST_STARTS, "servers ended " + started + " times in a row");
    return condition.getAsBoolean();
  }

  private static long in(int seconds) {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  /**
   * Waits until all servers serve and none is about to end: their logs tell, or none has ended for
   * a while.
   * @param logs where the servers' logs ended before the last kill
   */
  private void revive(Scene scene, Outcome outcome, Map<String, Long> logs)
    throws IOException, InterruptedException {
    long end = in(START_OF_ALL_SECONDS);
    long quietUntil = in(QUIET_SECONDS);
    boolean goOn = false;
    while (!goOn && System.nanoTime() < end) {
      Thread.sleep(SUPERVISION_MILLIS);
      if (startEnded(scene, outcome) > 0 || !scene.serves()) {
        quietUntil = in(QUIET_SECONDS);
      } else {
        goOn = goesOn.isPresent() ? scene.allLog(goesOn.get(), logs)
          : System.nanoTime() > quietUntil;
      }
    }
    outcome.expect(goOn, "not all servers serve " + START_OF_ALL_SECONDS + " s after the load");
  }

  /** Returns true if the load does enough operations in time. */
  private boolean awaitOperations(int seconds, Scene scene, ChainLoad load, Outcome outcome)
    throws IOException, InterruptedException {
    long enough = load.operations() + OPERATIONS_BETWEEN;
    await(seconds, () -> !load.isAlive() || load.operations() > enough, scene, outcome);
    boolean works = load.operations() > enough;
    outcome.expect(works, load.isAlive()
      ? "less than " + OPERATIONS_BETWEEN + " operations of the load in " + seconds + " s"
      : "the load ended");
    return works;
  }

  @Override
  public void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    if (name.equals(STALE_LIST) && scene.amounts().engine() == Engine.SEGMENTS) {
      outcome.skip("segments have no list of blocks");
      return;
    }
    Set<String> crashes = scene.crashes();
    int pause = scene.amounts().brief() ? BRIEF_PAUSE_MILLIS : PAUSE_MILLIS;
    Map<String, Long> logs = Map.of();
    try (ChainLoad load = scene.startChains(name, pause)) {
      int recovery = endsFor.isPresent() ? START_OF_ALL_SECONDS : RECOVERY_SECONDS;
      boolean works = awaitOperations(Scene.START_SECONDS, scene, load, outcome);
      for (int i = 0; i < scene.amounts().kills() && works; i++) {
        if (i > 0) {
          Thread.sleep(BETWEEN_SECONDS * 1000L);
        }
        logs = scene.logEnds();
        outcome.count("injected", kill.run(scene, i) ? 1 : 0);
        works = awaitOperations(recovery, scene, load, outcome);
      }
      load.stop();
      if (await(works ? END_SECONDS : recovery, () -> !load.isAlive(), scene, outcome)) {
        load.end(outcome);
        outcome.expect(outcome.count("operations") > 0, "there was no load");
      } else {
        outcome.fail("the load doesn't end; see " + load.log());
      }
    }
    if (endsFor.isPresent()) {
      revive(scene, outcome, logs);
    }
    Set<String> more = scene.crashes();
    more.removeAll(crashes);
    more.stream().limit(MOST_CRASHES).forEach(crash -> outcome.fail("crashed: " + crash));
    outcome.expect(outcome.count("injected") > 0, "no kill was as the fault has it");
    for (int server = 1; server <= 2; server++) {
      Daemon up = scene.regionServer(server);
      outcome.count("hits of L2", DeviceFault.Counters.of(scene, up).l2Hits());
      outcome.count(ASYNC_WRITES,
        scene.metrics(up, "AsyncPuts").path("asyncPutBatchCount").asLong());
    }
  }
}
