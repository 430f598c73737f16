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

import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Lists the files that a block cache of any topology has blocks of. Blocks that wait to be written
 * aren't seen. Stateless.
 */
@InterfaceAudience.Private
public final class FilesWithBlocks {
  private FilesWithBlocks() {
  }

  /** Returns a new set of the files' names. */
  public static Set<String> of(BlockCache cache) {
    Set<String> files = new HashSet<>();
    add(cache, files);
    return files;
  }

  private static void add(BlockCache cache, Set<String> files) {
    if (cache instanceof CombinedBlockCache) {
      CombinedBlockCache combined = (CombinedBlockCache) cache;
      add(combined.getFirstLevelCache(), files);
      add(combined.getSecondLevelCache(), files);
    } else if (cache instanceof FileBlockSource) {
      files.addAll(((FileBlockSource) cache).getFiles());
    } else if (cache instanceof BucketCache) {
      addOfBucketCache((BucketCache) cache, files);
    } else {
      for (CachedBlock block : cache) {
        files.add(block.getFilename());
      }
    }
  }

  /** Goes from the first block of a file to that of the next one. */
  private static void addOfBucketCache(BucketCache cache, Set<String> files) {
    BlockCacheKey key = cache.blocksByHFile.ceiling(new BlockCacheKey("", 0));
    while (key != null) {
      files.add(key.getHfileName());
      key = cache.blocksByHFile.higher(new BlockCacheKey(key.getHfileName(), Long.MAX_VALUE));
    }
  }
}
