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
import java.util.Map;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.cluster.Daemon;

/** More open scanners than L1 has room for blocks: none of these can be evicted. */
final class PinnedBlocks {
  private static final int SERVER = 1;
  private static final int MOST_SECONDS = 120;
  private static final int FAST_SECONDS = 30;

  private PinnedBlocks() {
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    scene.load();
    scene.restartRegionServer(SERVER, Map.of("FAULTS_PROMOTION", "true"));
    scene.spread(Scene.TABLE);
    scene.warm();
    pin(scene, outcome);
    scene.restartRegionServer(SERVER, Map.of());
  }

  private static void pin(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    Path ready = scene.folder().resolve("scanners.ready");
    Path stop = scene.folder().resolve("scanners.stop");
    Path open = scene.folder().resolve("scanners.open");
    Daemon server = scene.regionServer(SERVER);
    Child scanners = scene.start(OpenScanners.class, scene.folder().resolve("scanners.log"),
      Scene.TABLE, ready.toString(), stop.toString(), open.toString());
    for (int i = 0; i < MOST_SECONDS && !Files.exists(ready) && scanners.isAlive(); i++) {
      Thread.sleep(1000);
    }
    outcome.expect(Files.exists(ready), "the scanners weren't open; see scanners.log");
    outcome.count("injected", Files.exists(ready)
      ? Long.parseLong(Files.readString(ready)) : 0);
    JsonNode before = tiers(scene, server);
    scene.startLoad(scene.amounts().brief() ? 10 : 30).end(outcome);
    JsonNode after = tiers(scene, server);
    outcome.count("data blocks in L1", after.path("l1DataBlockCount").asLong());
    outcome.count("blocks not let into L1", after.path("rejectedAdmissionCount").asLong()
      - before.path("rejectedAdmissionCount").asLong());
    outcome.expect(outcome.count("data blocks in L1") > 0, "no data came to L1");
    Files.createFile(stop);
    scanners.await();
    outcome.count("still open", Files.exists(open) ? Long.parseLong(Files.readString(open)) : 0);
    outcome.expect(outcome.count("still open") == outcome.count("injected"),
      "scanners were closed by their servers");
    JsonNode closed = tiers(scene, server);
    // What was evicted last may have been read so often that nothing is read more until all
    // frequencies are halved, after some ten thousand reads.
    scene.startFastLoad(FAST_SECONDS).end(outcome);
    outcome.count("promoted after it", tiers(scene, server).path("promotionCount").asLong()
      - closed.path("promotionCount").asLong());
    outcome.expect(outcome.count("promoted after it") > 0, "L1 took nothing after it");
    outcome.expect(scene.regionServer(SERVER).pid() == server.pid(), "the server ended");
  }

  private static JsonNode tiers(Scene scene, Daemon server) throws InterruptedException {
    return scene.metrics(server, "BlockCacheTiers");
  }
}
