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

import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What manifests, seams and classes must agree on. */
public class CompletenessTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  private SampleCheckout sample;

  @Before
  public void setUp() throws Exception {
    sample = new SampleCheckout(folder.newFolder("checkout").toPath());
  }

  private List<String> problems() throws Exception {
    return Completeness.problems(sample.read());
  }

  @Test
  public void theSampleHasNone() throws Exception {
    assertThat(problems()).isEmpty();
  }

  @Test
  public void aClassOfNoPatch() throws Exception {
    sample.ours("Valve", "class Valve { }\n");
    assertThat(problems()).containsExactly(
      "org.apache.hadoop.hbase.Valve belongs to no patch: list it in one's manifest");
  }

  @Test
  public void aClassOfTwoPatches() throws Exception {
    sample.manifest("HBASE-2", "A gauge for the pump",
      "requires: [HBASE-1]\nclasses: [Gauge, Pump]\n");
    assertThat(problems()).containsExactly("org.apache.hadoop.hbase.Pump belongs to HBASE-1 and to"
      + " HBASE-2: list it in one, and let the other share it");
  }

  @Test
  public void aClassThatThereIsNot() throws Exception {
    sample.manifest("HBASE-2", "A gauge for the pump",
      "requires: [HBASE-1]\nclasses: [Gauge, Lever]\nshares: [Cork]\n");
    assertThat(problems()).containsExactlyInAnyOrder(
      "HBASE-2 lists org.apache.hadoop.hbase.Lever, which there isn't",
      "HBASE-2 shares org.apache.hadoop.hbase.Cork, which there isn't");
  }

  @Test
  public void aClassAmongTheTests() throws Exception {
    sample.manifest("HBASE-2", "A gauge for the pump", "requires: [HBASE-1]\ntests: [Gauge]\n");
    assertThat(problems()).singleElement().asString()
      .contains("lists org.apache.hadoop.hbase.Gauge among its tests, but it is in hbase-server/");
  }

  @Test
  public void aPatchThatNeedsAClassWithoutSayingSo() throws Exception {
    sample.manifest("HBASE-2", "A gauge for the pump", "classes: [Gauge]\n");
    assertThat(problems()).containsExactly("HBASE-2: hbase-server/" + SampleCheckout.PACKAGE
      + "Gauge.java names Pump of HBASE-1: require that patch, or share the class");
    sample.manifest("HBASE-2", "A gauge for the pump",
      "classes: [Gauge]\nshares: [Pump, PumpSettings]\n");
    assertThat(problems()).isEmpty();
  }

  @Test
  public void aSeamThatNeedsAClassWithoutSayingSo() throws Exception {
    sample.seam("HBASE-1", "A pump for the tank", "level", "Gauge.read();");
    assertThat(problems()).containsExactly("HBASE-1: seam HBASE-1.yaml #1 of hbase-server names"
      + " Gauge of HBASE-2: require that patch, or share the class");
  }

  @Test
  public void ourNameInWhatGoesUpstream() throws Exception {
    sample.ours("Gauge", "/** Of Strata. */\nclass Gauge { static boolean read() { return true; }"
      + " }\n");
    assertThat(problems()).singleElement().asString()
      .contains("HBASE-2: ").contains("Gauge.java says Strata");
  }

  @Test
  public void wordsThatMeanNothingUpstream() throws Exception {
    for (String word : List.of("MY_STRATA_TANK", "upstream's tank", "isUpstreamsTank", "Ours",
      "stock")) {
      sample.ours("Gauge", "/** Of " + word + ". */\n"
        + "class Gauge { static boolean read() { return true; } }\n");
      assertThat(problems()).as(word).singleElement().asString().contains("Gauge.java says ");
    }
    sample.ours("Gauge", "/** Of yours, stocked. */\n"
      + "class Gauge { static boolean read() { return true; } }\n");
    assertThat(problems()).isEmpty();
  }

  @Test
  public void whatGoesIntoTheDefaultsIsRead() throws Exception {
    sample.manifest("STRATA-2", "A lid for the tank", "upstream: No JIRA.\ntests: [Lid]\n"
      + "keys: [{name: hbase.lid, unset: as upstream has it, text: A lid.}]\n");
    assertThat(problems()).containsExactly(
      "STRATA-2: key hbase.lid says upstream, which means nothing upstream");
  }

  @Test
  public void aKeyOfAPatchThatIsNotRequired() throws Exception {
    sample.test("Lid", "class Lid { String key = \"hbase.pump.side\"; }\n");
    assertThat(problems()).containsExactly("STRATA-2: hbase-server/" + SampleCheckout.TESTS
      + "Lid.java has the key hbase.pump.side of HBASE-1: require that patch, or do without it");
    sample.manifest("STRATA-2", "A lid for the tank",
      "requires: [HBASE-1]\nupstream: No JIRA.\ntests: [Lid]\n");
    assertThat(problems()).isEmpty();
  }

  @Test
  public void aPatchThatRequiresWhatNeverLeaves() throws Exception {
    sample.manifest("HBASE-2", "A gauge for the pump",
      "requires: [HBASE-1, STRATA-1]\nclasses: [Gauge]\n");
    assertThat(problems())
      .contains("HBASE-2 requires STRATA-1, which never goes upstream");
  }

  @Test
  public void seamsWithoutAManifestOrWithAnotherTitle() throws Exception {
    sample.seam("HBASE-3", "A new one", "level", ";");
    sample.seam("HBASE-1", "Another title", "level", ";");
    assertThat(problems()).containsExactlyInAnyOrder(
      "hbase-server has seams of HBASE-3, which has no manifest",
      "HBASE-1 has another title in its manifest than in hbase-server's seam file,"
        + " 'Another title'");
  }

  @Test
  public void patchesThatRequireEachOther() throws Exception {
    sample.manifest("HBASE-1", "A pump for the tank",
      "requires: [HBASE-2]\nclasses: [Pump, PumpSettings]\ntests: [TestPump]\n");
    assertThatThrownBy(this::problems)
      .hasMessage("patches require each other: HBASE-1 > HBASE-2 > HBASE-1");
  }
}
