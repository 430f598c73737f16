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
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CellCursor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A place among the cells of a segment that is flushed. Each is copied to one of two arrays. Not
 * thread-safe.
 */
@InterfaceAudience.Private
@SuppressWarnings("deprecation") // Cell.getTagsLength
final class SegmentCursor extends CellCursor {
  private static final int LENGTHS_BYTES = 2 * Bytes.SIZEOF_INT;

  private final KeyValueScanner scanner;
  private ByteBuffer copy = ByteBuffer.allocate(0);
  private ByteBuffer lastCopy = ByteBuffer.allocate(0);

  private SegmentCursor(KeyValueScanner scanner, int age) {
    super(age);
    this.scanner = scanner;
  }

  /**
   * Makes a cursor that goes on where a scanner is, and has it go on. The scanner has to be closed.
   * @param scanner has a cell
   * @param age     that of a newer segment is higher
   */
  static SegmentCursor of(SnapshotSegmentScanner scanner, int age) throws IOException {
    SegmentCursor cursor = new SegmentCursor(scanner, age);
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
      target = ByteBuffer.allocate(capacityFor(size));
    }
    copy = target;
    target.clear();
    stored.write(target, 0);
    byte[] bytes = target.array();
    int end = LENGTHS_BYTES + Bytes.toInt(bytes, 0) + Bytes.toInt(bytes, Bytes.SIZEOF_INT);
    // What it says counts: a cell without tags may have bytes behind its value.
    int tags = stored.getTagsLength();
    if (tags > 0) {
      end += KeyValue.TAGS_LENGTH_SIZE + tags;
    }
    take(bytes, 0, Math.min(end, size), tags > 0);
    setSequenceId(stored.getSequenceId());
    return true;
  }

  @Override
  public String getSource() {
    return "in memory";
  }
}
