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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.DeviceReadTime;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.ReaderFile;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngine;
import org.apache.yetus.audience.InterfaceAudience;

/** A cache of segments that is a tier of a {@code CompositeBucketCache}. Thread-safe. */
@InterfaceAudience.Private
public class SegmentTier extends SegmentCache implements TierEngine {
  private final boolean persistent;
  private final LongAdder movedBlocks = new LongAdder();

  SegmentTier(SegmentCacheSettings settings, CacheStats stats) throws IOException {
    super(settings, stats);
    persistent = !settings.isInMemory();
  }

  SegmentTier(SegmentCacheSettings settings, CacheStats stats,
    Function<SegmentIndex, MemoryPolicy> policy) throws IOException {
    super(settings, stats, policy);
    persistent = false;
  }

  @Override
  public boolean isEnabled() {
    SegmentStore store = getStore();
    return store != null && (store.getParts() == 0 || store.getPartsOff() < store.getParts());
  }

  @Override
  public boolean fits(Cacheable block) {
    SegmentStore store = getStore();
    return store != null && block instanceof HFileBlock && store.fits((HFileBlock) block, 0);
  }

  @Override
  public BlockCacheKey residentKey(BlockCacheKey key) {
    if (find(key) != EntryWord.NONE) {
      return key;
    }
    BlockCacheKey referred = ReaderFile.referredKey(key);
    return referred != key && find(referred) != EntryWord.NONE ? referred : null;
  }

  private long find(BlockCacheKey key) {
    FileTable file = getIndex().get(key);
    return file == null ? EntryWord.NONE : file.find(key.getOffset());
  }

  @Override
  public boolean isInMemory(BlockCacheKey key) {
    long word = find(key);
    return word != EntryWord.NONE && BlockClass.isInMemory(EntryWord.blockClass(word));
  }

  @Override
  public boolean takeBlock(BlockCacheKey key, Cacheable block, boolean inMemory, long timeout) {
    // A block that isn't waited for stays in the other tier.
    boolean isCopy = timeout == 0 && !persistent;
    WriteResult result = isCopy && DeviceReadTime.isForbidden()
      ? WriteResult.REFUSED
      : write(key, block, isCopy ? BlockOrigin.COPIED : BlockOrigin.WRITTEN, inMemory, timeout);
    if (result == WriteResult.ADDED) {
      movedBlocks.increment();
    }
    return result != WriteResult.REFUSED;
  }

  @Override
  public boolean copiesAtOnce() {
    return true;
  }

  @Override
  public long getMovedBlockCount() {
    return movedBlocks.sum();
  }

  /** Returns 0: what isn't taken isn't written later. */
  @Override
  public long getFailedMoveCount() {
    return 0;
  }

  @Override
  public long getBlockCount(BlockCategory category) {
    return getOccupancy().getBlocks(category);
  }

  @Override
  public long getSize(BlockCategory category) {
    return getOccupancy().getBytes(category);
  }

  @Override
  public Set<Long> getOffsets(String hfileName, long end, boolean data) {
    Set<Long> offsets = new TreeSet<>();
    FileTable file = getIndex().get(hfileName);
    if (file != null) {
      file.visit((offset, size, word) -> {
        if (offset < end && BlockClass.isData(EntryWord.blockClass(word)) == data) {
          offsets.add(offset);
        }
      });
    }
    return offsets;
  }

  /** Does nothing: a block is in the index as soon as it is cached. */
  @Override
  public void awaitWritten(String hfileName, long timeout) {
    // See above.
  }

  /** Does nothing: the end of the cache waits until all is written. */
  @Override
  public void awaitWritten(long timeout) {
    // See above.
  }

  @Override
  public int getRpcRefCount(BlockCacheKey key) {
    return 0;
  }
}
