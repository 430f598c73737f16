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
package org.hbasestrata.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.bench.Allocator;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class GcLogTest {
  /** G1's Cleanup is what GCToolKit doesn't read. */
  private static final Pattern PAUSE = Pattern
    .compile("\\[gc *\\] GC\\(\\d+\\) Pause (?!Cleanup).* (\\d+\\.\\d+)ms$");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void pausesOfAG1LogAreFound() throws Exception {
    ComparisonFiles files = new ComparisonFiles(folder.getRoot().toPath());
    files.run(1, "stock").pause(1, 12.5).pause(2, 7.25).write();
    GcLog.Reading reading = GcLog.read(files.folder().run(1, "stock").resolve("gc.log"));
    assertThat(reading.problem()).isNull();
    assertThat(reading.pauses()).containsExactly(
      new Pause(ComparisonFiles.START.plusSeconds(1), 12.5, "Young", "G1 Evacuation Pause"),
      new Pause(ComparisonFiles.START.plusSeconds(2), 7.25, "Young", "G1 Evacuation Pause"));
  }

  @Test
  public void pausesOfThisJavasG1AreFound() throws Exception {
    assertPausesOfThisJavaAreFound("-XX:+UseG1GC");
  }

  @Test
  public void pausesOfThisJavasParallelCollectorAreFound() throws Exception {
    assertPausesOfThisJavaAreFound("-XX:+UseParallelGC");
  }

  private void assertPausesOfThisJavaAreFound(String collector) throws Exception {
    Path log = folder.getRoot().toPath().resolve("gc.log");
    Process java = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java")
      .toString(), "-Xmx64m", collector, "-Xlog:gc*,safepoint:file=" + log
        + ":time,uptime,level,tags", "-cp", Path.of(Allocator.class.getProtectionDomain()
          .getCodeSource().getLocation().toURI()).toString(), Allocator.class.getName(), "500")
      .redirectErrorStream(true).redirectOutput(new File(folder.getRoot(), "out")).start();
    assertThat(java.waitFor()).isZero();

    List<Double> millis = Files.readAllLines(log).stream().map(PAUSE::matcher)
      .filter(Matcher::find).map(match -> Double.valueOf(match.group(1))).toList();
    assertThat(millis).hasSizeGreaterThan(2);
    GcLog.Reading reading = GcLog.read(log);
    assertThat(reading.problem()).isNull();
    assertThat(reading.pauses()).hasSameSizeAs(millis);
    double total = millis.stream().mapToDouble(m -> m).sum();
    assertThat(reading.pauses().stream().mapToDouble(Pause::millis).sum()).isCloseTo(total,
      within(0.01 * total));
  }

  @Test
  public void whatIsNoGcLogIsSaidSo() throws IOException {
    Path log = folder.getRoot().toPath().resolve("gc.log");
    assertThat(GcLog.read(log).problem()).isEqualTo("there is no gc.log");
    Files.writeString(log, "");
    assertThat(GcLog.read(log).problem()).isNotNull();
    Files.writeString(log, "this is not a log\nof any kind\n");
    assertThat(GcLog.read(log).problem()).isNotNull();
    Files.write(log, new byte[] { 0, -1, 7 });
    assertThat(GcLog.read(log).problem()).isNotNull();
  }
}
