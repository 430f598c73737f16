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
package org.hbasestrata.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;

/** {@code dev-support/bin/bench} as a process of its own. */
public abstract class BenchCommand {
  private static final int MINUTES_AT_MOST = 20;
  private static final int POLL_MILLIS = 50;
  private static final int LINES_OF_A_LOG = 60;

  @Rule
  public final TemporaryFolder folder = TemporaryFolder.builder().assureDeletion()
    .parentFolder(Path.of(System.getProperty("bench.target")).toFile()).build();

  private final Path checkout = Path.of(System.getProperty("bench.checkout")).normalize();

  final Path checkout() {
    return checkout;
  }

  /** Returns its process id. */
  final long run(Path log, String... arguments) throws Exception {
    Process process = start(log, arguments);
    try {
      assertThat(process.waitFor(MINUTES_AT_MOST, TimeUnit.MINUTES)).as("ends in time").isTrue();
      String printed =
        process.exitValue() == 0 ? "" : Files.readString(log) + endOfClusterLogs();
      assertThat(process.exitValue()).as(printed).isZero();
    } finally {
      end(process);
    }
    return process.pid();
  }

  /** What the clusters' script printed last, with the end of the log of a daemon that ended. */
  private String endOfClusterLogs() throws IOException {
    StringBuilder ends = new StringBuilder();
    try (Stream<Path> files = Files.walk(folder.getRoot().toPath())) {
      for (Path file : files.filter(path -> path.endsWith("cluster.log")).toList()) {
        List<String> lines = Files.readAllLines(file);
        lines.subList(Math.max(0, lines.size() - LINES_OF_A_LOG), lines.size())
          .forEach(line -> ends.append(line).append('\n'));
      }
    }
    return ends.toString();
  }

  final Process start(Path log, String... arguments) throws IOException {
    List<String> command = Stream.concat(
      Stream.of(checkout.resolve("dev-support/bin/bench").toString()), Stream.of(arguments))
      .toList();
    ProcessBuilder bench = new ProcessBuilder(command);
    bench.environment().put("STRATA_TEST_JVM_OPTS", System.getProperty("short-lived.jvm-options"));
    return bench.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /**
   * Returns as soon as the condition is met, and fails if it isn't in time.
   * @param what what is waited for
   */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as(what)
        .isLessThan(TimeUnit.MINUTES.toNanos(MINUTES_AT_MOST));
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** It takes down what it started. */
  static void end(Process bench) throws InterruptedException {
    bench.toHandle().destroy();
    bench.waitFor(10, TimeUnit.MINUTES);
  }

  static void assertNothingIsLeft(Path out, long pid) throws IOException {
    assertThat(out.resolve("cluster")).doesNotExist();
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      assertThat(processes.map(process -> process.resolve("environ"))
        .filter(environment -> text(environment).contains(out.toString()))).isEmpty();
    }
    try (Stream<Path> groups = Files.find(Path.of("/sys/fs/cgroup"), 6,
      (path, attributes) -> path.getFileName().toString().equals("hbase-strata-bench-" + pid))) {
      assertThat(groups).isEmpty();
    } catch (UncheckedIOException e) {
      // Somebody else's group went away meanwhile.
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
