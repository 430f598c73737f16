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
package org.apache.hadoop.hbase.ipc;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.MultiByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;

/** Requests as a server receives them. */
final class ParameterBuffers {
  /** Of the parameter in its request. */
  static final int OFFSET = 7;

  private ParameterBuffers() {
  }

  /**
   * Returns the parameter between other bytes, on the heap, off it, and in two buffers; and behind
   * others, off the heap and in two buffers.
   */
  static List<ByteBuff> of(byte[] parameter) {
    byte[] all = new byte[OFFSET + parameter.length + 5];
    Arrays.fill(all, (byte) 0x0a);
    System.arraycopy(parameter, 0, all, OFFSET, parameter.length);
    ByteBuffer direct = ByteBuffer.allocateDirect(all.length);
    direct.put(all);
    direct.rewind();
    byte[] shifted = new byte[all.length + 3];
    System.arraycopy(all, 0, shifted, 3, all.length);
    ByteBuffer onHeap = ByteBuffer.wrap(shifted);
    onHeap.position(3);
    int half = all.length / 2;
    List<ByteBuff> buffers = new ArrayList<>();
    buffers.add(new SingleByteBuff(onHeap.slice()));
    buffers.add(new SingleByteBuff(direct));
    buffers.add(new MultiByteBuff(ByteBuffer.wrap(Arrays.copyOf(all, half)),
      ByteBuffer.wrap(Arrays.copyOfRange(all, half, all.length))));
    ByteBuffer last = direct.duplicate();
    last.limit(OFFSET + parameter.length);
    buffers.add(new SingleByteBuff(last.slice()));
    int end = OFFSET + parameter.length;
    buffers.add(new MultiByteBuff(ByteBuffer.wrap(Arrays.copyOf(all, end / 2)),
      ByteBuffer.wrap(Arrays.copyOfRange(all, end / 2, end))));
    return buffers;
  }
}
