/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** How busy the JVM's processors are, according to /proc and the cgroups of a machine. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestCpuLoad {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCpuLoad.class);

  private static final double DELTA = 1e-6;
  private static final double UNKNOWN = -1;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int TICKS_PER_SECOND = 100;
  private static final String V1_MOUNTS =
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
      + "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid - cgroup cgroup rw,cpu,cpuacct\n";
  private static final String V2_MOUNT = "29 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  private Path root;
  private final long[] idleTicks = new long[64];
  private final long[] busyTicks = new long[64];
  private int processors;
  private int available;
  private long nanos;

  @Before
  public void makeMachine() throws IOException {
    root = temporary.getRoot().toPath();
    allow("0-63");
    useProcessors(64);
  }

  private void useProcessors(int count) throws IOException {
    processors = count;
    available = count;
    writeStat();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.write(path, text.getBytes(StandardCharsets.US_ASCII));
  }

  private void allow(String cpus) throws IOException {
    write("proc/self/status", "Name:\tjava\nCpus_allowed:\tffff\nCpus_allowed_list:\t" + cpus
      + "\nMems_allowed_list:\t0\n");
  }

  private void writeStat() throws IOException {
    StringBuilder text = new StringBuilder("cpu  1 2 3 4 5 6 7 8 9 10\n");
    for (int cpu = 0; cpu < processors; cpu++) {
      // user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice
      text.append("cpu").append(cpu).append(' ').append(busyTicks[cpu]).append(" 0 0 ")
        .append(idleTicks[cpu] / 2).append(' ').append(idleTicks[cpu] - idleTicks[cpu] / 2)
        .append(" 0 0 0 ").append(busyTicks[cpu]).append(" 0\n");
    }
    write("proc/stat", text.append("intr 370114 0 0\nctxt 12\n").toString());
  }

  /** Lets a second pass in which these processors are idle and the others work. */
  private void pass(IntPredicate idle) throws IOException {
    nanos += SECOND;
    for (int cpu = 0; cpu < processors; cpu++) {
      (idle.test(cpu) ? idleTicks : busyTicks)[cpu] += TICKS_PER_SECOND;
    }
    writeStat();
  }

  private CpuLoad load() {
    return new CpuLoad(root, () -> available, () -> nanos);
  }

  private static double idle(CpuLoad load, int available) {
    IdleCpus idle = new IdleCpus(available, load);
    idle.tick();
    return idle.get();
  }

  @Test
  public void serverPinnedToBusyProcessorsHasNoneIdle() throws IOException {
    allow("16-23,40-47");
    available = 16;
    CpuLoad load = load();
    pass(cpu -> cpu < 16 || cpu > 47);
    assertEquals(1, load.getAsDouble(), DELTA);
    pass(cpu -> cpu < 16 || cpu > 47);
    assertEquals(0, idle(load, available), 0);
  }

  @Test
  public void serverPinnedToIdleProcessorsOfABusyMachineHasThese() throws IOException {
    allow("3,16-30");
    available = 16;
    CpuLoad load = load();
    pass(cpu -> cpu == 3 || cpu >= 16 && cpu <= 26);
    assertEquals(0.25, load.getAsDouble(), DELTA);
    pass(cpu -> cpu == 3 || cpu >= 16 && cpu <= 26);
    assertEquals(12, idle(load, available), 0);
  }

  @Test
  public void allProcessorsCountWithoutAffinity() throws IOException {
    CpuLoad load = load();
    pass(cpu -> cpu < 32);
    assertEquals(0.5, load.getAsDouble(), DELTA);
    pass(cpu -> true);
    assertEquals(0, load.getAsDouble(), DELTA);
  }

  @Test
  public void processorsThatAreOfflineDoNotCount() throws IOException {
    useProcessors(8);
    CpuLoad load = load();
    pass(cpu -> cpu < 6);
    assertEquals(0.25, load.getAsDouble(), DELTA);
  }

  @Test
  public void containersOwnStatCountsThoughItsProcessorsAreNumberedAnew() throws IOException {
    allow("32-35");
    useProcessors(4);
    CpuLoad load = load();
    pass(cpu -> cpu < 3);
    assertEquals(0.25, load.getAsDouble(), DELTA);
  }

  @Test
  public void nothingIsToldWhenTheAffinityHasChanged() throws IOException {
    CpuLoad load = load();
    allow("0-31");
    pass(cpu -> true);
    assertEquals(UNKNOWN, load.getAsDouble(), 0);
    pass(cpu -> cpu < 16);
    available = 32;
    assertEquals(0.5, load.getAsDouble(), DELTA);
  }

  @Test
  public void nothingIsToldWithoutProc() throws IOException {
    Files.delete(root.resolve("proc/stat"));
    CpuLoad load = load();
    assertEquals(UNKNOWN, load.getAsDouble(), 0);
    writeStat();
    assertEquals(UNKNOWN, load.getAsDouble(), 0);
    pass(cpu -> true);
    assertEquals(0, load.getAsDouble(), DELTA);
    Files.delete(root.resolve("proc/self/status"));
    assertEquals(UNKNOWN, load.getAsDouble(), 0);
  }

  @Test
  public void nothingIsToldWhereProcessorsHaveNoTime() throws IOException {
    CpuLoad load = load();
    assertEquals(UNKNOWN, load.getAsDouble(), 0);
  }

  private void useV1(String group, String quotaMicros, long usedNanos) throws IOException {
    String folder = "sys/fs/cgroup/cpu,cpuacct" + group + "/";
    write(folder + "cpu.cfs_quota_us", quotaMicros + "\n");
    write(folder + "cpu.cfs_period_us", "100000\n");
    write(folder + "cpuacct.usage", usedNanos + "\n");
  }

  @Test
  public void quotaOfACgroupLeavesLessThanWhatIsIdle() throws IOException {
    write("proc/self/mountinfo", V1_MOUNTS);
    write("proc/self/cgroup", "4:memory:/other\n3:cpu,cpuacct:/server\n0::/\n");
    useV1("/server", "400000", 0);
    available = 4;
    CpuLoad load = load();
    pass(cpu -> cpu < 40);
    useV1("/server", "400000", SECOND);
    assertEquals(0.25, load.getAsDouble(), DELTA);
    pass(cpu -> cpu < 40);
    useV1("/server", "400000", 5 * SECOND);
    assertEquals(1, load.getAsDouble(), DELTA);
    pass(cpu -> cpu < 1);
    assertEquals("one processor is idle", 0.75, load.getAsDouble(), DELTA);
  }

  @Test
  public void cgroupWithoutQuotaLimitsNothing() throws IOException {
    write("proc/self/mountinfo", V1_MOUNTS + V2_MOUNT);
    write("proc/self/cgroup", "3:cpu,cpuacct:/server\n0::/server\n");
    useV1("/server", "-1", 0);
    write("sys/fs/cgroup/server/cpu.max", "max 100000\n");
    CpuLoad load = load();
    pass(cpu -> cpu < 48);
    assertEquals(0.25, load.getAsDouble(), DELTA);
  }

  private void useV2(String group, String max, long usedMicros) throws IOException {
    write("sys/fs/cgroup" + group + "/cpu.max", max + "\n");
    write("sys/fs/cgroup" + group + "/cpu.stat",
      "usage_usec " + usedMicros + "\nuser_usec 1\nsystem_usec 2\n");
  }

  @Test
  public void quotaOfAGroupAboveBindsToo() throws IOException {
    write("proc/self/mountinfo", V2_MOUNT);
    write("proc/self/cgroup", "0::/pods/server\n");
    useV2("/pods", "800000 100000", 0);
    useV2("/pods/server", "400000 100000", 0);
    available = 4;
    CpuLoad load = load();
    pass(cpu -> true);
    useV2("/pods", "800000 100000", 7_000_000);
    assertEquals(0.75, load.getAsDouble(), DELTA);
  }

  @Test
  public void groupOfAContainerIsItsMountsTop() throws IOException {
    write("proc/self/mountinfo",
      "29 22 0:26 /docker/ab /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    write("proc/self/cgroup", "0::/docker/ab\n");
    useV2("", "200000 100000", 0);
    available = 2;
    CpuLoad load = load();
    pass(cpu -> true);
    useV2("", "200000 100000", 1_000_000);
    assertEquals(0.5, load.getAsDouble(), DELTA);
  }

  @Test
  public void noneIsIdleIfTheUseOfAQuotaIsNotTold() throws IOException {
    write("proc/self/mountinfo", V2_MOUNT);
    write("proc/self/cgroup", "0::/server\n");
    write("sys/fs/cgroup/server/cpu.max", "200000 100000\n");
    CpuLoad load = load();
    pass(cpu -> true);
    assertEquals(1, load.getAsDouble(), DELTA);
  }

  @Test
  public void thisMachineTellsOrSaysThatItDoesNot() {
    double told = new CpuLoad().getAsDouble();
    assertTrue(String.valueOf(told), told == UNKNOWN || told >= 0 && told <= 1);
  }
}
