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
package org.apache.hadoop.hbase.filter;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.ClientUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where a reversed scan finds the next row that fits one of several rules. A rule is a key and a
 * mask, in which 0 is a byte that may be any, and other values one that must be the key's. A row
 * that is shorter than the key may be left out, though the filter takes it if its bytes are the
 * key's: in forward scans, too, hints are for rows that are as long as the key.
 */
@InterfaceAudience.Private
final class FuzzyRows {
  private static final byte MAX = (byte) 0xff;

  private FuzzyRows() {
  }

  /** Returns true if the cell's row itself is what {@link #firstBehind} gives. */
  static boolean isFirstBehind(Cell cell, List<Pair<byte[], byte[]>> rules) {
    byte[] behind = firstBehind(cell, rules);
    return behind != null
      && CellComparator.getInstance().compareRows(cell, behind, 0, behind.length) <= 0;
  }

  /**
   * Returns the first row that is behind all rows before the cell's that fit; null if none fits. It
   * isn't behind the cell's row, but may be the same.
   * @param cell its row fits none of the rules
   */
  static byte[] firstBehind(Cell cell, List<Pair<byte[], byte[]>> rules) {
    byte[] row = CellUtil.cloneRow(cell);
    byte[] last = null;
    for (Pair<byte[], byte[]> rule : rules) {
      byte[] behind = firstBehind(row, rule.getFirst(), rule.getSecond());
      if (behind != null && (last == null || Bytes.compareTo(behind, last) > 0)) {
        last = behind;
      }
    }
    return last;
  }

  private static byte[] firstBehind(byte[] row, byte[] key, byte[] mask) {
    int length = Math.min(row.length, key.length);
    int different = 0;
    while (different < length && (mask[different] == 0 || row[different] == key[different])) {
      different++;
    }
    if (different == length) {
      return row;
    }
    byte[] fits = Arrays.copyOf(key, key.length);
    int changed = different;
    if (Byte.toUnsignedInt(key[different]) > Byte.toUnsignedInt(row[different])) {
      do {
        changed--;
      } while (changed >= 0 && (mask[changed] != 0 || row[changed] == 0));
      if (changed < 0) {
        return null;
      }
      fits[changed] = (byte) (row[changed] - 1);
    }
    System.arraycopy(row, 0, fits, 0, changed);
    for (int i = changed + 1; i < fits.length; i++) {
      if (mask[i] == 0) {
        fits[i] = MAX;
      }
    }
    // There is one, since a byte was made less than it could be.
    return ClientUtil.calculateTheClosestNextRowKeyForPrefix(fits);
  }
}
