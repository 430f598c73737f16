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
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * Phoenix on each server, under {@link PhoenixLoad}, while region servers are killed and restarted
 * in turn. Each answer is compared with what was written.
 */
record Phoenix(String name, String about, Scene.Setting setting) implements Fault {
  private static final int ROWS = 4000;
  private static final int BRIEF_ROWS = 600;
  private static final int OPERATIONS_BETWEEN = 1000;
  private static final int BRIEF_OPERATIONS_BETWEEN = 100;
  /** For the schema, too. */
  private static final int BEGIN_SECONDS = 600;
  private static final int RECOVERY_SECONDS = 300;
  private static final String CELLS = "phoenix-cells";
  private static final int CELLS_QUERIES = 10_000;
  private static final int BRIEF_CELLS_QUERIES = 1000;
  private static final int CELLS_SECONDS = 3600;
  private static final int END_SECONDS = 600;
  /** A block was read by a reader that somebody else closed. */
  static final String STREAM_CLOSED = "IOException: Stream closed";
  private static final int DOWN_MILLIS = 1000;
  private static final JsonMapper JSON = new JsonMapper();

  static List<Fault> all() {
    return List.of(
      new Phoenix("phoenix",
        "Phoenix's queries and writes, with region servers killed and restarted",
        Scene.Setting.PHOENIX),
      new Phoenix("phoenix-on-stock", "the same on upstream's jars",
        Scene.Setting.PHOENIX_ON_STOCK),
      new Phoenix(CELLS, "Phoenix's queries that use cells of closed scanners; a direct: cache",
        Scene.Setting.PHOENIX_DIRECT),
      new Phoenix(CELLS + "-file", "the same with a cache in a plain file",
        Scene.Setting.PHOENIX_FILE),
      new Phoenix(CELLS + "-guarded", "the same with cells that throw when they are used too late",
        Scene.Setting.PHOENIX_GUARDED),
      new Phoenix(CELLS + "-on-stock", "phoenix-cells-file on upstream's jars",
        Scene.Setting.PHOENIX_ON_STOCK));
  }

  @Override
  public void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    Path stop = scene.folder().resolve(name + ".stop");
    Path result = scene.folder().resolve(name + ".json");
    Path output = scene.folder().resolve(name + ".log");
    boolean brief = scene.amounts().brief();
    int rows = brief ? BRIEF_ROWS : ROWS;
    int between = brief ? BRIEF_OPERATIONS_BETWEEN : OPERATIONS_BETWEEN;
    Child load = scene.start(PhoenixLoad.class, output, stop.toString(), result.toString(),
      Integer.toString(rows), Long.toString(scene.amounts().seed()), Boolean.toString(ofCells()));
    try {
      boolean works = awaitOperations(load, result, between, BEGIN_SECONDS, outcome);
      if (ofCells() && works) {
        awaitOperations(load, result, brief ? BRIEF_CELLS_QUERIES : CELLS_QUERIES, CELLS_SECONDS,
          outcome);
        tellHeld(scene, outcome);
      }
      for (int i = 0; i < scene.amounts().kills() && works && !ofCells(); i++) {
        int server = 1 + i % 2;
        scene.cluster("kill", "regionserver", Integer.toString(server));
        Thread.sleep(DOWN_MILLIS);
        scene.restartRegionServer(server, Map.of());
        outcome.count("injected", 1);
        works = awaitOperations(load, result, between, RECOVERY_SECONDS, outcome);
        if (works) {
          long begin = System.nanoTime();
          scene.cluster("stop", "regionserver", Integer.toString(3 - server));
          outcome.note(String.format(Locale.ROOT, "stop of a region server: %.1f s",
            (System.nanoTime() - begin) / 1e9));
          scene.restartRegionServer(3 - server, Map.of());
          outcome.count("restarts", 1);
          works = awaitOperations(load, result, between, RECOVERY_SECONDS, outcome);
        }
      }
      Files.createFile(stop);
      boolean ended = Scene.await(END_SECONDS, () -> !load.isAlive()) >= 0;
      outcome.expect(ended && Files.exists(result), "the load ended without a result; see "
        + output.getFileName());
      Hostility.tell(result, outcome);
    } finally {
      load.end();
    }
    outcome.expect(outcome.count("operations") > 0, "there was no load");
    if (!ofCells()) {
      tellCases(scene, outcome);
    }
    judge(scene, outcome);
  }

  private boolean ofCells() {
    return name.startsWith(CELLS);
  }

  /** What the servers that still run have held for coprocessors. */
  private static void tellHeld(Scene scene, Outcome outcome) throws InterruptedException {
    for (Daemon server : scene.regionServers()) {
      JsonNode held = scene.metrics(server, "CoprocessorCells");
      if (!held.isMissingNode()) {
        outcome.note("held by a call at most " + held.path("mostHeldBytesOfCall").asLong()
          + " bytes, by all " + held.path("mostHeldBytes").asLong() + ", now "
          + held.path("heldBytes").asLong() + "; blocks copied to the heap: "
          + held.path("copiedBlockCount").asLong());
      }
    }
  }

  /** What Phoenix gets wrong by itself doesn't fail. */
  private static void tellCases(Scene scene, Outcome outcome)
    throws IOException, InterruptedException {
    Path lines = scene.folder().resolve("phoenix-cases.txt");
    int code = scene.start(PhoenixCases.class, scene.folder().resolve("phoenix-cases.log"),
      lines.toString()).await();
    outcome.expect(code == 0 && Files.exists(lines), "see phoenix-cases.log");
    if (Files.exists(lines)) {
      Files.readAllLines(lines).forEach(outcome::note);
    }
  }

  private static void judge(Scene scene, Outcome outcome) throws IOException {
    Set<String> crashes = scene.crashes();
    crashes.forEach(crash -> outcome.fail("crashed: " + crash));
    for (int server = 1; server <= 2; server++) {
      for (String line : scene.logSince(server, 0)) {
        outcome.expect(!line.contains("***** ABORTING region server")
          && !line.contains(STREAM_CLOSED), line);
      }
    }
  }

  /** Waits until the load has done some more operations. */
  private static boolean awaitOperations(Child load, Path result, int more, int seconds,
    Outcome outcome) throws InterruptedException {
    Path now = result.resolveSibling(result.getFileName() + ".now");
    long enough = operations(now) + more;
    boolean works =
      Scene.await(seconds, () -> !load.isAlive() || operations(now) > enough) >= 0
        && load.isAlive();
    outcome.expect(works, load.isAlive()
      ? "less than " + more + " operations in " + seconds + " s" : "the load ended");
    return works;
  }

  private static long operations(Path now) {
    try {
      JsonNode counts = Files.exists(now) ? JSON.readTree(now.toFile()) : JSON.createObjectNode();
      return counts.path("operations").asLong();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
