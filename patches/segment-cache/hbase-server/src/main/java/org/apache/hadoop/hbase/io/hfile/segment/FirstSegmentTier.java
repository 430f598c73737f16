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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.bucket.FirstTierEngine;
import org.apache.yetus.audience.InterfaceAudience;

/** A cache of segments in memory that is a first tier. Thread-safe. */
@InterfaceAudience.Private
public final class FirstSegmentTier extends SegmentTier implements FirstTierEngine {
  /** The part of the tier that metadata may have until it counts as full. */
  private static final double MOST_METADATA = 0.9;

  private final FirstTierPolicy policy;

  private FirstSegmentTier(SegmentCacheSettings settings, CacheStats stats, FirstTierPolicy policy)
    throws IOException {
    super(settings, stats, index -> policy.of(index.getOccupancy()));
    this.policy = policy;
  }

  static FirstSegmentTier create(SegmentCacheSettings settings, CacheStats stats)
    throws IOException {
    return new FirstSegmentTier(settings, stats,
      new FirstTierPolicy(settings.getSegments(), settings.getSegmentSize()));
  }

  @Override
  public boolean isEvictedByReaders() {
    return true;
  }

  /** Also the policy, which the server keeps, lets go of the memory. */
  @Override
  public void shutdown() {
    super.shutdown();
    policy.clear();
  }

  @Override
  public void setEvictions(Evictions evictions) {
    policy.setEvictions(evictions);
  }

  private boolean hasRoomForMetadata(long bytes) {
    long metadata = getCurrentSize() - getSize(BlockCategory.DATA);
    return metadata + bytes < getMaxSize() * MOST_METADATA;
  }

  @Override
  public boolean hasRoomForData() {
    return hasRoomForMetadata(0);
  }

  /** Tells whether a block fits without others of its worth being evicted. */
  @Override
  public Optional<Boolean> hasRoom(boolean metadata, long bytes) {
    return metadata && isEnabled()
      ? Optional.of(hasRoomForMetadata(bytes))
      : super.hasRoom(metadata, bytes);
  }

  @Override
  public List<BlockCacheKey> getMetadataKeys() {
    return getKeys(false);
  }

  @Override
  public void evictData() {
    getKeys(true).forEach(this::evictBlock);
  }

  private List<BlockCacheKey> getKeys(boolean data) {
    List<BlockCacheKey> keys = new ArrayList<>();
    for (FileTable file : getIndex().tables()) {
      file.visit((offset, size, word) -> {
        int blockClass = EntryWord.blockClass(word);
        if (BlockClass.isData(blockClass) == data) {
          keys.add(
            new BlockCacheKey(file.getName(), offset, true, BlockClass.type(blockClass)));
        }
      });
    }
    return keys;
  }
}
