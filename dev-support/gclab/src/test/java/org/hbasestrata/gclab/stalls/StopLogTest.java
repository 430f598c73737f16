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
import static org.assertj.core.api.Assertions.within;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class StopLogTest {
  private static final String AT = "[2026-11-20T17:43:35.300+0000][";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void aStopIsSplitIntoTheCollectorsWorkAndTheRest() {
    List<Stop> stops = StopLog.read(List.of(
      AT + "2.100s][info][gc      ] GC(7) Pause Young (Normal) 900M->600M(2048M) 130.0ms",
      AT + "2.100s][info][gc,cpu  ] GC(7) User=0.09s Sys=0.04s Real=4.17s",
      AT + "6.171s][info][safepoint] Safepoint \"G1CollectForAllocation\", Time since last: 5 ns,"
        + " Reaching safepoint: 10 ns, Cleanup: 20 ns, At safepoint: 4170999970 ns,"
        + " Total: 4171000000 ns",
      // JDK 25 adds what comes behind the total.
      AT + "6.500s][info][safepoint] Safepoint \"ICBufferFull\", Time since last: 5 ns, Reaching"
        + " safepoint: 10 ns, At safepoint: 1 ns, Leaving safepoint: 9 ns, Total: 2000000 ns,"
        + " Threads: 0 runnable, 10 total"));
    assertThat(stops).hasSize(2);
    Stop collection = stops.get(0);
    assertThat(collection.atSeconds()).isCloseTo(2, within(1e-6));
    assertThat(collection.millis()).isEqualTo(4171);
    assertThat(collection.workMillis()).isCloseTo(130, within(1e-6));
    assertThat(collection.restMillis()).isCloseTo(4041, within(1e-6));
    assertThat(collection.isLong()).isTrue();
    assertThat(stops.get(1).millis()).isEqualTo(2);
    assertThat(stops.get(1).workMillis()).isZero();
    assertThat(stops.get(1).isLong()).isFalse();
  }

  @Test
  public void threadsThatWorkAtATimeDontMakeMoreWorkThanTheStop() {
    assertThat(new Stop(0, 100, 180).workMillis()).isEqualTo(100);
    assertThat(new Stop(0, 100, 180).restMillis()).isZero();
  }

  @Test
  public void stopsOfTheProgramOnThisJavaAreFound() throws Exception {
    Path log = folder.getRoot().toPath().resolve("gc.log");
    Process java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java")
      .toString(), "-XX:+UseG1GC", "-Xmx128m", "-Xlog:gc*,safepoint:file=" + log
        + ":time,uptime,level,tags:filecount=0", "-cp", Path.of(AllocationProgram.class
          .getProtectionDomain().getCodeSource().getLocation().toURI()).toString(),
      AllocationProgram.class.getName(), "2", "2000").redirectErrorStream(true)
      .redirectOutput(new File(folder.getRoot(), "out")).start();
    assertThat(java.waitFor()).isZero();
    List<String> lines = Files.readAllLines(log);
    List<Stop> stops = StopLog.read(lines);
    long collections = lines.stream().filter(line -> line.contains("User=")).count();
    // A stop may have several, as a young one that becomes a full one.
    assertThat(stops.size()).isGreaterThan((int) (collections / 2));
    assertThat(collections).isPositive();
    assertThat(stops).allSatisfy(stop -> assertThat(stop.millis()).isPositive());
    assertThat(stops.get(stops.size() - 1).atSeconds()).isBetween(0.5, 600.0);
  }
}
