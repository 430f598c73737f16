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

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;
import org.apache.hadoop.util.PureJavaCrc32C;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The CRC32C of bytes in buffers on and off the heap. On JDK 9 and later it is the JDK's, which
 * processors have an instruction for; on JDK 8, which has none, Hadoop's. Not thread-safe.
 */
@InterfaceAudience.Private
final class Crc32c {
  private static final int CHUNK_BYTES = 4096;
  /** Creates the JDK's; null on JDK 8. */
  private static final MethodHandle CREATE;
  /** Updates it with a ByteBuffer. */
  private static final MethodHandle UPDATE;
  static {
    MethodHandle create = null;
    MethodHandle update = null;
    try {
      Class<?> ofJdk = Class.forName("java.util.zip.CRC32C");
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      create = lookup.findConstructor(ofJdk, MethodType.methodType(void.class))
        .asType(MethodType.methodType(Checksum.class));
      update =
        lookup.findVirtual(ofJdk, "update", MethodType.methodType(void.class, ByteBuffer.class))
          .asType(MethodType.methodType(void.class, Checksum.class, ByteBuffer.class));
    } catch (ReflectiveOperationException e) {
      // JDK 8.
    }
    CREATE = create;
    UPDATE = update;
  }

  private final Checksum checksum;

  Crc32c() {
    this(CREATE != null);
  }

  /** Of Hadoop's, for tests, if not of the JDK's. */
  Crc32c(boolean ofJdk) {
    checksum = ofJdk ? create() : new PureJavaCrc32C();
  }

  private static Checksum create() {
    try {
      return (Checksum) CREATE.invokeExact();
    } catch (Throwable t) {
      throw new IllegalStateException("java.util.zip.CRC32C", t);
    }
  }

  /**
   * Adds bytes of a buffer, whose position and limit are afterwards as they were before.
   * @param from where they begin
   * @param to   where they end
   */
  void update(ByteBuffer buffer, int from, int to) {
    int position = buffer.position();
    int limit = buffer.limit();
    buffer.limit(to).position(from);
    try {
      if (checksum instanceof PureJavaCrc32C) {
        updateInChunks(buffer);
      } else {
        UPDATE.invokeExact(checksum, buffer);
      }
    } catch (Throwable t) {
      throw new IllegalStateException("java.util.zip.CRC32C", t);
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

  int get() {
    return (int) checksum.getValue();
  }
}
