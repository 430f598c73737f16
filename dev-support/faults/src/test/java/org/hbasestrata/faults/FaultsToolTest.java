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
package org.hbasestrata.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.tools.Checkout;
import org.junit.Test;

public class FaultsToolTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    return new FaultsTool().execute(new PrintStream(out), new PrintStream(err), args);
  }

  @Test
  public void listsEachFaultOnceAndTheReadmeHasIt() throws Exception {
    assertThat(run("list")).isZero();
    List<String> names = Faults.all().stream().map(Fault::name).toList();
    assertThat(names).doesNotHaveDuplicates();
    assertThat(out.toString(StandardCharsets.UTF_8).lines().map(line -> line.split(" ")[0]))
      .containsExactlyElementsOf(names);
    String readme = Files.readString(Path.of("README.md"));
    assertThat(names).allSatisfy(name -> assertThat(readme).contains('`' + name + '`'));
  }

  @Test
  public void someAreRunOnlyIfNamed() {
    for (String name : List.of("soak", "rolling-upgrade", "phoenix", "phoenix-on-stock",
      "phoenix-cells", "phoenix-cells-file", "phoenix-cells-guarded", "phoenix-cells-on-stock",
      "late-cells", "late-cells-on-stock", "secure", "hostile-handshakes", "slow-server",
      "replication")) {
      assertThat(Faults.named(List.of())).extracting(Fault::name).doesNotContain(name);
      assertThat(Faults.named(List.of(name))).extracting(Fault::name).containsExactly(name);
    }
  }

  @Test
  public void theObserverOfAbortsIsThere() {
    assertThat(EndFault.OBSERVER).isEqualTo(AbortObserver.class.getName());
  }

  @Test
  public void refusesWhatIsNotThere() {
    System.setProperty(Checkout.PROPERTY, ".");
    for (String[] wrong : new String[][] { { "run", "no-such" }, { "run", "--kills", "0" },
      { "run", "--minutes", "soon" }, { "run", "--minutes", "NaN" },
      { "run", "--out", "" }, { "run", "--out", "README.md" }, { "walk" } }) {
      err.reset();
      assertThat(run(wrong)).isEqualTo(2);
      assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("faults: ").hasLineCount(1);
    }
    err.reset();
    assertThat(run("run", "hang", "no-such", "none-such")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
      .contains("no fault 'no-such', 'none-such'; there are: bit-flips, ");
  }
}
