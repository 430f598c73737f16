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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.io.hfile.CellCursor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A place among the cells of a segment that is flushed. Each is copied to one of two arrays. Not
 * thread-safe.
 */
@InterfaceAudience.Private
final class SegmentCursor extends CellCursor {
  private static final int LENGTHS_BYTES = 2 * Bytes.SIZEOF_INT;
  /** A bigger cell's array has no more than the cell. */
  private static final int BIG_CELL_BYTES = 64 * 1024;

  private final KeyValueScanner scanner;
  private ByteBuffer copy = ByteBuffer.allocate(0);
  private ByteBuffer lastCopy = ByteBuffer.allocate(0);

  private SegmentCursor(KeyValueScanner scanner) {
    super((int) scanner.getScannerOrder());
    this.scanner = scanner;
  }

  /**
   * Makes a cursor that goes on where a scanner is, and has it go on. It has to be closed.
   * @param scanner has a cell
   */
  static SegmentCursor of(SnapshotSegmentScanner scanner) throws IOException {
    SegmentCursor cursor = new SegmentCursor(scanner);
    cursor.next();
    return cursor;
  }

  @Override
  public boolean next() throws IOException {
    Cell cell = scanner.next();
    if (cell == null) {
      return false;
    }
    ExtendedCell stored = (ExtendedCell) cell;
    int size = stored.getSerializedSize(true);
    ByteBuffer target = lastCopy;
    lastCopy = copy;
    if (target.capacity() < size) {
      target = ByteBuffer.allocate(size < BIG_CELL_BYTES ? size * 2 : size);
    }
    copy = target;
    stored.write(target, 0);
    byte[] bytes = target.array();
    int withoutTags = LENGTHS_BYTES + Bytes.toInt(bytes, 0) + Bytes.toInt(bytes, Bytes.SIZEOF_INT);
    take(bytes, 0, size, size > withoutTags);
    setSequenceId(stored.getSequenceId());
    return true;
  }

  @Override
  public String getSource() {
    return "of a memstore, " + scanner;
  }
}
