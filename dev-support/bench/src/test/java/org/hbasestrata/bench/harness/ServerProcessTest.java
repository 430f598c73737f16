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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.hbasestrata.bench.pairs.ServerUse;
import org.hbasestrata.tools.ToolException;
import org.junit.Test;

/** With a JVM that allocates as much as it is told. */
public class ServerProcessTest {
  private static final int MEGABYTE = 1 << 20;

  /** Reads a number of MB from its input, allocates them, and says that it has. */
  public static final class Allocator {
    private static volatile byte[] last;

    private Allocator() {
    }

    public static void main(String[] args) throws Exception {
      try (BufferedReader in = new BufferedReader(
        new java.io.InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        System.out.println("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          for (int i = Integer.parseInt(line); i > 0; i--) {
            last = new byte[MEGABYTE];
          }
          System.out.println(last.length);
        }
      }
    }
  }

  @Test
  public void tellsWhatAnotherJvmUsed() throws Exception {
    Process jvm = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin/java")
      .toString(), "-Xmx64m", "-cp", System.getProperty("java.class.path"),
      Allocator.class.getName()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader out = jvm.inputReader(); Writer in = jvm.outputWriter()) {
      assertThat(out.readLine()).isEqualTo("ready");
      try (ServerProcess process = ServerProcess.attach(Path.of("/proc"), jvm.pid())) {
        ServerProcess.Reading before = process.read();
        in.write("200\n");
        in.flush();
        assertThat(out.readLine()).isEqualTo(Integer.toString(MEGABYTE));
        ServerUse use = process.since(before);
        assertThat(use.allocatedBytes()).isBetween(200.0 * MEGABYTE, 230.0 * MEGABYTE);
        assertThat(use.contextSwitches()).isPositive();
        assertThat(use.cpuSeconds()).isBetween(0.0, 60.0);
        assertThat(use.gcSeconds()).isNotNegative();
        assertThat(process.since(process.read()).allocatedBytes()).isLessThan(10.0 * MEGABYTE);
      }
    } finally {
      jvm.destroyForcibly();
    }
  }

  @Test
  public void aProcessThatIsNoJvmIsAFailure() {
    assertThatThrownBy(() -> ServerProcess.attach(Path.of("/proc"), Long.MAX_VALUE))
      .isInstanceOf(ToolException.class).hasMessageContaining("can't be asked");
  }

  @Test
  public void whatThreadsThatBeganHaveUsedCounts() {
    assertThat(ServerProcess.sum(Map.of(1L, 10L, 2L, 5L), Map.of(1L, 15L, 3L, 7L))).isEqualTo(12);
  }
}
