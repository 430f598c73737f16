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
import java.util.ArrayList;
import java.util.List;
import org.hbasestrata.faults.UpgradeClient.Seen;

/**
 * Servers of a cluster go from stock to Strata and back, one at a time, by the jars tarball and its
 * undo, under the loads of a stock client and one on Strata's jars. What plain restarts of the
 * stock servers cost these is counted first: the upgrade may cost no more.
 */
final class RollingUpgrade {
  private RollingUpgrade() {
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    JarsTarball jars = JarsTarball.unpack(
      scene.checkout().root().resolve("hbase-assembly/target"), scene.folder().resolve("jars"));
    new Run(scene, outcome, jars).run();
  }

  private static final class Run {
    private static final int BETWEEN_SECONDS = 5;
    /** Clients that try again wait longer each time; the machine may be busy. */
    private static final int SPARE_MILLIS = 60_000;

    private final Scene scene;
    private final Outcome outcome;
    private final JarsTarball jars;
    private final UpgradeClient stock;
    private final UpgradeClient strata;
    private final List<UpgradeServer> servers;
    private final List<UpgradePhase> phases = new ArrayList<>();

    private Run(Scene scene, Outcome outcome, JarsTarball jars) {
      this.scene = scene;
      this.outcome = outcome;
      this.jars = jars;
      stock = new UpgradeClient(scene, "stock", scene.stockHome());
      strata = new UpgradeClient(scene, "strata", scene.strataHome());
      // Masters last, as docs/deploy.md has it.
      servers = List.of(new UpgradeServer(scene, jars, "regionserver", "1"),
        new UpgradeServer(scene, jars, "regionserver", "2"),
        new UpgradeServer(scene, jars, "master"));
    }

    /** What is done to a server before its restart. */
    private interface Swap {
      void of(UpgradeServer server) throws InterruptedException;
    }

    private void run() throws IOException, InterruptedException {
      outcome.columns(UpgradePhase.COLUMNS);
      String onStock = "jars " + jars.upstream() + ", patch level none";
      String onStrata = "jars " + jars.strata() + ", patch level " + jars.strata();
      expectVersion(stock, jars.upstream());
      expectVersion(strata, jars.strata());
      // Upstream doesn't start on the list of a cache that was empty.
      scene.read();
      for (UpgradeServer server : servers) {
        server.moveIn();
        expectReport("before", server, onStock);
      }
      startChains();
      for (int round = 1; round <= scene.amounts().rounds(); round++) {
        phase(round, "stock to stock", true, server -> {
        }, onStock);
        phase(round, "stock to Strata", false, UpgradeServer::install, onStrata);
        phase(round, "Strata", false, null, onStrata);
        phase(round, "Strata to stock", false, UpgradeServer::undo, onStock);
      }
      endChains();
      judge();
    }

    private void expectVersion(UpgradeClient client, String version) throws InterruptedException {
      String found = client.version();
      outcome.expect(found.equals(version),
        "the " + client.name() + " client is of " + found + ", not of " + version);
    }

    private void expectReport(String phase, UpgradeServer server, String expected)
      throws InterruptedException {
      String reported = server.reported();
      outcome.logged(phase + ", " + server + ": " + reported);
      outcome.expect(reported.equals(expected),
        phase + ": " + server + " reports " + reported + ", expected " + expected);
    }

    private void startChains() throws IOException, InterruptedException {
      stock.startChains();
      strata.startChains();
      if (Scene.await(Scene.START_SECONDS, () -> stock.hasWritten() && strata.hasWritten()) < 0) {
        throw new IOException("no chains are written; see chains-*.log");
      }
      spread();
    }

    private void spread() throws IOException, InterruptedException {
      scene.spread(Scene.TABLE, stock.table(), strata.table());
    }

    /** @param swap null if no server is restarted */
    private void phase(int round, String what, boolean baseline, Swap swap, String expected)
      throws IOException, InterruptedException {
      String name = scene.amounts().rounds() > 1 ? what + " " + round : what;
      long begin = System.currentTimeMillis();
      stock.startRows();
      strata.startRows();
      // They tell of what they did after some ten seconds.
      if (Scene.await(Scene.START_SECONDS, () -> stock.hasRead() && strata.hasRead()) < 0) {
        throw new IOException("no rows are read; see rows-*.log");
      }
      int restarts = 0;
      if (swap != null) {
        for (UpgradeServer server : servers) {
          swap.of(server);
          server.restart();
          restarts++;
          expectReport(name, server, expected);
          if (server.hasRegions()) {
            outcome.logged(name + ", " + server + ": " + server.cachedBlocks()
              + " blocks in its cache after the restart");
            spread();
          }
          Thread.sleep(BETWEEN_SECONDS * 1000L);
        }
      } else {
        Thread.sleep(scene.amounts().faultSeconds() * 1000L);
      }
      Seen[] rows = { stock.endRows(), strata.endRows() };
      for (Seen one : rows) {
        outcome.count("operations", one.operations());
        outcome.count("wrong", one.wrong());
        outcome.count("lost", one.lost());
        outcome.expect(one.operations() > 0, name + ": a client had no load");
      }
      long end = System.currentTimeMillis();
      UpgradePhase phase = new UpgradePhase(name, baseline, restarts,
        rows[0].plus(stock.chainsOfPhase(begin, end)),
        rows[1].plus(strata.chainsOfPhase(begin, end)));
      phases.add(phase);
      outcome.count("injected", restarts);
      outcome.row(phase.cells());
    }

    /** All that was written is looked up. */
    private void endChains() throws IOException, InterruptedException {
      long begin = System.currentTimeMillis();
      List<Seen> seen = new ArrayList<>();
      for (UpgradeClient client : List.of(stock, strata)) {
        JsonNode counts = client.endChains();
        counts.fieldNames().forEachRemaining(field -> {
          if (!field.equals("errors")) {
            outcome.count(field, counts.path(field).asLong());
          }
        });
        long outside = client.chains(0, Long.MAX_VALUE).failed() - client.chainsFailedInPhases();
        outcome.count("errors", outside);
        outcome.expect(outside == 0,
          outside + " operations of the " + client.name() + " client failed outside of all steps");
        seen.add(new Seen(counts.path("acknowledged writes").asLong(), 0,
          counts.path("wrong").asLong(), counts.path("lost").asLong(), 0));
      }
      outcome.note("all writes looked up in " + (System.currentTimeMillis() - begin) / 1000 + " s");
      outcome.row(new UpgradePhase("all writes, looked up", false, 0, seen.get(0), seen.get(1))
        .cells());
    }

    private void judge() {
      UpgradePhase.Failed plain = UpgradePhase.plain(phases);
      outcome.note("failed operations of the stock client, stock servers restarted as stock: "
        + plain);
      long mostMillis = SPARE_MILLIS + phases.stream().filter(UpgradePhase::baseline)
        .mapToLong(UpgradePhase::longestMillis).max().orElse(0);
      for (UpgradePhase phase : phases) {
        outcome.note("failed operations, " + phase.name() + ": stock client " + phase.stockFailed()
          + ", Strata client " + phase.strataFailed());
        long beyond = phase.beyond(plain);
        outcome.count("errors", beyond);
        outcome.expect(beyond == 0, phase.name() + ": " + beyond
          + " failed operations beyond what plain restarts cost (" + plain + ")");
        outcome.expect(phase.longestMillis() <= mostMillis, phase.name() + ": an operation took "
          + phase.longestMillis() + " ms, " + SPARE_MILLIS + " ms more than the longest with plain"
          + " restarts");
      }
    }
  }
}
