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
package org.hbasestrata.gclab.stalls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/**
 * Source D's background writer: 150 MB a second, file after file. Each is synced when it is whole:
 * without that a kernel with much memory keeps it there until it is deleted, and the disk is idle.
 * For a JVM of its own.
 */
public final class DiskWriter {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final long NANOS_PER_CHUNK = 1_000_000_000L / 150;

  private DiskWriter() {
  }

  /**
   * {@code FOLDER MEGABYTES SECONDS}: two files of that size at most, until it is killed or the
   * time is over.
   */
  public static void main(String[] args) throws IOException {
    long due = System.nanoTime();
    long end = due + (long) (Double.parseDouble(args[2]) * 1e9);
    Path folder = Path.of(args[0]);
    int megabytes = Integer.parseInt(args[1]);
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    Path last = null;
    for (int number = 0; System.nanoTime() < end; number++) {
      Path file = folder.resolve("written-" + number);
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE,
        StandardOpenOption.WRITE)) {
        for (int i = 0; i < megabytes && System.nanoTime() < end; i++) {
          chunk.clear();
          while (chunk.hasRemaining()) {
            channel.write(chunk);
          }
          due += NANOS_PER_CHUNK;
          LockSupport.parkNanos(due - System.nanoTime());
        }
        channel.force(true);
        due = System.nanoTime();
      }
      if (last != null) {
        Files.delete(last);
      }
      last = file;
    }
    if (last != null) {
      Files.delete(last);
    }
  }
}
