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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.Test;

/** What preset g1 computes for 20 machines: the table in conf/jvm/README.md. */
public class MachinesTest {
  private static final String[] SHIPPED = {};
  private static final String[] UPSTREAM = { "hbase.bucketcache.ioengine", "",
    "hbase.regionserver.offheap.global.memstore.size", "0",
    "hbase.server.allocator.max.buffer.count", "1860" };

  private final List<String> table = new ArrayList<>(Arrays.asList(
    "| processors | memory | set | heap | direct | cache, memstore, buffers in MB | GC threads |"
      + " eden % | region |",
    "|---|---|---|---|---|---|---|---|---|"));

  private static Configuration conf(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    conf.addResource(new Path(Jvms.CONF.resolve("hbase-site.xml").toUri()));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }

  private void add(int cpus, int gigabytes, String set, String[] keys, String... variables) {
    Map<String, String> environment = new HashMap<>();
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    Request request = new Request();
    request.preset = "g1";
    request.lookOnly = false;
    Machine machine = new Machine(cpus, gigabytes * 1024L);
    Plan plan = new Plan(request, Jvms.pretended("17.0.15"), machine, conf(keys), environment,
      Jvms.PRESETS);
    assertThat(plan.warnings()).isEmpty();
    List<String> options = plan.options(false);
    StringBuilder uses = new StringBuilder();
    for (String key : new String[] { "bucketcache", "memstore", "allocator" }) {
      uses.append(uses.length() == 0 ? "" : ", ").append(plan.memory().use().all().stream()
        .filter(use -> use.key().contains(key)).mapToLong(OffHeapUse.Use::megabytes).sum());
    }
    table.add("| " + String.join(" | ", Integer.toString(cpus), gigabytes + " GB", set,
      value(options, "MaxHeapSize"), value(options, "MaxDirectMemorySize"), uses,
      value(options, "ParallelGCThreads"), value(options, "G1NewSizePercent"),
      value(options, "G1HeapRegionSize")) + " |");
  }

  private static String value(List<String> options, String flag) {
    String option = options.stream().filter(o -> Options.flag(o).equals(flag)).findFirst().get();
    return option.startsWith("-Xmx") ? option.substring(4)
      : option.substring(option.indexOf('=') + 1);
  }

  private static String[] cache(String engine, String size) {
    return new String[] { "hbase.bucketcache.ioengine", engine, "hbase.bucketcache.size", size };
  }

  private static String[] tiers(String l1, String memstore) {
    return new String[] { "hbase.bucketcache.l1.ioengine", "offheap", "hbase.bucketcache.l1.size",
      l1, "hbase.bucketcache.l2.ioengine", "file:/mnt/ssd/cache", "hbase.bucketcache.l2.size",
      "800g", "hbase.regionserver.offheap.global.memstore.size", memstore };
  }

  @Test
  public void theReadmeHasWhatIsComputed() throws IOException {
    add(1, 2, "", SHIPPED);
    add(2, 4, "", SHIPPED);
    add(2, 8, "", SHIPPED);
    add(4, 16, "", SHIPPED);
    add(8, 32, "", SHIPPED);
    add(16, 64, "", SHIPPED);
    add(24, 96, "", SHIPPED);
    add(32, 128, "", SHIPPED);
    add(40, 256, "", SHIPPED);
    add(64, 512, "", SHIPPED);
    add(40, 256, "`HBASE_HEAPSIZE=31g` `HBASE_OFFHEAPSIZE=64g`", SHIPPED, "HBASE_HEAPSIZE", "31g",
      "HBASE_OFFHEAPSIZE", "64g");
    add(32, 128, "`HBASE_HEAPSIZE=64g`", SHIPPED, "HBASE_HEAPSIZE", "64g");
    add(40, 256, "`HBASE_HEAPSIZE=100g`", SHIPPED, "HBASE_HEAPSIZE", "100g");
    add(96, 1024, "`HBASE_HEAPSIZE=200g`", SHIPPED, "HBASE_HEAPSIZE", "200g");
    add(16, 64, "L1 8 GB, L2 on SSD, memstore 2 GB", tiers("8g", "2048"));
    add(40, 256, "L1 40 GB, L2 on SSD, memstore 15 GB", tiers("40g", "15360"));
    add(64, 512, "L1 100 GB, L2 on SSD, memstore 15 GB", tiers("100g", "15360"));
    add(96, 1024, "one cache of 200 GB", cache("offheap", "204800"));
    add(8, 32, "one cache on SSD", cache("file:/mnt/ssd/cache", "400000"));
    add(4, 16, "nothing off-heap but upstream's buffers", UPSTREAM);
    assertThat(table).hasSize(22);
    String readme = new String(Files.readAllBytes(Jvms.PRESETS.get(0).resolve("README.md")),
      StandardCharsets.UTF_8);
    assertThat(readme).contains(String.join("\n", table));
  }

  private static MemoryPlan memory(long heap) {
    return new MemoryPlan(new Machine(8, 1 << 20), null, heap, null, MemoryPlan.HEAP,
      MemoryPlan.OFFHEAP, true, new HashMap<>());
  }

  /** Classes, compiled code, stacks and netty's buffers take no less for it being small. */
  @Test
  public void aContainerOf8GigabytesHasRoomForTheJvmItself() {
    for (long direct : new long[] { 3056, 3057 }) {
      MemoryPlan plan = new MemoryPlan(new Machine(4, 8192), null, 4352L, direct, MemoryPlan.HEAP,
        MemoryPlan.OFFHEAP, true, new HashMap<>());
      if (direct == 3056) {
        assertThat(plan.tooMuch()).isNull();
      } else {
        assertThat(plan.tooMuch()).contains("nearly the 8 GB that there are",
          "classes, compiled code, the collector and the network take 784 MB",
          "set HBASE_HEAPSIZE to ");
      }
    }
  }

  /** With memory.high of 8 GB, at which the kernel slows a server down, and memory.max of 16 GB. */
  @Test
  public void aServerThatIsSlowedDownIsWarnedOfAndStarts() {
    Machine machine = new Machine(4, 8192, 16384);
    for (long heap : new long[] { 9216, 15 * 1024 }) {
      MemoryPlan plan = new MemoryPlan(machine, null, heap, 2048L, MemoryPlan.HEAP,
        MemoryPlan.OFFHEAP, true, new HashMap<>());
      assertThat(plan.tooMuch()).contains("more than the 8 GB that there are");
      assertThat(plan.isBeyondTheMachine()).isEqualTo(heap == 15 * 1024);
    }
    MemoryPlan plan = new MemoryPlan(machine, null, null, null, MemoryPlan.HEAP,
      MemoryPlan.OFFHEAP, true, new HashMap<>());
    assertThat(plan.heap()).isEqualTo(1024);
  }

  @Test
  public void edenIsSourceBsAndInBetween() {
    int[][] gigabytesAndPercents = { { 1, 5 }, { 16, 5 }, { 20, 5 }, { 24, 4 }, { 32, 3 },
      { 40, 3 }, { 48, 2 }, { 64, 2 }, { 80, 1 }, { 100, 1 }, { 400, 1 } };
    for (int[] each : gigabytesAndPercents) {
      assertThat(memory(each[0] * 1024L).edenPercent(100)).as(each[0] + " GB").isEqualTo(each[1]);
    }
  }

  @Test
  public void edenFollowsThePauseThatIsAskedFor() {
    MemoryPlan memory = memory(32 * 1024L);
    assertThat(memory.edenPercent(50)).isEqualTo(2);
    assertThat(memory.edenPercent(150)).isEqualTo(5);
  }
}
