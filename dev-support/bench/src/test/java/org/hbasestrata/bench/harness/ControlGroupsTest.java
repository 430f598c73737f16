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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hbasestrata.bench.harness.ControlGroups.Member;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** On a root whose files are ordinary ones. */
public class ControlGroupsTest {
  private static final String GROUP = "hbase-strata-bench-77";

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;

  @Before
  public void makeRoot() throws IOException {
    root = folder.getRoot().toPath();
    Files.createDirectories(root.resolve("proc/self"));
  }

  @Test
  public void version1HasOneLimitOverBothWhenThePageCacheCounts() throws IOException {
    ControlGroups groups = version1("/", "/session/a");
    groups.limitMemory(5_000, true);
    assertThat(text("sys/fs/cgroup/memory/session/a/" + GROUP + "/memory.limit_in_bytes"))
      .isEqualTo("5000");
  }

  @Test
  public void version1LimitsTheRegionServerAloneWhenItDoesNot() throws IOException {
    ControlGroups groups = version1("/", "/session/a");
    groups.limitMemory(5_000, false);
    String group = "sys/fs/cgroup/memory/session/a/" + GROUP;
    assertThat(text(group + "/regionserver/memory.limit_in_bytes")).isEqualTo("5000");
    assertThat(root.resolve(group + "/memory.limit_in_bytes")).doesNotExist();
  }

  @Test
  public void version1JoinsOneGroupOfEachController() throws IOException {
    ControlGroups groups = version1("/", "/session/a");
    groups.join(Member.DATA_NODE, 123);
    assertThat(text("sys/fs/cgroup/memory/session/a/" + GROUP + "/datanode/cgroup.procs"))
      .isEqualTo("123");
    assertThat(text("sys/fs/cgroup/blkio/" + GROUP + "/cgroup.procs")).isEqualTo("123");
  }

  @Test
  public void version1CountsReadsAndWrites() throws IOException {
    ControlGroups groups = version1("/", "/session/a");
    groups.limitReads("8:0", 200);
    Path blkio = root.resolve("sys/fs/cgroup/blkio").resolve(GROUP);
    assertThat(blkio.resolve("blkio.throttle.read_iops_device")).hasContent("8:0 200");
    Files.writeString(blkio.resolve("blkio.throttle.io_serviced"),
      "8:0 Read 30\n8:0 Write 4\n8:0 Sync 34\n8:0 Total 34\nTotal 34\n");
    assertThat(groups.ios()).isEqualTo(34);
  }

  @Test
  public void inAContainerThePathIsWithinWhatIsMounted() throws IOException {
    version1("/docker/abc", "/docker/abc").limitMemory(1, true);
    assertThat(root.resolve("sys/fs/cgroup/memory/" + GROUP + "/memory.limit_in_bytes")).exists();
  }

  @Test
  public void version2IsBelowTheNearestThatPassesMemoryOn() throws IOException {
    ControlGroups groups = version2("/a.slice/b.scope");
    Path slice = root.resolve("sys/fs/cgroup/a.slice");
    groups.limitMemory(5_000, true);
    groups.limitReads("8:0", 200);
    assertThat(slice.resolve(GROUP + "/memory.max")).hasContent("5000");
    assertThat(slice.resolve(GROUP + "/io.max")).hasContent("8:0 riops=200");
    assertThat(groups.procs(Member.REGION_SERVER))
      .containsExactly(slice.resolve(GROUP + "/regionserver/cgroup.procs"));
    Files.writeString(slice.resolve(GROUP + "/io.stat"),
      "8:0 rbytes=4096 wbytes=0 rios=5 wios=2 dbytes=0 dios=0\n8:16 rios=1 wios=0\n");
    assertThat(groups.ios()).isEqualTo(8);
  }

  @Test
  public void version2CountsKills() throws IOException {
    ControlGroups groups = version2("/a.slice/b.scope");
    assertThat(groups.kills()).isZero();
    Files.writeString(root.resolve("sys/fs/cgroup/a.slice/" + GROUP + "/memory.events"),
      "low 0\nmax 9\noom 1\noom_kill 2\n");
    assertThat(groups.kills()).isEqualTo(2);
  }

  @Test
  public void withoutCgroupsItSaysSo() {
    ControlGroups groups = ControlGroups.create(root, 77);
    assertThat(groups.limitsMemory()).isFalse();
    assertThat(groups.limitsIo()).isFalse();
    assertThat(groups.problems()).isNotEmpty().allMatch(line -> !line.contains("\n"));
    assertThat(groups.procs(Member.REGION_SERVER)).isEmpty();
    groups.close();
  }

  @Test
  public void whatKilledBenchesLeftIsRemoved() throws IOException {
    Path memory = root.resolve("sys/fs/cgroup/memory/session/a");
    Path dead = Files.createDirectories(memory.resolve("hbase-strata-bench-5"));
    Path alive = Files.createDirectories(memory.resolve("hbase-strata-bench-6"));
    Files.createDirectory(dead.resolve("regionserver"));
    Files.createDirectories(root.resolve("proc/6"));
    version1("/", "/session/a");
    assertThat(dead).doesNotExist();
    assertThat(alive).exists();
  }

  @Test
  public void closingRemovesTheGroups() throws IOException {
    version1("/", "/session/a").close();
    assertThat(root.resolve("sys/fs/cgroup/memory/session/a").resolve(GROUP)).doesNotExist();
    assertThat(root.resolve("sys/fs/cgroup/blkio").resolve(GROUP)).doesNotExist();
  }

  private ControlGroups version1(String mountRoot, String path) throws IOException {
    String within = mountRoot.equals("/") ? path : "";
    Files.createDirectories(root.resolve("sys/fs/cgroup/memory" + within));
    Files.createDirectories(root.resolve("sys/fs/cgroup/blkio"));
    Files.writeString(root.resolve("proc/self/cgroup"),
      "7:blkio:/\n4:memory:" + path + "\n0::/\n");
    Files.writeString(root.resolve("proc/self/mountinfo"), """
      22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
      30 25 0:26 %s /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory
      31 25 0:27 / /sys/fs/cgroup/blkio rw,relatime shared:9 - cgroup cgroup rw,blkio
      32 25 0:28 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw
      """.formatted(mountRoot));
    return ControlGroups.create(root, 77);
  }

  /** The slice passes memory and io on to its children; its child, with our process, doesn't. */
  private ControlGroups version2(String path) throws IOException {
    Path own = Files.createDirectories(root.resolve("sys/fs/cgroup" + path));
    // A folder, so that it can't be written: the kernel refuses in a group that has processes.
    Files.createDirectory(own.resolve("cgroup.subtree_control"));
    Files.writeString(own.resolve("cgroup.controllers"), "io memory\n");
    Files.writeString(own.resolveSibling("cgroup.controllers"), "cpu io memory\n");
    Files.writeString(own.resolveSibling("cgroup.subtree_control"), "cpu io memory\n");
    Files.writeString(root.resolve("proc/self/cgroup"), "0::" + path + "\n");
    Files.writeString(root.resolve("proc/self/mountinfo"),
      "30 25 0:26 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw\n");
    return ControlGroups.create(root, 77);
  }

  private String text(String file) throws IOException {
    return Files.readString(root.resolve(file));
  }
}
