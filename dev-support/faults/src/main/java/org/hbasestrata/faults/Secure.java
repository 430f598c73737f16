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
import java.util.Locale;
import java.util.Map;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * Several users at once, by each protection and TLS, on a cluster with Kerberos, rights and labels:
 * clients of ours and upstream's, on servers of ours and upstream's.
 */
final class Secure {
  static final List<String> PROTECTIONS =
    List.of("authentication", "integrity", "privacy", SecureLoad.TLS);
  private static final List<String> MUST_BE_NONE =
    List.of(SecureLoad.WRONG, SecureLoad.DENIED, SecureLoad.ALLOWED, SecureLoad.ERRORS);
  private static final String WITH_RIGHTS = "gets by the row path behind access control";
  private static final String ON_EVENT_LOOPS = "gets on event loops";
  private static final String[] TABLES = { SecureTables.GUARDED, SecureTables.LABELLED };
  /** Of conf-secure. */
  private static final String COPROCESSORS = "FAULTS_REGION_COPROCESSORS";
  private static final String TOKENS = "org.apache.hadoop.hbase.security.token.TokenProvider";
  private static final String RIGHTS =
    "org.apache.hadoop.hbase.security.access.AccessController";
  private static final int MOST_SECONDS_WITHOUT_TICKET = 240;

  private final Scene scene;
  private final Outcome outcome;

  private Secure(Scene scene, Outcome outcome) {
    this.scene = scene;
    this.outcome = outcome;
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    new Secure(scene, outcome).run();
  }

  private void run() throws IOException, InterruptedException {
    List<String> heads = new ArrayList<>(List.of("servers", "client"));
    PROTECTIONS.forEach(protection -> heads.add("operations by " + protection));
    heads.addAll(List.of(SecureLoad.REFUSED, SecureLoad.DENIED, SecureLoad.ALLOWED,
      SecureLoad.WRONG, SecureLoad.ERRORS));
    outcome.columns(heads);
    makeTables(scene);
    scene.spread(TABLES);
    // A stock server and one of ours, for clients of both kinds: each meets each.
    scene.cluster("restart", "regionserver", "2", "--stock");
    scene.spread(TABLES);
    load("rights and labels, ours and stock", SecureLoad.Rights.LABELS);
    outcome.expect(helpers(scene.regionServer(1)) > 0, "no multiget had helpers");
    noTicket();
    scene.cluster("restart", "regionserver", "2", "--strata");
    restart(TOKENS + "," + RIGHTS);
    load("rights, ours", SecureLoad.Rights.ACCESS);
    for (Daemon server : scene.regionServers()) {
      outcome.count(WITH_RIGHTS, rowPathReads(server));
      outcome.expect(eventLoopReads(server) == 0,
        "an event loop read a get that access control has to see");
    }
    outcome.expect(outcome.count(WITH_RIGHTS) > 0,
      "no get took the row path behind access control");
    restart(TOKENS);
    load("no rights, ours", SecureLoad.Rights.NONE);
    for (Daemon server : scene.regionServers()) {
      outcome.count(ON_EVENT_LOOPS, eventLoopReads(server));
    }
    outcome.expect(outcome.count(ON_EVENT_LOOPS) > 0, "no event loop read a get");
    outcome.count("injected", outcome.count(SecureLoad.REFUSED));
  }

  static void makeTables(Scene scene) throws IOException, InterruptedException {
    int code =
      scene.start(SecureTables.class, scene.folder().resolve("secure-tables.log")).await();
    if (code != 0) {
      throw new IOException("tables can't be made; see secure-tables.log");
    }
  }

  /** Starts both region servers anew, with these coprocessors for regions. */
  private void restart(String coprocessors) throws IOException, InterruptedException {
    for (int server = 1; server <= 2; server++) {
      scene.restartRegionServer(server, Map.of(COPROCESSORS, coprocessors));
    }
    scene.spread(TABLES);
  }

  private long helpers(Daemon server) throws InterruptedException {
    return scene.metrics(server, "MultiGet").path("parallelHelperGetCount").asLong();
  }

  private long rowPathReads(Daemon server) throws InterruptedException {
    return scene.metrics(server, "Gets").path("rowPathGetCount").asLong();
  }

