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

/** Keeps a BucketCache's set of keys by file as its map of blocks is. */
@InterfaceAudience.Private
final class BlocksByFile {
  private BlocksByFile() {
  }

  /**
   * Returns the key that a block was cached with. That of a reader may lack the block's type.
   * @return never without a type; a block that isn't in the set, since others evict or cache it
   *         now, counts as a data block if its key doesn't say what it is
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
   * Has the key in the set if a block is in the map. Each thread that evicts calls it if there is a
   * block when it has removed the key from both, and each that caches, if the block is gone when it
   * has added the key; the map lets one at a time, so that the last one sees what is there.
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
