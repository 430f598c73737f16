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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.patches.Verifier.Result;
import org.hbasestrata.patches.Verifier.Without;
import org.hbasestrata.tools.Folders;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Patches of a small repository, exported and tried on a small upstream. */
public class VerifierTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  private SampleCheckout sample;

  @Before
  public void setUp() throws Exception {
    sample = new SampleCheckout(folder.newFolder("checkout").toPath());
  }

  private Result verify(String id) throws Exception {
    PatchSet checkout = sample.read();
    return verifier(checkout).verify(checkout.manifest(id), true);
  }

  private Verifier verifier(PatchSet checkout) throws Exception {
    return new Verifier(checkout, sample.upstream(), List.of(), work());
  }

  private Path work() {
    return folder.getRoot().toPath().resolve("work");
  }

  private List<Path> export(String id) throws Exception {
    PatchSet checkout = sample.read();
    return new Exporter(checkout, sample.upstream(), Author.of(sample.root()), work())
      .export(checkout.series(List.of(id)), folder.getRoot().toPath().resolve("out"));
  }

  @Test
  public void aPatchIsACommitOfItsAuthorInUpstreamsLayout() throws Exception {
    List<Path> files = export("HBASE-1");
    assertThat(files).singleElement().satisfies(f -> assertThat(f.getFileName()).asString()
      .isEqualTo("0001-HBASE-1-A-pump-for-the-tank.patch"));
    assertThat(Files.readString(files.get(0)))
      .contains("From: A Developer <developer@example.org>")
      .contains("Subject: [PATCH] HBASE-1 A pump for the tank\n\nIt is wanted.")
      .contains("+++ b/hbase-server/src/main/java/" + SampleCheckout.TANK)
      .contains("   public int level() {\n+    if (Pump.ON) { return 3; }\n     return 1;\n")
      .contains("+++ b/hbase-server/" + SampleCheckout.PACKAGE + "Pump.java")
      .contains("+++ b/hbase-server/" + SampleCheckout.TESTS + "TestPump.java");
  }

  @Test
  public void whatHasNoJiraYetSaysSo() throws Exception {
    assertThat(Files.readString(export("STRATA-2").get(0)))
      .contains("Subject: [PATCH] HBASE-XXXXX A lid for the tank\n").doesNotContain("STRATA");
  }

  @Test
  public void anExportThatFailedLeavesNothing() throws Exception {
    PatchSet checkout = sample.read();
    Exporter exporter = new Exporter(checkout, sample.upstream(), Author.NOBODY, work());
    Path stray = exporter.tree().folder().resolve(".gitignore");
    Files.writeString(stray, "*");
    Files.writeString(exporter.tree().folder().resolve(DefaultsFile.PATH), "changed");
    Path out = folder.getRoot().toPath().resolve("out");
    assertThat(Files.readString(
      exporter.export(checkout.series(List.of("STRATA-2")), out).get(0)))
      .contains("Lid.java").doesNotContain("hbase-default.xml");
    assertThat(stray).doesNotExist();
  }

  @Test
  public void whatDoesNotApplyIsToldByGit() throws Exception {
    PatchSet checkout = sample.read();
    Exporter exporter = new Exporter(checkout, sample.upstream(), Author.NOBODY, work());
    List<Path> patches = exporter.export(checkout.series(List.of("HBASE-2")),
      folder.getRoot().toPath().resolve("out"));
    assertThatThrownBy(
      () -> exporter.tree().apply(exporter.base(), List.of(patches.get(0), patches.get(0))))
      .hasMessageContaining("git am").hasMessageContaining("already exists");
    Path none = folder.getRoot().toPath().resolve("none.patch");
    assertThatThrownBy(() -> exporter.tree().apply(exporter.base(), List.of(none)))
      .hasMessageContaining("git am").hasMessageContaining("none.patch");
    exporter.tree().apply(exporter.base(), patches);
  }

  @Test
  public void aKeyIsBehindTheOneMostLikeIt() throws Exception {
    assertThat(Files.readString(export("HBASE-1").get(0)))
      .contains("     <name>hbase.pump.power</name>\n   </property>\n+  <property>\n"
        + "+    <name>hbase.pump.speed</name>\n")
      .contains("+  </property>\n   <property>\n     <name>hbase.defaults.for.version</name>\n");
  }

  @Test
  public void keysAreInTheDefaultsAndStayUnsetWithoutAValue() throws Exception {
    assertThat(Files.readString(export("HBASE-1").get(0)))
      .contains("+    <name>hbase.pump.speed</name>\n+    <value>7</value>\n"
        + "+    <description>\n"
        + "+      Litres &amp; more in a second. Can be changed while the server runs.\n")
      .contains("+    <name>hbase.pump.side</name>\n+    <description>\n"
        + "+      Which one. If it isn't set: the left one.\n");
  }

  @Test
  public void aPatchComesBehindWhatItRequires() throws Exception {
    List<Path> files = export("HBASE-2");
    assertThat(files).extracting(f -> f.getFileName().toString()).containsExactly(
      "0001-HBASE-1-A-pump-for-the-tank.patch", "0002-HBASE-2-A-gauge-for-the-pump.patch");
    assertThat(Files.readString(files.get(1))).contains("+    Gauge.read();")
      .doesNotContain("+    if (Pump.ON)").doesNotContain("Pump.java");
  }

  @Test
  public void aClassOfTheBaseGoesWithThePatch() throws Exception {
    assertThat(Files.readString(export("STRATA-2").get(0)))
      .contains("b/hbase-server/" + SampleCheckout.PACKAGE + "Hose.java")
      .contains("b/hbase-server/" + SampleCheckout.TESTS + "Lid.java");
  }

  @Test
  public void whatIsGeneratedFromTemplatesIsLeftOut() throws Exception {
    sample.patch(SampleCheckout.PUMP, """
        seams:
          hbase-server:
            - class: org.apache.hadoop.hbase.tmpl.PageImpl
              at: start
              why: The page shows it.
              insert: x
        """);
    assertThat(Files.readString(export("HBASE-1").get(0))).doesNotContain("tmpl");
    assertThat(Exporter.leftOut(sample.read(), sample.read().manifest("HBASE-1")))
      .containsExactly("org/apache/hadoop/hbase/tmpl/Page.jamon: The page shows it.");
  }

  @Test
  public void aPatchThatIsWellIsCompiledAndTested() throws Exception {
    Result result = verify("HBASE-1");
    assertThat(result.problems()).isEmpty();
    assertThat(result.tests()).isEqualTo(1);
    assertThat(result.files()).isEqualTo(5);
    Folders.delete(work());
    assertThat(verify("HBASE-2").problems()).isEmpty();
  }

  @Test
  public void aPatchThatDoesNotCompileAloneIsNamed() throws Exception {
    sample.patch(SampleCheckout.GAUGE, "");
    assertThat(verify("HBASE-2").problems()).isNotEmpty()
      .allSatisfy(p -> assertThat(p).contains("Gauge.java:3: error: cannot find symbol"));
  }

  @Test
  public void aTestThatFailsIsNamed() throws Exception {
    sample.patch(SampleCheckout.PUMP, SampleCheckout.seam("level", "if (Pump.ON) { return 4; }"));
    Result result = verify("HBASE-1");
    assertThat(result.problems()).singleElement().asString()
      .matches("org.apache.hadoop.hbase.TestPump fails, "
        + "[a-z]+\\(org.apache.hadoop.hbase.TestPump\\):[0-9]+: "
        + "java.lang.AssertionError: expected:<3> but was:<4>; what it printed is in .*");
  }

  /** Tries a pump that changes the level, and adds a member, against a test of the level. */
  private Without withoutPump(String insert, String expected) throws Exception {
    sample.patch(SampleCheckout.PUMP, SampleCheckout.seam("level", insert).replace("]}\n",
      ", {class: org.apache.hadoop.hbase.Tank, at: end, why: A reason.,"
        + " insert: \"static int most = 3;\"}]}\n"));
    sample.test("pump", "TestPump", "public class TestPump {\n  @org.junit.Test\n"
      + "  public void pumps() {\n    org.junit.Assert.assertEquals(" + expected
      + ", new Tank().level());\n  }\n}\n");
    PatchSet checkout = sample.read();
    return verifier(checkout).tryWithout(checkout.manifest("HBASE-1"));
  }

  @Test
  public void withoutItsSeamsButItsMembersAPatchFailsItsTest() throws Exception {
    Without result = withoutPump("if (Pump.ON) { return 3; }", "Tank.most");
    assertThat(result.problems()).isEmpty();
    assertThat(result.failing()).containsExactly("TestPump");
    assertThat(result.passing()).isEmpty();
  }

  @Test
  public void aPatchOfMembersFailsItsTestByTheCompiler() throws Exception {
    sample.patch(SampleCheckout.PUMP, "seams: {hbase-server: [{class:"
      + " org.apache.hadoop.hbase.Tank, at: end, why: A reason.,"
      + " insert: \"static int most = 3;\"}]}\n");
    sample.test("pump", "TestPump", "public class TestPump {\n  @org.junit.Test\n"
      + "  public void pumps() {\n    org.junit.Assert.assertEquals(3, Tank.most);\n  }\n}\n");
    PatchSet checkout = sample.read();
    assertThat(verifier(checkout).tryWithout(checkout.manifest("HBASE-1")).failing())
      .containsExactly("TestPump");
  }

  @Test
  public void aTestThatPassesWithoutThePatchIsNamed() throws Exception {
    Without result = withoutPump("if (Pump.ON) { return 1; }", "1");
    assertThat(result.passing()).containsExactly("TestPump");
    assertThat(result.problems()).containsExactly("no test of pump fails without its seams");
  }

  @Test
  public void aTestClassThatRunsNoTestFails() throws Exception {
    sample.test("pump", "TestPump", "public class TestPump {\n  @org.junit.Ignore\n"
      + "  @org.junit.Test\n  public void pumps() {\n  }\n}\n");
    assertThat(verify("HBASE-1").problems()).singleElement().asString()
      .contains("TestPump ran no test, 1 were skipped");
  }

  @Test
  public void aLargeTestClassMayRunOnDemandAlone() throws Exception {
    sample.test("pump", "LargeTests", "interface LargeTests { }\n");
    sample.test("pump", "TestPump",
      "@org.junit.experimental.categories.Category(LargeTests.class)\n"
      + "public class TestPump {\n  @org.junit.Ignore\n  @org.junit.Test\n"
      + "  public void pumps() {\n  }\n}\n");
    Result result = verify("HBASE-1");
    assertThat(result.problems()).isEmpty();
    assertThat(result.skipped()).isEqualTo(1);
  }

  @Test
  public void theDefaultsAreOfUpstreamsVersionWhereTestsRun() throws Exception {
    sample.test("pump", "TestPump", """
        import java.util.Scanner;
        import org.junit.Assert;
        import org.junit.Test;

        public class TestPump {
          @Test
          public void defaultsAreBuilt() {
            String text = new Scanner(TestPump.class.getResourceAsStream("/hbase-default.xml"))
              .useDelimiter("\\\\z").next();
            Assert.assertTrue(text.contains("<value>%s</value>"));
            Assert.assertTrue(text.contains("hbase.pump.speed"));
          }
        }
        """.formatted(sample.upstream().version()));
    assertThat(verify("HBASE-1").problems()).isEmpty();
  }

  @Test
  public void skippedTestsAreCountedApart() throws Exception {
    sample.test("pump", "TestPump", """
        import org.junit.Assume;
        import org.junit.Ignore;
        import org.junit.Test;

        public class TestPump {
          @Test
          public void pumps() {
          }

          @Test
          public void pumpsUphill() {
            Assume.assumeTrue("no hill here", false);
          }

          @Ignore
          @Test
          public void pumpsAir() {
          }
        }
        """);
    Result result = verify("HBASE-1");
    assertThat(result.problems()).isEmpty();
    assertThat(result.tests()).isEqualTo(1);
    assertThat(result.skipped()).isEqualTo(2);
  }
}
