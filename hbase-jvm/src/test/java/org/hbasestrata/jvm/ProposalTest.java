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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ProposalTest {
  private static final String[] NO_SSD = {};
  private static final String NVME = "/mnt/ssd/hbase=1800g";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private String out;
  private String err;

  private static Proposal of(Machine machine, String data, Proposal.Load load, String... ssds) {
    List<Ssd> parsed = new ArrayList<>();
    for (String ssd : ssds) {
      parsed.add(Ssd.parse(ssd, parsed.size() + 1));
    }
    return new Proposal(machine, parsed, data == null ? null : Sizes.ofMegabytes("--data", data),
      load, Jvms.CONF);
  }

  private static Proposal of(int gigabytes, String... ssds) {
    return of(new Machine(16, gigabytes * 1024L), null, Proposal.Load.MIXED, ssds);
  }

  /** Heap, direct memory, cache in memory and memstore, as the plan of a server has them. */
  private static void assertHas(String profile, String sizes, Proposal proposal) throws Exception {
    assertThat(proposal.profile()).isEqualTo(profile);
    assertThat(String.join(" ", proposal.variables().values())).isEqualTo(sizes);
    assertServersPlanAgrees(proposal);
  }

  /** A server that is started with the proposal has its sizes, and nothing to warn of. */
  private static void assertServersPlanAgrees(Proposal proposal) throws Exception {
    Configuration conf = new Configuration(false);
    try (URLClassLoader loader =
      new URLClassLoader(new URL[] { Jvms.CONF.toUri().toURL() }, conf.getClassLoader())) {
      conf.setClassLoader(loader);
      conf.addResource("hbase-default.xml");
      conf.addResource("profiles/" + proposal.profile() + ".xml");
      proposal.properties().forEach(conf::set);
      Shares.apply(proposal.variables(), conf);
      MemoryPlan plan = MemoryPlan.of(new Request(), proposal.machine(), conf,
        proposal.variables());
      assertThat(Sizes.option(plan.heap())).isEqualTo(proposal.variables().get(MemoryPlan.HEAP));
      assertThat(Sizes.option(plan.direct()))
        .isEqualTo(proposal.variables().get(MemoryPlan.OFFHEAP));
      assertThat(new String[] { plan.tooMuch(), plan.tooLittle(), plan.tooManyBlocks(),
        plan.uncompressed() }).containsOnlyNulls();
    }
  }

  @Test
  public void machinesWithoutAnSsd() throws Exception {
    assertHas("memory", "4g 8g 5120 1920 134217728", of(16, NO_SSD));
    assertHas("memory", "8g 40g 25600 9600 134217728", of(64, NO_SSD));
    assertHas("memory", "16g 80g 54016 16384 134217728", of(128, NO_SSD));
    assertHas("memory", "31g 161g 125296 16384 134217728", of(256, NO_SSD));
    assertThat(of(64, NO_SSD).properties()).isEmpty();
  }

  @Test
  public void machinesWithAnSsd() throws Exception {
    assertHas("ssd", "4g 7727m 2281 1920 134217728", of(16, NVME));
    assertHas("ssd", "8g 40495m 22761 9600 134217728", of(64, NVME));
    assertHas("ssd", "16g 81455m 51177 16384 134217728", of(128, NVME));
    assertHas("ssd", "31g 164399m 122457 16384 134217728", of(256, NVME));
    assertThat(of(64, NVME).properties().toString()).isEqualTo(
      "{hbase.profile.ssd.path=/mnt/ssd/hbase/block-cache, hbase.bucketcache.l2.size=1620g}");
    assertThat(of(128, "2t", "2t").properties().toString()).isEqualTo("{hbase.profile.ssd.path="
      + "/mnt/ssd1/hbase/block-cache,/mnt/ssd2/hbase/block-cache,"
      + " hbase.bucketcache.l2.size=3774873m}");
  }

  @Test
  public void noSsdGetsMoreThanItHolds() throws Exception {
    Proposal proposal = of(128, "/mnt/a=2t", "/mnt/b=1000g", "/mnt/c=2t");
    assertThat(proposal.properties()).containsEntry("hbase.profile.ssd.path",
      "/mnt/a/block-cache,/mnt/b/block-cache,/mnt/c/block-cache")
      .containsEntry("hbase.bucketcache.l2.size", "2700g");
    assertThat(proposal.describe()).contains(
      "L2             2700 GB   segments: nine tenths of the SSDs, an equal part on each");
    assertServersPlanAgrees(proposal);
  }

  @Test
  public void inAContainerItsLimitCounts() throws Exception {
    Path root = folder.getRoot().toPath();
    for (String[] file : new String[][] { { "proc/meminfo", "MemTotal: 268435456 kB" },
      { "proc/self/cgroup", "0::/" }, { "sys/fs/cgroup/memory.max", "17179869184" },
      { "sys/fs/cgroup/cpu.max", "400000 100000" } }) {
      Files.createDirectories(root.resolve(file[0]).getParent());
      Files.write(root.resolve(file[0]), file[1].getBytes(StandardCharsets.UTF_8));
    }
    Proposal proposal = of(Machine.read(root, 40), null, Proposal.Load.MIXED);
    assertHas("memory", "4g 8g 5120 1920 134217728", proposal);
    assertThat(proposal.describe().get(0)).contains("4 processors and 16 GB");
  }

  @Test
  public void theLoadMovesMemoryBetweenCacheAndMemstore() throws Exception {
    Machine machine = new Machine(16, 65536);
    assertHas("memory", "8g 40g 28800 6400 134217728", of(machine, null, Proposal.Load.READ));
    assertHas("memory", "8g 40g 18816 16384 134217728", of(machine, null, Proposal.Load.WRITE));
  }

  @Test
  public void littleDataTakesNoSsdAndMuchDataABiggerHeapForItsIndex() throws Exception {
    Machine machine = new Machine(16, 65536);
    Proposal little = of(machine, "20g", Proposal.Load.MIXED, NVME);
    assertThat(little.profile()).isEqualTo("memory");
    assertThat(little.variables()).containsEntry(Shares.CACHE, "22528");
    assertServersPlanAgrees(little);
    assertThat(little.remarks()).singleElement().asString().contains("fits into memory");
    Proposal much = of(machine, "3t", Proposal.Load.MIXED);
    assertThat(much.variables()).containsEntry(MemoryPlan.HEAP, "14415m");
    assertServersPlanAgrees(much);
    assertThat(much.remarks()).anyMatch(remark -> remark.matches(
      "The cache has room for \\d % of the data\\."));
    Proposal some = of(machine, "1t", Proposal.Load.MIXED, NVME);
    assertThat(some.properties()).containsEntry("hbase.bucketcache.l2.size", "1153433m");
    assertServersPlanAgrees(some);
    assertThat(of(machine, "60t", Proposal.Load.MIXED, NVME).remarks()).singleElement().asString()
      .contains("Index and bloom blocks of 61440 GB take about 112.6 GB, and have 22.2 GB");
  }

  @Test
  public void tooLittleMemoryIsSaid() throws Exception {
    assertServersPlanAgrees(of(2, NO_SSD));
    assertThatThrownBy(() -> of(1, NO_SSD)).isInstanceOf(JvmException.class)
      .hasMessageContaining("1 GB of memory is too little: a region server needs 2 GB");
    assertThatThrownBy(() -> of(4, NVME)).isInstanceOf(JvmException.class)
      .hasMessageContaining("for a second tier of 1620 GB: give fewer or smaller --ssd");
  }

  private int run(String... args) {
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    Map<String, String> environment = new HashMap<>();
    environment.put("HBASE_CONF_DIR", Jvms.CONF.toString());
    int code =
      ProposeTool.run(new PrintStream(outBytes), new PrintStream(errBytes), environment, args);
    out = outBytes.toString();
    err = errBytes.toString();
    return code;
  }

  @Test
  public void theFilesAreWhatWasSaidAndNoneIsWrittenOver() throws IOException {
    Path to = folder.getRoot().toPath().resolve("proposal");
    String[] args = { "--memory", "64g", "--cpus", "16", "--ssd", NVME, "--out", to.toString(),
      "--", "-Xmx1g" };
    assertThat(run(args)).as(err).isZero();
    assertThat(out).contains("16 processors and 64 GB, 1 SSD, reads and writes",
      "L2             1620 GB   segments: nine tenths of the SSD");
    assertThat(Files.readAllLines(to.resolve("hbase-env.sh")))
      .startsWith("export HBASE_HEAPSIZE=8g", "export HBASE_OFFHEAPSIZE=40495m")
      .allSatisfy(line -> assertThat(out).contains(line));
    assertThat(Files.readAllLines(to.resolve("hbase-site.xml"))).contains(
      "  <xi:include href=\"profiles/ssd.xml\"/>",
      "    <value>/mnt/ssd/hbase/block-cache</value>", "    <value>1620g</value>");
    assertThat(run(args)).isEqualTo(1);
    assertThat(err.split("\n")).singleElement().asString().contains("is there already");
  }

  /** The example of the commonest machine is what the tool says. */
  @Test
  public void theOperatorsGuideHasWhatIsSaid() throws IOException {
    run("--memory", "64g", "--cpus", "16", "--ssd", NVME);
    String guide = new String(
      Files.readAllBytes(Jvms.CONF.resolveSibling("docs/operators-guide.md")),
      StandardCharsets.UTF_8);
    for (String line : out.split("\n")) {
      assertThat(guide).contains(line.isEmpty() ? "\n" : "    " + line);
    }
  }

  @Test
  public void thisMachineIsLookedAtAndAnSsdThatIsThereAsked() throws IOException {
    assertThat(run()).as(err).isZero();
    assertThat(out).contains("For a region server with ", "No SSD was named");
    Ssd here = Ssd.parse(folder.getRoot().toString(), 1);
    assertThat(here.file()).isEqualTo(folder.getRoot() + "/block-cache");
    assertThat(here.megabytes()).isPositive();
  }

  @Test
  public void wrongUseIsOneLine() {
    for (List<String> args : Arrays.asList(Arrays.asList("--bogus", "1"),
      Arrays.asList("--cpus", "0"), Collections.singletonList("--memory"))) {
      assertThat(run(args.toArray(new String[0]))).isEqualTo(2);
      assertThat(err.split("\n")).singleElement().asString().contains("propose --help");
    }
    for (List<String> args : Arrays.asList(Arrays.asList("--memory", "much"),
      Arrays.asList("--ssd", "/nowhere"), Arrays.asList("--ssd", "big"))) {
      assertThat(run(args.toArray(new String[0]))).isEqualTo(1);
      assertThat(err.split("\n")).singleElement().asString().contains(args.get(0).substring(2));
    }
    assertThat(run("--help")).isZero();
    assertThat(out).startsWith("Usage: hbase jvm propose");
  }
}
