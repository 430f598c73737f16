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

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.yetus.audience.InterfaceAudience;

/** Tells the frames and blocks of {@link ZstdFrameCodec} apart, and checks their lengths. */
@InterfaceAudience.Private
final class ZstdFormat {
  private static final int FRAME_MAGIC = 0x28b52ffd;

  private ZstdFormat() {
  }

  /** Whether a frame, and not a block, begins at a position behind which there are four bytes. */
  static boolean isFrame(ByteBuffer buffer, int position) {
    return buffer.getInt(position) == FRAME_MAGIC;
  }

  static int checkContentLength(int length) throws IOException {
    if (length < 0) {
      throw corrupt("it begins with neither a frame nor the length of a block");
    }
    return length;
  }

  static int checkFrameLength(int length) throws IOException {
    if (length <= 0) {
      throw corrupt("a frame of " + length + " bytes in a block");
    }
    return length;
  }

  /**
   * Compares a block's lengths with its content.
   * @param frameEnded  whether its frame was read to the end
   * @param frameLeft   by its length, how many bytes of the frame are still to come
   * @param contentLeft by its length, how many bytes of the block's content are still to come
   */
  static void checkBlock(boolean frameEnded, int frameLeft, int contentLeft) throws IOException {
    if (contentLeft < 0) {
      throw corrupt("a block has more content than its length says");
    }
    if (frameLeft < 0 || frameEnded && frameLeft > 0) {
      throw corrupt("a frame in a block hasn't the length that the block says");
    }
  }

  static IOException corrupt(String what) {
    return new IOException("Not ZSTD, or corrupt: " + what);
  }

  static IOException corrupt(ZstdException e) {
    return new IOException("Not ZSTD, or corrupt: " + errorName(e), e);
  }

  /** What an exception's message doesn't say in zstd-jni 1.5.7-2, where streams negate the code. */
  static String errorName(ZstdException e) {
    return Zstd.getErrorName(-Math.abs(e.getErrorCode()));
  }
}
