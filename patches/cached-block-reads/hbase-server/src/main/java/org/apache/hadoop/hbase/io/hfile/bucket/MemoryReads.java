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

import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.io.netty.util.IllegalReferenceCountException;

/**
 * Reads blocks of engines in memory. They need no lock of their offset: a block that is read refers
 * to its slot, which isn't used again before all references are released. Thread-safe.
 */
@InterfaceAudience.Private
final class MemoryReads {
  private MemoryReads() {
  }

  /**
   * Reads a block.
   * @param entry  was found by the block's key; it may have been evicted since
   * @param engine uses shared memory
   * @return the block, which the caller releases; null if its slot isn't the entry's any more, or
   *         it can't be read, which a read with the lock reports
   */
  static Cacheable read(BucketEntry entry, IOEngine engine) {
    try {
      entry.retain();
    } catch (IllegalReferenceCountException e) {
      return null;
    }
    boolean complete = false;
    try {
      Cacheable block = engine.read(entry);
      complete = true;
      return block;
    } catch (IOException e) {
      return null;
    } finally {
      if (!complete) {
        entry.release();
      }
    }
  }
}
