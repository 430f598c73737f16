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
package org.apache.hadoop.hbase.io.hfile.mrc;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a table's data blocks would need if they had a cache by themselves: their own LRU stack and
 * its distances. Used by one thread at a time.
 */
@InterfaceAudience.Private
final class TableDemand {
  private static final int SUB_BITS = 3;

  private final RecencyStack stack;
  private final DistanceHistogram distances = new DistanceHistogram(SUB_BITS);
  private double cold;

  /** @param positions an element for each slot, which only the stack that has the slot uses */
  TableDemand(int[] positions) {
    stack = new RecencyStack(positions);
  }

  RecencyStack stack() {
    return stack;
  }

  void addDistance(double distance, double references) {
    distances.add(distance, references);
  }

  void addCold(double references) {
    cold += references;
  }

  void decay(double factor) {
    distances.scale(factor);
    cold *= factor;
  }

  /** Returns the references, without the first ones of blocks that were cached before. */
  double references() {
    return distances.total() + cold;
  }

  /** Returns the bytes of cache that serve a part of the references; infinity if none do. */
  double bytesFor(double part) {
    return distances.bytesFor(part * references());
  }

  /** Returns the bytes of heap that the arrays take. */
  long heapSize() {
    return stack.heapSize() + distances.heapSize();
  }
}
