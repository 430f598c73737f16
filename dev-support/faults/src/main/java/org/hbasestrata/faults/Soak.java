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
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.cluster.Daemon;

/**
 * Reads and writes for long, verified, while regions are flushed, compacted, split, moved and
 * balanced. Memory, threads and files must stay what they were after the first third.
 */
final class Soak {
  private static final int MOST_SAMPLES = 60;
  private static final int LEAST_SAMPLES = 6;
  private static final int LEAST_SECONDS_BETWEEN = 5;
  private static final double GROWTH = 1.15;
  private static final long SLACK_BYTES = 32L << 20;
  private static final int SLACK_THREADS = 15;
  private static final int SLACK_FILES = 40;
  private static final int SERVERS = 2;

  /** What a server has at a time. */
  private record Sample(long second, Hostility.Memory memory, long openFiles, long storeFiles) {
  }

  private Soak() {
  }

  static void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    scene.load();
    scene.spread(Scene.TABLE);
    scene.read();
    int seconds = (int) (scene.amounts().minutes() * 60);
    Path stop = scene.folder().resolve("soak.stop");
    Path result = scene.folder().resolve("soak-churn.json");
    Scene.Load load = scene.startLoad(seconds, "-p", "readproportion=0.5", "-p",
      "updateproportion=0.5");
    Child churn = scene.start(Churn.class, scene.folder().resolve("soak-churn.log"),
      Scene.TABLE, stop.toString(), result.toString());
    List<List<Sample>> samples = new ArrayList<>();
    for (int server = 1; server <= SERVERS; server++) {
      samples.add(new ArrayList<>());
    }
    int count =
      Math.max(LEAST_SAMPLES, Math.min(seconds / LEAST_SECONDS_BETWEEN, MOST_SAMPLES));
    long begin = System.nanoTime();
    for (int i = 1; i <= count; i++) {
      long wait = begin + seconds * 1_000_000_000L * i / (count + 1) - System.nanoTime();
      Thread.sleep(Math.max(0, wait / 1_000_000));
      for (int server = 1; server <= SERVERS; server++) {
        samples.get(server - 1)
          .add(sample(scene, server, (System.nanoTime() - begin) / 1_000_000_000));
      }
    }
    load.end(outcome);
    Files.createFile(stop);
    churn.await();
    scene.regionsMoved();
    Hostility.tell(result, outcome);
    for (Churn.Step step : Churn.Step.values()) {
      outcome.expect(outcome.count(step.label()) > 0, "no " + step.label());
      outcome.count("injected", outcome.count(step.label()));
    }
    outcome.expect(outcome.count("operations") > 0, "there was no load");
    for (int server = 1; server <= SERVERS; server++) {
      judge(samples.get(server - 1), "region server " + server, outcome);
    }
  }

  private static Sample sample(Scene scene, int number, long second)
    throws IOException, InterruptedException {
    Daemon server = scene.regionServer(number);
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + server.pid() + "/fd"))) {
      return new Sample(second, Hostility.Memory.of(scene, server), descriptors.count(),
        scene.metrics(server, "Server").path("storeFileCount").asLong());
    }
  }

  private static void judge(List<Sample> samples, String server, Outcome outcome) {
    outcome.chart(new Outcome.Chart("Memory of " + server + ", after full collections", "bytes",
      lines(samples,
        Map.of("heap", sample -> sample.memory().heap(), "direct memory",
          sample -> sample.memory().direct(), "resident set",
          sample -> sample.memory().resident()))));
    outcome.chart(new Outcome.Chart("Threads and files of " + server, "",
      lines(samples, Map.of("threads", sample -> sample.memory().threads(), "open files",
        Sample::openFiles, "store files", Sample::storeFiles))));
    Flatness flatness = new Flatness(samples, server, outcome);
    flatness.expect("heap", SLACK_BYTES, sample -> sample.memory().heap());
    flatness.expect("direct memory", SLACK_BYTES, sample -> sample.memory().direct());
    flatness.expect("resident set", SLACK_BYTES, sample -> sample.memory().resident());
    flatness.expect("threads", SLACK_THREADS, sample -> sample.memory().threads());
    flatness.expect("open files", SLACK_FILES, Sample::openFiles);
    flatness.expect("store files", SLACK_FILES, Sample::storeFiles);
  }

  private static Map<String, List<double[]>> lines(List<Sample> samples,
    Map<String, ToLongFunction<Sample>> values) {
    Map<String, List<double[]>> lines = new TreeMap<>();
    values.forEach((name, value) -> lines.put(name, samples.stream()
      .map(sample -> new double[] { sample.second(), value.applyAsLong(sample) }).toList()));
    return lines;
  }

  /** Compares the last third with the second. */
  private record Flatness(List<Sample> samples, String server, Outcome outcome) {
    void expect(String what, long slack, ToLongFunction<Sample> value) {
      int third = samples.size() / 3;
      double before = mean(samples.subList(third, 2 * third), value);
      double after = mean(samples.subList(2 * third, samples.size()), value);
      outcome.note(server + ", " + what + ": " + Math.round(before) + " in the second third, "
        + Math.round(after) + " in the last");
      outcome.expect(after <= before * GROWTH + slack, what + " of " + server + " grew from "
        + Math.round(before) + " to " + Math.round(after));
    }

    private static double mean(List<Sample> part, ToLongFunction<Sample> value) {
      return part.stream().mapToLong(value).average().orElse(0);
    }
  }
}
