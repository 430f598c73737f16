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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.hfile.SeekIndexOwner;
import org.apache.hadoop.hbase.unsafe.HBasePlatformDependent;
import org.apache.hadoop.hbase.util.UnsafeAccess;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Where the handle of a block's seek index is: in the header of the block's record. To be used only
 * while the record is in the index or its segment is pinned. Thread-safe.
 */
@InterfaceAudience.Private
final class RecordSeekIndex implements SeekIndexOwner {
  /** Keeps the memory. */
  private final ByteBuffer memory;
  private final int position;

  RecordSeekIndex(ByteBuffer memory, int recordPosition) {
    this.memory = memory;
    position = recordPosition + RecordHeader.SEEK_INDEX;
  }

  @Override
  public long getSeekIndex() {
    return HBasePlatformDependent.getLongVolatile(null, address());
  }

  @Override
  public boolean compareAndSetSeekIndex(long expected, long update) {
    return HBasePlatformDependent.compareAndSwapLong(null, address(), expected, update);
  }

  private long address() {
    return UnsafeAccess.directBufferAddress(memory) + position;
  }
}
