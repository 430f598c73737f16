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
package org.apache.hadoop.hbase.io.util;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The JDK's CRC32C, which reads direct buffers without copying them and uses processor
 * instructions. JDK 8 doesn't have it, so it is called by reflection. Thread-safe.
 */
@InterfaceAudience.Private
public final class JdkCrc32c {
  /** Creates a checksum; null on JDK 8. */
  private static final MethodHandle CREATE;
  /** Updates a checksum with a ByteBuffer; null on JDK 8. */
  private static final MethodHandle UPDATE;
  static {
    MethodHandle create = null;
    MethodHandle update = null;
    try {
      Class<?> crc32c = Class.forName("java.util.zip.CRC32C");
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      create = lookup.findConstructor(crc32c, MethodType.methodType(void.class))
        .asType(MethodType.methodType(Checksum.class));
      update =
        lookup.findVirtual(crc32c, "update", MethodType.methodType(void.class, ByteBuffer.class))
          .asType(MethodType.methodType(void.class, Checksum.class, ByteBuffer.class));
    } catch (ReflectiveOperationException e) {
      // JDK 8.
    }
    CREATE = create;
    UPDATE = update;
  }

  private JdkCrc32c() {
  }

  /** Returns false on JDK 8, where the other methods must not be called. */
  public static boolean isAvailable() {
    return CREATE != null;
  }

  /** Returns a new checksum, which isn't thread-safe. */
  public static Checksum create() {
    try {
      return (Checksum) CREATE.invokeExact();
    } catch (Throwable t) {
      throw new IllegalStateException("java.util.zip.CRC32C", t);
    }
  }

  /**
   * Adds the bytes from a buffer's position to its limit, and sets the position to the limit.
   * @param crc32c created by {@link #create}
   */
  public static void update(Checksum crc32c, ByteBuffer bytes) {
    try {
      UPDATE.invokeExact(crc32c, bytes);
    } catch (Throwable t) {
      throw new IllegalStateException("java.util.zip.CRC32C", t);
    }
  }
}
