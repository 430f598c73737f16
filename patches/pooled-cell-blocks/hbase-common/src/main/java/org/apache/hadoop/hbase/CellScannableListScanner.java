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
package org.apache.hadoop.hbase;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Scans the cells of a list's elements, such as the puts of a batch, and estimates how much is left
 * to scan. Not thread-safe.
 */
@InterfaceAudience.Private
public final class CellScannableListScanner implements CellScanner {
  private final Iterator<? extends CellScannable> elements;
  private final int count;
  private int begun;
  private CellScanner current;

  /**
   * Creates a scanner that stands before the first cell.
   * @param elements must not change while they are scanned
   */
  public CellScannableListScanner(List<? extends CellScannable> elements) {
    this.elements = elements.iterator();
    this.count = elements.size();
  }

  @Override
  public Cell current() {
    return current == null ? null : current.current();
  }

  @Override
  public boolean advance() throws IOException {
    while (current == null || !current.advance()) {
      if (!elements.hasNext()) {
        current = null;
        return false;
      }
      current = elements.next().cellScanner();
      begun++;
    }
    return true;
  }

  /**
   * Writes all cells that are left, and is at the end then.
   * @param encoder of KeyValueCodec
   * @param out     what the encoder writes to
   */
  public void writeRest(Codec.Encoder encoder, ByteBufferWriter out) throws IOException {
    write(current, encoder);
    current = null;
    while (elements.hasNext()) {
      CellScannable element = elements.next();
      begun++;
      if (!(element instanceof SerializedCells) || !((SerializedCells) element).writeTo(out)) {
        write(element.cellScanner(), encoder);
      }
    }
  }

  private static void write(CellScanner cells, Codec.Encoder encoder) throws IOException {
    while (cells != null && cells.advance()) {
      encoder.write(cells.current());
    }
  }

  /**
   * Estimates the size of the cells that are still to be scanned, in bytes. Assumes that all
   * elements have the same size and that the scan is in the middle of the current one, so a list of
   * one element has as much left as was scanned.
   * @param bytes size of the cells that were scanned so far
   */
  public long estimateRest(long bytes) {
    return begun == 0 ? 0 : bytes * (2L * (count - begun) + 1) / (2L * begun - 1);
  }
}
