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
package org.hbasestrata.janusgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.TreeSet;
import org.junit.Test;

public class ModelTest {
  private final Model model = new Model(500, 8);

  @Test
  public void theSameSizeGivesTheSameGraph() {
    Model again = new Model(500, 8);
    for (int vertex = 0; vertex < 500; vertex++) {
      assertThat(again.edges(vertex)).containsExactly(model.edges(vertex)).hasSizeBetween(1, 8);
    }
  }

  @Test
  public void whatTheLastHopReachesIsCountedOnce() {
    TreeSet<Integer> reached = new TreeSet<>();
    for (int first : model.edges(3)) {
      for (int second : model.edges(first)) {
        reached.add(second);
      }
    }
    Model.Answer answer = model.answer(3, 2);
    assertThat(answer.sum()).isEqualTo(reached.stream().mapToLong(Model::number).sum());
    assertThat(answer.reads()).isEqualTo(1 + model.edges(3).length + reached.size());
  }

  @Test
  public void popularVerticesHaveMoreEdges() {
    int[] incoming = new int[500];
    for (int vertex = 0; vertex < 500; vertex++) {
      Arrays.stream(model.edges(vertex)).forEach(to -> incoming[to]++);
    }
    assertThat(Arrays.stream(incoming, 0, 50).sum())
      .isGreaterThan(2 * Arrays.stream(incoming, 450, 500).sum());
  }
}
