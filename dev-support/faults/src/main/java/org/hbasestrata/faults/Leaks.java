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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * Reads from servers in which each buffer is watched: one that is dropped without being released
 * is told in the server's log when its memory is collected.
 */
final class Leaks {
  private static final String OPTION =
    "-Dorg.apache.hbase.thirdparty.io.netty.leakDetection.level=paranoid";
  private static final String TOLD = "LEAK: ";
  private static final int SERVERS = 2;
  private static final int MOST_MINUTES = 60;

  private Leaks() {
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    scene.load();
    List<Long> logEnds = new ArrayList<>();
    for (int server = 1; server <= SERVERS; server++) {
      logEnds.add(scene.logEnd(server));
    }
    restart(scene,
      Map.of("HBASE_OPTS", System.getenv().getOrDefault("HBASE_OPTS", "") + ' ' + OPTION));
    scene.read();
    watch(scene, outcome, logEnds);
    restart(scene, Map.of());
  }

  private static void restart(Scene scene, Map<String, String> environment)
    throws IOException, InterruptedException {
    for (int server = 1; server <= SERVERS; server++) {
      scene.restartRegionServer(server, environment);
    }
    scene.spread(Scene.TABLE);
  }

  private static void watch(Scene scene, Outcome outcome, List<Long> logEnds)
    throws IOException, InterruptedException {
    List<Daemon> before = scene.regionServers();
    for (Daemon server : before) {
      outcome.expect(scene.bean(server, "java.lang:type=Runtime").path("InputArguments").toString()
        .contains(OPTION), "a server runs without " + OPTION);
    }
    Path stop = scene.folder().resolve("leavers.stop");
    Path result = scene.folder().resolve("leavers.json");
    Child leavers = scene.start(Leavers.class, scene.folder().resolve("leavers.log"), Scene.TABLE,
      stop.toString(), result.toString());
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(MOST_MINUTES);
    while (outcome.count("rows") < scene.amounts().watched() && System.nanoTime() < deadline) {
      scene.startFastLoad(scene.amounts().brief() ? 10 : 60, "-p", "readproportion=0", "-p",
        "multigetproportion=0.98", "-p", "scanproportion=0.02", "-p", "multigetbatch=50",
        "--threads", "8").end(outcome);
    }
    Files.createFile(stop);
    leavers.await();
    outcome.expect(outcome.count("rows") >= scene.amounts().watched(),
      "less rows than " + scene.amounts().watched());
    outcome.count("injected", Files.exists(result)
      ? Long.parseLong(Files.readString(result).strip()) : 0);
    outcome.expect(outcome.count("injected") > 0, "no client went away");
    // What was collected is told when the next buffers are made.
    for (Daemon server : before) {
      Hostility.collect(scene, server);
    }
    scene.read();
    outcome.expect(scene.regionServers().equals(before), "a server ended");
    for (int server = 1; server <= SERVERS; server++) {
      List<String> told = scene.logSince(server, logEnds.get(server - 1)).stream()
        .filter(line -> line.contains(TOLD)).toList();
      outcome.count("leaks", told.size());
      told.stream().limit(10).forEach(outcome::logged);
    }
    outcome.expect(outcome.count("leaks") == 0, "buffers weren't released");
  }
}
