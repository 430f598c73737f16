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
package org.hbasestrata.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/**
 * A region server of its own process started with each preset, on the JDK at hand and on those that
 * STRATA_JDKS names, parted by colons.
 */
public class PresetsOnCluster {
  private static final String JDKS = "STRATA_JDKS";
  private static final String PRESET = "HBASE_JVM_PRESET";

  /**
   * The two collectors that are farthest from each other; all are for the JDKs named. The first is
   * the one that ships, and so what the region server was started with.
   */
  @Test
  public void presetsStartARegionServerOnTheJdkAtHand() throws Exception {
    // The tests' servers don't touch their memory before its use.
    checkRuns("g1", flags(environment("g1", null)).output().replace("-XX:+AlwaysPreTouch\n", ""));
    assertThat(startWithEach(List.of("zgc"), null)).containsExactly("zgc");
  }

  @Test
  public void eachPresetStartsARegionServerOnTheJdksOfTheEnvironment() throws Exception {
    String homes = System.getenv(JDKS);
    assumeTrue(JDKS + " names no JDKs to test with", homes != null && !homes.isEmpty());
    for (String home : homes.split(":")) {
      assertThat(startWithEach(presets(), home)).as(home).contains("default", "g1", "g1-read",
        "g1-mixed");
    }
    Cluster.succeed("restart", "regionserver");
  }

  private static Map<String, String> environment(String preset, String javaHome) {
    Map<String, String> environment = new HashMap<>();
    // Not what others are started with, which takes back a flag of the presets.
    environment.put("HBASE_OPTS", "-XX:TieredStopAtLevel=1");
    environment.put(PRESET, preset);
    if (javaHome != null) {
      environment.put("JAVA_HOME", javaHome);
    }
    return environment;
  }

  private static Packages.Result flags(Map<String, String> environment) throws Exception {
    return Packages.runScript(environment, "", "bin/hbase", "jvm", "--flags", "--heap", "1g");
  }

  /** Returns the presets that it could be started with, all that are for this JDK. */
  private static List<String> startWithEach(List<String> presets, String javaHome)
    throws Exception {
    List<String> started = new ArrayList<>();
    for (String preset : presets) {
      Map<String, String> environment = environment(preset, javaHome);
      Packages.Result flags = flags(environment);
      if (flags.exitCode() != 0 && flags.output().contains("is for JDK")) {
        continue;
      }
      assertThat(flags.exitCode()).as(preset + ": " + flags.output()).isZero();
      for (Path log : gcLogs()) {
        Files.delete(log);
      }
      Packages.Result restart = Packages.runScript(environment, "", "dev-support/bin/cluster",
        "restart", "regionserver");
      assertThat(restart.exitCode()).as(preset + ": " + restart.output()).isZero();
      checkRuns(preset, flags.output());
      ClusterIT.readAndVerify("point-get", 2_000);
      started.add(preset);
    }
    return started;
  }

  /** What it was started with is what `hbase jvm` says, but for its own files and direct memory. */
  private static void checkRuns(String preset, String flags) throws Exception {
    String arguments = Cluster.get("/jmx?qry=java.lang:type=Runtime");
    for (String flag : flags.lines().filter(line -> line.matches("-X.*"))
      .filter(line -> !line.contains("/") && !line.contains("MaxDirectMemorySize")).toList()) {
      assertThat(arguments).as(preset).contains('"' + flag + '"');
    }
    awaitGcLog(preset);
  }

  /** On disk, be it written there or copied, and with safepoints. */
  private static void awaitGcLog(String preset) throws Exception {
    Await.until("no safepoint in the GC log with " + preset, () -> {
      for (Path file : gcLogs()) {
        if (Files.readString(file).contains("[safepoint")) {
          return true;
        }
      }
      return false;
    });
  }

  private static List<Path> gcLogs() {
    return Packages.list(Cluster.folder().resolve("logs")).stream()
      .filter(file -> file.getFileName().toString().startsWith("regionserver-1.gc.log")).toList();
  }

  private static List<String> presets() {
    return Packages.list(Packages.dist().resolve("conf/jvm")).stream()
      .map(file -> file.getFileName().toString()).filter(file -> file.endsWith(".preset"))
      .map(file -> file.replace(".preset", "")).toList();
  }
}
