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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.ClusterScript;

/**
 * Two tables are replicated to another cluster, one of them serially, while region servers are
 * killed in turn and the other cluster's only one is away for a while.
 */
final class Replication {
  private static final int MOST_SECONDS = 900;
  private static final int BETWEEN_MILLIS = 10_000;

  private final Scene scene;
  private final Outcome outcome;
  private final ClusterScript peer;

  private Replication(Scene scene, Outcome outcome) {
    this.scene = scene;
    this.outcome = outcome;
    peer = scene.another("peer");
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    new Replication(scene, outcome).run();
  }

  private void run() throws IOException, InterruptedException {
    try {
      Map<String, String> environment = new HashMap<>(scene.environment());
      Path device = Files.createDirectories(scene.folder().resolve("peer-device"));
      environment.put("FAULTS_DEVICE", device.toString());
      environment.put("HBASE_CLASSPATH", Scene.programs());
      peer.run(environment, List.of("up", "--regionservers", "1", "--only-conf",
        scene.checkout().root().resolve("dev-support/faults/conf-stock").toString()));
      replicate(environment);
    } finally {
      end();
    }
  }

  private void replicate(Map<String, String> environment)
    throws IOException, InterruptedException {
    Path begun = scene.folder().resolve("replication.begun");
    Path stop = scene.folder().resolve("replication.stop");
    Path result = scene.folder().resolve("replication.json");
    Child load = scene.start(ReplicatedEdits.class, scene.folder().resolve("replication.log"),
      peer.conf().toString(), begun.toString(), stop.toString(), result.toString());
    boolean works = Scene.await(Scene.START_SECONDS,
      () -> Files.exists(begun) || !load.isAlive()) >= 0;
    outcome.expect(works && load.isAlive(), "the load didn't begin; see replication.log");
    if (works) {
      for (int i = 0; i < (scene.amounts().brief() ? 1 : 3); i++) {
        kill(1);
        away(environment);
        kill(2);
        Thread.sleep(BETWEEN_MILLIS);
      }
    }
    Files.createFile(stop);
    if (Scene.await(MOST_SECONDS, () -> !load.isAlive()) < 0) {
      load.end();
      outcome.fail("the load doesn't end; see replication.log");
    }
    int code = load.await();
    outcome.expect(code == 0, "the load ended with exit code " + code);
    Hostility.tell(result, outcome);
    outcome.expect(outcome.count(ReplicatedEdits.REPLICATED) > 0, "nothing was replicated");
    outcome.expect(outcome.count(ReplicatedEdits.MISSING) == 0,
      "edits aren't in the other cluster");
    outcome.expect(outcome.count(ReplicatedEdits.OUT_OF_ORDER) == 0,
      "the last edit of a row isn't the last one in the other cluster");
    outcome.expect(outcome.count(ReplicatedEdits.EARLY) == 0,
      "edits of the serial table came before earlier ones of their row");
    outcome.expect(outcome.count(ReplicatedEdits.AGAIN_UNDISTURBED) == 0,
      "edits came more than once while nothing was killed");
  }

  /** Kills a region server, whose queues others take over. */
  private void kill(int server) throws IOException, InterruptedException {
    Thread.sleep(BETWEEN_MILLIS);
    scene.cluster("kill", "regionserver", Integer.toString(server));
    Thread.sleep(BETWEEN_MILLIS);
    scene.restartRegionServer(server, Map.of());
    outcome.count("injected", 1);
  }

  /** Has no server take edits for a while. */
  private void away(Map<String, String> environment) throws InterruptedException {
    peer.run(environment, List.of("kill", "regionserver", "1"));
    Thread.sleep(BETWEEN_MILLIS);
    peer.run(environment, List.of("restart", "regionserver", "1"));
    outcome.count("injected", 1);
  }

  private void end() throws IOException, InterruptedException {
    try {
      peer.run(Map.of(), List.of("down"));
      for (Path log : Folders.list(peer.logs(), "*.log")) {
        Files.move(log, scene.folder().resolve("peer-" + log.getFileName()));
      }
      peer.run(Map.of(), List.of("down", "--purge"));
    } catch (ToolException e) {
      throw new IOException("the other cluster may be up still: " + e.getMessage(), e);
    }
  }
}
