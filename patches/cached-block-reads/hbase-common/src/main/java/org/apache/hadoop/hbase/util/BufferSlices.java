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
package org.apache.hadoop.hbase.util;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Makes a buffer of a part of another one, which stays as it is. Thread-safe. From Java 13 on it is
 * made at once; before, a duplicate of the whole buffer has to be made first.
 */
@InterfaceAudience.Private
public final class BufferSlices {
  private static final MethodHandle SLICE = findSlice();

  private BufferSlices() {
  }

  private static MethodHandle findSlice() {
    try {
      return MethodHandles.publicLookup().findVirtual(ByteBuffer.class, "slice",
        MethodType.methodType(ByteBuffer.class, int.class, int.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  /**
   * Returns a part of an array of buffers, if it is in one of them.
   * @param buffers each of bufferSize bytes
   * @param offset  in all buffers together, one behind the other
   * @param length  bytes of the part
   * @return the part, from position 0 on; null if it isn't in one buffer
   */
  static ByteBuffer ofOne(ByteBuffer[] buffers, int bufferSize, long offset, int length) {
    long index = offset / bufferSize;
    int from = (int) (offset % bufferSize);
    return offset < 0 || length <= 0 || length > bufferSize - from || index >= buffers.length
      ? null
      : of(buffers[(int) index], from, length);
  }

  /** Returns a part of a buffer, from position 0 on; the buffer's position isn't looked at. */
  public static ByteBuffer of(ByteBuffer buffer, int from, int length) {
    if (SLICE == null) {
      return ofDuplicate(buffer, from, length);
    }
    try {
      return (ByteBuffer) SLICE.invokeExact(buffer, from, length);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e); // The method declares no exception.
    }
  }

  static ByteBuffer ofDuplicate(ByteBuffer buffer, int from, int length) {
    ByteBuffer duplicate = buffer.duplicate();
    duplicate.limit(from + length).position(from);
    return duplicate.slice();
  }
}
