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
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * What an operator does with a secured cluster, under loads that verify: quotas of a user, new
 * certificates, a server that is emptied and restarted by systemd, and pages that ask for a ticket.
 */
final class SecureOperations {
  /** Of conf-secure. */
  private static final String QUOTAS = "FAULTS_QUOTAS";
  private static final String PAGES = "FAULTS_PAGES";
  private static final String HTTPS = "FAULTS_HTTPS";
  private static final int LOAD_SECONDS = 3600;
  private static final int RELOAD_SECONDS = 120;
  private static final int PAGE_SECONDS = 300;
  /** Of a region server; the second is ours. */
  private static final List<String> PATHS =
    List.of("rs-status", "cache-sizing", "prometheus", "jmx", "conf");

  private final Scene scene;
  private final Outcome outcome;

  private SecureOperations(Scene scene, Outcome outcome) {
    this.scene = scene;
    this.outcome = outcome;
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    new SecureOperations(scene, outcome).run();
  }

  private void run() throws IOException, InterruptedException {
    // Another fault may have left them without access control.
    scene.cluster("restart", "regionserver", "1");
    // So that there is an install with upstream's client.
    scene.cluster("restart", "regionserver", "2", "--stock");
    scene.cluster("restart", "regionserver", "2", "--strata");
    Secure.makeTables(scene);
    verifyByEach();
    quotas();
    renewCertificates();
    gracefulStop();
    pages();
  }

  /** YCSB with --verify, by each protection, with either client. */
  private void verifyByEach() throws IOException, InterruptedException {
    scene.load();
    scene.spread(Scene.TABLE);
    int seconds = scene.amounts().brief() ? 5 : 60;
    for (String protection : Secure.PROTECTIONS) {
      boolean tls = protection.equals(SecureLoad.TLS);
      List<Scene.Load> loads = new ArrayList<>();
      for (String client : List.of("ours", "stock")) {
        loads.add(scene.startLoad("verify-" + protection + "-" + client,
          client.equals("ours") ? scene.strataHome() : scene.stockHome(), seconds,
          scene.amounts().target(), "-p", "readproportion=0.6", "-p", "multigetproportion=0.2",
          "-p", "updateproportion=0.1", "-p", "scanproportion=0.1", "-p", "maxscanlength=50",
          "--batch", "20", "-p", "hbase.rpc.protection=" + (tls ? "authentication" : protection),
          "-p", "hbase.client.netty.tls.enabled=" + tls));
      }
      for (Scene.Load load : loads) {
        load.end(outcome);
      }
    }
  }

  /** One user has a quota, another reads the same rows. */
  private void quotas() throws IOException, InterruptedException {
    scene.restart(Map.of(QUOTAS, "true"), "master");
    for (String server : List.of("1", "2")) {
      scene.restart(Map.of(QUOTAS, "true"), "regionserver", server);
    }
    scene.spread(SecureTables.GUARDED, Scene.TABLE);
    Path result = scene.folder().resolve("secure-quotas.json");
    int code = scene.start(QuotaLoad.class, scene.folder().resolve("secure-quotas.log"),
      result.toString()).await();
    outcome.expect(code == 0 && Files.exists(result), "quotas: exit code " + code
      + "; see secure-quotas.log");
    Hostility.tell(result, outcome);
    outcome.count("injected", outcome.count(QuotaLoad.THROTTLED));
    outcome.expect(outcome.count(QuotaLoad.THROTTLED) > 0, "a quota held nobody up");
    outcome.expect(outcome.count(QuotaLoad.OTHERS_THROTTLED) == 0,
      "a user's quota held another one up");
  }

