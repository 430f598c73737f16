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

import java.util.Set;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Lists the blocks that a cache of any topology has of some files, without going through those of
 * other files unless the cache is on the heap. Stateless.
 */
@InterfaceAudience.Private
public final class FileBlocks {
  private static final int UNKNOWN_SIZE = -1;

  /** Is told of blocks. */
  public interface Visitor {
    /**
     * Called for a cached block; twice for one that two tiers have.
     * @param tier 1 for the first one
     * @param size bytes on disk, with the header; -1 if unknown
     * @param data whether it is a data block, not one of an index or a bloom filter
     * @param heat the higher, the hotter, among the blocks of this tier
     */
    void visit(String file, long offset, int size, boolean data, int tier, long heat);
  }

  private FileBlocks() {
  }

  /** Visits the blocks of some files. Reads none, and counts none as hit or miss. */
  public static void visit(BlockCache cache, Set<String> files, Visitor visitor) {
    if (cache instanceof CombinedBlockCache) {
      CombinedBlockCache combined = (CombinedBlockCache) cache;
      visit(combined.getFirstLevelCache(), files, 1, visitor);
      visit(combined.getSecondLevelCache(), files, 2, visitor);
    } else {
      visit(cache, files, 1, visitor);
    }
  }

  private static void visit(BlockCache cache, Set<String> files, int tier, Visitor visitor) {
    if (cache instanceof FileBlockSource) {
      files.forEach(file -> ((FileBlockSource) cache).visitBlocks(file,
        (offset, size, data, heat) -> visitor.visit(file, offset, size, data, tier, heat)));
    } else if (cache instanceof BucketCache) {
      visitWaiting((BucketCache) cache, files, tier, visitor);
      files.forEach(file -> visitBucketCache((BucketCache) cache, file, tier, visitor));
    } else {
      for (CachedBlock block : cache) {
        if (files.contains(block.getFilename())) {
          visitor.visit(block.getFilename(), block.getOffset(), UNKNOWN_SIZE,
            isData(block.getBlockType().getCategory()), tier,
            block.getBlockPriority() == BlockPriority.SINGLE ? 0 : 1);
        }
      }
    }
  }

  /** Those that the cache has yet to write were read, or written to HDFS, last. */
  private static void visitWaiting(BucketCache cache, Set<String> files, int tier,
    Visitor visitor) {
    cache.ramCache.delegate.forEach((key, entry) -> {
      if (files.contains(key.getHfileName()) && entry.getData() instanceof HFileBlock) {
        HFileBlock block = (HFileBlock) entry.getData();
        visitor.visit(key.getHfileName(), key.getOffset(), block.getOnDiskSizeWithHeader(),
          isData(block.getBlockType().getCategory()), tier, Long.MAX_VALUE);
      }
    });
  }

  private static void visitBucketCache(BucketCache cache, String file, int tier,
    Visitor visitor) {
    for (
      BlockCacheKey key : cache.blocksByHFile.subSet(new BlockCacheKey(file, 0), true,
        new BlockCacheKey(file, Long.MAX_VALUE), true)
    ) {
      BucketEntry entry = cache.backingMap.get(key);
      if (entry != null) {
        visitor.visit(file, key.getOffset(), entry.getOnDiskSizeWithHeader(),
          key.getBlockType() == null || isData(key.getBlockType().getCategory()), tier,
          entry.getAccessCounter());
      }
    }
  }

  private static boolean isData(BlockCategory category) {
    return category == BlockCategory.DATA;
  }
}
