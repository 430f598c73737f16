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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.hbasestrata.bench.ComparisonFolder;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code gclab sources D} of two seconds a place, on the disk as it is. */
public class SourceDIT {
  @Rule
  public final TemporaryFolder folder = TemporaryFolder.builder().assureDeletion()
    .parentFolder(Path.of(System.getProperty("bench.target")).toFile()).build();

  private final Path checkout = Path.of(System.getProperty("bench.checkout")).normalize();

  @Test
  public void eachPlaceIsReportedAndNothingIsLeft() throws Exception {
    Path out = folder.getRoot().toPath().resolve("sources");
    Path log = folder.getRoot().toPath().resolve("log");
    Process lab = new ProcessBuilder(checkout.resolve("dev-support/bin/gclab").toString(),
      "sources", "D", "--minutes", "0.033", "--disk-rate", "0", "--out", out.toString())
      .redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(lab.waitFor(5, TimeUnit.MINUTES)).as("ends in time").isTrue();
      assertThat(lab.exitValue()).as(Files.readString(log)).isZero();
    } finally {
      lab.destroy();
      lab.waitFor();
    }
    JsonNode report =
      ComparisonFolder.JSON.readTree(out.resolve("d/report/report.json").toFile());
    assertThat(report.path("places")).hasSize(Place.values().length);
    for (JsonNode place : report.path("places")) {
      assertThat(place.path("stops").size()).as(place.path("place").asText()).isGreaterThan(5);
      assertThat(place.path("log_bytes").asLong()).isPositive();
    }
    assertThat(Files.readString(out.resolve("d/report/report.md"))).contains("on an idle disk",
      "on tmpfs", "-Xlog:async");
    assertThat(Files.readString(out.resolve("d/report/index.html"))).contains("Pauses over time");
    assertThat(ProcessHandle.allProcesses().map(process -> process.info().commandLine().orElse(""))
      .filter(line -> line.contains(out.toString()))).isEmpty();
    assertThat(out.resolve("d/slow-disk.img")).doesNotExist();
  }
}
