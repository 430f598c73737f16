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
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * Each key of the configuration reference gets values that aren't allowed, when a server starts
 * and, those that are live, while one serves.
 */
final class BadValues {
  private static final int SERVING = 1;
  private static final int STARTED = 2;
  private static final int MOST_SECONDS = 3600;
  /** How many are tried at a start in the short version. */
  private static final int SHORT = 4;
  private static final List<String> VALUES = List.of("soon", "7".repeat(40));
  private static final Pattern ROW = Pattern.compile("\\| (`hbase\\.[^|]+) \\|.*");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final String LIST = "hbase.bucketcache.l2.persistent.path";
  private static final String L2 = "hbase.bucketcache.l2.ioengine";
  private static final String THREADS = "hbase.regionserver.multiget.parallel.threads";
  private static final String CHANGED = "Multigets are spread over ";

  /** A key of the reference. */
  private record Key(String name, boolean live) {
  }

  /** What is set. */
  private record Setting(String key, String value) {
  }

  private BadValues() {
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    scene.load();
    scene.spread(Scene.TABLE);
    List<Key> keys =
      keys(Files.readAllLines(scene.checkout().root().resolve("docs/configuration.md")));
    Daemon server = scene.regionServer(SERVING);
    try (Scene.Load load = scene.startLoad(MOST_SECONDS)) {
      load.awaitReads(server);
      update(scene, outcome, server, keys);
      start(scene, outcome, keys);
      outcome.expect(load.isAlive(), "the load ended before");
      load.stop(outcome);
    }
    outcome.expect(scene.regionServer(SERVING).pid() == server.pid(), "the server ended");
  }

  /** Of all rows that have a key in the first column. */
  private static List<Key> keys(List<String> reference) {
    List<Key> keys = new ArrayList<>();
    for (String line : reference) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        NAME.matcher(row.group(1)).results()
          .forEach(name -> keys.add(new Key(name.group(1), line.contains("*Live.*"))));
      }
    }
    return keys;
  }

  private static void update(Scene scene, Outcome outcome, Daemon server, List<Key> keys)
    throws IOException, InterruptedException {
    List<Setting> bad = keys.stream().filter(Key::live)
      .flatMap(key -> VALUES.stream().map(value -> new Setting(key.name(), value))).toList();
    long from = scene.logEnd(SERVING);
    outcome.expect(update(scene, server, bad) == 0, "update_config failed; see update.log");
    List<String> lines = scene.logSince(SERVING, from);
    for (Setting setting : bad) {
      told(outcome, setting, lines, "keep");
    }
    outcome.expect(lines.stream().noneMatch(line -> line.contains(CHANGED)),
      "a value that isn't allowed changed the threads of multigets");
    // What is allowed is taken, so the others were really read.
    from = scene.logEnd(SERVING);
    update(scene, server, List.of(new Setting(THREADS, "3")));
    outcome.expect(
      scene.logSince(SERVING, from).stream().anyMatch(line -> line.contains(CHANGED + "3 threads")),
      "update_config changed nothing");
  }

  private static int update(Scene scene, Daemon server, List<Setting> settings)
    throws InterruptedException {
    List<String> arguments =
      new ArrayList<>(List.of(scene.site().toString(), Integer.toString(server.port())));
    settings.forEach(setting -> arguments.addAll(List.of(setting.key(), setting.value())));
    return scene.start(UpdateConfig.class, scene.folder().resolve("update.log"),
      arguments.toArray(String[]::new)).await();
  }

  private static void start(Scene scene, Outcome outcome, List<Key> keys)
    throws IOException, InterruptedException {
    List<Setting> bad = new ArrayList<>();
    String gone = scene.cacheFile(STARTED).resolveSibling("gone").toString();
    bad.add(new Setting(L2, "direct:" + gone + "/cache"));
    bad.add(new Setting(LIST, gone + "/list"));
    for (Key key : keys) {
      if (!key.name().equals(LIST)) {
        VALUES.forEach(value -> bad.add(new Setting(key.name(), value)));
      }
    }
    if (scene.amounts().brief()) {
      bad.subList(SHORT, bad.size()).clear();
    }
    Site site = Site.read(scene.site());
    for (Setting setting : bad) {
      site.with(setting.key(), setting.value());
      long from = scene.logEnd(STARTED);
      try {
        scene.cluster("restart", "regionserver", Integer.toString(STARTED));
        outcome.fail("a server started with " + setting);
      } catch (ToolException e) {
        // What bin/hbase refuses isn't in the log.
        List<String> lines = new ArrayList<>(scene.logSince(STARTED, from));
        lines.addAll(scene.printed(STARTED));
        told(outcome, setting, lines, "");
      }
    }
    site.restore();
    scene.cluster("restart", "regionserver", Integer.toString(STARTED));
  }

  /** Counts one that was refused, if there is a line that tells the key and the value. */
  private static void told(Outcome outcome, Setting setting, List<String> lines, String and) {
    outcome.count("injected", 1);
    if (lines.stream().anyMatch(line -> line.contains(setting.key())
      && line.contains(setting.value()) && line.contains(and))) {
      outcome.count("survived", 1);
    } else {
      outcome.fail("no line tells of " + setting);
    }
  }
}
