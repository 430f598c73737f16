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
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.PrefetchThrottle;
import org.apache.hadoop.hbase.io.hfile.bucket.BlockResidency;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the listed blocks of a region that was opened into the block cache, one group after the
 * other, until all are read or the region closes. One thread at a time calls {@link #readGroup};
 * others may {@link #cancel} it.
 */
@InterfaceAudience.Private
final class HotBlockReads {
  private static final Logger LOG = LoggerFactory.getLogger(HotBlockReads.class);
  /** Of a block whose size isn't known, for the rate. */
  private static final int USUAL_BYTES = 64 << 10;
  private static final long POLL_MS = 5;

  private final HRegion region;
  private final BlockCache cache;
  private final PrefetchThrottle throttle;
  private final MetricsHotBlocks metrics = MetricsHotBlocks.getInstance();
  private final long startNanos = System.nanoTime();
  /** Held while a block is read. */
  private final ReentrantLock reading = new ReentrantLock();
  private HotBlockList list;
  private int nextGroup;
  private long read;
  private long bytes;
  private long cached;
  private long dropped;
  private volatile boolean cancelled;

  HotBlockReads(HRegion region, BlockCache cache, PrefetchThrottle throttle) {
    this.region = region;
    this.cache = cache;
    this.throttle = throttle;
  }

  /** Sets the list. Before the first group is read. */
  void setList(HotBlockList list) {
    this.list = list;
  }

  /** Returns the number of groups that were read, which is that of the next one, too. */
  int getNextGroup() {
    return nextGroup;
  }

  /** Ends the reading after the block that is being read. */
  void cancel() {
    cancelled = true;
  }

  /**
   * Waits until the block that is being read when this was cancelled has been read, or so long.
   * Returns whether it has been read.
   */
  boolean awaitBlock(long nanos) {
    try {
      if (!reading.tryLock(nanos, TimeUnit.NANOSECONDS)) {
        return false;
      }
      reading.unlock();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  /**
   * Reads the next group. If the cache looks for what it had of such blocks, the group is left for
   * the next call, so that others come first that needn't wait.
   * @return false if it was the last one, or the region closes
   */
  boolean readGroup() throws InterruptedException {
    BlockCache tier = nextGroup == HotBlockList.GROUP_OF_METADATA
      ? CacheWarmupPolicy.metadataTier(cache)
      : CacheWarmupPolicy.dataTier(cache);
    if (!cancelled && CacheWarmupPolicy.isRecoveryAwaited(tier)) {
      Thread.sleep(POLL_MS);
      return true;
    }
    List<HotBlockList.Block> group = list.groups().get(nextGroup);
    Map<String, HStoreFile> files = files();
    int done = 0;
    for (HotBlockList.Block block : group) {
      if (
        cancelled || nextGroup >= HotBlockList.GROUPS_THAT_EVICT
          && !CacheWarmupPolicy.hasRoom(tier, 2L * Math.max(block.size, USUAL_BYTES))
      ) {
        break;
      }
      read(block, files);
      done++;
    }
    drop(group.size() - done);
    nextGroup++;
    if (!cancelled && nextGroup < list.groups().size()) {
      return true;
    }
    end();
    return false;
  }

  private void end() {
    for (; nextGroup < list.groups().size(); nextGroup++) {
      drop(list.groups().get(nextGroup).size());
    }
    LOG.info("{}: {} hot blocks, {} bytes, were read in {} ms; the block cache had {}, and {} were "
      + "left out{}", region.getRegionInfo().getEncodedName(), read, bytes,
      (System.nanoTime() - startNanos) / 1_000_000, cached, dropped,
      cancelled ? ", since the region closes" : "");
  }

  /** The files that blocks may be read of, by name; half files are left out. */
  private Map<String, HStoreFile> files() {
    Map<String, HStoreFile> files = new HashMap<>();
    for (HStore store : region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        if (!file.isReference()) {
          StoreFileReader reader = file.getReader();
          if (reader != null) {
            files.put(HotBlockList.nameOf(reader), file);
          }
        }
      }
    }
    return files;
  }

  private void read(HotBlockList.Block block, Map<String, HStoreFile> files)
    throws InterruptedException {
    HStoreFile file = files.get(block.file);
    if (file == null) {
      drop(1);
    } else if (isCached(block)) {
      countCached();
    } else {
      throttle.acquire(block.size > 0 ? block.size : USUAL_BYTES);
      if (!read(block, file)) {
        drop(1);
      }
    }
  }

  private boolean isCached(HotBlockList.Block block) {
    return BlockResidency.of(cache, new BlockCacheKey(block.file, block.offset))
      != BlockResidency.ABSENT;
  }

  private boolean read(HotBlockList.Block block, HStoreFile file) {
    reading.lock();
    // Else the file could be closed, and its blocks evicted, while this one is read.
    file.increaseRefCount();
    try {
      StoreFileReader reader = file.getReader();
      if (cancelled || reader == null || file.isCompactedAway()) {
        return false;
      }
      if (isCached(block)) {
        countCached();
        return true;
      }
      HFileBlock found = reader.getHFileReader().readBlock(block.offset, block.size, true, true,
        false, false, null, null, true);
      try {
        int size = found.getOnDiskSizeWithHeader();
        read++;
        bytes += size;
        metrics.blocksReadAhead.incr();
        metrics.bytesReadAhead.incr(size);
      } finally {
        found.release();
      }
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.debug("Block at {} of {} can't be read ahead", block.offset, file.getPath(), e);
      return false;
    } finally {
      file.decreaseRefCount();
      reading.unlock();
    }
  }

  private void countCached() {
    cached++;
    metrics.blocksCached.incr();
  }

  private void drop(long blocks) {
    dropped += blocks;
    metrics.blocksDropped.incr(blocks);
  }
}
