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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The first tier of a {@code CompositeBucketCache}: holds metadata, and data that is read often in
 * the remaining room. To make room it evicts data first, the least read first. Data never evicts
 * metadata. As thread-safe as BucketCache.
 */
@InterfaceAudience.Private
public final class FirstTierBucketCache extends TierBucketCache implements FirstTierEngine {
  /*
   * BucketCache's writers call drain with the blocks to write. Metadata is written before data. If
   * the allocator is full, the tier evicts data to make room. If there is no data to evict, new
   * data is dropped: metadata is evicted for other metadata only, by freeSpace.
   *
   * The allocator assigns each bucket, of some megabytes, to one slot size. So evicting the coldest
   * data doesn't always make room for metadata of another size. In that case whole buckets that
   * hold only data are emptied, the coldest first.
   */

  /** Number of buckets that are emptied for each slot size without room, as in BucketCache. */
  private static final int BUCKETS_PER_FULL_SIZE = 2;
  /** Minimum number of emptied buckets, as a fraction of all: each time all blocks are scanned. */
  private static final int BUCKETS_SHARE = 100;

  private volatile Evictions evictions;

  public FirstTierBucketCache(BucketCacheTierSettings settings, int blockSize)
    throws IOException {
    super(settings, blockSize);
  }

  @Override
  public void setEvictions(Evictions evictions) {
    this.evictions = evictions;
  }

  /** Returns false if metadata alone fills the tier up to its minimum factor. */
  @Override
  public boolean hasRoomForData() {
    long metadata = getCurrentSize() - getSize(BlockCategory.DATA);
    return metadata < getAllocator().getTotalSize() * getMinFactor();
  }

  /** Tells whether a block fits; metadata takes the room of data. */
  @Override
  public Optional<Boolean> hasRoom(boolean metadata, long bytes) {
    return super.hasRoom(metadata, metadata ? bytes - getSize(BlockCategory.DATA) : bytes);
  }

  @Override
  public List<BlockCacheKey> getMetadataKeys() {
    return getKeys(key -> !isData(key));
  }

  @Override
  public void evictData() {
    getKeys(TierBucketCache::isData).forEach(this::evictBlock);
  }

  @Override
  void drain(List<RAMQueueEntry> entries, ByteBuffer metaBuff) throws InterruptedException {
    List<RAMQueueEntry> metadata = new ArrayList<>(entries.size());
    List<RAMQueueEntry> data = new ArrayList<>();
    for (RAMQueueEntry entry : entries) {
      (isData(entry.getKey()) ? data : metadata).add(entry);
    }
    write(metadata, metaBuff);
    write(data, metaBuff);
  }

  /** The entries are all metadata or all data: see {@link #drain}. */
  @Override
  int afterFull(List<RAMQueueEntry> entries, int index) {
    if (!isData(entries.get(index).getKey())) {
      return super.afterFull(entries, index);
    }
    if (makeRoomOfData()) {
      return index;
    }
    for (int i = index; i < entries.size(); i++) {
      evictions.onDataRejected();
    }
    return entries.size();
  }

  @Override
  boolean makeRoomAfter(List<RAMQueueEntry> entries) {
    boolean data = isData(entries.get(0).getKey());
    if (data) {
      makeRoomOfData();
    }
    return data;
  }

  @Override
  void freeSpace(String why) {
    if (!makeRoomOfData()) {
      super.freeSpace(why);
    }
  }

  @Override
  boolean evictBucketEntryIfNoRpcReferenced(BlockCacheKey key, BucketEntry entry) {
    if (entry.isRpcRef() || backingMap.get(key) != entry) {
      return false;
    }
    return evictions.evict(key, isData(key),
      () -> super.evictBucketEntryIfNoRpcReferenced(key, entry));
  }

  /**
   * Evicts data until each slot size has the free room that it should have.
   * @return true if there is room now, by this thread or another one
   */
  private synchronized boolean makeRoomOfData() {
    long[] shortage = shortageBySize();
    if (Arrays.stream(shortage).allMatch(bytes -> bytes == 0)) {
      return true;
    }
    getStats().evict();
    boolean evicted = evictColdest(shortage);
    int fullSizes = countFullSizes();
    if (evicted && fullSizes == 0) {
      return true;
    }
    // Buckets are emptied also if one is spare: the sizes that lack room may be sizes without data.
    return evictDataBuckets(Math.max(1, fullSizes) * Math.max(BUCKETS_PER_FULL_SIZE,
      getAllocator().getBuckets().length / BUCKETS_SHARE)) || evicted;
  }