  private long eventLoopReads(Daemon server) throws InterruptedException {
    return scene.metrics(server, "EventLoopGets").path("eventLoopReadCount").asLong();
  }

  /** A client of ours and one of upstream's. */
  private void load(String servers, SecureLoad.Rights rights)
    throws IOException, InterruptedException {
    int seconds = scene.amounts().brief() ? 3 : 120;
    List<String> clients = List.of("ours", "stock");
    List<Child> children = new ArrayList<>();
    List<Path> results = new ArrayList<>();
    for (String client : clients) {
      String name = client + "-" + rights.name().toLowerCase(Locale.ROOT);
      Path result = scene.folder().resolve("secure-" + name + ".json");
      List<String> words = new ArrayList<>(
        List.of(result.toString(), name, Integer.toString(seconds), rights.name()));
      words.addAll(PROTECTIONS);
      children.add(scene.start(client.equals("ours") ? scene.strataHome() : scene.stockHome(),
        SecureLoad.class, scene.folder().resolve("secure-" + name + ".log"),
        words.toArray(String[]::new)));
      results.add(result);
    }
    for (int i = 0; i < clients.size(); i++) {
      int code = children.get(i).await();
      if (code != 0 || !Files.exists(results.get(i))) {
        throw new IOException("the client ended with exit code " + code + "; see "
          + results.get(i).getFileName().toString().replace(".json", ".log"));
      }
      tell(servers, clients.get(i), rights, Json.MAPPER.readTree(results.get(i).toFile()));
    }
  }

  private void tell(String servers, String client, SecureLoad.Rights rights, JsonNode counts) {
    List<String> row = new ArrayList<>(List.of(servers, client));
    for (String protection : PROTECTIONS) {
      long operations = counts.path(SecureLoad.OPERATIONS + " by " + protection).asLong();
      outcome.expect(operations > 0, "the client " + client + " did nothing by " + protection);
      row.add(Long.toString(operations));
    }
    outcome.count("operations", counts.path(SecureLoad.OPERATIONS).asLong());
    outcome.count(SecureLoad.REFUSED, counts.path(SecureLoad.REFUSED).asLong());
    outcome.expect(rights == SecureLoad.Rights.NONE || counts.path(SecureLoad.REFUSED).asLong() > 0,
      "nothing was denied");
    row.add(Long.toString(counts.path(SecureLoad.REFUSED).asLong()));
    for (String what : MUST_BE_NONE) {
      long count = counts.path(what).asLong();
      outcome.count(what, count);
      outcome.expect(count == 0, servers + ", client " + client + ": " + count + " " + what);
    }
    for (String what : List.of(SecureLoad.DENIED, SecureLoad.ALLOWED, SecureLoad.WRONG,
      SecureLoad.ERRORS)) {
      row.add(Long.toString(counts.path(what).asLong()));
    }
    outcome.row(row);
  }

  /** Who has no ticket is told so, in a line. */
  private void noTicket() throws IOException, InterruptedException {
    for (List<String> command : List.of(List.of("hbase", "cache"), List.of("hbase", "shell", "-n"),
      List.of("hbase", "ycsb", "load", "point-get", "--rows", "1"),
      List.of("graceful_stop.sh", "localhost:" + scene.regionServer(1).port()))) {
      String name = "without-ticket-" + command.get(0) + "-" + command.get(1).replace(':', '-')
        + ".log";
      Path log = scene.folder().resolve(name);
      long begin = System.nanoTime();
      int code = scene.startAs(null, Map.of(), log, command.get(0),
        command.subList(1, command.size()).toArray(String[]::new)).await();
      double seconds = (System.nanoTime() - begin) / 1e9;
      List<String> lines = Files.readAllLines(log);
      outcome.expect(code != 0, command + " was served without a ticket");
      outcome.expect(seconds < MOST_SECONDS_WITHOUT_TICKET, command
        + " took too long to say that there is no ticket");
      outcome.expect(lines.stream().filter(line -> line.contains("kinit")).count() == 1
        && lines.stream().noneMatch(line -> line.startsWith("\tat ")),
        command + " doesn't say in a line that there is no ticket; see " + name);
    }
  }
}
