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

import java.nio.BufferOverflowException;
import org.apache.hadoop.hbase.CellScannableListScanner;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.io.SizedCellScanner;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;

/**
 * Computes the sizes of a cell block's chunks. If the scanner of the cells tells how much is left
 * to encode, the next chunk is that big; otherwise it is as big as all chunks before it. All sizes
 * are in bytes. Not thread-safe.
 */
@InterfaceAudience.Private
final class CellBlockChunkSizes {
  /**
   * The biggest chunk. An arena of 4 MB, netty's default, holds several of this size beside smaller
   * buffers, so the arena needn't be empty to provide one.
   */
  static final int MAX_CHUNK = 1024 * 1024;

  /** A chunk is at least this fraction of what is encoded, even if less seems to be left. */
  private static final int LEAST_GROWTH = 8;

  private static final int UNKNOWN = 0;

  private final CellScanner cells;
  private final long total;
  private final int firstChunk;
  private final int maxChunk;

  /**
   * Creates the sizes of one block.
   * @param firstChunk size of the first chunk if the cells' size isn't known
   * @param cells      cells to be encoded
   * @param compressed whether the chunks hold compressed cells
   */
  CellBlockChunkSizes(int firstChunk, CellScanner cells, boolean compressed,
    ByteBufAllocator allocator) {
    this.cells = cells;
    this.total = cells instanceof SizedCellScanner && !compressed
      ? ((SizedCellScanner) cells).heapSize()
      : UNKNOWN;
    this.maxChunk = maxChunk(allocator);
    this.firstChunk = Math.max(1, Math.min(firstChunk, maxChunk));
  }

  /** A buffer that is bigger than the pool's own chunks wouldn't be pooled. */
  private static int maxChunk(ByteBufAllocator allocator) {
    return allocator instanceof PooledByteBufAllocator
      ? Math.min(MAX_CHUNK, ((PooledByteBufAllocator) allocator).metric().chunkSize())
      : MAX_CHUNK;
  }

  /**
   * Returns the size of the next chunk, at least 1.
   * @param encoded total size of the chunks so far, which are full
   * @throws BufferOverflowException if the block has reached the maximum size, 2 GB
   */
  int next(int encoded) {
    int most = Math.min(maxChunk, Integer.MAX_VALUE - encoded);
    if (most == 0) {
      throw new BufferOverflowException();
    }
    if (encoded == 0) {
      return (int) Math.min(total > 0 ? total : firstChunk, most);
    }
    long least = Math.max(firstChunk, encoded / LEAST_GROWTH);
    return (int) Math.min(Math.max(rest(encoded), least), most);
  }

  private long rest(int encoded) {
    if (cells instanceof CellScannableListScanner) {
      return ((CellScannableListScanner) cells).estimateRest(encoded);
    }
    return total > 0 ? total - encoded : encoded;
  }
}