  /** Servers load new certificates by themselves, and who is connected notices nothing. */
  private void renewCertificates() throws IOException, InterruptedException {
    List<String> servers = List.of("master", "regionserver-1", "regionserver-2");
    try (Scene.Load load = scene.startLoad(LOAD_SECONDS)) {
      load.awaitReads(scene.regionServer(1));
      Map<String, BigInteger> before = new HashMap<>();
      for (String server : servers) {
        before.put(server, shown(server));
      }
      scene.cluster("renew-certificates");
      BigInteger renewed = Certificates.of(scene.secure()).server();
      for (String server : servers) {
        outcome.expect(!renewed.equals(before.get(server)), server + " had the new certificate");
        double seconds = Scene.await(RELOAD_SECONDS, () -> {
          try {
            return renewed.equals(shown(server));
          } catch (IOException | InterruptedException e) {
            return false;
          }
        });
        outcome.expect(seconds >= 0, server + " didn't load its new certificate");
      }
      outcome.count("certificates loaded", servers.size());
      load.awaitReads(scene.regionServer(1));
      load.stop(outcome);
    }
  }

  private BigInteger shown(String server) throws IOException, InterruptedException {
    return Certificates.of(scene.secure()).shown(scene.daemon(server).port());
  }

  /** A script that does as systemctl what it can't do here; all else is what an operator runs. */
  private void gracefulStop() throws IOException, InterruptedException {
    Path programs = Files.createDirectories(scene.folder().resolve("programs"));
    String script = "'" + String.join("' '", scene.script().words(List.of())) + "'";
    Path systemctl = programs.resolve("systemctl");
    Files.writeString(systemctl, String.join("\n", "#!/bin/sh", "unset HBASE_HOME", "case $* in",
      "  *is-active*) " + script + " status | grep -q '^regionserver-2 .* up ' ;;",
      "  stop*) " + script + " stop regionserver 2 ;;",
      "  start*) " + script + " restart regionserver 2 ;;", "esac", ""));
    Files.setPosixFilePermissions(systemctl, PosixFilePermissions.fromString("rwx------"));
    Map<String, String> with = new HashMap<>(scene.environment());
    with.put("PATH", programs + ":" + System.getenv("PATH"));
    with.put("HBASE_PID_DIR", programs.toString());
    Daemon before = scene.regionServer(2);
    try (Scene.Load load = scene.startLoad(LOAD_SECONDS)) {
      load.awaitReads(before);
      int code = scene.startAs("hbase", with, scene.folder().resolve("graceful-stop.log"),
        "graceful_stop.sh", "--reload", "--systemd", "--maxthreads", "4",
        "localhost:" + before.port()).await();
      outcome.expect(code == 0, "graceful_stop.sh: exit code " + code
        + "; see graceful-stop.log");
      Daemon after = scene.regionServer(2);
      outcome.expect(after.pid() != before.pid(), "graceful_stop.sh restarted nothing");
      load.awaitReads(after);
      load.stop(outcome);
      outcome.count("graceful stops", 1);
    }
    scene.regionsMoved();
  }

  /** Pages by HTTPS, for those who have a ticket. */
  private void pages() throws IOException, InterruptedException {
    scene.restart(Map.of(PAGES, "kerberos", HTTPS, "true"), "regionserver", "2", "--no-wait");
    int port = scene.regionServer(2).webPort();
    Path result = scene.folder().resolve("secure-pages.json");
    List<String> words = new ArrayList<>(List.of(result.toString(),
      Integer.toString(PAGE_SECONDS)));
    PATHS.forEach(path -> words.add("https://localhost:" + port + "/" + path));
    int code = scene.startProgramAs("hbase", GuardedPages.class,
      scene.folder().resolve("secure-pages.log"), words.toArray(String[]::new)).await();
    if (code != 0 || !Files.exists(result)) {
      throw new IOException("pages: exit code " + code + "; see secure-pages.log");
    }
    JsonNode codes = Json.MAPPER.readTree(result.toFile());
    for (String path : PATHS) {
      JsonNode page = codes.path("https://localhost:" + port + "/" + path);
      outcome.expect(page.path("without").asInt() == 401,
        "/" + path + " without a ticket: " + page.path("without"));
      outcome.expect(page.path("with").asInt() == 200,
        "/" + path + " with a ticket: " + page.path("with"));
      outcome.count("pages", 1);
    }
    try {
      scene.restart(Map.of(), "regionserver", "2");
    } catch (ToolException e) {
      throw new IOException("no server behind guarded pages: " + e.getMessage(), e);
    }
  }
}
