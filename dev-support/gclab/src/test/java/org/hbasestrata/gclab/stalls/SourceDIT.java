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
package org.hbasestrata.gclab.stalls;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.hbasestrata.tools.Json;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code gclab sources D} of seconds a place, on the disk as it is; nothing is left of it. */
public class SourceDIT {
  private static final int SIGTERM = 15;
  private static final int POLL_MILLIS = 50;
  private static final Path MEMORY = Path.of("/dev/shm");

  @Rule
  public final TemporaryFolder folder = TemporaryFolder.builder().assureDeletion()
    .parentFolder(Path.of(System.getProperty("bench.target")).toFile()).build();

  private final Path checkout = Path.of(System.getProperty("bench.checkout")).normalize();

  private Path out;
  private Path log;
  private Process lab;

  @Before
  public void nameFiles() {
    out = folder.getRoot().toPath().resolve("sources");
    log = folder.getRoot().toPath().resolve("log");
  }

  /**
   * @param minutes  of each place
   * @param diskRate with more options
   */
  private void start(String minutes, String... diskRate) throws IOException {
    List<String> command = new ArrayList<>(List.of(
      checkout.resolve("dev-support/bin/gclab").toString(), "sources", "D", "--minutes", minutes,
      "--disk-rate"));
    command.addAll(List.of(diskRate));
    command.addAll(List.of("--out", out.toString()));
    lab = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile())
      .start();
  }

  /** Without root, a loop device or version 1 of the blkio controller it says so, and ends. */
  @Test
  public void theSlowDiskTakesNoFileThatIsThere() throws Exception {
    Path disk = folder.newFolder("disk").toPath();
    Path precious = Files.writeString(disk.resolve("slow-disk.img"), "data");
    start("0.017", "10", "--disk", disk.toString());
    assertThat(lab.waitFor(5, TimeUnit.MINUTES)).as("ends in time").isTrue();
    assertThat(precious).content().isEqualTo("data");
    assertThat(left(disk)).isEmpty();
  }

  @After
  public void nothingIsLeft() throws Exception {
    lab.destroy();
    lab.waitFor();
    assertThat(ProcessHandle.allProcesses().map(process -> process.info().commandLine().orElse(""))
      .filter(line -> line.contains(out.toString()))).isEmpty();
    assertThat(left(out.resolve("d"))).isEmpty();
    assertThat(left(MEMORY)).isEmpty();
  }

  /** What this lab leaves for a time; other builds on the machine may run labs of their own. */
  private List<Path> left(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
        .filter(file -> file.getFileName().toString().startsWith("gclab-" + lab.pid() + "-"))
        .toList();
    }
  }

  @Test
  public void anInterruptEndsIt() throws Exception {
    start("0.1", "0");
    // It is there for 12 s: half of them are the head start of what keeps the disk busy.
    while (lab.isAlive() && left(MEMORY).isEmpty()) {
      Thread.sleep(POLL_MILLIS);
    }
    lab.destroy();
    assertThat(lab.waitFor(10, TimeUnit.MINUTES)).as("ends in time").isTrue();
    assertThat(lab.exitValue()).as(Files.readString(log)).isEqualTo(128 + SIGTERM);
    assertThat(out.resolve("d/report")).doesNotExist();
  }

  @Test
  public void eachPlaceIsReported() throws Exception {
    start("0.033", "0");
    assertThat(lab.waitFor(5, TimeUnit.MINUTES)).as("ends in time").isTrue();
    assertThat(lab.exitValue()).as(Files.readString(log)).isZero();
    JsonNode report =
      Json.MAPPER.readTree(out.resolve("d/report/report.json").toFile());
    assertThat(report.path("places")).hasSize(Place.values().length);
    for (JsonNode place : report.path("places")) {
      assertThat(place.path("stops").size()).as(place.path("place").asText()).isPositive();
      assertThat(place.path("log_bytes").asLong()).isPositive();
    }
    assertThat(Files.readString(out.resolve("d/report/report.md"))).contains("on an idle disk",
      "on tmpfs", "-Xlog:async", "--minutes 0.033 --disk-rate 0 --out ");
    assertThat(Files.readString(out.resolve("d/report/index.html"))).contains("Pauses over time");
  }
}
