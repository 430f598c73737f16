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
package org.apache.hadoop.hbase.ipc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScannable;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.SizedCellScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** Cells for tests. */
final class TestCells {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("qualifier");

  private TestCells() {
  }

  /** Returns cells whose values have this many random bytes each. */
  static List<Cell> onHeap(int count, int valueBytes, long seed) {
    Random random = new Random(seed);
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[valueBytes];
      random.nextBytes(value);
      cells.add(new KeyValue(Bytes.toBytes("row" + i), FAMILY, QUALIFIER, i, value));
    }
    return cells;
  }

  /** Returns copies of cells, outside the heap. */
  static List<Cell> offHeap(List<Cell> cells) {
    return cells.stream().map(cell -> {
      KeyValue keyValue = (KeyValue) cell;
      ByteBuffer copy = ByteBuffer.allocateDirect(1 + keyValue.getLength());
      copy.position(1);
      copy.put(keyValue.getBuffer(), keyValue.getOffset(), keyValue.getLength());
      return new ByteBufferKeyValue(copy, 1, keyValue.getLength());
    }).collect(Collectors.toList());
  }

  /** Returns a scanner like that of a batch of puts with one cell each. */
  static CellScanner ofBatch(List<Cell> cells) {
    List<CellScannable> puts = cells.stream()
      .map(cell -> (CellScannable) () -> CellUtil.createCellScanner(Collections.singleton(cell)))
      .collect(Collectors.toList());
    return CellUtil.createCellScanner(puts);
  }

  /** Returns a scanner that reports this many bytes as the size of all cells. */
  static CellScanner ofSize(List<Cell> cells, long bytes) {
    CellScanner scanner = CellUtil.createCellScanner(cells);
    return new SizedCellScanner() {
      @Override
      public Cell current() {
        return scanner.current();
      }

      @Override
      public boolean advance() throws IOException {
        return scanner.advance();
      }

      @Override
      public long heapSize() {
        return bytes;
      }
    };
  }
}
