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
  public void aClassOfTheBaseThatFewUse() throws Exception {
    sample.base("Valve", "class Valve { }\n");
    sample.base("Cork", "class Cork { }\n");
    sample.test("lid", "Lid", "class Lid { Cork cork; Hose hose; }\n");
    assertThat(problems()).containsExactly(
      "hbase-server/" + SampleCheckout.PACKAGE
        + "Cork.java is used by lid alone: move it to that patch's folder",
      "hbase-server/" + SampleCheckout.PACKAGE
        + "Valve.java is used by no patch: move it to one's folder, or remove it");
  }

  @Test
  public void aClassOfTheBaseThatNeedsAPatch() throws Exception {
    sample.base("Hose", "class Hose { Gauge gauge; }\n");
    assertThat(problems()).contains("hbase-server/" + SampleCheckout.PACKAGE + "Hose.java names"
      + " Gauge of gauge: let that patch have it, or move what it names here");
  }

  @Test
  public void whatTheBaseUsesGoesWithAPatch() throws Exception {
    sample.base("Hose", "class Hose { Cork cork; }\n");
    sample.base("Cork", "class Cork { }\n");
    PatchSet checkout = sample.read();
    assertThat(Completeness.problems(checkout)).isEmpty();
    assertThat(checkout.files(checkout.manifest("STRATA-2"))).extracting(OwnClass::simpleName)
      .containsExactly("Lid", "Hose", "Cork");
  }

  @Test
  public void aClassOfTwoPatches() throws Exception {
    sample.ours("gauge", "Pump", "class Pump { }\n");
    assertThatThrownBy(this::problems).hasMessage("patches/gauge/hbase-server/"
      + SampleCheckout.PACKAGE + "Pump.java and patches/pump/hbase-server/"
      + SampleCheckout.PACKAGE + "Pump.java are the same class");
  }

  @Test
  public void aPatchThatNeedsAClassWithoutSayingSo() throws Exception {
    sample.patch(SampleCheckout.GAUGE, "");
    assertThat(problems()).containsExactly("gauge: patches/gauge/hbase-server/"
      + SampleCheckout.PACKAGE
      + "Gauge.java names Pump of pump: require that patch, or move the class to the base");
  }

  @Test
  public void aSeamThatNeedsAClassWithoutSayingSo() throws Exception {
    sample.patch(SampleCheckout.LID,
      "upstream: No JIRA.\n" + SampleCheckout.seam("level", "Gauge.read();"));
    assertThat(problems()).containsExactly("lid: seam lid/patch.yaml #1 of hbase-server names"
      + " Gauge of gauge: require that patch, or move the class to the base");
  }

  @Test
  public void ourNameInWhatGoesUpstream() throws Exception {
    sample.ours("gauge", "Gauge",
      "/** Of Strata. */\nclass Gauge { static boolean read() { return true; }"
      + " Hose hose; }\n");
    assertThat(problems()).singleElement().asString()
      .contains("gauge: ").contains("Gauge.java says Strata");
  }

  @Test
  public void wordsThatMeanNothingUpstream() throws Exception {
    for (String word : List.of("MY_STRATA_TANK", "upstream's tank", "isUpstreamsTank", "Ours",
      "stock")) {
      sample.ours("gauge", "Gauge", "/** Of " + word + ". */\n"
        + "class Gauge { static boolean read() { return true; } Hose h; }\n");
      assertThat(problems()).as(word).singleElement().asString().contains("Gauge.java says ");
    }
    sample.ours("gauge", "Gauge", "/** Of yours, stocked. */\n"
      + "class Gauge { static boolean read() { return true; } Hose h; }\n");
    assertThat(problems()).isEmpty();
  }

  @Test
  public void aKeyOfAPatchThatIsNotRequired() throws Exception {
    sample.test("lid", "Lid", "class Lid { String key = \"hbase.pump.side\"; }\n");
    assertThat(problems()).containsExactly("lid: patches/lid/hbase-server/" + SampleCheckout.TESTS
      + "Lid.java has the key hbase.pump.side of pump: require that patch, or do without it");
    sample.patch(SampleCheckout.LID, "requires: [HBASE-1]\nupstream: No JIRA.\n");
    assertThat(problems()).isEmpty();
  }

  @Test
  public void aPatchThatRequiresWhatNeverLeaves() throws Exception {
    sample.patch(SampleCheckout.GAUGE, "requires: [HBASE-1, STRATA-1]\n");
    assertThat(problems()).contains("gauge requires badge, which never goes upstream");
  }

  @Test
  public void seamsOfAModuleThatIsNotPatched() throws Exception {
    sample.patch(SampleCheckout.LID, "upstream: No JIRA.\nseams: {hbase-shell: []}\n");
    assertThatThrownBy(this::problems)
      .hasMessageStartingWith("lid/patch.yaml, seams: unknown key 'hbase-shell'");
  }

  @Test
  public void patchesThatRequireEachOther() throws Exception {
    sample.patch(SampleCheckout.PUMP, "requires: [HBASE-2]\n");
    assertThatThrownBy(this::problems)
      .hasMessage("patches require each other: HBASE-1 > HBASE-2 > HBASE-1");
  }
}
