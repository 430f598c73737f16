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

import java.util.List;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache.RAMCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache.RAMQueueEntry;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Retains the blocks that a writer of a BucketCache has taken from its queue, until they are
 * written. If such a block were evicted meanwhile, its buffer would be reused for another block,
 * and that block's bytes would be written in its place. Called by the writer; other threads may
 * evict and cache blocks meanwhile.
 */
@InterfaceAudience.Private
final class HeldBlocks {
  private HeldBlocks() {
  }

  /**
   * Retains the blocks that still wait. Removes the others from the list: they were evicted, or
   * cached anew, after they were queued, and their buffers may hold other blocks by now.
   * @param entries must not change until they are given to {@link #release}
   */
  static void hold(List<RAMQueueEntry> entries, RAMCache waiting) {
    entries.removeIf(entry -> !hold(entry, waiting));
  }

  private static boolean hold(RAMQueueEntry entry, RAMCache waiting) {
    RAMQueueEntry current = waiting.get(entry.getKey());
    if (current != null && current != entry) {
      current.getData().release();
    }
    return current == entry;
  }

  /** Releases the blocks. */
  static void release(List<RAMQueueEntry> entries) {
    entries.forEach(entry -> entry.getData().release());
  }
}
