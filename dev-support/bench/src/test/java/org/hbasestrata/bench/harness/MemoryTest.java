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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hbasestrata.tools.ToolException;
import org.junit.Test;

public class MemoryTest {
  @Test
  public void aQuarterIsHeapAndAHalfIsOffHeap() {
    assertThat(Memory.parse("6g").environment()).containsEntry("HBASE_HEAPSIZE", "1536m")
      .containsEntry("HBASE_OFFHEAPSIZE", "3072m");
  }

  @Test
  public void ofWhatAnotherHeapLeavesTwoThirdsAreOffHeap() {
    Memory memory = Memory.parse("6g");
    assertThat(memory.withHeap("3g").environment()).containsEntry("HBASE_HEAPSIZE", "3072m")
      .containsEntry("HBASE_OFFHEAPSIZE", "2048m");
    assertThat(memory.withHeap(null)).isEqualTo(memory);
    for (String heap : new String[] { "127m", "5g", "x", "0g" }) {
      assertThatThrownBy(() -> memory.withHeap(heap)).isInstanceOf(ToolException.class)
        .hasMessageContaining("--heap is '" + heap + "'");
    }
  }

  @Test
  public void readsUnits() {
    assertThat(Memory.parse("2048m")).isEqualTo(Memory.parse("2G")).hasToString("2g");
    assertThat(Memory.parse("1536m")).hasToString("1536m");
  }

  @Test
  public void refusesWhatIsNoSizeOrTooSmall() {
    for (String text : new String[] { "", "6", "g", "512m", "-6g", "6x", "999999999t" }) {
      assertThatThrownBy(() -> Memory.parse(text)).isInstanceOf(ToolException.class)
        .hasMessageContaining("--memory is '" + text + "'");
    }
  }

  @Test
  public void halfOfItHasTheSameShares() {
    assertThat(Memory.parse("6g").half()).isEqualTo(Memory.parse("3g"));
  }
}
