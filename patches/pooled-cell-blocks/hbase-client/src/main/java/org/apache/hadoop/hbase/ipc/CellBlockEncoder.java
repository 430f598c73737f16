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

import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferOverflowException;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellScannableListScanner;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.SerializedCells;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.ByteBufferListOutputStream;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.hadoop.hbase.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufAllocator;

/**
 * Encodes cells into pooled buffers (HBASE-22905). If encoding fails, all buffers and the
 * compressor have been given back. Thread-safe.
 */
@InterfaceAudience.Private
final class CellBlockEncoder {
  private final Configuration conf;
  private final int firstChunk;

  /**
   * Creates an encoder.
   * @param conf       given to compressors
   * @param firstChunk size in bytes of the first chunk of a block whose size isn't known
   */
  CellBlockEncoder(Configuration conf, int firstChunk) {
    this.conf = conf;
    this.firstChunk = firstChunk;
  }

  /**
   * Encodes the cells of a client's request.
   * @param compressor null for none
   * @return the block, which the caller releases; empty if there are no cells
   */
  ByteBuf encode(Codec codec, CompressionCodec compressor, CellScanner cells,
    ByteBufAllocator allocator) throws IOException {
    CellBlockChunks chunks = new CellBlockChunks(allocator,
      new CellBlockChunkSizes(firstChunk, cells, compressor != null, allocator));
    try {
      encode(codec, compressor, cells, chunks);
      return chunks.finish();
    } finally {
      chunks.release();
    }
  }

  /**
   * Encodes the cells of a server's response.
   * @param compressor null for none
   * @return the block, which the caller releases; null if there are no cells
   */
  ByteBufferListOutputStream encode(Codec codec, CompressionCodec compressor, CellScanner cells,
    ByteBuffAllocator allocator) throws IOException {
    ByteBufferListOutputStream buffers = new ByteBufferListOutputStream(allocator);
    boolean encoded = false;
    try {
      encode(codec, compressor, cells, buffers);
      encoded = buffers.size() > 0;
    } finally {
      if (!encoded) {
        buffers.releaseResources();
      }
    }
    return encoded ? buffers : null;
  }

  private void encode(Codec codec, CompressionCodec compressor, CellScanner cells,
    OutputStream target) throws IOException {
    if (compressor == null) {
      encode(codec, cells, target);
      return;
    }
    if (compressor instanceof Configurable) {
      ((Configurable) compressor).setConf(conf);
    }
    Compressor pooled = CodecPool.getCompressor(compressor);
    try (OutputStream compressing = compressor.createOutputStream(target, pooled)) {
      encode(codec, cells, compressing);
    } finally {
      CodecPool.returnCompressor(pooled);
    }
  }

  /** Returns false if the cells aren't such as have their bytes at hand, and none was written. */
  private static boolean writeSerialized(Codec.Encoder encoder, CellScanner cells,
    ByteBufferWriter target) throws IOException {
    if (cells instanceof CellScannableListScanner) {
      ((CellScannableListScanner) cells).writeRest(encoder, target);
      return true;
    }
    return cells instanceof SerializedCells && ((SerializedCells) cells).writeTo(target);
  }

  private static void encode(Codec codec, CellScanner cells, OutputStream target)
    throws IOException {
    try {
      Codec.Encoder encoder = codec.getEncoder(target);
      if (
        codec.getClass() != KeyValueCodec.class || !(target instanceof ByteBufferWriter)
          || !writeSerialized(encoder, cells, (ByteBufferWriter) target)
      ) {
        while (cells.advance()) {
          encoder.write(cells.current());
        }
      }
      encoder.flush();
    } catch (BufferOverflowException | IndexOutOfBoundsException e) {
      // The block would exceed 2 GB, or the cell is broken: neither is worth a retry.
      throw new DoNotRetryIOException(e);
    }
  }
}
