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

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;

/**
 * A graph that follows from its size alone, so that each answer can be compared: the edges of each
 * vertex go to random ones, to the first of them far more often. Immutable.
 */
final class Model {
  private static final long SEED = 20260901;
  /** To the vertex of half a number lead a quarter more edges than to that of the number. */
  private static final double SKEW = 1.5;

  private final int[][] edges;

  /**
   * What a query gives.
   * @param sum   of the numbers of the vertices that the last hop reaches, each once
   * @param reads how many vertices have to be read
   */
  record Answer(long sum, int reads) {
  }

  /** @param degree edges that leave a vertex; some go to the same one, and count once */
  Model(int vertices, int degree) {
    Random random = new Random(SEED);
    edges = new int[vertices][];
    for (int vertex = 0; vertex < vertices; vertex++) {
      edges[vertex] = random.doubles(degree)
        .mapToInt(share -> (int) (Math.pow(share, SKEW) * vertices)).distinct().sorted().toArray();
    }
  }

  int vertices() {
    return edges.length;
  }

  /** The vertices that edges of one lead to; not to be changed. */
  int[] edges(int vertex) {
    return edges[vertex];
  }

  /** The property of a vertex. */
  static long number(int vertex) {
    return vertex * 31L + 7;
  }

  /** What is reached from a vertex by a number of hops. */
  Answer answer(int start, int hops) {
    int[] reached = { start };
    int reads = 0;
    for (int hop = 0; hop < hops; hop++) {
      reads += reached.length;
      BitSet next = new BitSet(edges.length);
      for (int vertex : reached) {
        Arrays.stream(edges[vertex]).forEach(next::set);
      }
      reached = next.stream().toArray();
    }
    return new Answer(Arrays.stream(reached).mapToLong(Model::number).sum(),
      reads + reached.length);
  }
}
