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
import java.util.List;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.EncodedCells;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Copies of encoded cells as KeyValueCodec writes them, each behind its length, in buffers of the
 * server's pool, until they are released. Not thread-safe.
 */
@InterfaceAudience.Private
final class CellCopies {
  /** Of a buffer without a pool. */
  private static final int UNPOOLED_BYTES = 8 << 10;

  private final ByteBuffAllocator allocator;
  private final List<ByteBuff> buffers = new ArrayList<>();
  /** Null if there is none yet. */
  private ByteBuffer current;
  private int position;

  CellCopies(ByteBuffAllocator allocator) {
    this.allocator = allocator;
  }

  /** Returns the buffer that cells are added to, or null. */
  ByteBuffer getBuffer() {
    return current;
  }

  /** Has cells be added to another buffer. */
  void takeBuffer() {
    ByteBuff buffer = allocator.isReservoirEnabled()
      ? allocator.allocateOneBuffer()
      : allocator.allocate(UNPOOLED_BYTES);
    buffers.add(buffer);
    current = buffer.asSubByteBuffer(0);
    position = 0;
  }

  /** Returns where the last cell ends in the buffer. */
  int getPosition() {
    return position;
  }

  /** Leaves out the cells behind a position. */
  void goBack(int to) {
    position = to;
  }

  /**
   * Adds the cell that others are at.
   * @param keyOnly whether it is added without its value
   * @return false if the buffer has no room for it
   */
  boolean add(EncodedCells cells, boolean keyOnly) {
    if (current == null) {
      takeBuffer();
    }
    int size = keyOnly ? cells.getKeySize() : cells.getSize();
    int at = position + Bytes.SIZEOF_INT;
    if (size > current.limit() - at) {
      return false;
    }
    current.putInt(position, size);
    cells.copyTo(current, at, keyOnly);
    position = at + size;
    return true;
  }

  /** Gives the buffers back: no cell of them is used any more. */
  void release() {
    current = null;
    position = 0;
    buffers.forEach(ByteBuff::release);
    buffers.clear();
  }
}
