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

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs short versions of faults by the command, and expects that it succeeds. */
final class ShortFaults {
  private final Path out;
  private final Path log;

  /** @param folder where all of it goes; the report's folder is kept elsewhere if it fails */
  ShortFaults(Path folder) {
    out = folder.resolve("faults");
    log = folder.resolve("log");
  }

  /** Where the report and the cluster are. */
  Path out() {
    return out;
  }

  /** What the command printed. */
  String log() throws IOException {
    return Files.readString(log);
  }

  /** Returns the report. */
  JsonNode run(String test, int minutes, List<String> names, String... options)
    throws IOException, InterruptedException {
    Path tool = Path.of(System.getProperty("bench.checkout"), "dev-support/bin/faults");
    List<String> command =
      new ArrayList<>(List.of(tool.toString(), "run", "--short", "--out", out.toString()));
    command.addAll(List.of(options));
    command.addAll(names);
    ProcessBuilder start = new ProcessBuilder(command);
    String jvmOptions = System.getProperty("short-lived.jvm-options");
    start.environment().put("HBASE_OPTS", jvmOptions);
    start.environment().put("STRATA_TEST_JVM_OPTS", jvmOptions);
    Process faults =
      start.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = false;
    try {
      ended = faults.waitFor(minutes, TimeUnit.MINUTES);
    } finally {
      // It takes down what it started.
      faults.toHandle().destroy();
      faults.waitFor(2, TimeUnit.MINUTES);
      System.out.println(log());
    }
    if ((!ended || faults.exitValue() != 0) && Files.exists(out)) {
      // With the servers' logs, which say why.
      Files.move(out,
        Path.of(System.getProperty("bench.target"), test + "-" + faults.pid()));
    }
    assertThat(ended).as("ends in time").isTrue();
    assertThat(faults.exitValue()).as(log()).isZero();
    JsonNode report = new JsonMapper().readTree(out.resolve("report.json").toFile());
    assertThat(report.path("passed").asBoolean()).isTrue();
    return report;
  }
}
