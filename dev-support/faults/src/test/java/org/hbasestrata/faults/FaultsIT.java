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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Short versions of the faults that a build has time for, on one cluster from the tarball. */
public class FaultsIT {
  /** Those that leave servers and regions as they are come first. */
  private static final List<String> NAMES = List.of("bit-flips", "io-errors", "hang",
    "fragmentation", "hostile-rpc", "deletion", "kill-zookeeper", "kill-datanode");
  private static final int MINUTES_AT_MOST = 25;

  @Rule
  public final TemporaryFolder folder = TemporaryFolder.builder().assureDeletion()
    .parentFolder(Path.of(System.getProperty("bench.target")).toFile()).build();

  @Test
  public void nothingIsLostAndNothingLies() throws Exception {
<<<<<<< HEAD
    ShortFaults faults = new ShortFaults(folder.getRoot().toPath());
    JsonNode report = faults.run(getClass().getSimpleName(), MINUTES_AT_MOST, NAMES, "--kills",
      "1", "--inputs", "5000");
=======
    Path out = folder.getRoot().toPath().resolve("faults");
    Path log = folder.getRoot().toPath().resolve("log");
    Path tool = Path.of(System.getProperty("bench.checkout"), "dev-support/bin/faults");
    List<String> command = new ArrayList<>(List.of(tool.toString(), "run", "--short", "--kills",
      "1", "--inputs", "5000", "--out", out.toString()));
    command.addAll(NAMES);
    ProcessBuilder start = new ProcessBuilder(command);
    String options = System.getProperty("short-lived.jvm-options");
    start.environment().put("HBASE_OPTS", options);
    start.environment().put("STRATA_TEST_JVM_OPTS", options);
    Process faults =
      start.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = false;
    try {
      ended = faults.waitFor(MINUTES_AT_MOST, TimeUnit.MINUTES);
    } finally {
      // It takes down what it started.
      faults.toHandle().destroy();
      faults.waitFor(2, TimeUnit.MINUTES);
      System.out.println(Files.readString(log));
    }
    if ((!ended || faults.exitValue() != 0) && Files.exists(out)) {
      // With the servers' logs, which say why.
      Files.move(out, Path.of(System.getProperty("bench.target"),
        getClass().getSimpleName() + "-" + faults.pid()));
    }
    assertThat(ended).as("ends in time").isTrue();
    assertThat(faults.exitValue()).as(Files.readString(log)).isZero();

    JsonNode report = new JsonMapper().readTree(out.resolve("report.json").toFile());
    assertThat(report.path("passed").asBoolean()).isTrue();
>>>>>>> a4fbfc9a73834c8d42d83d6480f973998c7cbe92
    List<String> run = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (JsonNode fault : report.path("faults")) {
      String name = fault.path("name").asText();
      run.add(name);
      if (fault.has("skipped")) {
        skipped.add(name);
      } else {
        assertThat(fault.path("verdict").asText()).as(name).isEqualTo("passed");
        assertThat(fault.path("counts").path("injected").asLong()).as(name).isPositive();
      }
      for (String count : List.of("wrong", "lost", "twice", "errors")) {
        assertThat(fault.path("counts").path(count).asLong()).as(name + ": " + count).isZero();
      }
    }
    assertThat(run).isEqualTo(NAMES);
    assertThat(allowedToBeSkipped(faults.log())).as("what can't be had here")
      .containsAll(skipped);
    assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(faults.out().toString());
  }

  private static List<String> allowedToBeSkipped(String log) {
    boolean mounts = Device.canMount() && !log.contains(Device.REFUSED);
    return DeviceFault.all().stream().filter(fault -> {
      DeviceFault.Effect effect = ((DeviceFault) fault).effect();
      return effect.needsRoot() && !mounts
        || effect == DeviceFault.Effect.HELD && !Throttle.isAvailable();
    }).map(Fault::name).toList();
  }
}
