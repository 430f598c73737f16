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

import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.buffer.CompositeByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.Unpooled;

/**
 * Collects what is written in chunks of netty's pool, without copying it again. Whoever creates an
 * instance calls {@link #release()}, also after {@link #finish()}. Not thread-safe.
 */
@InterfaceAudience.Private
final class CellBlockChunks extends OutputStream implements ByteBufferWriter {
  private final ByteBufAllocator allocator;
  private final CellBlockChunkSizes sizes;
  /** The chunk that is being written; null before the first byte. */
  private ByteBuf chunk;
  /** The chunks before that; null if there are none. */
  private CompositeByteBuf full;

  CellBlockChunks(ByteBufAllocator allocator, CellBlockChunkSizes sizes) {
    this.allocator = allocator;
    this.sizes = sizes;
  }

  @Override
  public void write(int b) {
    room();
    chunk.writeByte(b);
  }

  @Override
  public void writeInt(int i) {
    if (room() >= Integer.BYTES) {
      chunk.writeInt(i);
      return;
    }
    for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      write(i >> shift);
    }
  }

  @Override
  public void write(byte[] b, int off, int len) {
    for (int done = 0; done < len;) {
      int part = Math.min(len - done, room());
      chunk.writeBytes(b, off + done, part);
      done += part;
    }
  }

  @Override
  @SuppressWarnings("deprecation") // ByteBufferUtils is deprecated for others than HBase.
  public void write(ByteBuffer b, int off, int len) {
    for (int done = 0; done < len;) {
      int part = Math.min(len - done, room());
      int index = chunk.writerIndex();
      org.apache.hadoop.hbase.util.ByteBufferUtils.copyFromBufferToBuffer(b,
        chunk.internalNioBuffer(index, part), off + done, part);
      chunk.writerIndex(index + part);
      done += part;
    }
  }

  /** Returns the number of bytes that can be written to the current chunk, at least 1. */
  private int room() {
    if (chunk == null || !chunk.isWritable()) {
      addChunk();
    }
    return chunk.writableBytes();
  }

  private void addChunk() {
    if (chunk != null) {
      closeChunk();
    }
    int size = sizes.next(full == null ? 0 : full.writerIndex());
    chunk = allocator.buffer(size, size);
  }

  private void closeChunk() {
    if (full == null) {
      full = allocator.compositeBuffer(Integer.MAX_VALUE);
    }
    ByteBuf filled = chunk;
    chunk = null;
    // addComponent releases the chunk if it fails.
    full.addComponent(true, filled);
  }

  /** Returns all that was written, as one buffer that the caller releases. */
  ByteBuf finish() {
    ByteBuf block = chunk;
    if (full != null) {
      closeChunk();
      block = full;
    }
    chunk = null;
    full = null;
    return block == null ? Unpooled.EMPTY_BUFFER : block;
  }

  /** Releases the buffers that {@link #finish()} hasn't handed out. */
  void release() {
    if (chunk != null) {
      chunk.release();
      chunk = null;
    }
    if (full != null) {
      full.release();
      full = null;
    }
  }
}
