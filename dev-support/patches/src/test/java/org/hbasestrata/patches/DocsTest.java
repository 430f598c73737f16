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

import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The pages that come from manifests. */
public class DocsTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();
  private SampleCheckout sample;

  @Before
  public void setUp() throws Exception {
    sample = new SampleCheckout(folder.newFolder("checkout").toPath());
  }

  @Test
  public void keysAreInATable() throws Exception {
    Docs.write(sample.read());
    assertThat(sample.read("docs/configuration.md"))
      .contains("## HBASE-1: A pump for the tank\n")
      .contains("| `hbase.pump.speed` | 7 |  | Litres & more in a `second`. *Live.* |\n")
      .contains("| `hbase.pump.side` | the left one |  | Which one. |\n")
      .doesNotContain("HBASE-2");
  }

  @Test
  public void whatConfShipsIsBesideAKey() throws Exception {
    String site = "<configuration xmlns:xi='http://www.w3.org/2001/XInclude'>%s</configuration>";
    String property = "<property><name>hbase.pump.%s</name><value>%s</value></property>";
    sample.write("conf/hbase-site.xml", site.formatted("<xi:include href='profiles/slow.xml'/>"));
    sample.write("conf/profiles/slow.xml", site.formatted(property.formatted("speed", "5")));
    sample.write("conf/profiles/fast.xml", site.formatted("<xi:include href='profiles/slow.xml'/>"
      + property.formatted("speed", "9") + property.formatted("side", "${side}")));
    assertThat(Docs.pages(sample.read()).get("docs/configuration.md"))
      .contains("| `hbase.pump.speed` | 7 | 5, 9 in profile `fast` | Litres",
        "| `hbase.pump.side` | the left one | `${side}` in profile `fast` | Which one. |\n");
  }

  @Test
  public void aValueMayBeShiftedAndATextMustBeLiteral() throws Exception {
    sample.ours("lid", "LidSettings", "class LidSettings { static final Setting<Long> SIZE ="
      + " Setting.ofBytes(\"hbase.lid.size\", 3L << 20, \"Bytes.\"); }\n");
    assertThat(Docs.pages(sample.read()).get("docs/configuration.md"))
      .contains("| `hbase.lid.size` | 3 MB |  | Bytes. |\n");
    sample.ours("lid", "LidSettings", "class LidSettings { static final Setting<Integer> SIZE ="
      + " Setting.ofInt(\"hbase.lid.size\", 3, TEXT); }\n");
    assertThatThrownBy(() -> Docs.pages(sample.read())).hasMessageContaining("LidSettings.java: a"
      + " key's name and texts must be literals");
  }

  @Test
  public void patchesAreInATable() throws Exception {
    Docs.write(sample.read());
    assertThat(sample.read("docs/patches.md"))
      .contains("| [HBASE-2](https://issues.apache.org/jira/browse/HBASE-2) |"
        + " [gauge](../patches/gauge) | A gauge for the pump | HBASE-1 | 1, 0, 1 |\n")
      .contains("| STRATA-2 | [lid](../patches/lid) | A lid for the tank |");
  }

  @Test
  public void patchesThatStayAreNamed() throws Exception {
    assertThat(patchesPage()).contains(" All but STRATA-1 can go upstream,");
    sample.patch("handle STRATA-10 A handle", "");
    sample.patch("spout STRATA-9 A spout", "");
    assertThat(patchesPage()).contains(" All but STRATA-1, 9 and 10 can go upstream,",
      "No patch has the number STRATA-3, 4, 5, 6, 7 or 8.");
  }

  @Test
  public void defectsAreInTablesByTheReleaseThatIsWithoutThem() throws Exception {
    sample.patch("valve HBASE-10 The valve closes",
      "fixes: {in: 2.6.6, defect: 'Drips | leaks.'}\n");
    sample.patch("hose HBASE-9 The hose fits", "fixes: {in: 2.6.5, defect: Slips off.}\n");
    sample.patch("drain HBASE-8 The drain drains", "fixes: {in: none, defect: Stands.}\n");
    assertThat(Docs.pages(sample.read()).get("docs/fixes.md")).containsSubsequence(
      "## Fixed in Apache 2.6.5\n", "| Slips off. | The hose fits |",
      "## Fixed in Apache 2.6.6\n", "| Drips \\| leaks. | The valve closes |"
        + " [HBASE-10](https://issues.apache.org/jira/browse/HBASE-10)"
        + " [valve](../patches/valve) |  |\n",
      "## In no release of Apache, as far as is known\n", "| Stands. | The drain drains |")
      .doesNotContain("gauge");
  }

  private String patchesPage() throws Exception {
    return Docs.pages(sample.read()).get("docs/patches.md").replace('\n', ' ');
  }

  @Test
  public void aPageThatIsBehindIsNamed() throws Exception {
    assertThat(Docs.problems(sample.read())).hasSize(3);
    Docs.write(sample.read());
    assertThat(Docs.problems(sample.read())).isEmpty();
    sample.write("docs/patches.md", "old");
    assertThat(Docs.problems(sample.read())).singleElement().asString()
      .startsWith("docs/patches.md isn't what the patches say");
  }
}
