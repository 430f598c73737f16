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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.SerializedCells;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A row whose cells are in one block off the heap, of which this knows where they begin. They are
 * made when they are asked for. What writes a response has their bytes written from the block, or
 * goes through the {@link #cellScanner}, whose cell is the same object all the way. Sequence IDs,
 * which aren't sent, are 0. Not thread-safe.
 */
@InterfaceAudience.Private
final class RowResult extends Result implements SerializedCells {
  private final ByteBuffer block;
  /** Null once the cells have been made. */
  private int[] offsets;
  private final int count;
  private final boolean keysOnly;
  private int index = -1;
  private BlockCell current;

  /**
   * @param block   is held until the result isn't used any more
   * @param offsets is the result's from now on
   * @param count   number of offsets, one at least
   */
  RowResult(ByteBuffer block, int[] offsets, int count) {
    this(block, offsets, count, false);
  }

  /**
   * As {@link #RowResult(ByteBuffer, int[], int)}.
   * @param keysOnly whether the cells have no values, as if of a {@link KeyOnlyFilter}
   */
  RowResult(ByteBuffer block, int[] offsets, int count, boolean keysOnly) {
    this.block = block;
    this.offsets = offsets;
    this.count = count;
    this.keysOnly = keysOnly;
  }

  /**
   * Returns what the cells of a result add to the size of a response; negative if only they can
   * tell.
   */
  static long cellBytes(Result result) {
    return result instanceof RowResult ? ((RowResult) result).cellBytes() : -1;
  }

  private long cellBytes() {
    if (offsets == null) {
      return -1;
    }
    long bytes = count * (long) (Bytes.SIZEOF_INT + KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE);
    for (int i = 0; i < count; i++) {
      bytes += block.getInt(offsets[i])
        + (keysOnly ? 0 : block.getInt(offsets[i] + Bytes.SIZEOF_INT));
    }
    return bytes;
  }

  @Override
  public boolean writeTo(ByteBufferWriter out) throws IOException {
    if (offsets == null) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      writeCell(block, offsets[i], keysOnly, out);
    }
    return true;
  }

  /**
   * Writes a cell as KeyValueCodec does.
   * @param offset   where it begins in the block, with its lengths
   * @param keysOnly whether it is written without its value
   * @return where its value ends in the block
   */
  static int writeCell(ByteBuffer block, int offset, boolean keysOnly, ByteBufferWriter out)
    throws IOException {
    int keyBytes = block.getInt(offset);
    int valueBytes = block.getInt(offset + Bytes.SIZEOF_INT);
    int bytes = KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + keyBytes;
    if (keysOnly) {
      out.writeInt(bytes);
      out.writeInt(keyBytes);
      out.writeInt(0);
      out.write(block, offset + KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE, keyBytes);
    } else {
      out.writeInt(bytes + valueBytes);
      out.write(block, offset, bytes + valueBytes);
    }
    return offset + bytes + valueBytes;
  }

  /** Has the superclass have the cells. */
  private void makeCells() {
    if (offsets != null) {
      BlockCell cell = new BlockCell();
      KeyOnlyFilter keys = keysOnly ? new KeyOnlyFilter() : null;
      Cell[] cells = new Cell[count];
      for (int i = 0; i < cells.length; i++) {
        Cell kept = cell.set(block, offsets[i]).keep();
        cells[i] = keysOnly ? keys.transformCell(kept) : kept;
      }
      offsets = null;
      super.copyFrom(Result.create(cells));
      for (int i = -1; i < index; i++) {
        super.advance();
      }
    }
  }

  @Override
  public Cell[] rawCells() {
    makeCells();
    return super.rawCells();
  }

  @Override
  public byte[] getRow() {
    makeCells();
    return super.getRow();
  }

  @Override
  public NavigableMap<byte[], NavigableMap<byte[], NavigableMap<Long, byte[]>>> getMap() {
    makeCells();
    return super.getMap();
  }

  @Override
  public byte[] value() {
    makeCells();
    return super.value();
  }

  @Override
  public String toString() {
    makeCells();
    return super.toString();
  }

  @Override
  public void copyFrom(Result other) {
    offsets = null;
    super.copyFrom(other);
  }

  @Override
  public int size() {
    return offsets != null ? count : super.size();
  }

  @Override
  public boolean isEmpty() {
    return offsets == null && super.isEmpty();
  }

  @Override
  public CellScanner cellScanner() {
    if (offsets == null) {
      return super.cellScanner();
    }
    index = -1;
    return this;
  }

  @Override
  public boolean advance() {
    if (keysOnly) {
      makeCells();
    }
    if (offsets == null) {
      return super.advance();
    }
    if (index == count) {
      throw new NoSuchElementException("Cannot advance beyond the last cell");
    }
    return ++index < count;
  }

  /** Returns the cell, which is another one after the next {@link #advance()}. */
  @Override
  public Cell current() {
    if (offsets == null) {
      return super.current();
    }
    if (index < 0 || index == count) {
      return null;
    }
    if (current == null) {
      current = new BlockCell();
    }
    return current.set(block, offsets[index]);
  }
}