  /** Returns the bytes that each slot size lacks to the free room that it should have. */
  private long[] shortageBySize() {
    return Arrays.stream(getAllocator().getIndexStatistics()).mapToLong(size -> {
      long wantedFree = Math.max(1, (long) (size.totalCount() * (1 - getMinFactor())));
      long missing = Math.max(0, wantedFree - size.freeCount());
      return (long) (missing * size.itemSize() * (1 + getExtraFreeFactor()));
    }).toArray();
  }

  private boolean evictColdest(long[] shortage) {
    List<DataBlock> candidates = new ArrayList<>();
    backingMap.forEach((key, entry) -> {
      if (isData(key) && shortage[sizeIndex(entry)] > 0 && !entry.isRpcRef()) {
        candidates.add(new DataBlock(key, entry, evictions.frequency(key)));
      }
    });
    candidates.sort(DataBlock.COLDEST_FIRST);
    boolean evicted = false;
    for (DataBlock block : candidates) {
      int size = sizeIndex(block.entry);
      if (shortage[size] > 0 && evict(block)) {
        shortage[size] -= block.entry.getLength();
        // As it is now: the counts may have been forgotten since the candidates were found.
        evictions.onDataEvicted(evictions.frequency(block.key));
        evicted = true;
      }
    }
    return evicted;
  }

  /**
   * Returns the number of slot sizes without a free slot; 0 if an empty bucket is left for them.
   */
  private int countFullSizes() {
    BucketAllocator.IndexStatistics[] sizes = getAllocator().getIndexStatistics();
    boolean spareBucket = Arrays.stream(sizes)
      .anyMatch(size -> size.completelyFreeBuckets() > 0 && hasBucketsToGive(size));
    return spareBucket
      ? 0
      : (int) Arrays.stream(sizes).filter(size -> size.freeCount() == 0).count();
  }

  /** Returns true if a slot size can lose a bucket: the allocator leaves each size its last one. */
  private boolean hasBucketsToGive(BucketAllocator.IndexStatistics size) {
    long bucketCapacity = getAllocator().getTotalSize() / getAllocator().getBuckets().length;
    return size.totalCount() > bucketCapacity / size.itemSize();
  }

  private boolean evictDataBuckets(int count) {
    BucketAllocator.IndexStatistics[] sizes = getAllocator().getIndexStatistics();
    Map<Integer, DataBucket> buckets = new HashMap<>();
    backingMap.forEach((key, entry) -> buckets
      .computeIfAbsent(getAllocator().getBucketIndex(entry.offset()), index -> new DataBucket())
      .add(key, entry));
    boolean[] evicted = { false };
    buckets.values().stream()
      .filter(bucket -> bucket.dataOnly && hasBucketsToGive(sizes[bucket.sizeIndex()]))
      .sorted(Comparator.comparingDouble(DataBucket::meanFrequency)).limit(count)
      .forEach(bucket -> bucket.blocks.forEach(block -> evicted[0] |= evict(block)));
    return evicted[0];
  }

  private boolean evict(DataBlock block) {
    return evictBucketEntryIfNoRpcReferenced(block.key, block.entry);
  }

  private int sizeIndex(BucketEntry entry) {
    return getAllocator().sizeIndexOfAllocation(entry.offset());
  }

  private static final class DataBlock {
    static final Comparator<DataBlock> COLDEST_FIRST =
      Comparator.comparingInt((DataBlock block) -> block.frequency)
        .thenComparingLong(block -> block.lastRead);

    final BlockCacheKey key;
    final BucketEntry entry;
    final int frequency;
    /** Copied when the sort begins, since readers change the original. */
    final long lastRead;

    DataBlock(BlockCacheKey key, BucketEntry entry, int frequency) {
      this.key = key;
      this.entry = entry;
      this.frequency = frequency;
      this.lastRead = entry.getAccessCounter();
    }
  }

  private final class DataBucket {
    final List<DataBlock> blocks = new ArrayList<>();
    boolean dataOnly = true;

    void add(BlockCacheKey key, BucketEntry entry) {
      dataOnly &= isData(key) && !entry.isRpcRef();
      if (dataOnly) {
        blocks.add(new DataBlock(key, entry, evictions.frequency(key)));
      }
    }

    int sizeIndex() {
      return FirstTierBucketCache.this.sizeIndex(blocks.get(0).entry);
    }

    double meanFrequency() {
      return blocks.stream().mapToInt(block -> block.frequency).average().orElse(0);
    }
  }
}
