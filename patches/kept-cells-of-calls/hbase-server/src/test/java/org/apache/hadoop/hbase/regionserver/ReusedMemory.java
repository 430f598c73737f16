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
package org.apache.hadoop.hbase.regionserver;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.yetus.audience.InterfaceAudience;

/** Memory that cells are views of until it is reused. */
@InterfaceAudience.Private
public final class ReusedMemory {
  private static final int BYTES = 1 << 16;

  private final ByteBuffer memory;

  private ReusedMemory(ByteBuffer memory) {
    this.memory = memory;
  }

  /** Such as a block in a pooled buffer. */
  public static ReusedMemory offHeap() {
    return new ReusedMemory(ByteBuffer.allocateDirect(BYTES));
  }

  /** Such as a chunk of the memstore. */
  public static ReusedMemory onHeap() {
    return new ReusedMemory(ByteBuffer.allocate(BYTES));
  }

  /** Returns the cell as a view of this memory. */
  public Cell add(KeyValue cell) {
    int offset = memory.position();
    memory.put(cell.getBuffer(), cell.getOffset(), cell.getLength());
    if (memory.isDirect()) {
      return new ByteBufferKeyValue(memory, offset, cell.getLength(), cell.getSequenceId());
    }
    KeyValue view = new KeyValue(memory.array(), offset, cell.getLength());
    view.setSequenceId(cell.getSequenceId());
    return view;
  }

  /** Others use it from here on. */
  public void reuse() {
    byte[] others = new byte[BYTES];
    Arrays.fill(others, (byte) 0x7F);
    memory.clear();
    memory.put(others);
    memory.clear();
  }
}
