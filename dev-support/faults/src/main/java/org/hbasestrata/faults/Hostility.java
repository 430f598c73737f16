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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.cluster.Daemon;
import org.hbasestrata.tools.cluster.Jcmd;
import org.hbasestrata.tools.cluster.ProcessFiles;

/** Runs a hostile client beside one that reads and verifies, and looks what that did. */
final class Hostility {
  private static final int MOST_SECONDS = 4 * 3600;
  private static final double GROWTH = 1.25;
  /** What a heap may differ by from one full collection to the next. */
  private static final long SLACK_BYTES = 48L << 20;
  private static final int SLACK_THREADS = 40;

  private final Scene scene;
  private final Outcome outcome;

  Hostility(Scene scene, Outcome outcome) {
    this.scene = scene;
    this.outcome = outcome;
  }

  /** Has a server collect all garbage. */
  static void collect(Scene scene, Daemon server) throws InterruptedException {
    new Jcmd(server.pid(), scene.folder().resolve("jcmd.log")).ask("GC.run");
  }

  /** What a server has taken, after a full collection. */
  record Memory(long heap, long direct, long resident, long threads) {
    static Memory of(Scene scene, Daemon server) throws IOException, InterruptedException {
      collect(scene, server);
      long direct = scene.bean(server, "java.nio:type=BufferPool,name=direct").path("MemoryUsed")
        .asLong();
      return new Memory(
        scene.bean(server, "java.lang:type=Memory").path("HeapMemoryUsage").path("used").asLong(),
        direct, new ProcessFiles(Path.of("/proc"), server.pid()).residentBytes(),
        scene.bean(server, "java.lang:type=Threading").path("ThreadCount").asLong());
    }

    @Override
    public String toString() {
      return (heap >> 20) + " MB heap, " + (direct >> 20) + " MB direct, " + (resident >> 20)
        + " MB resident, " + threads + " threads";
    }
  }

  /** Counts what a program has written. */
  static void tell(Path result, Outcome outcome) throws IOException {
    if (Files.exists(result)) {
      JsonNode counts = Json.MAPPER.readTree(result.toFile());
      counts.fieldNames()
        .forEachRemaining(name -> outcome.count(name, counts.path(name).asLong()));
    }
  }

  /**
   * @param seconds   that the verifying load runs at least; it runs as long as the hostile one
   * @param program   the hostile one
   * @param result    where it writes its counts
   * @param arguments of it
   */
  void run(int seconds, Class<?> program, Path result, String... arguments)
    throws IOException, InterruptedException {
    scene.read();
    List<Daemon> before = scene.regionServers();
    List<Memory> start = memories(before);
    long begin = System.nanoTime();
    try (Scene.Load load = scene.startLoad(MOST_SECONDS)) {
      load.awaitOperations();
      int code = scene.start(program,
        scene.folder().resolve(program.getSimpleName() + ".log"), arguments).await();
      outcome.expect(code == 0 && Files.exists(result),
        program.getSimpleName() + " ended with exit code " + code);
      long left = TimeUnit.SECONDS.toMillis(seconds)
        - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      Thread.sleep(Math.max(0, left));
      outcome.expect(load.isAlive(), "the load ended before the hostile one");
      load.stop(outcome);
    }
    tell(result, outcome);
    List<Daemon> after = scene.regionServers();
    List<Memory> end = memories(after);
    for (int i = 0; i < after.size(); i++) {
      String server = "region server " + (i + 1);
      outcome.note(server + " before: " + start.get(i) + "; after: " + end.get(i));
      outcome.expect(after.get(i).pid() == before.get(i).pid(), server + " ended");
      outcome.expect(end.get(i).heap() <= start.get(i).heap() * GROWTH + SLACK_BYTES,
        "the heap of " + server + " grew");
      outcome.expect(end.get(i).direct() <= start.get(i).direct() * GROWTH + SLACK_BYTES,
        "the direct memory of " + server + " grew");
      outcome.expect(end.get(i).threads() <= start.get(i).threads() + SLACK_THREADS,
        "threads of " + server + " grew");
    }
  }

  private List<Memory> memories(List<Daemon> servers)
    throws IOException, InterruptedException {
    List<Memory> memories = new ArrayList<>();
    for (Daemon server : servers) {
      memories.add(Memory.of(scene, server));
    }
    return memories;
  }
}
