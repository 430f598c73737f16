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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Copies cells, and overwrites the copies when the memory of the cells is released. A cell that is
 * used after that throws, with the place of the release as its cause. For tests: each cell is
 * copied. Thread-safe.
 */
@InterfaceAudience.Private
final class CellGuard {
  /** Neither a length nor text. */
  static final byte OVERWRITTEN = (byte) 0xAD;

  private final List<byte[]> copies = new ArrayList<>();
  private volatile Throwable release;

  /** Returns a guarded copy of a cell. */
  synchronized Cell guard(Cell cell) {
    byte[] copy = KeyValueUtil.copyToNewByteArray(cell);
    copies.add(copy);
    return new GuardedCell(ByteBuffer.wrap(copy),
      cell instanceof ExtendedCell ? ((ExtendedCell) cell).getSequenceId() : 0, this::check);
  }

  /** Overwrites the cells. The caller is the place that is named when one of them is used. */
  synchronized void release() {
    if (release == null) {
      release = new Throwable("Released here, by " + Thread.currentThread().getName());
      copies.forEach(copy -> Arrays.fill(copy, OVERWRITTEN));
      copies.clear();
    }
  }

  /**
   * Checks that the cells are valid.
   * @throws IllegalStateException if they were released
   */
  void check() {
    Throwable place = release;
    if (place != null) {
      throw new IllegalStateException(
        "A cell is used after its memory was released: see the cause", place);
    }
  }
}
