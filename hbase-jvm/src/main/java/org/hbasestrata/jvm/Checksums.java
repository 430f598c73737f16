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
package org.hbasestrata.jvm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32;

/** CRC-32 of files and of jars. */
final class Checksums {
  private static final int BUFFER = 1 << 20;
  /** Of the record that ends a jar: its size without a comment, and the longest comment. */
  private static final int END_BYTES = 22;
  private static final int MOST_COMMENT = 0xffff;
  private static final int END_SIGNATURE = 0x06054b50;
  private static final int END_DIRECTORY_SIZE = 12;

  private Checksums() {
  }

  /** Returns the checksum of all bytes of a file. */
  static long ofFile(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return of(channel, 0, channel.size());
    }
  }

  /**
   * Returns the checksum of a jar's directory, which has those of all entries; of the whole file if
   * it has no such directory, or one of the ZIP64 format.
   */
  static long ofJar(Path jar) throws IOException {
    try (FileChannel channel = FileChannel.open(jar)) {
      long size = channel.size();
      long begin = Math.max(0, size - END_BYTES - MOST_COMMENT);
      ByteBuffer tail = ByteBuffer.allocate((int) (size - begin)).order(ByteOrder.LITTLE_ENDIAN);
      read(channel, tail, begin);
      for (int at = tail.limit() - END_BYTES; at >= 0; at--) {
        if (tail.getInt(at) == END_SIGNATURE) {
          long directory = tail.getInt(at + END_DIRECTORY_SIZE) & 0xffffffffL;
          long end = begin + at;
          return of(channel, directory > end ? 0 : end - directory, directory > end ? size : end);
        }
      }
      return of(channel, 0, size);
    }
  }

  private static long of(FileChannel channel, long begin, long end) throws IOException {
    CRC32 checksum = new CRC32();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    for (long position = begin; position < end; position += buffer.limit()) {
      buffer.clear();
      buffer.limit((int) Math.min(BUFFER, end - position));
      read(channel, buffer, position);
      checksum.update(buffer.array(), 0, buffer.limit());
    }
    return checksum.getValue();
  }

  /** Fills the buffer up to its limit, and makes it ready to be read. */
  private static void read(FileChannel channel, ByteBuffer buffer, long position)
    throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) < 0) {
        throw new IOException("the file has become shorter");
      }
    }
    buffer.flip();
  }
}
