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

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/**
 * Copies the cell block of a response, a part at a time as it comes, to arrays of its rows: those
 * that a {@link RowCellScanner} makes cells over. Used by one thread.
 */
/*
 * A row that is in a part as a whole is copied from there to its array. What has come of another
 * one is collected until its last byte is there: mostly one row for each part.
 *
 * Bytes that aren't cells of the rows, since a length can't be one or there are fewer cells than
 * the message says, are kept as they are behind the rows before them. So the scanner refuses them
 * where it would have refused them in a whole block.
 */
@InterfaceAudience.Private
final class RowCopies {
  private static final byte[] NONE = new byte[0];
  private static final int UNKNOWN = -1;
  private static final int MIN_CAPACITY = 4096;

  private final int[] cellsOfRows;
  private final List<byte[]> arrays;
  private int row = -1;
  /** Cells of the row that are in no array yet. */
  private int cells;
  /** Bytes of the block that are still to come. */
  private int left;

  /** What has come of the next array, or of the bytes that aren't cells. */
  private byte[] collected = NONE;
  private int length;
  /** Where the last one of the cells in it begins, and ends. */
  private int cellStart;
  private int cellEnd = UNKNOWN;
  private int collectedCells;
  private boolean isRest;

  /**
   * @param cellsOfRows of {@link #cellsOfRows}
   * @param length      bytes of the block
   */
  RowCopies(int[] cellsOfRows, int length) {
    this.cellsOfRows = cellsOfRows;
    this.left = length;
    arrays = new ArrayList<>(cellsOfRows.length);
    nextRow();
  }

  /** Whether cells that come with such a message are of rows that it tells of. */
  static boolean knows(Message type) {
    return type instanceof MultiResponse || type instanceof ScanResponse
      || type instanceof GetResponse;
  }

  /** Returns how many cells each row of a message has, in the order of the cells. */
  static int[] cellsOfRows(Message message) {
    if (message instanceof GetResponse) {
      return new int[] { ((GetResponse) message).getResult().getAssociatedCellCount() };
    }
    if (message instanceof ScanResponse) {
      ScanResponse response = (ScanResponse) message;
      int[] cells = new int[response.getCellsPerResultCount()];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = response.getCellsPerResult(i);
      }
      return cells;
    }
    List<RegionActionResult> regions = ((MultiResponse) message).getRegionActionResultList();
    int rows = 0;
    for (RegionActionResult region : regions) {
      rows += region.getResultOrExceptionCount();
    }
    int[] cells = new int[rows];
    int row = 0;
    for (RegionActionResult region : regions) {
      for (ResultOrException result : region.getResultOrExceptionList()) {
        cells[row++] = result.getResult().getAssociatedCellCount();
      }
    }
    return cells;
  }

  /** Whether all bytes of the block have come. */
  boolean isComplete() {
    return left == 0;
  }

  /** Takes the bytes of the block that the buffer has next. */
  void add(ByteBuf part) {
    int end = part.readerIndex() + Math.min(part.readableBytes(), left);
    while (part.readerIndex() < end) {
      if (isRest || length > 0 || !copyArray(part, end)) {
        collect(part, end);
      }
    }
  }

  /** Returns a scanner of all rows. */
  RowCellScanner scanner() {
    return new RowCellScanner(arrays, ByteBuffer.wrap(collected, 0, length));
  }

  private void nextRow() {
    do {
      row++;
    } while (row < cellsOfRows.length && cellsOfRows[row] <= 0);
    cells = row < cellsOfRows.length ? cellsOfRows[row] : 0;
  }

  /** Copies the next array's cells if all of them are there. */
  private boolean copyArray(ByteBuf part, int end) {
    int start = part.readerIndex();
    int stop = start;
    int count = 0;
    while (count < cells) {
      if (end - stop < Integer.BYTES) {
        return false;
      }
      int cell = part.getInt(stop);
      if (cell < 0 || cell > end - stop - Integer.BYTES) {
        return false;
      }
      int next = stop + Integer.BYTES + cell;
      if (count > 0 && !RowCellScanner.mayShare(next - start)) {
        break;
      }
      stop = next;
      count++;
    }
    if (count == 0) {
      return false;
    }
    byte[] array = new byte[stop - start];
    part.readBytes(array);
    left -= array.length;
    add(array, count);
    return true;
  }

  private void add(byte[] array, int count) {
    arrays.add(array);
    cells -= count;
    if (cells == 0) {
      nextRow();
    }
  }

  /** Copies bytes until they are an array's, or there are no more. */
  private void collect(ByteBuf part, int end) {
    if (!isRest && cells == 0) {
      keepRest();
    }
    while (copy(part, end)) {
      if (isRest) {
        return;
      }
      if (cellEnd == UNKNOWN) {
        startCell();
      } else {
        cellStart = cellEnd;
        cellEnd = UNKNOWN;
        collectedCells++;
        if (collectedCells == cells) {
          addCollected();
          return;
        }
      }
    }
  }

  /** Collects what is next; returns whether all of it was there. */
  private boolean copy(ByteBuf part, int end) {
    int stop = isRest ? collected.length
      : cellEnd == UNKNOWN ? cellStart + Integer.BYTES
      : cellEnd;
    int count = Math.min(stop - length, end - part.readerIndex());
    if (length + count > collected.length) {
      collected = Arrays.copyOf(collected, capacity(stop));
    }
    part.readBytes(collected, length, count);
    length += count;
    left -= count;
    return length == stop;
  }

  /** Returns the room that is made for at least so many bytes. */
  private static int capacity(int bytes) {
    return bytes > RowCellScanner.MAX_SHARED_BYTES ? bytes : Math.max(2 * bytes, MIN_CAPACITY);
  }

  /** Of a cell whose length has been collected. */
  private void startCell() {
    int cell = Bytes.toInt(collected, cellStart);
    if (cell < 0 || cell > left) {
      keepRest();
      return;
    }
    if (collectedCells > 0 && !RowCellScanner.mayShare((long) length + cell)) {
      byte[] next = Arrays.copyOfRange(collected, cellStart, length);
      length = cellStart;
      addCollected();
      collected = next;
      length = next.length;
    }
    cellEnd = length + cell;
  }

  /** What was collected are whole cells of the row. */
  private void addCollected() {
    boolean isFull = collected.length == length;
    add(isFull ? collected : Arrays.copyOf(collected, length), collectedCells);
    length = 0;
    cellStart = 0;
    collectedCells = 0;
    if (isFull || collected.length > RowCellScanner.MAX_SHARED_BYTES) {
      collected = NONE;
    }
  }

  private void keepRest() {
    isRest = true;
    collected = Arrays.copyOf(collected, length + left);
  }
}
