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

import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Decompresses frames, or blocks, that fill the output, from buffer to buffer. Not thread-safe.
 */
@InterfaceAudience.Private
class ZstdFrameByteBuffDecompressor extends ZstdByteBuffDecompressor {
  ZstdFrameByteBuffDecompressor(byte[] dictionary) {
    super(dictionary);
  }

  @Override
  public int decompress(ByteBuff output, ByteBuff input, int inputLen) throws IOException {
    ByteBuffer out = output.nioByteBuffers()[0];
    ByteBuffer in = input.nioByteBuffers()[0].duplicate();
    if (inputLen > in.remaining()) {
      throw ZstdFormat.corrupt("only " + in.remaining() + " of " + inputLen + " bytes are there");
    }
    in.limit(in.position() + inputLen);
    int begin = out.position();
    if (in.remaining() >= Integer.BYTES && ZstdFormat.isFrame(in, in.position())) {
      decompressFrames(out, in, inputLen);
    } else {
      while (in.hasRemaining()) {
        decompressBlock(out, in);
      }
    }
    if (out.hasRemaining()) {
      throw ZstdFormat.corrupt(out.remaining() + " bytes less than there should be");
    }
    input.skip(inputLen);
    return out.position() - begin;
  }

  private void decompressBlock(ByteBuffer out, ByteBuffer in) throws IOException {
    int contentLeft = ZstdFormat.checkContentLength(readLength(in));
    while (contentLeft > 0) {
      int length = ZstdFormat.checkFrameLength(readLength(in));
      if (length > in.remaining()) {
        throw ZstdFormat.corrupt("a frame of " + length + " bytes, where " + in.remaining()
          + " are left");
      }
      contentLeft -= decompressFrames(out, in, length);
      ZstdFormat.checkBlock(true, 0, contentLeft);
    }
  }

  private static int readLength(ByteBuffer in) throws IOException {
    if (in.remaining() < Integer.BYTES) {
      throw ZstdFormat.corrupt("a length of " + in.remaining() + " bytes");
    }
    return in.getInt();
  }

  private int decompressFrames(ByteBuffer out, ByteBuffer in, int length) throws IOException {
    int written;
    try {
      if (out.isDirect() && in.isDirect()) {
        written = ctx.decompressDirectByteBuffer(out, out.position(), out.remaining(), in,
          in.position(), length);
      } else if (out.isDirect()) {
        written = ctx.decompressByteArrayToDirectByteBuffer(out, out.position(), out.remaining(),
          in.array(), in.arrayOffset() + in.position(), length);
      } else if (in.isDirect()) {
        written = ctx.decompressDirectByteBufferToByteArray(out.array(),
          out.arrayOffset() + out.position(), out.remaining(), in, in.position(), length);
      } else {
        written = ctx.decompressByteArray(out.array(), out.arrayOffset() + out.position(),
          out.remaining(), in.array(), in.arrayOffset() + in.position(), length);
      }
    } catch (ZstdException e) {
      throw ZstdFormat.corrupt(e);
    }
    out.position(out.position() + written);
    in.position(in.position() + length);
    return written;
  }
}
