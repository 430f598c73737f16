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
import java.nio.file.Path;
import org.hbasestrata.tools.Json;

/**
 * A client of a rolling upgrade, on stock's jars or on Strata's: YCSB reads, writes and verifies
 * rows in each phase, chains of rows are written all along.
 */
final class UpgradeClient {
  private static final int TARGET = 300;
  private static final int PAUSE_MILLIS = 25;
  /** Longer than any phase. */
  private static final int SECONDS = 3600;

  private final Scene scene;
  private final String name;
  private final Path home;
  private ChainLoad chains;
  private Scene.Load rows;
  private int phases;
  private long failedInPhases;

  /** @param home the install that it runs from */
  UpgradeClient(Scene scene, String name, Path home) {
    this.scene = scene;
    this.name = name;
    this.home = home;
  }

  String name() {
    return name;
  }

  Path home() {
    return home;
  }

  /** The table of its chains. */
  String table() {
    return "chains-" + name;
  }

  String version() throws InterruptedException {
    return scene.clientVersion(home);
  }

  void startChains() {
    chains = new ChainLoad(scene, table(), home, PAUSE_MILLIS);
  }

  /** Whether links of chains have been written. */
  boolean hasWritten() {
    return chains.operations() > 0;
  }

  void startRows() {
    rows = scene.startLoad("rows-" + name + "-" + ++phases, home, SECONDS, TARGET,
      "-p", "readproportion=0.5", "-p", "updateproportion=0.25", "-p", "multigetproportion=0.15",
      "-p", "scanproportion=0.1", "-p", "maxscanlength=50", "--batch", "20");
  }

  /** Whether rows of the phase have been read. */
  boolean hasRead() {
    return rows.hasOperations();
  }

  /** Ends the phase's rows, and returns what came of them. */
  Seen endRows() throws IOException {
    boolean toTheEnd = rows.isAlive();
    Seen seen = Seen.ofYcsb(rows.stop());
    if (!toTheEnd) {
      throw new IOException("the load of the " + name + " client ended before its time; see rows-"
        + name + "-" + phases + ".log");
    }
    return seen;
  }

  /** What came of the chains between two times, in ms since the epoch. */
  Seen chains(long from, long to) throws IOException {
    return chains.seen(from, to);
  }

  /** The same of a phase, whose failures are counted. */
  Seen chainsOfPhase(long from, long to) throws IOException {
    Seen seen = chains(from, to);
    failedInPhases += seen.failed();
    return seen;
  }

  long chainsFailedInPhases() {
    return failedInPhases;
  }

  /** Ends the chains, has all of them looked up, and returns the counts. */
  JsonNode endChains() throws IOException, InterruptedException {
    chains.stop();
    return Json.MAPPER.readTree(chains.await().toFile());
  }

  /** What a client's operations came to. */
  record Seen(long operations, long failed, long wrong, long lost, long longestMillis) {
    static final Seen NOTHING = new Seen(0, 0, 0, 0, 0);

    static Seen ofYcsb(JsonNode json) {
      JsonNode phase = json.path("phases").path(0);
      long longestMicros = 0;
      for (var series : phase.path("series").properties()) {
        if (!series.getKey().contains("INTENDED")) {
          longestMicros = Math.max(longestMicros, series.getValue().path("max_us").asLong());
        }
      }
      JsonNode verified = json.path("verified");
      return new Seen(phase.path("operations").asLong(), phase.path("failed").asLong(),
        verified.path("wrong").asLong(), verified.path("missing").asLong(), longestMicros / 1000);
    }

    /** @param lines as LinkedListLoad writes them */
    static Seen ofSeconds(Iterable<String> lines, long from, long to) {
      Seen all = NOTHING;
      for (String line : lines) {
        String[] words = line.split(" ");
        long at = Long.parseLong(words[0]);
        if (at > from && at <= to) {
          all = all.plus(new Seen(Long.parseLong(words[1]), Long.parseLong(words[2]),
            Long.parseLong(words[3]), Long.parseLong(words[4]), Long.parseLong(words[5])));
        }
      }
      return all;
    }

    Seen plus(Seen more) {
      return new Seen(operations + more.operations, failed + more.failed, wrong + more.wrong,
        lost + more.lost, Math.max(longestMillis, more.longestMillis));
    }
  }
}
