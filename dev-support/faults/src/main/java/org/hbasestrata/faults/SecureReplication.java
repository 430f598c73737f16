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
import java.util.List;
import java.util.Map;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.ClusterScript;

/**
 * A table with rights is replicated from this cluster, one of whose servers has our jars and the
 * other upstream's, to another one of the same KDC, which has ours, then upstream's.
 */
final class SecureReplication {
  private final Scene scene;
  private final Outcome outcome;
  private final ClusterScript peer;

  private SecureReplication(Scene scene, Outcome outcome) {
    this.scene = scene;
    this.outcome = outcome;
    peer = scene.another("peer");
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    new SecureReplication(scene, outcome).run();
  }

  private void run() throws IOException, InterruptedException {
    scene.cluster("restart", "regionserver", "1");
    scene.cluster("restart", "regionserver", "2", "--stock");
    try {
      peer.run(scene.environment(), List.of("up", "--secure", "tls", "--protection",
        "privacy,integrity,authentication", "--conf",
        scene.checkout().root().resolve("dev-support/faults/conf-secure").toString(), "--kdc-of",
        scene.secure().getParent().toString()));
      makeTables("cluster", Map.of());
      makeTables("peer", Map.of("HBASE_CONF_DIR", peer.conf().toString()));
      scene.spread(SecureTables.GUARDED);
      replicate("strata");
      peer.run(scene.environment(), List.of("restart", "regionserver", "1", "--stock"));
      replicate("stock");
    } finally {
      end();
    }
    scene.cluster("restart", "regionserver", "2", "--strata");
  }

  private void makeTables(String name, Map<String, String> more)
    throws IOException, InterruptedException {
    String log = "secure-tables-" + name + ".log";
    int code = scene.startProgramAs("hbase", more, SecureTables.class,
      scene.folder().resolve(log)).await();
    if (code != 0) {
      throw new IOException("tables can't be made; see " + log);
    }
  }

  /** @param jars of the cluster that gets the rows */
  private void replicate(String jars) throws IOException, InterruptedException {
    String name = "secure-replication-" + jars;
    long before = outcome.count(ReplicatedRows.REPLICATED);
    Path result = scene.folder().resolve(name + ".json");
    int code = scene.start(ReplicatedRows.class, scene.folder().resolve(name + ".log"),
      result.toString(), peer.conf().toString(), scene.amounts().brief() ? "5" : "60").await();
    outcome.expect(code == 0 && Files.exists(result),
      "replication to " + jars + ": exit code " + code + "; see " + name + ".log");
    Hostility.tell(result, outcome);
    outcome.count("injected", 1);
    for (String count : List.of(SecureLoad.DENIED, SecureLoad.ALLOWED)) {
      outcome.expect(outcome.count(count) == 0, outcome.count(count) + " " + count);
    }
    outcome.expect(outcome.count(ReplicatedRows.REPLICATED) > before, "nothing was replicated");
  }

  /** Ends the other cluster before this one, whose KDC it has. */
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
