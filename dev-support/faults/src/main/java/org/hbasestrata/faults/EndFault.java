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
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hbasestrata.tools.Program;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * Ends region server 1 while the device of its L2 hangs, under a load that reads rows from both
 * servers and compares each byte. Its znode must be gone in time, as its regions are served by
 * nobody until then, and no operation may fail.
 */
record EndFault(String name, String about, boolean aborts) implements Fault {
  private static final int SERVER = 1;
  private static final int MOST_SECONDS = 3600;
  /** For writes to wait for the device. */
  private static final int HANG_MILLIS = 5_000;
  /** An abort has half a second, and the machine may be busy. */
  private static final int ABORT_SECONDS = 5;
  /** What a stop has at most: 45 for its cache, 60 for its regions, and some more. */
  private static final int STOP_SECONDS = 120;
  private static final int END_SECONDS = 180;
  /** By its name: the interface that it implements is on servers' class paths alone. */
  static final String OBSERVER = "org.hbasestrata.faults.AbortObserver";
  private static final String ABORTING = "ABORTING region server";
  /** What the master logs when it gives a region server up. */
  static final String NODE_GONE = "RegionServer ephemeral node deleted";

  static List<Fault> all() {
    return List.of(
      new EndFault("hang-at-abort", "a server aborts while its device hangs for writes", true),
      new EndFault("hang-at-stop", "a server stops while its device hangs for writes", false));
  }

  @Override
  public void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    if (!Device.canMount()) {
      outcome.skip("needs root and loop devices");
      return;
    }
    scene.load();
    try {
      scene.restartRegionServer(SERVER, Map.of("HBASE_CLASSPATH",
        Program.classesOf(Scene.class).toString(), "FAULTS_OBSERVER", OBSERVER));
      endUnderLoad(scene, outcome);
    } finally {
      scene.restartRegionServer(SERVER, Map.of());
    }
  }

  private void endUnderLoad(Scene scene, Outcome outcome)
    throws IOException, InterruptedException {
    scene.spread(Scene.TABLE);
    scene.warm();
    Daemon server = scene.regionServer(SERVER);
    try (Scene.Load load = scene.startLoad(MOST_SECONDS)) {
      load.awaitReads(server);
      outcome.count("injected", 1);
      scene.device().freeze();
      try {
        Thread.sleep(HANG_MILLIS);
        endAndAwait(scene, server, outcome);
      } finally {
        scene.device().thaw();
      }
      outcome.expect(Scene.await(END_SECONDS, () -> !isAlive(server)) >= 0,
        "the server runs on though its device answers again");
      scene.restartRegionServer(SERVER, Map.of());
      outcome.expect(load.isAlive(), "the load ended before the fault did");
      load.stop(outcome);
    }
  }

  private static boolean isAlive(Daemon server) {
    return ProcessHandle.of(server.pid()).map(ProcessHandle::isAlive).orElse(false);
  }

  private void endAndAwait(Scene scene, Daemon server, Outcome outcome)
    throws IOException, InterruptedException {
    Map<String, Long> logs = scene.logEnds();
    LocalDateTime begin = LocalDateTime.now();
    if (aborts) {
      scene.start(AbortServer.class, scene.folder().resolve(name + ".log"),
        Integer.toString(server.port())).await();
    } else {
      ProcessHandle.of(server.pid()).ifPresent(ProcessHandle::destroy);
    }
    LocalDateTime[] gone = new LocalDateTime[1];
    Scene.await(STOP_SECONDS, () -> {
      gone[0] = scene.firstTime("master", logs, NODE_GONE).orElse(null);
      return gone[0] != null;
    });
    Optional<LocalDateTime> aborted = scene.firstTime("regionserver-" + SERVER, logs, ABORTING);
    outcome.expect(aborts == aborted.isPresent(), aborts ? "it didn't abort" : "the stop aborted");
    outcome.expect(gone[0] != null, "its znode is there after " + STOP_SECONDS + " s");
    if (gone[0] != null) {
      long millis = Duration.between(aborted.orElse(begin), gone[0]).toMillis();
      outcome.note("the znode was gone after " + millis + " ms");
      outcome.expect(!aborts || millis <= ABORT_SECONDS * 1000L,
        "the znode was gone after " + millis + " ms only");
    }
  }
}
