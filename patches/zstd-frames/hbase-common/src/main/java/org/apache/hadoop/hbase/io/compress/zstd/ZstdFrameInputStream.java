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
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DecompressorStream;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.io.ByteStreams;

/**
 * Reads in pieces, and takes with a piece what may be the end of a frame. Such an end, a last block
 * without content, a checksum, has nothing that a reader of the content would ask for, and a reader
 * of the WAL would take it for what comes next.
 */
@InterfaceAudience.Private
class ZstdFrameInputStream extends DecompressorStream {
  private static final int PIECE_BYTES = 32 * 1024;
  /** Header of a block, checksum. */
  private static final int END_BYTES = 3 + 4;
  static final int BUFFER_BYTES = PIECE_BYTES + END_BYTES;

  ZstdFrameInputStream(InputStream in, Decompressor decompressor) throws IOException {
    super(in, decompressor, BUFFER_BYTES);
  }

  @Override
  protected int getCompressedData() throws IOException {
    int length = in.read(buffer, 0, PIECE_BYTES);
    int left = in.available();
    if (length > 0 && left > 0 && left <= END_BYTES) {
      // A WAL that is being written may say that there is more than can be read yet.
      ByteStreams.readFully(in, buffer, length, left);
      length += left;
    }
    return length;
  }
}
