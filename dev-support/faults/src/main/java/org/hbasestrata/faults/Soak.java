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
import org.hbasestrata.bench.harness.Child;

/**
 * Reads and writes for long, verified, while regions are flushed, compacted, split, moved and
 * balanced. Memory, threads and files must stay what they were after the first third.
 */
final class Soak implements Fault {
  private static final int SAMPLES = 60;
  private static final double GROWTH = 1.15;
  private static final long SLACK_BYTES = 32L << 20;
  private static final int SLACK_THREADS = 15;
  private static final int SLACK_FILES = 40;

  @Override
  public String name() {
    return "soak";
  }

  @Override
  public String about() {
    return "an hour (--minutes) of mixed50 with flush, compaction, split, move and balancer";
  }

  /** What a server has at a time. */
  private record Sample(long second, Hostility.Memory memory, long files) {
  }

  @Override
  public void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    scene.warm();
    int seconds = (int) (scene.amounts().minutes() * 60);
    Path stop = scene.folder().resolve("soak.stop");
    Path result = scene.folder().resolve("soak-churn.json");
    Scene.Load load = scene.startLoad(seconds, "-p", "readproportion=0.5", "-p",
      "updateproportion=0.5");
    Child churn = scene.start(Churn.class, scene.folder().resolve("soak-churn.log"),
      Scene.TABLE, stop.toString(), result.toString());
    List<Sample> samples = new ArrayList<>();
    long begin = System.nanoTime();
    for (int i = 1; i <= SAMPLES; i++) {
      long wait = begin + seconds * 1_000_000_000L * i / (SAMPLES + 1) - System.nanoTime();
      Thread.sleep(Math.max(0, wait / 1_000_000));
      samples.add(sample(scene, (System.nanoTime() - begin) / 1_000_000_000));
    }
    load.end(outcome);
    Files.createFile(stop);
    churn.await();
    outcome.count("injected", Files.exists(result) ? Long.parseLong(Files.readString(result)
      .strip()) : 0);
    outcome.expect(outcome.count("injected") > 0, "no region was moved or split");
    judge(samples, outcome);
    outcome.count("survived", outcome.failures().isEmpty() ? outcome.count("injected") : 0);
  }

  private static Sample sample(Scene scene, long second) throws IOException, InterruptedException {
    Scene.Daemon server = scene.regionServer(1);
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + server.pid() + "/fd"))) {
      return new Sample(second, Hostility.Memory.of(scene, server), descriptors.count());
    }
  }

  /** The last third against the second. */
  private static void judge(List<Sample> samples, Outcome outcome) {
    outcome.chart(new Outcome.Chart("Memory of the first server, after full collections", "bytes",
      lines(samples,
        Map.of("heap", sample -> sample.memory().heap(), "direct memory",
          sample -> sample.memory().direct(), "resident set",
          sample -> sample.memory().resident()))));
    outcome.chart(new Outcome.Chart("Its threads and open files", "", lines(samples,
      Map.of("threads", sample -> sample.memory().threads(), "open files", Sample::files))));
    int third = samples.size() / 3;
    flat(samples, third, "heap", SLACK_BYTES, outcome, sample -> sample.memory().heap());
    flat(samples, third, "direct memory", SLACK_BYTES, outcome,
      sample -> sample.memory().direct());
    flat(samples, third, "resident set", SLACK_BYTES, outcome,
      sample -> sample.memory().resident());
    flat(samples, third, "threads", SLACK_THREADS, outcome, sample -> sample.memory().threads());
    flat(samples, third, "open files", SLACK_FILES, outcome, Sample::files);
  }

  private static Map<String, List<double[]>> lines(List<Sample> samples,
    Map<String, ToLongFunction<Sample>> values) {
    Map<String, List<double[]>> lines = new TreeMap<>();
    values.forEach((name, value) -> lines.put(name, samples.stream()
      .map(sample -> new double[] { sample.second(), value.applyAsLong(sample) }).toList()));
    return lines;
  }

  private static void flat(List<Sample> samples, int third, String what, long slack,
    Outcome outcome, ToLongFunction<Sample> value) {
    double before = samples.subList(third, 2 * third).stream().mapToLong(value).average()
      .orElse(0);
    double after = samples.subList(2 * third, samples.size()).stream().mapToLong(value).average()
      .orElse(0);
    outcome.expect(after <= before * GROWTH + slack,
      what + " grew from " + Math.round(before) + " to " + Math.round(after));
  }
}
