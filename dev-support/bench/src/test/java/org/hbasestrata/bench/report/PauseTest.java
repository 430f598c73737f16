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
package org.hbasestrata.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.hbasestrata.bench.report.Pause.Kind;
import org.junit.Test;

public class PauseTest {
  @Test
  public void kindsAreToldByTheNamesOfLogsAndRecordings() {
    for (String type : new String[] { "Young", "Mixed", "ParNew", "PSYoungGen", "DefNew", "G1New",
      "ParallelScavenge", "G1GC Young Initial mark" }) {
      assertThat(pause(type).kind()).as(type).isEqualTo(Kind.YOUNG);
    }
    for (String type : new String[] { "FUll GC", "PSFull", "Concurrent mode failure", "G1Full",
      "ParallelOld", "SerialOld" }) {
      assertThat(pause(type).kind()).as(type).isEqualTo(Kind.FULL);
    }
    for (String type : new String[] { "Remark", "G1GC Remark", "Initial mark", "Mark Start",
      "minor Mark End", "major, young Relocate Start", "Pause Init Mark", "Final Mark",
      "G1GC Cleanup" }) {
      assertThat(pause(type).kind()).as(type).isEqualTo(Kind.CONCURRENT);
    }
  }

  @Test
  public void remarksAreThoseThatEndAMarking() {
    assertThat(pause("G1GC Remark").isRemark()).isTrue();
    assertThat(pause("Mark End").isRemark()).isTrue();
    assertThat(pause("Initial mark").isRemark()).isFalse();
    assertThat(pause("Young").isRemark()).isFalse();
  }

  private static Pause pause(String type) {
    return new Pause(Instant.EPOCH, 1, type, null);
  }
}
