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

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.cluster.Daemon;

/** One of three region servers stands still again and again, for clients that have little time. */
final class SlowServer {
  private static final String TABLE = "hurried";
  private static final int SERVERS = 3;
  private static final int MOST_SECONDS = 300;
  /** Longer than the clients' time-outs. */
  private static final int STILL_MILLIS = 1500;
  /** Enough for it to answer what has waited, so that it isn't taken for a dead one. */
  private static final int QUICK_MILLIS = 700;
  private static final String READS = "reads of hbase:meta";
  private static final String READS_OF_META =
    "Namespace_hbase_table_meta_region_1588230740_metric_readRequestCount";

  private SlowServer() {
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    program(scene, "create", HurriedLoad.class, "create", TABLE);
    program(scene, "spread", Spread.class, Integer.toString(SERVERS), TABLE);
    int meta = serverOfMeta(scene, SERVERS);
    Daemon slow = scene.regionServer(1 + meta % SERVERS);
    Path begun = scene.folder().resolve("hurried.begun");
    Path stop = scene.folder().resolve("hurried.stop");
    Path result = scene.folder().resolve("hurried.json");
    Child load = scene.start(HurriedLoad.class, scene.folder().resolve("hurried.log"), "run",
      TABLE, begun.toString(), stop.toString(), result.toString());
    boolean works = Scene.await(Scene.START_SECONDS,
      () -> Files.exists(begun) || !load.isAlive()) >= 0;
    outcome.expect(works && load.isAlive(), "the load didn't begin; see hurried.log");
    long before = readsOfMeta(scene, meta);
    if (works) {
      slowDown(scene, outcome, slow);
    }
    outcome.count(READS, readsOfMeta(scene, meta) - before);
    Files.createFile(stop);
    if (Scene.await(MOST_SECONDS, () -> !load.isAlive()) < 0) {
      load.end();
      outcome.fail("the load doesn't end; see hurried.log");
    }
    int code = load.await();
    outcome.expect(code == 0, "the load ended with exit code " + code);
    Hostility.tell(result, outcome);
    judge(outcome);
    outcome.expect(scene.regionServer(1 + meta % SERVERS).pid() == slow.pid(), "the server ended");
  }

  private static void judge(Outcome outcome) {
    outcome.expect(outcome.count("batches out of time") > 0
      && outcome.count("operations out of time") > 0, "the server wasn't slow for the clients");
    outcome.expect(outcome.count("locations forgotten by batches") <= HurriedLoad.REGIONS,
      "batches that ran out of time forgot where regions are");
    outcome.expect(outcome.count("locations forgotten by operations")
      <= outcome.count("operations out of time") + HurriedLoad.REGIONS,
      "operations that ran out of time forgot more regions than their own");
    outcome.expect(outcome.count(READS)
      <= 2 * outcome.count("operations out of time") + 10 * HurriedLoad.REGIONS,
      "clients read hbase:meta too often");
    outcome.expect(outcome.count("quick again") > 0, "operations failed when it was quick again");
  }

  /** Has it stand still in turns, each of which ends. */
  private static void slowDown(Scene scene, Outcome outcome, Daemon server)
    throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(scene.amounts().brief() ? 30 : 120);
    while (System.nanoTime() < end) {
      KillFault.signal(scene, "STOP", server.pid());
      try {
        Thread.sleep(STILL_MILLIS);
      } finally {
        KillFault.signal(scene, "CONT", server.pid());
      }
      outcome.count("injected", 1);
      Thread.sleep(QUICK_MILLIS);
    }
  }

  private static void program(Scene scene, String name, Class<?> program, String... arguments)
    throws IOException, InterruptedException {
    String log = "hurried-" + name + ".log";
    if (scene.start(program, scene.folder().resolve(log), arguments).await() != 0) {
      throw new IOException("no table to be slow for; see " + log);
    }
  }

  /**
   * Finds the region server that has hbase:meta.
   * @param servers how many there are
   */
  static int serverOfMeta(Scene scene, int servers) throws IOException, InterruptedException {
    int[] found = { 0 };
    Scene.await(Scene.START_SECONDS, () -> {
      for (int server = 1; server <= servers; server++) {
        found[0] = hasMeta(scene, server) ? server : found[0];
      }
      return found[0] > 0;
    });
    if (found[0] == 0) {
      throw new IOException("no server has metrics of hbase:meta");
    }
    return found[0];
  }

  private static boolean hasMeta(Scene scene, int server) {
    try {
      return regions(scene, server).has(READS_OF_META);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static JsonNode regions(Scene scene, int server) throws InterruptedException {
    return scene.metrics(scene.regionServer(server), "Regions");
  }

  private static long readsOfMeta(Scene scene, int server) throws InterruptedException {
    return regions(scene, server).path(READS_OF_META).asLong();
  }
}
