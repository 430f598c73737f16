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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/** References to blocks, which caches of several kinds are given. */
enum Traces {
  /** Each block is read as often as Zipf's law says, with an exponent of 0.9. */
  ZIPF,
  /** One after the other, again and again. */
  LOOP,
  /** Half of the reads as {@link #ZIPF}, half of a scan of blocks that come once. */
  ZIPF_AND_SCAN,
  /** As {@link #ZIPF}, of blocks that are others after each fifth of the reads. */
  ZIPF_THAT_MOVES(5),
  /** The same after each half, and after each twentieth part. */
  ZIPF_THAT_MOVES_ONCE(2), ZIPF_THAT_MOVES_OFTEN(20),
  /** The newest blocks are read most, and each twentieth read is of a new one. */
  LATEST;

  private static final double EXPONENT = 0.9;
  private static final int NEW_EACH = 20;

  private final int phases;

  Traces() {
    this(1);
  }

  Traces(int phases) {
    this.phases = phases;
  }

  /**
   * Returns the numbers of the blocks that are read.
   * @param blocks that there are
   */
  long[] references(int count, int blocks, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] shares = shares(blocks, EXPONENT);
    long[] references = new long[count];
    for (int i = 0; i < count; i++) {
      references[i] = switch (this) {
        case LOOP -> i % blocks;
        case ZIPF_AND_SCAN -> i % 2 == 0 ? spread(rank(shares, random), blocks) : blocks + i;
        case LATEST -> {
          int newest = blocks + i / NEW_EACH;
          yield i % NEW_EACH == 0 ? newest : newest - rank(shares, random);
        }
        default -> spread(rank(shares, random), blocks)
          + (long) blocks * (i / (count / phases + 1));
      };
    }
    return references;
  }

  /** Returns the shares, by Zipf's law, of the blocks up to each. */
  static double[] shares(int blocks, double exponent) {
    double[] shares = new double[blocks];
    double sum = 0;
    for (int i = 0; i < blocks; i++) {
      sum += Math.pow(i + 1, -exponent);
      shares[i] = sum;
    }
    for (int i = 0; i < blocks; i++) {
      shares[i] /= sum;
    }
    return shares;
  }

  /** Returns which block is next: 0 is read most. */
  static int rank(double[] shares, SplittableRandom random) {
    int found = Arrays.binarySearch(shares, random.nextDouble());
    return Math.min(shares.length - 1, found < 0 ? -found - 1 : found);
  }

  /** Has the blocks that are read most not lie together. */
  private static int spread(int rank, int blocks) {
    return (int) ((rank * 0x9E3779B1L & Long.MAX_VALUE) % blocks);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
