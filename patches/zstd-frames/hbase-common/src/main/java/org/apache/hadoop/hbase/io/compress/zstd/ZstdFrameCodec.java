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

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.hbase.io.compress.ByteBuffDecompressor;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.CompressorStream;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Writes what Hadoop's ZStandardCodec writes, and reads that as well as what {@link ZstdCodec}
 * writes, without a native library of Hadoop.
 *
 * <pre>
 * written := frame
 * read    := (frame | block)^*
 * block   := length of its content, (length of the frame, frame)^*
 * frame   := 28 b5 2f fd ...                  RFC 8878
 * </pre>
 *
 * Lengths have four bytes, the first is the highest. A block with the length 28 b5 2f fd, which is
 * 682,962,941, would be taken for a frame.
 * <p>
 * The keys are those of {@link ZstdCodec}, with Hadoop's behind them. A dictionary is used to read
 * and not to write, because Hadoop's codec has none.
 */
@InterfaceAudience.Private
public class ZstdFrameCodec extends ZstdCodec {
  @Override
  public Compressor createCompressor() {
    return new ZstdFrameCompressor(getLevel(getConf()), getBufferSize(getConf()));
  }

  @Override
  public Decompressor createDecompressor() {
    return new ZstdFrameDecompressor(getBufferSize(getConf()), getDictionary(getConf()));
  }

  @Override
  public ByteBuffDecompressor createByteBuffDecompressor() {
    return new ZstdFrameByteBuffDecompressor(getDictionary(getConf()));
  }

  @Override
  public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor)
    throws IOException {
    return new ZstdFrameInputStream(in, decompressor);
  }

  @Override
  public CompressionOutputStream createOutputStream(OutputStream out, Compressor compressor)
    throws IOException {
    return new CompressorStream(out, compressor, getBufferSize(getConf()));
  }

  @Override
  public Class<? extends Compressor> getCompressorType() {
    return ZstdFrameCompressor.class;
  }

  @Override
  public Class<? extends Decompressor> getDecompressorType() {
    return ZstdFrameDecompressor.class;
  }

  @Override
  public Class<? extends ByteBuffDecompressor> getByteBuffDecompressorType() {
    return ZstdFrameByteBuffDecompressor.class;
  }
}
