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
package org.hbasestrata.ycsb;

import java.util.Arrays;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.util.Bytes;

/** Where to split a table so that each region gets the same number of rows. */
final class Splits {
  private static final int SAMPLE = 100_000;

  private Splits() {
  }

  /**
   * Takes the quantiles of evenly spaced rows' keys: right for hashed, ordered and padded keys
   * alike.
   * @param first  the first row's number
   * @param rowKey gives the key of a row's number
   * @return up to {@code regions - 1} keys in order, fewer when there are fewer rows
   */
  static byte[][] of(int regions, long first, long rows, LongFunction<String> rowKey) {
    int sample = (int) Math.min(rows, SAMPLE);
    String[] keys = new String[sample];
    for (int i = 0; i < sample; i++) {
      keys[i] = rowKey.apply(first + (long) ((double) i * rows / sample));
    }
    Arrays.sort(keys);
    int parts = Math.min(regions, sample);
    byte[][] splits = new byte[parts - 1][];
    for (int i = 1; i < parts; i++) {
      splits[i - 1] = Bytes.toBytes(keys[(int) ((long) i * sample / parts)]);
    }
    return splits;
  }
}
