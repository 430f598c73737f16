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
package org.hbasestrata.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ProcessFilesTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void readsTheKernelsFiles() throws IOException {
    Path proc = folder.getRoot().toPath();
    Path process = Files.createDirectory(proc.resolve("42"));
    Files.writeString(process.resolve("stat"),
      "42 (a) b (c) S 1 42 42 0 -1 4194304 9 0 0 0 1234 66 7 8 20 0 1 0 55 0 0\n");
    Files.writeString(process.resolve("io"), "rchar: 1\nread_bytes: 4096\nwrite_bytes: 7\n");
    Files.writeString(process.resolve("status"), "Name:\ta\nVmRSS:\t    1024 kB\n");
    ProcessFiles files = new ProcessFiles(proc, 42);
    assertThat(files.cpuSeconds()).isEqualTo(13);
    assertThat(files.deviceBytesRead()).isEqualTo(4096);
    assertThat(files.residentBytes()).isEqualTo(1 << 20);
  }

  @Test
  public void readsTheContextSwitchesOfEachThread() throws IOException {
    Path proc = folder.getRoot().toPath();
    for (int thread : new int[] { 42, 43 }) {
      Path task = Files.createDirectories(proc.resolve("42/task").resolve("" + thread));
      Files.writeString(task.resolve("status"), "Name:\ta\nvoluntary_ctxt_switches:\t" + thread
        + "\nnonvoluntary_ctxt_switches:\t100\n");
    }
    // One that has ended since it was listed.
    Files.createDirectories(proc.resolve("42/task/44"));
    assertThat(new ProcessFiles(proc, 42).contextSwitches())
      .containsExactlyInAnyOrderEntriesOf(Map.of(42L, 142L, 43L, 143L));
  }

  @Test
  public void threadsMayEndWhileTheyAreRead() throws IOException {
    ProcessFiles own = new ProcessFiles(Path.of("/proc"), ProcessHandle.current().pid());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    while (System.nanoTime() < end) {
      for (int i = 0; i < 10; i++) {
        new Thread(() -> {
        }).start();
      }
      assertThat(own.contextSwitches()).isNotEmpty();
      assertThat(own.cpuSeconds("java")).isNotNegative();
    }
  }
}
