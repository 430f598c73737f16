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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class MachineTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Before
  public void has64GigabytesAnd16Processors() throws IOException {
    write("proc/meminfo", "MemTotal:       67108864 kB\nMemFree:        1024 kB\n");
  }

  private void write(String path, String text) throws IOException {
    Path file = folder.getRoot().toPath().resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  private void assertHas(int cpus, long memoryMb) {
    Machine machine = Machine.read(folder.getRoot().toPath(), 16);
    assertThat(machine.cpus()).isEqualTo(cpus);
    assertThat(machine.memoryMb()).isEqualTo(memoryMb);
  }

  @Test
  public void withoutGroupsAllIsThere() {
    assertHas(16, 65536);
  }

  @Test
  public void aGroupOfVersion2AndThoseAroundItAreHeeded() throws IOException {
    write("proc/self/cgroup", "0::/system.slice/hbase.service\n");
    write("sys/fs/cgroup/system.slice/hbase.service/memory.max", "max\n");
    write("sys/fs/cgroup/system.slice/hbase.service/cpu.max", "250000 100000\n");
    write("sys/fs/cgroup/system.slice/memory.max", "34359738368\n");
    write("sys/fs/cgroup/system.slice/cpu.max", "max 100000\n");
    assertHas(3, 32768);
  }

  /** The kernel takes memory back from who has more, as from a unit with MemoryHigh. */
  @Test
  public void whatAGroupIsSlowedDownAtIsItsMemory() throws IOException {
    write("proc/self/cgroup", "0::/system.slice/hbase.service\n");
    write("sys/fs/cgroup/system.slice/hbase.service/memory.max", "34359738368\n");
    write("sys/fs/cgroup/system.slice/hbase.service/memory.high", "17179869184\n");
    write("sys/fs/cgroup/system.slice/memory.high", "max\n");
    assertHas(16, 16384);
    assertThat(Machine.read(folder.getRoot().toPath(), 16).mostMemoryMb()).isEqualTo(32768);
  }

  @Test
  public void aGroupOfVersion1IsHeeded() throws IOException {
    write("proc/self/cgroup", "5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n");
    write("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "8589934592\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_quota_us", "400000\n");
    write("sys/fs/cgroup/cpu/docker/abc/cpu.cfs_period_us", "100000\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    assertHas(4, 8192);
  }

  @Test
  public void inAContainerTheTopIsItsOwnGroup() throws IOException {
    write("proc/self/cgroup", "5:memory:/kubepods/pod1\n4:cpu:/kubepods/pod1\n0::/../..\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "4294967296\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
    write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    assertHas(1, 4096);
  }

  @Test
  public void filesThatMakeNoSenseLimitNothing() throws IOException {
    write("proc/self/cgroup", "nonsense\n0::/\n");
    write("sys/fs/cgroup/memory.max", "\n");
    write("sys/fs/cgroup/cpu.max", "lots\n");
    assertHas(16, 65536);
  }

  @Test
  public void thisMachineHasMemory() {
    assertThat(Machine.read(Paths.get("/"), 2).memoryMb()).isPositive();
    assertThat(Machine.read(Paths.get("/nonexistent"), 2).memoryMb()).isPositive();
  }

  @Test
  public void threadsOfAPauseAreAllUpTo8AndThen5Of8() {
    assertThat(new Machine(1, 1).gcThreads()).isEqualTo(1);
    assertThat(new Machine(8, 1).gcThreads()).isEqualTo(8);
    assertThat(new Machine(16, 1).gcThreads()).isEqualTo(13);
    assertThat(new Machine(40, 1).gcThreads()).isEqualTo(28);
  }
}
