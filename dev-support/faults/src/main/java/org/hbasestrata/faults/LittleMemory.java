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
import java.util.List;
import java.util.Map;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * A region server gets far less memory for buffers than its load takes: it must serve, and count
 * what it had to take from the heap.
 */
record LittleMemory(String name, String about, Map<String, String> environment, boolean smallPool)
  implements Fault {
  private static final int SERVER = 1;
  private static final String SIZED_DOWN = "hbase.server.allocator.max.buffer.count is ";

  static List<Fault> all() {
    return List.of(
      new LittleMemory("no-buffers",
        "multigets with 1 MB of buffers for L2, and 16 for requests and answers",
        Map.of("FAULTS_POOL", "1m", "FAULTS_BUFFERS", "16"), true),
      new LittleMemory("little-direct-memory",
        "multigets with 170 MB of direct memory and a key that asks for 7 GB of buffers",
        // A preset refuses to start it so.
        Map.of("HBASE_JVM_PRESET", "", "HBASE_OFFHEAPSIZE", "170m", "FAULTS_BUFFERS", "100000"),
        false));
  }

  @Override
  public void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    scene.load();
    long log = scene.logEnd(SERVER);
    scene.restartRegionServer(SERVER, environment);
    scene.spread(Scene.TABLE);
    scene.warm();
    Daemon server = scene.regionServer(SERVER);
    outcome.count("injected", 1);
    scene.startLoad(scene.amounts().brief() ? 5 : 30, "-p", "readproportion=0", "-p",
      "multigetproportion=1", "-p", "multigetbatch=50", "--threads", "16").end(outcome);
    outcome.count("blocks past the pool", scene.metrics(server, "BlockCacheDirectFiles")
      .path("poolExhaustedCount").asLong() + scene.metrics(server, "SegmentCache")
      .path("poolExhaustedCount").asLong());
    outcome.count("buffers from the heap", scene.metrics(server, "BufferPool")
      .path("heapFallbackCount").asLong());
    outcome.expect(!smallPool || outcome.count("blocks past the pool") > 0,
      "L2's pool was never empty");
    outcome.expect(outcome.count("buffers from the heap") > 0, "the pool was never empty");
    List<String> told =
      scene.logSince(SERVER, log).stream().filter(line -> line.contains(SIZED_DOWN)).toList();
    told.forEach(outcome::logged);
    int wanted = smallPool ? 0 : 1;
    outcome.expect(told.size() == wanted,
      "the log has " + told.size() + " lines of '" + SIZED_DOWN + "', wanted are " + wanted);
    outcome.expect(scene.regionServer(SERVER).pid() == server.pid(), "the server ended");
    scene.restartRegionServer(SERVER, Map.of());
  }
}
