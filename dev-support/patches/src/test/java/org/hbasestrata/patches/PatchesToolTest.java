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
package org.hbasestrata.patches;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The command line. */
public class PatchesToolTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private SampleCheckout sample;

  @Before
  public void setUp() throws Exception {
    sample = new SampleCheckout(folder.newFolder("checkout").toPath());
  }

  private int run(String... arguments) {
    return new PatchesTool(sample.root()).execute(new PrintStream(out), new PrintStream(err),
      arguments);
  }

  @Test
  public void listsPatches() {
    assertThat(run("list")).isZero();
    assertThat(out.toString()).containsPattern("HBASE-1      pump {33}A pump for the tank\n")
      .containsPattern("HBASE-2      gauge +A gauge for the pump \\(requires HBASE-1\\)\n")
      .containsPattern("STRATA-1     badge +Never leaves \\(not for upstream\\)\n")
      .containsPattern("STRATA-2     lid +A lid for the tank \\(its JIRA is still to be f");
  }

  @Test
  public void exportsAndSaysWhere() {
    Path to = folder.getRoot().toPath().resolve("out");
    assertThat(run("export", "gauge", "--out", to.toString())).isZero();
    assertThat(out.toString().lines()).hasSize(2).allMatch(line -> line.startsWith(to.toString()));
    assertThat(run("export", "HBASE-2", "--out", to.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("which has patches already");
  }

  @Test
  public void writesWhatToFile() throws Exception {
    sample.write("patches/valve/patch.yaml", """
        number: STRATA-3
        title: A valve that closes
        why: |
          It didn't,
          at times.

          Now it does.
        requires: [HBASE-1]
        upstream: No JIRA.
        fixes:
          in: none
          defect: Water on the floor.
        """);
    Path to = folder.getRoot().toPath().resolve("out");
    assertThat(run("jira", "--out", to.toString())).isZero();
    assertThat(to.toFile().list()).containsExactlyInAnyOrder("STRATA-2-lid.txt",
      "STRATA-3-valve.txt");
    assertThat(Files.readString(to.resolve("STRATA-3-valve.txt"))).isEqualTo("""
        Before it is filed: No JIRA.

        Summary: A valve that closes
        Type: Bug
        Affects versions: 2.6.4

        Water on the floor.

        It didn't, at times.

        Now it does.

        h3. Builds on

        * HBASE-1 A pump for the tank
        """);
  }

  @Test
  public void writesNothingToFileForWhatHasAJiraOrNeverLeaves() {
    Path to = folder.getRoot().toPath().resolve("out");
    assertThat(run("jira", "HBASE-1", "--out", to.toString())).isEqualTo(2);
    assertThat(run("jira", "badge", "--out", to.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("HBASE-1 is a JIRA").contains("not meant for upstream");
  }

  @Test
  public void doesNotExportIntoTheRepository() {
    assertThat(run("export", "HBASE-1", "--out", sample.root() + "/docs")).isEqualTo(2);
    assertThat(err.toString()).contains("patches hold upstream's text");
    assertThat(run("export", "HBASE-1", "--out", sample.root() + "/target/out")).isZero();
  }

  @Test
  public void aCheckoutBelowATargetIsARepositoryToo() throws Exception {
    sample = new SampleCheckout(folder.newFolder("target").toPath().resolve("checkout"));
    assertThat(run("export", "HBASE-1", "--out", sample.root() + "/docs")).isEqualTo(2);
    assertThat(err.toString()).contains("patches hold upstream's text");
  }

  @Test
  public void doesNotExportWhatIsNotComplete() throws Exception {
    sample.base("Valve", "class Valve { }\n");
    Path to = folder.getRoot().toPath().resolve("out");
    assertThat(run("export", "HBASE-1", "--out", to.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("Valve.java is used by no patch");
    assertThat(to).doesNotExist();
  }

  @Test
  public void refusesWhatThereIsNotOrNeverLeaves() {
    assertThat(run("export", "HBASE-9", "--out", "x")).isEqualTo(2);
    assertThat(run("verify", "STRATA-1")).isEqualTo(2);
    assertThat(err.toString())
      .contains("no patch HBASE-9; there are HBASE-1 pump, HBASE-2 gauge, STRATA-1 badge,")
      .contains("STRATA-1 is not meant for upstream");
  }

  @Test
  public void verifiesAll() {
    assertThat(run("docs")).isZero();
    assertThat(run("verify")).isZero();
    assertThat(out.toString()).containsPattern("HBASE-1 +ok +5 +1 +0 ")
      .containsPattern("HBASE-2 +ok +6 +0 +0 .* HBASE-1\n").containsPattern("STRATA-2 +ok +2 ");
  }

  @Test
  public void whatPassedIsTriedAgainOnceItChanged() throws Exception {
    assertThat(run("docs")).isZero();
    assertThat(run("verify", "--skip-tests")).isZero();
    assertThat(sample.root().resolve(VerifiedPatches.PATH)).doesNotExist();
    // Those that haven't passed yet, too.
    assertThat(run("verify", "--changed")).isZero();
    assertThat(sample.read(VerifiedPatches.PATH)).containsPattern(
      "HBASE-1 +[0-9a-f]{16} +5 files, +1 tests passed, +0 skipped\n(?s:.*)STRATA-2 ");
    out.reset();
    assertThat(run("verify", "--changed")).isZero();
    assertThat(out.toString()).doesNotContain("ok");
    sample.ours("gauge", "Gauge", "class Gauge { static boolean read() { return !Pump.ON; } }\n");
    assertThat(run("verify", "--changed")).isZero();
    assertThat(out.toString()).containsPattern("HBASE-2 +ok").doesNotContain("HBASE-1 ")
      .doesNotContain("STRATA-2");
  }

  @Test
  public void whatFailedIsNotNoted() throws Exception {
    sample.test("pump", "TestPump", "public class TestPump {\n  @org.junit.Test\n"
      + "  public void fails() {\n    org.junit.Assert.fail();\n  }\n}\n");
    assertThat(run("docs")).isZero();
    assertThat(run("verify", "HBASE-1", "HBASE-2")).isEqualTo(1);
    assertThat(sample.read(VerifiedPatches.PATH)).contains("HBASE-2 ").doesNotContain("HBASE-1 ");
  }

  @Test
  public void aProblemIsAnExitCode() throws Exception {
    sample.base("Valve", "class Valve { }\n");
    assertThat(run("docs")).isZero();
    assertThat(run("verify")).isEqualTo(1);
    assertThat(out.toString()).contains("Valve.java is used by no patch");
  }
}
