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

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** Random cells of few rows and columns, on and off the heap, and what is sought among them. */
final class RandomCells {
  private static final byte[] F = Bytes.toBytes("f");
  private static final KeyValue.Type[] TYPES = { KeyValue.Type.Put, KeyValue.Type.Put,
    KeyValue.Type.Delete, KeyValue.Type.DeleteColumn, KeyValue.Type.DeleteFamily };

  private final Random random;
  private final boolean ofMeta;
  private final int rows;

  RandomCells(Random random, boolean ofMeta, int rows) {
    this.random = random;
    this.ofMeta = ofMeta;
    this.rows = rows;
  }

  Cell next() {
    KeyValue cell = new KeyValue(row(), F, qualifier(), 1 + random.nextInt(3),
      TYPES[random.nextInt(TYPES.length)], new byte[random.nextInt(20)]);
    return withSequenceId(cell, 1 + random.nextInt(3), random.nextBoolean());
  }

  /** Returns a cell of the row of another one. */
  Cell next(Cell ofRow, int column) {
    KeyValue cell = new KeyValue(CellUtil.cloneRow(ofRow), F, qualifier(column),
      1 + random.nextInt(3), TYPES[random.nextInt(TYPES.length)], new byte[random.nextInt(20)]);
    return withSequenceId(cell, 1 + random.nextInt(3), random.nextBoolean());
  }

  /** Returns a name that begins with others, ends with zeros, or has much in common with others. */
  private static byte[] qualifier(int column) {
    switch (column % 4) {
      case 0:
        return new byte[column / 4 * 3];
      case 1:
        byte[] high = new byte[column];
        Arrays.fill(high, (byte) 0xFF);
        return high;
      case 2:
        return Bytes.toBytes("a long beginning" + column);
      default:
        return Bytes.toBytes("a long beginning".substring(0, column % 16));
    }
  }

  /** Returns what is equal to a cell. */
  Cell copyOf(Cell cell) {
    return withSequenceId(KeyValueUtil.copyToNewKeyValue(cell),
      ((ExtendedCell) cell).getSequenceId(), random.nextBoolean());
  }

  /** Returns a cell, or what isn't one but sought. */
  Cell nextKey() {
    Cell cell = next();
    switch (random.nextInt(6)) {
      case 0:
        return PrivateCellUtil.createFirstOnRow(cell);
      case 1:
        return PrivateCellUtil.createLastOnRow(cell);
      case 2:
        return PrivateCellUtil.createFirstOnRowCol(cell);
      case 3:
        return PrivateCellUtil.createLastOnRowCol(cell);
      default:
        return cell;
    }
  }

  static Cell withSequenceId(KeyValue cell, long sequenceId, boolean offHeap) {
    cell.setSequenceId(sequenceId);
    if (!offHeap) {
      return cell;
    }
    int margin = 5;
    ByteBuffer buffer = ByteBuffer.allocateDirect(margin + cell.getLength() + margin);
    buffer.position(margin);
    buffer.put(cell.getBuffer(), cell.getOffset(), cell.getLength());
    return new ByteBufferKeyValue(buffer, margin, cell.getLength(), sequenceId);
  }

  /** Rows of all lengths that begin with each other, end with zeros, or have much in common. */
  private byte[] row() {
    int number = random.nextInt(rows);
    if (ofMeta) {
      // A table's name may be another one's beginning; "," is before and behind other bytes.
      String[] tables = { "t", "t-a", "ta", "n:t" };
      return Bytes.toBytes(tables[number & 3] + "," + (number % 5 == 0 ? "" : "row," + number) + ","
        + number % 7);
    }
    switch (number & 7) {
      case 0:
        return Bytes.toBytes("user" + number * 7_919L * 7_919L);
      case 1:
        return Bytes.toBytes("a long beginning that rows have in common " + number);
      case 2:
        return Arrays.copyOf(new byte[] { 1, 2, (byte) number }, 3 + (number >>> 3 & 15));
      case 3:
        return Bytes.toBytes(number * 0x9E3779B97F4A7C15L);
      case 4:
        byte[] high = new byte[1 + (number >>> 3) % 20];
        Arrays.fill(high, (byte) 0xFF);
        return high;
      case 5:
        return Bytes.toBytes(number);
      case 6:
        return Bytes.add(new byte[8 + (number >>> 3 & 3)], new byte[] { (byte) number });
      default:
        return Bytes.toBytes("user" + number);
    }
  }

  private byte[] qualifier() {
    return random.nextInt(4) == 0 ? new byte[0] : Bytes.toBytes("q" + random.nextInt(30));
  }
}
