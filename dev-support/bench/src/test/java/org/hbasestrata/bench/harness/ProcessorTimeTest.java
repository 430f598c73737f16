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

import org.junit.Test;

public class ProcessorTimeTest {
  @Test
  public void waitingForADiskIsNotBusy() {
    ProcessorTime before = ProcessorTime.of("cpu  100 0 50 800 50 0 0 0 7 7\ncpu0 1 1 1 1\n");
    ProcessorTime after = ProcessorTime.of("cpu  120 10 60 830 80 0 0 0 9 9\ncpu0 1 1 1 1\n");
    assertThat(after.busySince(before)).isEqualTo(0.4);
    assertThat(after.busySince(after)).isZero();
  }

  @Test
  public void theMachineTells() throws Exception {
    assertThat(ProcessorTime.now().all()).isPositive();
  }
}
