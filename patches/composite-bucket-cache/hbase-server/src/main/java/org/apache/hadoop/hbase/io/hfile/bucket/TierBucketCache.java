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
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A BucketCache that is a tier of a {@code CompositeBucketCache}. It can tell whether it holds a
 * block, including blocks that wait to be written, and counts its blocks by category. As
 * thread-safe as BucketCache.
 */
@InterfaceAudience.Private
public class TierBucketCache extends BucketCache implements TierEngine {
  private static final Logger LOG = LoggerFactory.getLogger(TierBucketCache.class);

  private static final int PARTS_IN_FLIGHT = 4;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long POLL_MS = 10;

  private final Map<BlockCategory, LongAdder> blocks = new EnumMap<>(BlockCategory.class);
  private final Map<BlockCategory, LongAdder> bytes = new EnumMap<>(BlockCategory.class);
  private final LongAdder movedBlocks = new LongAdder();
  private final LongAdder failedMoves = new LongAdder();
  /** Set after the maps above, which the threads that BucketCache's constructor starts may use. */
  private volatile boolean counting;

  /**
   * Creates the tier and starts its engine.
   * @param blockSize approximate bytes of a block; the tier's size divided by it is the expected
   *                  number of blocks, for which memory is allocated
   * @throws IOException if the engine can't be started
   */
  public TierBucketCache(BucketCacheTierSettings settings, int blockSize) throws IOException {
    super(settings.getIoEngine(), settings.getSize(), blockSize, settings.getBucketSizes(),
      settings.getWriterThreads(), settings.getWriterQueueLength(), settings.getPersistentPath(),
      settings.getIoErrorsTolerated(), settings.toCacheConfiguration());
    for (BlockCategory category : BlockCategory.values()) {
      blocks.put(category, new LongAdder());
      bytes.put(category, new LongAdder());
    }
    counting = true;
    getBackingMap().forEach((key, entry) -> count(key, entry, 1));
  }

  @Override
  public boolean isEnabled() {
    return isCacheEnabled();
  }

  @Override
  public BlockCacheKey residentKey(BlockCacheKey key) {
    if (isHeld(key)) {
      return key;
    }
    BlockCacheKey referred = BlockCacheKeys.referredKey(key);
    return referred != key && isHeld(referred) ? referred : null;
  }

  /** Checks ramCache first, since a block moves from there to backingMap. */
  private boolean isHeld(BlockCacheKey key) {
    return isCacheEnabled() && (ramCache.containsKey(key) || backingMap.containsKey(key));
  }

  @Override
  public BucketEntry getBlockForReference(BlockCacheKey key) {
    return BlockCacheKeys.isOfReference(key) ? super.getBlockForReference(key) : null;
  }

  /**
   * Returns true if the block is in the map: an entry is marked, under its lock, when it leaves the
   * map, except when the cache is emptied.
   */
  @Override
  boolean isStillCached(BucketEntry entry) {
    return isCacheEnabled() && !entry.markedAsEvicted.get();
  }

  /** Returns false: by the name of a reference it doesn't find blocks that wait to be written. */
  @Override
  public boolean followsReferences() {
    return false;
  }

  @Override
  public boolean isInMemory(BlockCacheKey key) {
    BucketEntry entry = backingMap.get(key);
    return entry != null && entry.getPriority() == BlockPriority.MEMORY;
  }

  /** Returns true if the block fits into the biggest slot size. */
  @Override
  public boolean fits(Cacheable block) {
    // Persistent engines store the time before the block.
    return getAllocator()
      .roundUpToBucketSizeInfo(block.getSerializedLength() + Long.BYTES) != null;
  }

  @Override
  public long getBlockCount() {
    return backingMap.size() + ramCache.delegate.size();
  }

  @Override
  public long getDataBlockCount() {
    return getBlockCount(BlockCategory.DATA);
  }

  @Override
  public long getCurrentDataSize() {
    return getSize(BlockCategory.DATA);
  }

