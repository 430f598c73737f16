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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * The blocks of a table change their size again and again, under load: L2's buckets are divided
 * into slots of the wrong size then, and one that has a block left can't be divided anew.
 */
final class Fragmentation {
  private static final int SERVER = 1;
  private static final int MOST_SECONDS = 3600;
  /** For the reads that are waited for. */
  private static final int READS_SECONDS = 120;
  /** Operations a second. */
  private static final int TARGET = 400;
  /** Of a bucket alone, which a size always has, come a fiftieth of the reads. */
  private static final double LEAST_HITS = 0.07;
  private static final int USUAL_KILOBYTES = 32;
  private static final int POLL_MILLIS = 500;
  private static final String READS = "readRequestCount";
  private static final List<Integer> FEW = List.of(480, USUAL_KILOBYTES);
  private static final List<Integer> MANY =
    List.of(4, 480, 12, 120, 4, 60, 480, 4, 120, 12, 480, USUAL_KILOBYTES);

  private Fragmentation() {
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    scene.load();
    scene.spread(Scene.TABLE);
    Daemon server = scene.regionServer(SERVER);
    outcome.columns(List.of("block size", "data blocks in L2", "their size", "reads", "from L2"));
    long dropped = droppedBlocks(scene, server);
    try (Scene.Load load =
      scene.startLoad(outcome.name(), scene.strataHome(), MOST_SECONDS, TARGET)) {
      load.awaitReads(server);
      for (int kilobytes : scene.amounts().brief() ? FEW : MANY) {
        change(scene, outcome, server, kilobytes);
      }
      outcome.expect(load.isAlive(), "the load ended before");
      load.stop(outcome);
    }
    outcome.count("blocks that L2 dropped", droppedBlocks(scene, server) - dropped);
    outcome.expect(scene.regionServer(SERVER).pid() == server.pid(), "the server ended");
  }

  private static void change(Scene scene, Outcome outcome, Daemon server, int kilobytes)
    throws IOException, InterruptedException {
    int code = scene.start(BlockSize.class, scene.folder().resolve("block-size.log"), Scene.TABLE,
      Integer.toString(kilobytes)).await();
    if (code != 0) {
      throw new IOException("the block size can't be changed; see block-size.log");
    }
    outcome.count("injected", 1);
    // They fill L2.
    JsonNode before = awaitReads(scene, server, scene.metrics(server, "Server"));
    JsonNode after = awaitReads(scene, server, before);
    long reads = since(before, after, READS);
    long hits = since(before, after, "l2CacheHitCount");
    outcome.count("hits of L2", hits);
    JsonNode tiers = scene.metrics(server, "BlockCacheTiers");
    outcome.row(List.of(kilobytes + " KB", tiers.path("l2DataBlockCount").asText(),
      (tiers.path("l2DataSize").asLong() >> 20) + " MB", Long.toString(reads),
      Long.toString(hits)));
    outcome.expect(hits >= LEAST_HITS * reads, "of " + reads + " reads of blocks of " + kilobytes
      + " KB but " + hits + " were from L2: it has too few slots of the size");
  }

  /** Returns a server's metrics when it has had enough reads since. */
  private static JsonNode awaitReads(Scene scene, Daemon server, JsonNode before)
    throws IOException, InterruptedException {
    int enough = scene.amounts().readsOfALook();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(READS_SECONDS);
    JsonNode now = before;
    while (since(before, now, READS) < enough) {
      if (System.nanoTime() > end) {
        throw new IOException(
          "less than " + enough + " reads of the server in " + READS_SECONDS + " s");
      }
      Thread.sleep(POLL_MILLIS);
      now = scene.metrics(server, "Server");
    }
    return now;
  }

  private static long since(JsonNode before, JsonNode after, String counter) {
    return after.path(counter).asLong() - before.path(counter).asLong();
  }

  private static long droppedBlocks(Scene scene, Daemon server)
    throws InterruptedException {
    return scene.metrics(server, "BlockCacheTiers").path("l2FailedInsertCount").asLong();
  }
}
