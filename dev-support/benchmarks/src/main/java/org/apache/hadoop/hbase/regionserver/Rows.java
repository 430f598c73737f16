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
package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of a region.
 * @param columns    cells of a row
 * @param valueBytes bytes of the value of each
 */
record Rows(int columns, int valueBytes) {
  static final byte[] FAMILY = Bytes.toBytes("f");

  /** @param text such as "10x100", ten cells with 100 bytes each */
  static Rows of(String text) {
    String[] numbers = text.split("x");
    return new Rows(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
  }

  static byte[] key(int row) {
    return Bytes.toBytes("user" + (1_000_000 + row));
  }

  static byte[] column(int number) {
    return Bytes.toBytes("field" + number);
  }

  /** Returns a put of a row, with values of zeros, that isn't logged. */
  Put put(int row) {
    return put(row, 0, columns);
  }

  /** Returns a put of some columns. */
  Put put(int row, int firstColumn, int endColumn) {
    Put put = new Put(key(row)).setDurability(Durability.SKIP_WAL);
    byte[] value = new byte[valueBytes];
    for (int i = firstColumn; i < endColumn; i++) {
      put.addColumn(FAMILY, column(i), value);
    }
    return put;
  }
}
