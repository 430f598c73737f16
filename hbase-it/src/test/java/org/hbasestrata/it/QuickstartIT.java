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

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The quickstart of an unpacked tarball runs to its end, or is broken off, and leaves nothing. */
public class QuickstartIT {
  private static final int PORTS = 5;
  private static final int FIRST_PORT = 12000;
  private static final int PORT_BLOCKS = 1600;
  private static final long TIMEOUT_SECONDS = 900;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path home;
  private Path output;
  private Process process;

  @Before
  public void copyTheDistribution() throws Exception {
    home = folder.getRoot().toPath().resolve("strata");
    output = folder.getRoot().toPath().resolve("output.txt");
    Packages.Result copied = Packages.run(folder.getRoot().toPath(), "cp", "-al",
      Packages.dist().toString(), home.toString());
    assertThat(copied.exitCode()).as(copied.output()).isZero();
  }

  @After
  public void endWhatIsLeft() {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    processesOfHome().forEach(ProcessHandle::destroyForcibly);
  }

  private void start() throws IOException {
    // A build that a shell runs in the background ignores SIGINT, and so would the script.
    ProcessBuilder builder = new ProcessBuilder("env", "--default-signal=INT",
      home.resolve("bin/quickstart").toString(), "--rows", "2000", "--port-base",
      Integer.toString(freePortBase()));
    builder.environment().putAll(Cluster.SHORT_LIVED);
    process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }

  private int end() throws InterruptedException, IOException {
    assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as(text()).isTrue();
    return process.exitValue();
  }

  private String text() throws IOException {
    return Files.readString(output);
  }

  /** Not the first that are free: a build beside this one would choose the same. */
  private static int freePortBase() {
    int first = ThreadLocalRandom.current().nextInt(PORT_BLOCKS);
    for (int i = 0; i < PORT_BLOCKS; i++) {
      int base = FIRST_PORT + (first + i) % PORT_BLOCKS * PORTS;
      int free = 0;
      while (free < PORTS && isFree(base + free)) {
        free++;
      }
      if (free == PORTS) {
        return base;
      }
    }
    throw new IllegalStateException("no " + PORTS + " free ports in a row");
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private List<ProcessHandle> processesOfHome() {
    return ProcessHandle.allProcesses()
      .filter(p -> p.info().commandLine().orElse("").contains(home.toString())).toList();
  }

  private void assertNothingIsLeft() throws IOException {
    assertThat(processesOfHome()).as(text()).isEmpty();
    assertThat(Packages.list(home)).extracting(file -> file.getFileName().toString())
      .containsExactlyElementsOf(Packages.list(Packages.dist()).stream()
        .map(file -> file.getFileName().toString()).toList());
  }

  @Test
  public void printsLatenciesAndLeavesNothing() throws Exception {
    start();
    assertThat(end()).as(text()).isZero();
    assertThat(text()).contains("READ", "MULTIGET", "P999").doesNotContain("FAILED");
    assertNothingIsLeft();
  }

  @Test
  public void brokenOffByCtrlCLeavesNothing() throws Exception {
    start();
    Await.until("no load", () -> text().contains("ycsb load") || !process.isAlive());
    assertThat(text()).contains("ycsb load");
    Packages.run(home, "kill", "-INT", Long.toString(process.pid()));
    assertThat(end()).as(text()).isEqualTo(130);
    assertNothingIsLeft();
  }

  @Test
  public void aFolderThatItDidNotMakeIsLeftAlone() throws Exception {
    Path precious = Files.writeString(
      Files.createDirectory(home.resolve("quickstart")).resolve("precious"), "data");
    for (String option : List.of("--stop", "--keep")) {
      Packages.Result result =
        Packages.run(home, home.resolve("bin/quickstart").toString(), option);
      assertThat(result.exitCode()).as(result.output()).isEqualTo(1);
      assertThat(result.output()).hasLineCount(1).contains(precious.getParent() + " is there");
      assertThat(precious).content().isEqualTo("data");
    }
  }
}
