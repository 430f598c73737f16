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
package org.apache.hadoop.hbase.io.hfile;

import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;

/** Rows of tests: keys in the order of their numbers, and values that can't be compressed. */
public final class NumberedRows {
  private static final byte[] KEY = Bytes.toBytes("row-0000000");
  private static final int DIGITS = 7;
  /** What values are cut from, since making them anew takes longer than much that is tested. */
  private static final byte[] NOISE = new byte[1 << 20];
  static {
    new Random(1).nextBytes(NOISE); // Any bytes do.
  }

  private NumberedRows() {
  }

  /** Returns the key of a row. */
  public static byte[] key(int number) {
    byte[] key = KEY.clone();
    int rest = number;
    for (int i = 1; i <= DIGITS; i++) {
      key[key.length - i] += rest % 10;
      rest /= 10;
    }
    return key;
  }

  /**
   * Returns the value of a row, which no other has.
   * @param size bytes, 4 or more
   */
  public static byte[] value(int number, int size) {
    byte[] value = new byte[size];
    int from = (int) ((number & Integer.MAX_VALUE) * (long) size % (NOISE.length - size));
    System.arraycopy(NOISE, from, value, 0, size);
    Bytes.putInt(value, 0, number);
    return value;
  }
}
