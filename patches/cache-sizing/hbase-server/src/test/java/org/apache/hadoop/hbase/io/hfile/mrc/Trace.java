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
import java.util.Random;
import java.util.function.LongSupplier;

/** Numbers of blocks as they are referenced, and sizes of blocks. */
final class Trace {
  private Trace() {
  }

  /** References blocks at random; the n-th most popular one in proportion to 1 / n^exponent. */
  static LongSupplier zipf(int blocks, double exponent, long seed) {
    double[] sums = new double[blocks];
    double sum = 0;
    for (int i = 0; i < blocks; i++) {
      sum += Math.pow(i + 1, -exponent);
      sums[i] = sum;
    }
    double total = sum;
    Random random = new Random(seed);
    return () -> {
      int found = Arrays.binarySearch(sums, random.nextDouble() * total);
      return found < 0 ? -found - 1 : found;
    };
  }

  /** References the blocks one after another, again and again. */
  static LongSupplier loop(int blocks) {
    long[] next = new long[1];
    return () -> next[0]++ % blocks;
  }

  /** Like another trace, with a scan of new blocks after each so many references. */
  static LongSupplier withScans(LongSupplier trace, int every, int scanned) {
    long[] count = new long[2];
    return () -> {
      if (count[0]++ % (every + scanned) < every) {
        return trace.getAsLong();
      }
      return Long.MAX_VALUE / 2 + count[1]++;
    };
  }

  /** Returns a hash as blocks of a file have. */
  static long hash(long block, long seed) {
    long x = block ^ (seed + 1) * 0xD1B54A32D192ED03L;
    x = (x ^ x >>> 32) * 0xD6E8FEB86659FD93L;
    x = (x ^ x >>> 32) * 0xD6E8FEB86659FD93L;
    return x ^ x >>> 32;
  }

  /** Returns the bytes of a block, which are spread between two limits. */
  static int bytes(long block, int least, int most) {
    return least + (int) ((hash(block, 7) >>> 1) % (most - least + 1));
  }
}
