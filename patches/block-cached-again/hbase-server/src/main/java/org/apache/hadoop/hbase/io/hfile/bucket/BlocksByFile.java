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

import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.yetus.audience.InterfaceAudience;

/** Keeps a BucketCache's set of keys by file consistent with its map of blocks. */
@InterfaceAudience.Private
final class BlocksByFile {
  private BlocksByFile() {
  }

  /**
   * Returns the key that a block was cached with. A reader's key may lack the block's type.
   * @return a key with a type. If the block isn't in the set, since other threads evict or cache
   *         it, the type is that of {@code key}, or DATA if it has none.
   */
  static BlockCacheKey storedKey(NavigableSet<BlockCacheKey> byFile, BlockCacheKey key) {
    BlockCacheKey stored = byFile.floor(key);
    if (key.equals(stored)) {
      return stored;
    }
    return key.getBlockType() != null
      ? key
      : new BlockCacheKey(key.getHfileName(), key.getOffset(), key.isPrimary(), BlockType.DATA);
  }

  /**
   * Makes the set contain the key if, and only if, the map has a block for it. A thread that evicts
   * calls this if there is a block again after it has removed the key from both. A thread that
   * caches calls it if the block is gone after it has added the key. The map lets one thread at a
   * time do this for a key, so the last one sees the final state.
   */
  static void settle(Map<BlockCacheKey, BucketEntry> blocks, Set<BlockCacheKey> byFile,
    BlockCacheKey key) {
    blocks.compute(key, (same, entry) -> {
      if (entry == null) {
        byFile.remove(same);
      } else {
        byFile.add(same);
      }
      return entry;
    });
  }
}
