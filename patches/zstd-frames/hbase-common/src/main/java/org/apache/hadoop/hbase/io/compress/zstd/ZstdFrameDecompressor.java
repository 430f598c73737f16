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

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.CanReinit;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads a frame or a block, and is then {@link #finished()}: a DecompressorStream resets it and
 * gives it what is left. Its buffers don't grow with the lengths in a block, which are compared
 * with what its frames have. Not thread-safe.
 */
@InterfaceAudience.Private
class ZstdFrameDecompressor implements CanReinit, Decompressor {
  private final ZstdDecompressCtx context = new ZstdDecompressCtx();
  private ZstdDictDecompress dictionary;
  private int dictionaryId;
  /** What is to be read, from its position to its limit. */
  private ByteBuffer in = ByteBuffer.allocateDirect(ZstdFrameInputStream.BUFFER_BYTES);
  /** What is decompressed, from its position to its limit. */
  private ByteBuffer out;
  private boolean inBlock;
  private boolean inFrame;
  private boolean finished;
  private boolean needsInput = true;
  /** Of a block what is still to come, or 0. */
  private int contentLeft;
  /** Of a frame in a block what is still to come. */
  private int frameLeft;

  ZstdFrameDecompressor(int bufferSize, byte[] dictionary) {
    in.limit(0);
    allocate(bufferSize);
    setDictionary(dictionary);
  }

  private void allocate(int bufferSize) {
    out = ByteBuffer.allocateDirect(bufferSize);
    out.limit(0);
  }

  private void setDictionary(byte[] bytes) {
    int id = bytes == null ? 0 : ZstdCodec.getDictionaryId(bytes);
    if (bytes == null && dictionary != null) {
      dictionary = null;
      loadDictionary();
    } else if (bytes != null && (dictionary == null || id != dictionaryId)) {
      dictionary = new ZstdDictDecompress(bytes);
      loadDictionary();
    }
    dictionaryId = id;
  }

  private void loadDictionary() {
    if (dictionary == null) {
      context.loadDict((byte[]) null);
    } else {
      context.loadDict(dictionary);
    }
  }

  @Override
  public void setInput(byte[] b, int off, int len) {
    in.compact();
    if (in.remaining() < len) {
      ByteBuffer larger = ByteBuffer.allocateDirect(in.position() + len);
      in.flip();
      larger.put(in);
      in = larger;
    }
    in.put(b, off, len);
    in.flip();
    needsInput = false;
  }

  @Override
  public boolean needsInput() {
    return needsInput;
  }

  @Override
  public boolean finished() {
    return finished && !out.hasRemaining();
  }

  @Override
  public int getRemaining() {
    return in.remaining();
  }

  @Override
  public int decompress(byte[] b, int off, int len) throws IOException {
    while (!out.hasRemaining() && !finished && !needsInput) {
      if (inFrame) {
        readFrame();
      } else if (in.remaining() < Integer.BYTES) {
        needsInput = true;
      } else {
        readStart();
      }
    }
    int length = Math.min(len, out.remaining());
    out.get(b, off, length);
    return length;
  }

  private void readStart() throws IOException {
    if (inBlock) {
      frameLeft = ZstdFormat.checkFrameLength(in.getInt());
      inFrame = true;
    } else if (ZstdFormat.isFrame(in, in.position())) {
      inFrame = true;
    } else {
      contentLeft = ZstdFormat.checkContentLength(in.getInt());
      inBlock = contentLeft > 0;
      finished = !inBlock;
    }
  }

  private void readFrame() throws IOException {
    int position = in.position();
    boolean ended;
    out.clear();
    try {
      ended = context.decompressDirectByteBufferStream(out, in);
    } catch (ZstdException e) {
      throw ZstdFormat.corrupt(e);
    } finally {
      out.flip();
    }
    if (inBlock) {
      frameLeft -= in.position() - position;
      contentLeft -= out.remaining();
      ZstdFormat.checkBlock(ended, frameLeft, contentLeft);
    }
    inFrame = !ended;
    finished = ended && contentLeft == 0;
    needsInput = !ended && !out.hasRemaining() && !in.hasRemaining();
  }

  @Override
  public void reset() {
    if (inFrame) {
      context.reset();
      loadDictionary();
    }
    in.limit(0);
    out.limit(0);
    inBlock = false;
    inFrame = false;
    finished = false;
    needsInput = true;
    contentLeft = 0;
    frameLeft = 0;
  }

  @Override
  public void reinit(Configuration conf) {
    reset();
    if (conf != null) {
      setDictionary(ZstdCodec.getDictionary(conf));
      int bufferSize = ZstdCodec.getBufferSize(conf);
      if (bufferSize != out.capacity()) {
        allocate(bufferSize);
      }
    }
  }

  @Override
  public boolean needsDictionary() {
    return false;
  }

  @Override
  public void setDictionary(byte[] b, int off, int len) {
    throw new UnsupportedOperationException(
      "The dictionary is that of " + ZstdCodec.ZSTD_DICTIONARY_KEY);
  }

  @Override
  public void end() {
    context.close();
  }
}
