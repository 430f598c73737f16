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
package org.hbasestrata.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The tool with real JVMs: the one of the test and those in STRATA_JDKS. */
public class JvmToolTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Map<String, String> environment = new HashMap<>();
  private String out;
  private String err;

  private int run(String... args) {
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    environment.put("HBASE_CONF_DIR", Jvms.CONF.toString());
    environment.putIfAbsent("HBASE_HEAPSIZE", "1g");
    environment.putIfAbsent("HBASE_OFFHEAPSIZE", "512m");
    int code =
      JvmTool.run(new PrintStream(outBytes), new PrintStream(errBytes), environment, args);
    out = outBytes.toString();
    err = errBytes.toString();
    return code;
  }

  private void assertOneLineError(int expected, String part, String... args) {
    assertThat(run(args)).as(err).isEqualTo(expected);
    assertThat(err.split("\n")).hasSize(1);
    assertThat(err).startsWith("hbase: ").contains(part);
    assertThat(out).isEmpty();
  }

  @Test
  public void eachPresetForThisJdkIsTakenByItsJvm() throws Exception {
    int jdk = new Jvm().major();
    int taken = 0;
    for (String name : Preset.names(Jvms.PRESETS)) {
      if (Preset.read(name, Jvms.PRESETS).jdks().contains(jdk)) {
        assertThat(run("--preset", name, "--flags")).as(name + ": " + err).isZero();
        assertThat(err).as(name).doesNotContain("left out");
        start(name, new Jvm(), out.split("\n"));
        taken++;
      } else {
        assertOneLineError(1, "HBASE_JVM_PRESET=g1", "--preset", name);
      }
    }
    assertThat(taken).isGreaterThanOrEqualTo(4);
  }

  /** Starts the JVM with all the options, like a server. */
  private void start(String name, Jvm jvm, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    for (String option : options) {
      command.add(option.replace("gc.log", folder.getRoot() + "/" + name + ".log")
        .replaceAll("file=\".*/(\\w)", "file=\"" + folder.getRoot() + "/$1"));
    }
    // It need not touch all of its heap for that.
    command.addAll(Arrays.asList("-XX:-AlwaysPreTouch", "-version"));
    File output = folder.newFile();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output)
      .start();
    assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(name + " on " + jvm + ": " + output).isZero();
  }

  @Test
  public void eachPresetIsTakenByTheJdksOfTheEnvironment() throws IOException {
    List<Path> homes = Jvms.homes();
    assumeTrue("STRATA_JDKS names no JDKs to test with", homes.size() > 1);
    for (Path home : homes) {
      for (String name : Preset.names(Jvms.PRESETS)) {
        Jvm jvm = new Jvm(home, version(home));
        Preset preset = Preset.read(name, Jvms.PRESETS);
        if (preset.jdks().contains(jvm.major())) {
          Request request = new Request();
          request.preset = name;
          request.heap = 1024L;
          Plan plan = new Plan(request, jvm, new Machine(4, 8192),
            new org.apache.hadoop.conf.Configuration(false), environment, Jvms.PRESETS);
          assertThat(plan.options(false)).as(name + " on " + jvm).contains("-Xmx1024m");
        }
      }
    }
  }

  private static String version(Path home) throws IOException {
    for (String line : java.nio.file.Files.readAllLines(home.resolve("release"))) {
      if (line.startsWith("JAVA_VERSION=")) {
        return line.replaceAll("[^0-9._]", "").replaceFirst("^_", "");
      }
    }
    throw new IOException(home + "/release has no version");
  }

  @Test
  public void binHBaseGetsALineForEachThing() {
    environment.put("HBASE_JVM_PRESET", "g1");
    assertThat(run("--start", "4711", "--gc-log", "/logs/x.gc.log", "--log-dir", "/logs", "--",
      "-XX:MaxGCPauseMillis=70", "-Dsome.key=1")).as(err).isZero();
    assertThat(out.split("\n")).contains("env HBASE_BUCKETCACHE_MB=298", "flag -Xmx1024m",
      "flag -XX:MaxDirectMemorySize=512m", "flag -XX:HeapDumpPath=/logs")
      .allMatch(line -> line.matches("(env|flag|copy-log-from) .*"))
      .noneMatch(line -> line.contains("some.key") || line.contains("MaxGCPauseMillis"));
  }

  @Test
  public void theJvmsOwnWordsAreInTheError() {
    assertOneLineError(1, "Unrecognized VM option 'Bogus=1'", "--preset", "g1", "--",
      "-XX:Bogus=1");
    assertOneLineError(1, "JVM preset g1", "--preset", "g1", "--", "-Xlog:nonsense", "-Xmx1m");
  }

  @Test
  public void whatWouldActIsNotPassedToTheJvmThatIsAsked() throws IOException {
    File dump = new File(folder.getRoot(), "recording.jfr");
    File log = new File(folder.getRoot(), "own.log");
    assertThat(run("--preset", "g1", "--", "-XX:StartFlightRecording=filename=" + dump,
      "-Xlog:gc:file=" + log, "-agentlib:nosuchagent", "-javaagent:nosuch.jar")).as(err).isZero();
    assertThat(dump).doesNotExist();
    assertThat(log).doesNotExist();
  }

  @Test
  public void withoutATemporaryFolderTheLogsFolderWillDo() throws IOException {
    Path logs = folder.getRoot().toPath();
    assertThat(Jvm.makeFolder(logs.resolve("none"), logs)).isDirectory().hasParent(logs);
  }

  @Test
  public void presetsAreListed() {
    assertThat(run("--list")).isZero();
    assertThat(out.split("\n")).hasSize(8);
    assertThat(out).containsPattern("(?m)^cms-small-heap +8 to 13 +up to 8 GB +ParNew and CMS");
  }

  @Test
  public void reasonsArePrinted() {
    assertThat(run("--preset", "g1-read", "--heap", "31g", "--cpus", "40", "--memory", "256g"))
      .as(err).isZero();
    assertThat(out).contains("40 processors and 256 GB", "-Xmx31744m", "-XX:ParallelGCThreads=28",
      "-XX:G1NewSizePercent=3", "# Smoother pauses (B).");
  }

  @Test
  public void wrongUseIsOneLine() {
    assertOneLineError(2, "no preset");
    assertOneLineError(2, "--heap is no option of jvm, or needs a value", "--heap");
    assertOneLineError(2, "no option '--bogus'", "--preset", "g1", "--bogus", "1");
    assertOneLineError(2, "--cpus is '0'", "--preset", "g1", "--cpus", "0");
    assertOneLineError(2, "--role is 'x'", "--preset", "g1", "--role", "x");
    assertOneLineError(1, "--heap=x is not a size", "--preset", "g1", "--heap", "x");
    assertOneLineError(1, "no JVM preset 'x'", "--preset", "x");
    assertThat(run("--help")).isZero();
    assertThat(out).startsWith("Usage: hbase jvm").contains(Arrays.asList("--list", "--flags"));
  }
}
