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
package org.apache.hadoop.hbase.io.hfile.bucket;

import java.nio.ByteBuffer;
import java.util.zip.Checksum;
import org.apache.hadoop.hbase.io.util.JdkCrc32c;
import org.apache.hadoop.util.PureJavaCrc32C;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Computes the CRC32C of bytes in buffers on or off the heap. Uses the JDK's implementation, and so
 * a processor instruction, on JDK 9 and later, and Hadoop's on JDK 8. Not thread-safe.
 */
@InterfaceAudience.Private
public final class Crc32c {
  private static final int CHUNK_BYTES = 4096;

  private final Checksum checksum;

  public Crc32c() {
    this(JdkCrc32c.isAvailable());
  }

  /** @param ofJdk whether to use the JDK's implementation; tests use Hadoop's on any JDK */
  Crc32c(boolean ofJdk) {
    checksum = ofJdk ? JdkCrc32c.create() : new PureJavaCrc32C();
  }

  /**
   * Adds bytes of a buffer. Its position and limit don't change.
   * @param from offset of the first byte
   * @param to   offset behind the last byte
   */
  public void update(ByteBuffer buffer, int from, int to) {
    int position = buffer.position();
    int limit = buffer.limit();
    buffer.limit(to).position(from);
    try {
      if (checksum instanceof PureJavaCrc32C) {
        updateInChunks(buffer);
      } else {
        JdkCrc32c.update(checksum, buffer);
      }
    } finally {
      buffer.limit(limit).position(position);
    }
  }

  private void updateInChunks(ByteBuffer buffer) {
    byte[] chunk = new byte[Math.min(CHUNK_BYTES, buffer.remaining())];
    while (buffer.hasRemaining()) {
      int length = Math.min(chunk.length, buffer.remaining());
      buffer.get(chunk, 0, length);
      checksum.update(chunk, 0, length);
    }
  }

  public int get() {
    return (int) checksum.getValue();
  }
}
