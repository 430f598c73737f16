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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NoTagsKeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ClassSize;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/**
 * The cells of a response, read a row at a time. The cells of a row are made over arrays that they
 * share, of no more than {@value #MAX_SHARED_BYTES} bytes each, so that who keeps a cell keeps
 * little besides. Cells have the same bytes, sizes and checks as those of the codec's own decoder.
 * For one thread at a time.
 */
@InterfaceAudience.Private
public final class RowCellScanner implements CellScanner {
  static final int MAX_SHARED_BYTES = 64 * 1024;

  /** Behind the current one. */
  private final Iterator<byte[]> arrays;
  private final ByteBuffer rest;
  private byte[] block;
  private int end;
  /** Where the next cell's length is. */
  private int position;
  /** Whether cells are made over the block itself. */
  private boolean isShared;
  private Cell current;

  /**
   * @param cells from position to limit what the encoder of a codec wrote that {@link #reads} is
   *              true for, on the heap; not changed any more, and none of its bytes is in a cell
   */
  RowCellScanner(ByteBuffer cells) {
    this(Collections.emptyList(), cells);
  }

  /**
   * @param arrays whole cells, as in {@code rest}, over which cells are made; each array is one
   *               that {@link #mayShare}
   * @param rest   what follows them, as of the other constructor
   */
  RowCellScanner(List<byte[]> arrays, ByteBuffer rest) {
    this.arrays = arrays.iterator();
    this.rest = rest;
    nextBlock();
  }

  /** Whether cells may share an array, of {@code bytes} with their lengths. */
  static boolean mayShare(long bytes) {
    return bytes <= MAX_SHARED_BYTES;
  }

  private void nextBlock() {
    isShared = arrays.hasNext();
    if (isShared) {
      block = arrays.next();
      position = 0;
      end = block.length;
    } else {
      block = rest.array();
      position = rest.arrayOffset() + rest.position();
      end = position + rest.remaining();
    }
  }

  /**
   * Whether cells of a codec, which may be null, can be read: of KeyValueCodec itself, a client's
   * default, alone.
   */
  static boolean reads(Codec codec) {
    return codec != null && codec.getClass() == KeyValueCodec.class;
  }

  /**
   * Returns the result of a get, or null if it isn't of cells of a {@link RowCellScanner} alone.
   * @param scanner may be null
   * @throws IOException if there are fewer cells than the message says
   */
  public static Result row(ClientProtos.Result message, CellScanner scanner) throws IOException {
    int count = message.getAssociatedCellCount();
    if (
      count <= 0 || !(scanner instanceof RowCellScanner) || message.hasExists()
        || message.getCellCount() > 0 || message.hasMetrics()
    ) {
      return null;
    }
    Cell[] cells = new Cell[count];
    int read = ((RowCellScanner) scanner).next(cells);
    if (read < count) {
      throw new IOException("Failed get " + read + " of " + count);
    }
    return Result.create(cells, null, message.getStale());
  }

  /**
   * Returns a row of a scan's response, or null if it isn't of cells of a {@link RowCellScanner}
   * alone.
   * @param row     its place in the response, from 0
   * @param scanner may be null
   * @throws DoNotRetryIOException if there are fewer cells than the response says, or they can't be
   *                               read: the scanner can't be asked for them again
   */
  public static Result row(ScanResponse response, int row, CellScanner scanner)
    throws DoNotRetryIOException {
    if (!(scanner instanceof RowCellScanner) || response.getQueryMetricsCount() > 0) {
      return null;
    }
    Cell[] cells = new Cell[response.getCellsPerResult(row)];
    int read;
    try {
      read = ((RowCellScanner) scanner).next(cells);
    } catch (IOException e) {
      throw new DoNotRetryIOException("Resetting the scanner, since row " + row
        + " of its response can't be read", e);
    }
    if (read < cells.length) {
      throw new DoNotRetryIOException("The response has " + response.getCellsPerResultCount()
        + " rows, of which " + row + " came with all their cells. Resetting the scanner");
    }
    boolean partial =
      row < response.getPartialFlagPerResultCount() && response.getPartialFlagPerResult(row);
    return Result.create(cells, null, response.getStale(), partial);
  }

  /** Reads cells until the array is full or there is none left; returns how many it read. */
  private int next(Cell[] cells) throws IOException {
    int read = 0;
    while (read < cells.length) {
      if (position < end) {
        read = isShared ? nextShared(cells, read) : nextArray(cells, read);
      } else if (isShared) {
        nextBlock();
      } else {
        break;
      }
    }
    return read;
  }

  /** Reads cells of the current array; returns how many there are with them. */
  private int nextShared(Cell[] cells, int first) throws IOException {
    int next = first;
    while (next < cells.length && position < end) {
      int stop = endOf(position);
      int start = position + Integer.BYTES;
      cells[next++] = new RowCell(block, start, stop - start);
      position = stop;
    }
    return next;
  }

  /** Reads the cells that share the next array; returns how many there are with them. */
  private int nextArray(Cell[] cells, int first) throws IOException {
    int start = position;
    int last = first;
    int stop = start;
    do {
      stop = endOf(stop);
      last++;
    } while (last < cells.length && stop < end && mayShare(endOf(stop) - start));
    byte[] shared = new byte[stop - start];
    System.arraycopy(block, start, shared, 0, shared.length);
    int offset = 0;
    for (int i = first; i < last; i++) {
      int length = lengthAt(start + offset);
      offset += Integer.BYTES;
      cells[i] = new RowCell(shared, offset, length);
      offset += length;
    }
    position = stop;
    return last;
  }

  /** Returns where the cell ends whose length is at {@code start}. */
  private int endOf(int start) throws IOException {
    if (end - start < Integer.BYTES) {
      throw new EOFException("A cell block ends within the length of a cell");
    }
    int length = lengthAt(start);
    int left = end - start - Integer.BYTES;
    if (length < 0 || length > left) {
      throw new EOFException("A cell has a length of " + length + " bytes, of which the cell block"
        + " has " + left);
    }
    return start + Integer.BYTES + length;
  }

  private int lengthAt(int start) {
    return Bytes.toInt(block, start);
  }

  @Override
  public Cell current() {
    return current;
  }

  @Override
  public boolean advance() throws IOException {
    Cell[] cells = new Cell[1];
    boolean more = next(cells) > 0;
    current = cells[0];
    return more;
  }

  /**
   * A cell of a shared array. It counts as if the array were its own, since clients tell by the
   * sizes of cells when they have read enough.
   */
  private static final class RowCell extends NoTagsKeyValue {
    private RowCell(byte[] bytes, int offset, int length) {
      super(bytes, offset, length);
    }

    @Override
    public long heapSize() {
      return super.heapSize() - length + ClassSize.sizeOfByteArray(length);
    }
  }
}