  @Override
  public long getBlockCount(BlockCategory category) {
    return isCacheEnabled() ? Math.max(0, blocks.get(category).sum()) : 0;
  }

  @Override
  public long getSize(BlockCategory category) {
    return isCacheEnabled() ? Math.max(0, bytes.get(category).sum()) : 0;
  }

  @Override
  public Set<Long> getOffsets(String hfileName, long end, boolean data) {
    Set<Long> offsets = new TreeSet<>();
    for (
      BlockCacheKey key : blocksByHFile.subSet(new BlockCacheKey(hfileName, 0), true,
        new BlockCacheKey(hfileName, end), false)
    ) {
      if (isData(key) == data && backingMap.containsKey(key)) {
        offsets.add(key.getOffset());
      }
    }
    return offsets;
  }

  @Override
  public void awaitWritten(String hfileName, long timeout) {
    await(timeout, () -> !ramCache.hasBlocksForFile(hfileName));
  }

  @Override
  public void awaitWritten(long timeout) {
    await(timeout, ramCache::isEmpty);
  }

  /** An interrupt ends the wait; the thread stays interrupted. */
  private void await(long timeout, BooleanSupplier condition) {
    long start = System.nanoTime();
    try {
      while (
        isCacheEnabled() && !condition.getAsBoolean()
          && System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(timeout)
      ) {
        Thread.sleep(POLL_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Tells whether a block fits without others being evicted. Blocks that wait to be written take
   * room, too; the heap size is their size.
   */
  @Override
  public Optional<Boolean> hasRoom(boolean metadata, long bytes) {
    return Optional.of(getCurrentSize() + heapSize() + bytes < acceptableSize());
  }

  final List<BlockCacheKey> getKeys(Predicate<BlockCacheKey> wanted) {
    // A block moves from ramCache to backingMap, so ramCache is read first.
    return Stream.<Map<BlockCacheKey, ?>>of(ramCache.delegate, backingMap)
      .flatMap(map -> map.keySet().stream()).filter(wanted).distinct()
      .collect(Collectors.toList());
  }

  /** The key of a block of another tier while it waits to be written. */
  private static final class MovedBlockKey extends BlockCacheKey {
    private static final long serialVersionUID = 1L;

    /** The block's key once it is written. */
    private final transient BlockCacheKey key;
    /** Whether a writer has taken the block, and possibly failed to write it. */
    private volatile boolean taken;
    private boolean written;

    MovedBlockKey(BlockCacheKey key) {
      super(key.getHfileName(), key.getOffset(), key.isPrimary(), key.getBlockType());
      this.key = key;
    }
  }

  @Override
  public long getMovedBlockCount() {
    return movedBlocks.sum();
  }

  @Override
  public long getFailedMoveCount() {
    return failedMoves.sum();
  }

  @Override
  public boolean takeBlock(BlockCacheKey key, Cacheable block, boolean inMemory, long timeout)
    throws InterruptedException {
    key.setBlockType(block.getBlockType());
    MovedBlockKey moved = new MovedBlockKey(key);
    BlockingQueue<RAMQueueEntry> queue =
      writerQueues.get((key.hashCode() & Integer.MAX_VALUE) % writerQueues.size());
    long start = System.nanoTime();
    while (isCacheEnabled()) {
      if (queue.remainingCapacity() > 0) {
        cacheBlock(moved, block, inMemory);
        if (holds(key) || moved.taken) {
          return true;
        }
      }
      if (System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(timeout)) {
        return false;
      }
      Thread.sleep(1);
    }
    return false;
  }

  /** Pauses if readers hold all blocks that could be evicted; BucketCache would retry at once. */
  @Override
  void freeSpace(String why) {
    long used = getCurrentSize();
    super.freeSpace(why);
    if (getCurrentSize() >= used) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Writes blocks in parts. BucketCache can't evict what it is writing, so each part is a fraction
   * of the tier; otherwise writers could wait for each other's room.
   */
  @Override
  void doDrain(List<RAMQueueEntry> entries, ByteBuffer metaBuff) throws InterruptedException {
    long limit = getMaxSize() / (PARTS_IN_FLIGHT * writerThreads.length);
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).getKey() instanceof MovedBlockKey) {
        ((MovedBlockKey) entries.get(i).getKey()).taken = true;
      }
      bytes += entries.get(i).getData().getSerializedLength();
      if (bytes > limit) {
        drain(entries.subList(from, i + 1), metaBuff);
        from = i + 1;
        bytes = 0;
      }
    }
    drain(entries.subList(from, entries.size()), metaBuff);
  }

  /** Writes blocks whose buffers the caller holds. */
  void drain(List<RAMQueueEntry> entries, ByteBuffer metaBuff) throws InterruptedException {
    write(entries, metaBuff);
  }

  /** Writes blocks as BucketCache does. If that fails other than by I/O, drops them. */
  final void write(List<RAMQueueEntry> entries, ByteBuffer metaBuff) throws InterruptedException {
    try {
      super.doDrain(entries, metaBuff);
    } catch (RuntimeException e) {
      int dropped = 0;
      for (RAMQueueEntry entry : entries) {
        dropped += removeFromRamCache(entry.getKey()) ? 1 : 0;
      }
      LOG.error("{} blocks aren't cached, since writing them failed", dropped, e);
    }
    for (RAMQueueEntry entry : entries) {
      BlockCacheKey key = entry.getKey();
      if (key instanceof MovedBlockKey && !((MovedBlockKey) key).written) {
        failedMoves.increment();
      }
    }
  }

  /**
   * Puts a block into the map, unless it was evicted while it was written. BucketCache would put it
   * there for a moment, in which it could be read and moved.
   */
  @Override
  protected void putIntoBackingMap(BlockCacheKey queued, BucketEntry entry) {
    boolean moved = queued instanceof MovedBlockKey;
    if (moved) {
      ((MovedBlockKey) queued).written = true;
    }
    BlockCacheKey key = moved ? ((MovedBlockKey) queued).key : queued;
    // Done first, since it waits for readers. Meanwhile the block is served from ramCache.
    evictPrevious(key);
    boolean wanted = ramCache.delegate.computeIfPresent(key, (ignored, waiting) -> {
      count(key, entry, 1);
      super.putIntoBackingMap(key, entry);
      if (moved) {
        movedBlocks.increment();
      }
      return waiting;
    }) != null;
    if (!wanted) {
      entry.markAsEvicted();
    }
  }

  private void evictPrevious(BlockCacheKey key) {
    BucketEntry previous = backingMap.get(key);
    if (previous != null) {
      previous.withWriteLock(offsetLock, () -> {
        if (backingMap.remove(key, previous)) {
          blockEvicted(key, previous, false, false);
        }
        return null;
      });
    }
  }

  @Override
  void blockEvicted(BlockCacheKey key, BucketEntry entry, boolean decrementBlockNumber,
    boolean evictedByEvictionProcess) {
    // The caller's key may have another type.
    BlockCacheKey stored = BlocksByFile.storedKey(blocksByHFile, key);
    count(stored, entry, -1);
    super.blockEvicted(stored, entry, decrementBlockNumber, evictedByEvictionProcess);
  }

  private void count(BlockCacheKey key, BucketEntry entry, int sign) {
    if (counting) {
      BlockCategory category = category(key);
      blocks.get(category).add(sign);
      bytes.get(category).add((long) sign * entry.getLength());
    }
  }

  static boolean isData(BlockCacheKey key) {
    return category(key) == BlockCategory.DATA;
  }

  /** A key without a block type got its block's type when the block was cached. */
  private static BlockCategory category(BlockCacheKey key) {
    BlockType type = key.getBlockType();
    return type == null ? BlockCategory.UNKNOWN : type.getCategory();
  }
}
