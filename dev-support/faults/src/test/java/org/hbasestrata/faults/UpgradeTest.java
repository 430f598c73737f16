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

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.hbasestrata.faults.UpgradeClient.Seen;
import org.junit.Test;

public class UpgradeTest {
  private static UpgradePhase phase(boolean baseline, int restarts, long stock, long strata) {
    return new UpgradePhase("one", baseline, restarts, new Seen(1000, stock, 0, 0, 2345),
      new Seen(2000, strata, 0, 1, 0));
  }

  @Test
  public void noMoreMayFailThanInPlainRestarts() {
    UpgradePhase.Failed plain = UpgradePhase.plain(
      List.of(phase(true, 3, 2, 9), phase(false, 3, 100, 100), phase(true, 3, 4, 9)));
    assertThat(plain).isEqualTo(new UpgradePhase.Failed(6, 6));
    assertThat(phase(false, 3, 3, 3).beyond(plain)).isZero();
    assertThat(phase(false, 3, 4, 3).beyond(plain)).isEqualTo(1);
    assertThat(phase(false, 3, 3, 5).beyond(plain)).isEqualTo(2);
    assertThat(phase(false, 0, 1, 0).beyond(plain)).isEqualTo(1);
    assertThat(phase(true, 3, 50, 3).beyond(plain)).isZero();
    assertThat(phase(true, 3, 0, 4).beyond(plain)).isEqualTo(1);
  }

  @Test
  public void nothingMayFailIfNothingDidBefore() {
    UpgradePhase.Failed plain = UpgradePhase.plain(List.of(phase(true, 3, 0, 0)));
    assertThat(phase(false, 3, 0, 0).beyond(plain)).isZero();
    assertThat(phase(false, 3, 1, 1).beyond(plain)).isEqualTo(2);
  }

  @Test
  public void aPhaseHasACellForEachColumn() {
    assertThat(phase(false, 3, 1, 2).cells()).hasSameSizeAs(UpgradePhase.COLUMNS)
      .containsExactly("one", "3", "1000", "2000", "1", "2", "0", "1", "2.3", "0.0");
  }

  @Test
  public void aServerOnMixedJarsOrOnOthersThanItSaysIsSeen() {
    String stock = "/conf:/h/lib/hbase-client-2.6.4-hadoop3.jar:/h/lib/hbase-server-2.6.4-hadoop3"
      + ".jar:/h/lib/hbase-server-2.6.4-hadoop3-tests.jar:/h/lib/hbase-jvm-2.6.4-strata.1.jar";
    assertThat(UpgradeServer.reported(stock + ":/h/lib/hbase-common-2.6.4-hadoop3.jar", ""))
      .isEqualTo("jars 2.6.4-hadoop3, patch level none");
    assertThat(UpgradeServer.reported(stock + ":/h/lib/hbase-common-2.6.4-strata.1.jar", "x"))
      .isEqualTo("jars 2.6.4-hadoop3 and 2.6.4-strata.1, patch level x");
    assertThat(UpgradeServer.reported("", "")).isEqualTo("jars , patch level none");
  }

  @Test
  public void countsOfAPhaseAreThoseOfItsTime() throws Exception {
    List<String> lines = List.of("1000 5 1 0 0 70", "2000 6 0 2 0 900", "3000 7 0 0 3 80",
      "4000 8 9 9 9 9999");
    assertThat(Seen.ofSeconds(lines, 1000, 3000)).isEqualTo(new Seen(13, 0, 2, 3, 900));
    assertThat(Seen.ofYcsb(new JsonMapper().readTree("""
      {"verified": {"rows": 9, "wrong": 1, "missing": 2}, "phases": [{"operations": 7, "failed": 3,
      "series": {"READ": {"max_us": 5000}, "READ-INTENDED": {"max_us": 90000},
      "UPDATE-FAILED": {"max_us": 8000}}}]}"""))).isEqualTo(new Seen(7, 3, 1, 2, 8));
  }
}
