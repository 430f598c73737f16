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
package org.apache.hadoop.hbase.io.compress.zstd;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.CanReinit;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Makes one frame of all input up to {@link #finish()}, an empty one of none. Input that fits into
 * the buffer is compressed at once, and its frame has its length; more of it is compressed as it
 * comes. Not thread-safe.
 */
@InterfaceAudience.Private
class ZstdFrameCompressor implements CanReinit, Compressor {
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final ZstdCompressCtx context = new ZstdCompressCtx();
  private int level;
  /** What is collected, from 0 to its position. */
  private ByteBuffer in;
  /** What is compressed, from its position to its limit. */
  private ByteBuffer out;
  /** The caller's, of which the rest doesn't fit into {@link #in}. */
  private ByteBuffer input = NONE;
  private boolean finish;
  private boolean frameBegun;
  private boolean frameEnded;
  private long bytesRead;
  private long bytesWritten;

  ZstdFrameCompressor(int level, int bufferSize) {
    this.level = level;
    context.setLevel(level);
    allocate(bufferSize);
  }

  private void allocate(int bufferSize) {
    in = ByteBuffer.allocateDirect(bufferSize);
    out = ByteBuffer.allocateDirect((int) Zstd.compressBound(bufferSize));
    out.limit(0);
  }

  @Override
  public void setInput(byte[] b, int off, int len) {
    input = ByteBuffer.wrap(b, off, len);
    bytesRead += len;
    collect();
  }

  @Override
  public boolean needsInput() {
    return !input.hasRemaining() && !out.hasRemaining();
  }

  @Override
  public void finish() {
    finish = true;
  }

  @Override
  public boolean finished() {
    return frameEnded && !out.hasRemaining();
  }

  @Override
  public int compress(byte[] b, int off, int len) throws IOException {
    while (!out.hasRemaining() && !frameEnded && (finish || input.hasRemaining())) {
      compressCollected();
      collect();
    }
    int length = Math.min(len, out.remaining());
    out.get(b, off, length);
    bytesWritten += length;
    return length;
  }

  private void collect() {
    int length = Math.min(input.remaining(), in.remaining());
    ByteBuffer fits = input.duplicate();
    fits.limit(fits.position() + length);
    in.put(fits);
    input.position(fits.position());
  }

  private void compressCollected() throws IOException {
    boolean last = finish && !input.hasRemaining();
    in.flip();
    out.clear();
    try {
      frameBegun = true;
      boolean flushed = context.compressDirectByteBufferStream(out, in,
        last ? EndDirective.END : EndDirective.CONTINUE);
      frameEnded = last && flushed;
    } catch (ZstdException e) {
      throw new IOException("Compression with ZSTD failed: " + ZstdFormat.errorName(e), e);
    } finally {
      in.compact();
      out.flip();
    }
  }

  @Override
  public void reset() {
    if (frameBegun && !frameEnded) {
      context.reset();
      context.setLevel(level);
    }
    in.clear();
    out.limit(0);
    input = NONE;
    finish = false;
    frameBegun = false;
    frameEnded = false;
    bytesRead = 0;
    bytesWritten = 0;
  }

  @Override
  public void reinit(Configuration conf) {
    reset();
    if (conf != null) {
      int newLevel = ZstdCodec.getLevel(conf);
      if (newLevel != level) {
        level = newLevel;
        context.setLevel(level);
      }
      int bufferSize = ZstdCodec.getBufferSize(conf);
      if (bufferSize != in.capacity()) {
        allocate(bufferSize);
      }
    }
  }

  @Override
  public long getBytesRead() {
    return bytesRead;
  }

  @Override
  public long getBytesWritten() {
    return bytesWritten;
  }

  @Override
  public void setDictionary(byte[] b, int off, int len) {
    throw new UnsupportedOperationException("Frames are written without a dictionary");
  }

  @Override
  public void end() {
    context.close();
  }
}
