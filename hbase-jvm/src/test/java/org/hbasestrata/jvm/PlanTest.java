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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.Assume;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class PlanTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Request request = new Request();
  private final Map<String, String> environment = new HashMap<>();
  private final Configuration conf = new Configuration(false);
  private Jvm jvm = Jvms.pretended("17.0.15");
  private Machine machine = new Machine(16, 64 * 1024);

  private Plan plan(String preset) {
    request.preset = preset;
    request.lookOnly = false;
    request.gcLog = "/logs/server.gc.log";
    request.logDir = "/logs";
    environment.putIfAbsent("HBASE_GC_LOG_TMPFS", "/proc"); // no folder in memory
    return new Plan(request, jvm, machine, conf, environment, Jvms.PRESETS);
  }

  private void assertRefused(String preset, String... parts) {
    assertThatThrownBy(() -> plan(preset)).isInstanceOf(JvmException.class)
      .hasMessageContainingAll(parts).hasMessageNotContaining("\n");
  }

  private Path preset(String... lines) throws IOException {
    Path file = folder.newFile("own.preset").toPath();
    return Files.write(file, Arrays.asList(lines), StandardCharsets.UTF_8);
  }

  @Test
  public void whatTheServerRefusesIsRefusedHere() {
    conf.set("hbase.bucketcache.ioengine", "offheap");
    conf.set("hbase.bucketcache.size", "1g");
    assertRefused("g1", "hbase.bucketcache.size is 1g. Give MB");
    conf.set("hbase.bucketcache.size", "1024");
    conf.set("hbase.server.allocator.max.buffer.count", "x");
    assertRefused("g1", "hbase.server.allocator.max.buffer.count is x.");
    conf.set("hbase.server.allocator.max.buffer.count", "1008");
    assertThat(plan("g1").memory().use().toString()).contains("block cache 1 GB");
  }

  @Test
  public void theOptionsOfG1OnJdk17() {
    Plan plan = plan("g1");
    assertThat(plan.options(false)).containsExactly("-Xmx8192m", "-XX:MaxDirectMemorySize=183m",
      "-XX:ErrorFile=/logs/hs_err_pid%p.log",
      "-Xlog:gc*,safepoint:file=\"/logs/server.gc.log\":time,uptime,level,tags:filecount=10,"
        + "filesize=20m",
      "-Xlog:async", "-Xms8192m", "-XX:+AlwaysPreTouch", "-XX:+UseTransparentHugePages",
      "-XX:MetaspaceSize=512m", "-XX:MaxMetaspaceSize=512m", "-XX:-UseStringDeduplication",
      "-XX:+PerfDisableSharedMem", "-XX:HeapDumpPath=/logs", "-XX:+UseG1GC",
      "-XX:MaxGCPauseMillis=100", "-XX:+UnlockExperimentalVMOptions", "-XX:G1NewSizePercent=5",
      "-XX:+ParallelRefProcEnabled", "-XX:ParallelGCThreads=13", "-XX:G1HeapRegionSize=8m",
      "-XX:G1MixedGCCountTarget=32");
    assertThat(plan.notes()).isEmpty();
    assertThat(plan.warnings()).isEmpty();
    assertThat(plan.logCopiedFrom()).isNull();
  }

  @Test
  public void beforeJdk17TheLogGoesToMemory() throws IOException {
    Assume.assumeTrue("no tmpfs", isTmpfs(Paths.get("/dev/shm")));
    jvm = Jvms.pretended("11.0.13");
    request.id = "4711";
    environment.put("HBASE_GC_LOG_TMPFS", "/dev/shm");
    Plan plan = plan("g1");
    Path made = plan.logCopiedFrom();
    try {
      assertThat(made.toString()).matches("/dev/shm/hbase-gc-4711\\.\\d+");
      assertThat(Files.getPosixFilePermissions(made)).hasSize(3);
      assertThat(plan.options(false)).contains("-Xlog:gc*,safepoint:file=\"" + made
        + "/server.gc.log\":time,uptime,level,tags:filecount=4,filesize=10m")
        .doesNotContain("-Xlog:async");
      assertThat(plan.warnings()).isEmpty();
    } finally {
      Files.delete(made);
    }
    request.lookOnly = true;
    plan = new Plan(request, jvm, machine, conf, environment, Jvms.PRESETS);
    assertThat(plan.logCopiedFrom()).isEqualTo(Paths.get("/dev/shm/hbase-gc-4711"))
      .doesNotExist();
  }

  @Test
  public void aServerThatIsRefusedLeavesNoFolderInMemory() throws IOException {
    Assume.assumeTrue("no tmpfs", isTmpfs(Paths.get("/dev/shm")));
    Path memory = Files.createTempDirectory(Paths.get("/dev/shm"), "plan-test");
    try {
      environment.put("HBASE_GC_LOG_TMPFS", memory.toString());
      environment.put("HBASE_HEAPSIZE", "65g");
      jvm = Jvms.jdk8();
      assertRefused("g1", "HBASE_HEAPSIZE");
      assertThat(memory).isEmptyDirectory();
    } finally {
      Files.delete(memory);
    }
  }

  private static boolean isTmpfs(Path path) {
    try {
      return Files.getFileStore(path).type().equals("tmpfs");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  public void withoutATmpfsTheLogGoesToTheDiskAndThatIsSaid() {
    jvm = Jvms.pretended("11.0.13");
    environment.put("HBASE_GC_LOG_TMPFS", "/proc");
    Plan plan = plan("g1");
    assertThat(plan.options(false)).anyMatch(
      option -> option.startsWith("-Xlog:gc*") && option.contains("file=\"/logs/server.gc.log\""));
    assertThat(plan.logCopiedFrom()).isNull();
    assertThat(plan.warnings()).singleElement().asString().contains("/proc is no tmpfs",
      "HBASE_GC_LOG_TMPFS");
  }

  @Test
  public void jdk8KeepsItsLogOptionsAndIsToldWhereToBeginToMark() {
    jvm = Jvms.jdk8();
    assertThat(plan("g1").options(false)).contains("-Xloggc:/logs/server.gc.log",
      "-XX:+PrintGCDetails", "-XX:+PrintGCApplicationStoppedTime", "-XX:NumberOfGCLogFiles=10",
      "-XX:InitiatingHeapOccupancyPercent=70").noneMatch(option -> option.startsWith("-Xlog:"));
  }

  @Test
  public void sourceCsChoiceIsForJdk8To13() {
    request.heap = 4096L;
    jvm = Jvms.jdk8();
    assertThat(plan("cms-small-heap").options(false)).contains("-Xmx4096m", "-Xms4096m",
      "-Xmn1536m", "-XX:MetaspaceSize=256m", "-XX:MaxMetaspaceSize=256m", "-XX:+UseParNewGC",
      "-XX:+UseConcMarkSweepGC", "-XX:+CMSScavengeBeforeRemark",
      "-XX:CMSInitiatingOccupancyFraction=75", "-XX:+UseCMSInitiatingOccupancyOnly")
      .noneMatch(option -> option.contains("512m"));
    jvm = Jvms.pretended("11.0.13", "UseParNewGC");
    Plan plan = plan("cms-small-heap");
    assertThat(plan.options(false)).doesNotContain("-XX:+UseParNewGC")
      .contains("-XX:+UseConcMarkSweepGC");
    assertThat(plan.notes()).containsExactly("-XX:+UseParNewGC of JVM preset cms-small-heap is left"
      + " out: on JDK 11 CMS has no other young collector");
    jvm = Jvms.pretended("17.0.15", "UseConcMarkSweepGC", "UseParNewGC");
    assertRefused("cms-small-heap", "JDK 8 to 13", "JDK 17", "HBASE_JVM_PRESET=g1");
  }

  @Test
  public void sourceBsListForReadsOnItsMachine() {
    machine = new Machine(40, 256 * 1024);
    request.heap = 100 * 1024L;
    assertThat(plan("g1-read").options(false)).contains("-XX:+UseG1GC", "-Xms102400m",
      "-Xmx102400m", "-XX:MaxGCPauseMillis=100", "-XX:+ParallelRefProcEnabled", "-XX:-ResizePLAB",
      "-XX:ParallelGCThreads=28", "-XX:G1NewSizePercent=1");
    assertThat(plan("g1-mixed").options(false)).contains("-XX:G1NewSizePercent=5",
      "-XX:ConcGCThreads=14", "-XX:G1HeapRegionSize=32m", "-XX:G1MixedGCCountTarget=32",
      "-XX:G1OldCSetRegionThresholdPercent=5", "-XX:SurvivorRatio=4",
      "-XX:InitiatingHeapOccupancyPercent=70", "-XX:G1ReservePercent=15",
      "-XX:G1HeapWastePercent=5", "-XX:MaxGCPauseMillis=50", "-XX:GCPauseIntervalMillis=100");
  }

  @Test
  public void edenGoesByTheLastPauseThatTheJvmTakes() throws IOException {
    machine = new Machine(40, 256 * 1024);
    request.heap = 100 * 1024L;
    String own = preset("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=100", "-XX:MaxGCPauseMillis=300",
      "[18..] -XX:MaxGCPauseMillis=200", "-XX:G1NewSizePercent={eden-percent}").toString();
    assertThat(plan(own).options(false)).contains("-XX:MaxGCPauseMillis=300",
      "-XX:G1NewSizePercent=3");
    jvm = Jvms.pretended("21.0.8");
    assertThat(plan(own).options(false)).contains("-XX:G1NewSizePercent=2");
    request.operator = Arrays.asList("-XX:MaxGCPauseMillis=100", "-XX:MaxGCPauseMillis=400");
    assertThat(plan(own).options(false)).contains("-XX:G1NewSizePercent=4");
  }

  @Test
  public void zgcIsGenerationalWhereItCanBe() {
    assertThat(plan("zgc").options(false)).doesNotContain("-XX:+ZGenerational");
    jvm = Jvms.pretended("21.0.8");
    assertThat(plan("zgc").options(false)).contains("-XX:+ZGenerational");
    jvm = Jvms.pretended("25", "ZGenerational");
    assertThat(plan("zgc").options(false)).contains("-XX:+UseZGC")
      .doesNotContain("-XX:+ZGenerational");
  }

  @Test
  public void shenandoahIsUnlockedWhereItIsAnExperiment() {
    assertThat(plan("shenandoah").options(false)).contains("-XX:+UseShenandoahGC")
      .doesNotContain("-XX:+UnlockExperimentalVMOptions");
    jvm = Jvms.pretended("11.0.13");
    assertThat(plan("shenandoah").options(false))
      .containsSubsequence("-XX:+UnlockExperimentalVMOptions", "-XX:+UseShenandoahGC");
  }

  @Test
  public void aCollectorThatThisBuildHasNotGotIsRefused() {
    jvm = Jvms.pretended("17.0.15", "UseShenandoahGC");
    assertRefused("shenandoah", "-XX:+UseShenandoahGC", "HBASE_JVM_PRESET=g1");
  }

  @Test
  public void aFlagThatTheJvmHasNotGotIsRefusedWithItsLine() throws IOException {
    jvm = Jvms.pretended("17.0.15", "NoSuchThing", "MaxPermSize");
    String own = preset("-XX:MaxPermSize=256m", "-XX:NoSuchThing=1").toString();
    assertRefused(own, "own.preset, line 2", "-XX:NoSuchThing=1", "[8..11]");
    jvm = Jvms.pretended("17.0.15", "MaxPermSize");
    assertThat(plan(own).notes()).singleElement().asString().contains("-XX:MaxPermSize=256m",
      "no permanent generation");
  }

  @Test
  public void aNameThatIsNoneIsRefusedWithItsLine() throws IOException {
    assertRefused(preset("-Xmx{hepa}").toString(), "own.preset, line 1", "{hepa}");
  }

  @Test
  public void whatTheOperatorSetsIsLeftOut() {
    request.operator = Arrays.asList("-Xmx4g", "-XX:MaxDirectMemorySize=1g", "-XX:-AlwaysPreTouch",
      "-XX:MaxGCPauseMillis=50", "-Xlog:gc:file=x");
    Plan plan = plan("g1");
    assertThat(plan.options(false)).contains("-Xms4096m", "-XX:G1HeapRegionSize=4m")
      .doesNotContain("-XX:+AlwaysPreTouch", "-XX:MaxGCPauseMillis=100")
      .noneMatch(option -> option.startsWith("-Xmx") || option.startsWith("-Xlog:gc"));
    assertThat(plan.options(true)).endsWith(request.operator.toArray(new String[0]));
    assertThat(plan.variables()).containsEntry("HBASE_BUCKETCACHE_MB", "640");
    assertThat(plan.warnings()).isEmpty();
  }

  @Test
  public void aFirstHeapOfTheOperatorThatIsMoreThanTheHeapIsRefused() {
    for (String option : new String[] { "-Xms12g", "-XX:InitialHeapSize=12884901888",
      "-XX:MinHeapSize=12g" }) {
      request.operator = Collections.singletonList(option);
      assertRefused("g1", option, "8 GB", "HBASE_HEAPSIZE to 12g");
    }
    request.operator = Collections.singletonList("-Xmslots");
    assertRefused("g1", "-Xmslots");
    request.operator = Collections.singletonList("-Xms8g");
    assertThat(plan("g1").options(true)).contains("-Xmx8192m", "-Xms8g")
      .doesNotContain("-Xms8192m");
    request.operator = Arrays.asList("-Xms12g", "-Xms1g");
    assertThat(plan("g1").options(true)).contains("-Xms1g");
    request.operator = Arrays.asList("-Xmx12g", "-Xms12g");
    assertThat(plan("g1").options(true)).contains("-Xms12g");
  }

  @Test
  public void aShareOfTheMemoryThatTheJvmWouldIgnoreIsAWarning() throws IOException {
    for (String option : new String[] { "-XX:MaxRAMPercentage=50", "-XX:InitialRAMPercentage=50",
      "-XX:MaxRAM=16g" }) {
      request.operator = Collections.singletonList(option);
      assertThat(plan("g1").warnings()).singleElement().asString().contains(option,
        "HBASE_HEAPSIZE", "8 GB");
    }
    request.operator = Collections.singletonList("-XX:InitialRAMPercentage=5");
    assertThat(plan("default").options(true)).contains("-XX:InitialRAMPercentage=5");
    request.operator = Collections.singletonList("-XX:MaxRAM=16g");
    String own = preset("-XX:+UseG1GC").toString();
    assertThat(plan(own).options(true)).containsExactly("-XX:+UseG1GC", "-XX:MaxRAM=16g");
  }

  @Test
  public void theOperatorsRatioOfYoungObjectsLeavesOutTheirSize() {
    request.heap = 4096L;
    jvm = Jvms.jdk8();
    request.operator = Collections.singletonList("-XX:NewRatio=2");
    assertThat(plan("cms-small-heap").options(false)).doesNotContain("-Xmn1536m");
  }

  @Test
  public void anotherCollectorOfTheOperatorLeavesOutThePresetsOwn() {
    request.operator = Collections.singletonList("-XX:+UseParallelGC");
    Plan plan = plan("g1");
    assertThat(plan.options(true)).contains("-Xmx8192m", "-XX:+AlwaysPreTouch",
      "-XX:+UseParallelGC").doesNotContain("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=100");
    assertThat(plan.warnings()).containsExactly("HBASE_OPTS, HBASE_REGIONSERVER_OPTS and"
      + " SERVER_GC_OPTS choose UseParallelGC, so what g1.preset itself has for UseG1GC is left"
      + " out");
  }

  @Test
  public void directMemorySmallerThanTheBlockCacheIsRefusedWithANumber() {
    conf.set("hbase.bucketcache.ioengine", "offheap");
    conf.set("hbase.bucketcache.size", "4096");
    conf.set("hbase.regionserver.offheap.global.memstore.size", "1024");
    environment.put("HBASE_OFFHEAPSIZE", "4000m");
    assertRefused("g1", "HBASE_OFFHEAPSIZE of 3.9 GB is too small", "block cache 4 GB",
      "hbase.bucketcache.size", "memstore 1 GB", "buffers 119 MB", "HBASE_OFFHEAPSIZE to 5589m");
    request.operator = Collections.singletonList("-XX:Flags=theirs");
    jvm = Jvms.pretended("17.0.15");
    assertThat(plan("g1").warnings()).anyMatch(line -> line.contains("3.9 GB is too small"));
    request.operator = Collections.emptyList();
    environment.put("HBASE_OFFHEAPSIZE", "5g");
    assertThat(plan("g1").warnings()).as("the others come with load").singleElement().asString()
      .contains("HBASE_OFFHEAPSIZE of 5 GB is too small", "HBASE_OFFHEAPSIZE to 5589m");
    environment.put("HBASE_OFFHEAPSIZE", "5589m");
    assertThat(plan("g1").options(false)).contains("-XX:MaxDirectMemorySize=5589m");
    environment.remove("HBASE_OFFHEAPSIZE");
    assertThat(plan("g1").options(false)).contains("-XX:MaxDirectMemorySize=5589m");
  }

  @Test
  public void offHeapMemoryTooSmallToShareOutIsRefused() {
    environment.put("HBASE_OFFHEAPSIZE", "111m");
    assertRefused("g1", "111 MB", "HBASE_BUCKETCACHE_MB=31", "HBASE_OFFHEAPSIZE to 112m");
    environment.put("HBASE_OFFHEAPSIZE", "112m");
    conf.set("hbase.server.allocator.pool.enabled", "false");
    assertThat(plan("g1").variables()).containsEntry("HBASE_BUCKETCACHE_MB", "32");
  }

  @Test
  public void regionsFlushOfThemselvesBeforeTheMemstoreIsFull() {
    environment.put("HBASE_OFFHEAPSIZE", "512m");
    assertThat(plan("g1").variables()).containsEntry("HBASE_MEMSTORE_FLUSH_SIZE", "29360128");
    environment.put("HBASE_OFFHEAPSIZE", "40g");
    assertThat(plan("g1").variables()).containsEntry("HBASE_MEMSTORE_FLUSH_SIZE", "134217728");
  }

  @Test
  public void aVariableThatIsSetStays() {
    environment.put("HBASE_BUCKETCACHE_MB", "100");
    environment.put("HBASE_OFFHEAP_MEMSTORE_MB", "x");
    assertRefused("g1", "HBASE_OFFHEAP_MEMSTORE_MB=x is not a number");
    environment.put("HBASE_OFFHEAP_MEMSTORE_MB", "100");
    assertThat(plan("g1").variables()).containsOnlyKeys("HBASE_MEMSTORE_FLUSH_SIZE");
  }

  @Test
  public void moreThanTheMachineHasIsRefusedWithANumber() {
    environment.put("HBASE_HEAPSIZE", "48g");
    environment.put("HBASE_OFFHEAPSIZE", "20g");
    assertRefused("g1", "heap of 48 GB and direct memory of 20 GB are more than the 64 GB",
      "HBASE_HEAPSIZE to 40g");
    environment.put("HBASE_OFFHEAPSIZE", "60g");
    assertRefused("g1", "HBASE_OFFHEAPSIZE to 12g");
    request.preset = "g1";
    request.lookOnly = true;
    Plan plan = new Plan(request, jvm, machine, conf, environment, Jvms.PRESETS);
    assertThat(plan.warnings()).singleElement().asString().contains("no server would start",
      "more than the 64 GB");
    assertThat(plan.isStartable()).isFalse();
  }

  @Test
  public void adviceNamesTheOptionThatSetsTheSize() {
    environment.put("HBASE_OFFHEAPSIZE", "8g");
    request.operator.add("-Xmx62g");
    assertRefused("g1", "set -Xmx in HBASE_OPTS, HBASE_REGIONSERVER_OPTS and SERVER_GC_OPTS to ");
    request.operator.set(0, "-XX:MaxDirectMemorySize=8m");
    assertRefused("g1", "-XX:MaxDirectMemorySize in HBASE_OPTS, HBASE_REGIONSERVER_OPTS and"
      + " SERVER_GC_OPTS of 8 MB leaves");
  }

  @Test
  public void aPresetWithoutAHeapIsAWarning() throws IOException {
    assertThat(plan(preset("# Own", "", "-XX:+UseG1GC").toString()).warnings()).singleElement()
      .asString().contains("sets no heap", "include base.flags");
  }

  @Test
  public void aHeapOfMegabytesIsAWarning() {
    request.heap = 16L;
    assertThat(plan("g1").warnings()).singleElement().asString().contains("heap of 16 MB",
      "16g is 16 GB");
  }

  @Test
  public void nearlyAllOfTheMachineIsAWarning() {
    environment.put("HBASE_HEAPSIZE", "31g");
    environment.put("HBASE_OFFHEAPSIZE", "30g");
    assertThat(plan("g1").warnings()).singleElement().asString().contains("nearly the 64 GB",
      "HBASE_HEAPSIZE to 30g");
  }

  @Test
  public void aHeapWithLongPointersThatHoldsLessIsAWarning() {
    jvm = new Jvm(Paths.get("/jdk"), "17.0.15") {
      @Override
      boolean has(String flag) {
        return true;
      }

      @Override
      Map<String, String> check(List<String> options, String gcLog) {
        return Collections.singletonMap("UseCompressedOops", "false");
      }
    };
    machine = new Machine(40, 256 * 1024);
    for (String heap : new String[] { "32g", "47g" }) {
      environment.put("HBASE_HEAPSIZE", heap);
      assertThat(plan("g1").warnings()).singleElement().asString().contains("8 bytes",
        "HBASE_HEAPSIZE to 31g, or to 48g");
    }
    environment.put("HBASE_HEAPSIZE", "48g");
    assertThat(plan("g1").warnings()).isEmpty();
  }

  @Test
  public void aCacheWhoseBlocksFillTheHeapIsAWarning() {
    machine = new Machine(32, 128 * 1024);
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "50g");
    conf.set("hbase.bucketcache.l2.ioengine", "direct:/ssd1/cache,/ssd2/cache");
    conf.set("hbase.bucketcache.l2.size", "3600g");
    assertThat(plan("g1").warnings()).singleElement().asString().contains(
      "cache of 3650 GB has 59 million blocks", "heap of 16 GB keeps 14.2 GB",
      "set HBASE_HEAPSIZE to 29g or more");
    environment.put("HBASE_HEAPSIZE", "31g");
    assertThat(plan("g1").warnings()).isEmpty();
    // A heap a bit beyond 31 GB holds less.
    conf.set("hbase.bucketcache.l2.size", "5t");
    assertThat(plan("g1").warnings()).singleElement().asString()
      .contains("set HBASE_HEAPSIZE to 48g or more");
  }

  @Test
  public void aHeapThatThePresetIsNotForIsAWarning() {
    request.heap = 1024L;
    assertThat(plan("zgc").warnings()).singleElement().asString().contains("8 GB and more",
      "1 GB", "bin/hbase jvm --list");
  }

  @Test
  public void aHeapOfNothingIsRefused() {
    environment.put("HBASE_HEAPSIZE", "0");
    assertRefused("g1", "HBASE_HEAPSIZE");
    environment.put("HBASE_HEAPSIZE", "lots");
    assertRefused("g1", "HBASE_HEAPSIZE=lots");
  }

  @Test
  public void aServerWithoutRegionsHasTheDefaults() {
    conf.set("hbase.cluster.distributed", "true");
    request.role = "master";
    assertThat(plan("zgc").options(false)).contains("-XX:+UseG1GC", "-Xmx8192m")
      .doesNotContain("-XX:+UseZGC", "-XX:+AlwaysPreTouch")
      .noneMatch(option -> option.contains("MaxDirectMemorySize"));
    assertThat(plan("zgc").variables()).isEmpty();
    environment.put("HBASE_OFFHEAPSIZE", "256m");
    request.role = "zookeeper";
    assertThat(plan("zgc").options(false)).contains("-XX:MaxDirectMemorySize=256m");
    conf.set("hbase.cluster.distributed", "false");
    request.role = "master";
    assertThat(plan("zgc").options(false)).contains("-XX:+UseZGC");
  }

  @Test
  public void reasonsStandOverTheOptions() {
    List<String> text = plan("g1").describe();
    assertThat(text.get(0)).contains("g1.preset", "regionserver", "16 processors", "64 GB");
    assertThat(text).containsSubsequence("# B's target for reads. G1 shares out what it does by"
      + " it.", "-XX:MaxGCPauseMillis=100");
    assertThat(text).allSatisfy(line -> assertThat(line.startsWith("#") && line.length() > 100)
      .isFalse());
  }
}
