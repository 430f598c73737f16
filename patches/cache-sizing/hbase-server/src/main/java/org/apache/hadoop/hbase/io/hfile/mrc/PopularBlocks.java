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

import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How many references are to the blocks that are referenced most, for caches that keep those.
 * Immutable.
 */
@InterfaceAudience.Private
final class PopularBlocks {
  /*
   * Which of a sample's blocks are referenced most is only known from references to them, and those
   * with the most have some of them by chance. So every other reference decides about the order of
   * blocks, and the others count as hits; then the other way round.
   */
  private final double[] bytes;
  private final double[] hits;

  /**
   * @param blocks sampled blocks
   * @param counts two counts of references to each slot, without the first one, decayed; what
   *               else is there isn't used
   * @param rate   the sampled part of all blocks
   */
  PopularBlocks(SampledBlocks blocks, float[][] counts, double rate) {
    int[] slots = new int[blocks.size()];
    int[] next = new int[1];
    blocks.forEach(slot -> true, slot -> slots[next[0]++] = slot);
    bytes = new double[slots.length];
    hits = new double[slots.length];
    add(blocks, slots, counts[0], counts[1], rate);
    add(blocks, slots, counts[1], counts[0], rate);
  }

  private void add(SampledBlocks blocks, int[] slots, float[] order, float[] counted,
    double rate) {
    long[] sorted = new long[slots.length];
    for (int i = 0; i < slots.length; i++) {
      // The bits of floats that aren't negative have the order of their values.
      sorted[i] = (long) -Float.floatToIntBits(order[slots[i]]) << Integer.SIZE | slots[i];
    }
    Arrays.sort(sorted);
    double bytesSoFar = 0;
    double hitsSoFar = 0;
    for (int i = 0; i < sorted.length; i++) {
      int slot = (int) sorted[i];
      bytesSoFar += blocks.bytes(slot) / rate / 2;
      hitsSoFar += counted[slot] / rate;
      bytes[i] += bytesSoFar;
      hits[i] += hitsSoFar;
    }
  }

  /** Returns the references to the most popular blocks that fit into so many bytes. */
  double hits(double cacheBytes) {
    if (bytes.length == 0 || cacheBytes <= 0) {
      return 0;
    }
    int index = Arrays.binarySearch(bytes, cacheBytes);
    index = index < 0 ? -index - 1 : index;
    if (index == bytes.length) {
      return hits[index - 1];
    }
    double bytesBefore = index == 0 ? 0 : bytes[index - 1];
    double hitsBefore = index == 0 ? 0 : hits[index - 1];
    double part = (cacheBytes - bytesBefore) / (bytes[index] - bytesBefore);
    return hitsBefore + part * (hits[index] - hitsBefore);
  }
}
