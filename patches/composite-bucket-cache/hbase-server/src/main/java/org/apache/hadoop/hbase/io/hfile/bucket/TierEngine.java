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
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A tier of a {@code CompositeBucketCache}: a block cache that can tell whether it has a block,
 * without reading it, and takes blocks of the other tier. Thread-safe. Callers of
 * {@link #getBlock} release the block.
 */
@InterfaceAudience.Private
public interface TierEngine extends BlockCache {
  /** Returns false after shutdown, and if too many errors of the engine have disabled the tier. */
  boolean isEnabled();

  /** Returns true if the block isn't too big for the tier. */
  boolean fits(Cacheable block);

  /** Returns true if {@link #getBlock} would find the block. */
  default boolean holds(BlockCacheKey key) {
    return residentKey(key) != null;
  }

  /**
   * Returns the key that the tier holds a block with. For a block of a reference file, which half
   * of a split region reads, this may be the key in the file that is referred to.
   * @return the key, or null if the tier doesn't hold the block
   */
  BlockCacheKey residentKey(BlockCacheKey key);

  /**
   * Returns true if {@link #getBlock} finds each block of the file that a reference file refers to
   * by the name of the reference, also one that waits to be written.
   */
  default boolean followsReferences() {
    return true;
  }

  /** Returns true if the tier has the block, with the priority of in-memory column families. */
  boolean isInMemory(BlockCacheKey key);

  /**
   * Caches a block of another tier. Waits if the writers are behind.
   * @param key     kept by the tier, and given the block's type
   * @param timeout milliseconds to wait at most; 0 to not wait
   * @return true if the tier holds the block, or took it but couldn't write it
   */
  boolean takeBlock(BlockCacheKey key, Cacheable block, boolean inMemory, long timeout)
    throws InterruptedException;

  /** Returns true if {@link #takeBlock} needs the block's memory only until it returns. */
  default boolean copiesAtOnce() {
    return false;
  }

  /** Returns the number of blocks that came from another tier and were written to this one. */
  long getMovedBlockCount();

  /** Returns the number of blocks that were taken from another tier but couldn't be written. */
  long getFailedMoveCount();

  /** Returns the number of blocks of a category that are written to the tier. */
  long getBlockCount(BlockCategory category);

  /** Returns the bytes of a category's blocks that are written to the tier. */
  long getSize(BlockCategory category);

  /**
   * Returns the offsets of a file's blocks that are written to the tier, in order.
   * @param end  leaves out blocks that start at this offset or later
   * @param data whether to return data blocks, or other blocks
   */
  Set<Long> getOffsets(String hfileName, long end, boolean data);

  /**
   * Waits until no block of the file waits to be written, or the tier is disabled.
   * @param timeout milliseconds to wait at most
   */
  void awaitWritten(String hfileName, long timeout);

  /**
   * Waits until no block waits to be written, or the tier is disabled.
   * @param timeout milliseconds to wait at most
   */
  void awaitWritten(long timeout);

  /** Returns the number of readers that hold a block; 0 if the tier doesn't count them. */
  int getRpcRefCount(BlockCacheKey key);
}
