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
 * Holds the blocks that a writer of a BucketCache has taken from its queue until they are written
 * and room was made for the next: if one were evicted meanwhile its buffer would go to another
 * block, whose bytes would be written in its place. To be called by that writer; others may evict
 * and cache meanwhile.
 */
@InterfaceAudience.Private
final class HeldBlocks {
  private HeldBlocks() {
  }

  /**
   * Holds what still waits, and takes out of the list what was evicted, or cached anew, since it
   * was queued: its buffer may be another block's by now.
   * @param entries not to be changed until it is given to {@link #release}
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

  /** Lets go of what is held. */
  static void release(List<RAMQueueEntry> entries) {
    entries.forEach(entry -> entry.getData().release());
  }
}
