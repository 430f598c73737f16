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
package org.apache.hadoop.hbase.io.hfile;

import java.io.DataInput;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.CacheWarmup.WrittenFile;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Extent;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.HFileBlockLayout.Blocks;
import org.apache.hadoop.hbase.io.hfile.NoOpIndexBlockEncoder.NoOpEncodedSeeker;
import org.apache.hadoop.hbase.io.hfile.bucket.BlockResidency;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the blocks of one file into the block cache that aren't there: index first, then bloom
 * filter, then data. It finds them in the index, or knows them from the file's writer; blocks that
 * the cache holds, or is about to write, aren't read. Run once, by one thread; an interrupt ends
 * it.
 */
@InterfaceAudience.Private
final class HFileWarmup implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(HFileWarmup.class);

  private static final int ROOT_LEVEL = 1;
  /** Index levels whose blocks a writer's layout and the root index name together. */
  private static final int KNOWN_LEVELS = 3;
  /** How long a block waits for room in the cache's queue. */
  private static final long OFFER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);
  /** How long the cache may take to write what is in its queue. */
  private static final long WRITE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long POLL_MS = 5;
  /** A block takes up to so many times its size in the cache, as slots have few sizes. */
  private static final int SLOT = 2;
  /** While readers miss the cache too, it rests so many times as long as it read. */
  private static final int REST = 3;
  private static final long MAX_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ReaderContext context;
  private final HFileInfo info;
  private final CacheConfig family;
  private final Configuration conf;
  private final BlockCache cache;
  private final BlockCache dataTier;
  private final String file;
  private final Extent extent;
  private final boolean knowsBlocks;
  private final HFileBlockLayout layout;
  private final WarmupProgress progress;

  /** Blocks that weren't written to the cache yet when they were looked at. */
  private final HFileBlockLayout waiting = new HFileBlockLayout();
  private HFile.Reader reader;
  private boolean full;
  private int missing;
  private long missesSeen;

  private HFileWarmup(HFileReaderImpl opened, HFileInfo info, CacheConfig family,
    Configuration conf, Extent extent, HFileBlockLayout written) throws IOException {
    context = opened.getContext();
    this.info = info;
    this.family = family;
    this.conf = conf;
    cache = family.getBlockCache().get();
    dataTier = CacheWarmupPolicy.dataTier(cache);
    file = opened.getName();
    this.extent = extent;
    knowsBlocks = written != null;
    layout = knowsBlocks ? written : new HFileBlockLayout();
    if (!knowsBlocks) {
      // Now, since the blocks that tell it are freed when the file is closed.
      addBloomBlocks(opened.getGeneralBloomFilterMetadata());
      addBloomBlocks(opened.getDeleteBloomFilterMetadata());
    }
    progress = new WarmupProgress(opened.getPath());
  }

  /**
   * Prepares to warm a file that is open. Reads nothing.
   * @param written what the file's writer said, or null
   * @return null if the file's blocks can't be found without reading all of it
   */
  static HFileWarmup create(HFileReaderImpl opened, HFileInfo info, CacheConfig family,
    Configuration conf, Extent extent, WrittenFile written) throws IOException {
    boolean readable = rootIndex(info) != null;
    if (!readable && extent == Extent.EVERYTHING && written == null) {
      LOG.debug("{} has an encoded index, so it is prefetched from begin to end",
        opened.getPath());
      return null;
    }
    boolean known = written != null && info.getTrailer().getNumDataIndexLevels() <= KNOWN_LEVELS;
    return new HFileWarmup(opened, info, family, conf, extent, known ? written.layout() : null);
  }

  /** Returns The root index, or null if it is encoded. */
  private static NoOpEncodedSeeker rootIndex(HFileInfo info) {
    HFileIndexBlockEncoder.EncodedSeeker seeker =
      ((HFileBlockIndex.CellBasedKeyBlockIndexReaderV2) info.getDataBlockIndexReader())
        .getSeeker();
    return seeker instanceof NoOpEncodedSeeker ? (NoOpEncodedSeeker) seeker : null;
  }

  private void addBloomBlocks(DataInput meta) throws IOException {
    if (meta == null || meta.readInt() != CompoundBloomFilterBase.VERSION) {
      return;
    }
    // Bytes, hash count and type, keys, and at most so many keys.
    meta.skipBytes(Long.BYTES + Integer.BYTES + Integer.BYTES + Long.BYTES + Long.BYTES);
    int chunks = meta.readInt();
    Bytes.readByteArray(meta);
    HFileBlockIndex.BlockIndexReader index =
      new HFileBlockIndex.ByteArrayKeyBlockIndexReader(ROOT_LEVEL);
    index.readRootIndex(meta, chunks);
    for (int i = 0; i < chunks; i++) {
      layout.add(BlockCategory.BLOOM, index.getRootBlockOffset(i),
        index.getRootBlockDataSize(i));
    }
  }

  @Override
  public void run() {
    progress.begin();
    boolean complete = false;
    try {
      warm();
      complete = true;
    } catch (InterruptedException e) {
      LOG.debug("Warm-up of {} ends, since it is closed", path());
    } catch (IOException e) {
      LOG.debug("Warm-up of {} ends; it may have been closed or moved", path(), e);
    } catch (RuntimeException e) {
      LOG.warn("Warm-up of {} failed", path(), e);
    } finally {
      progress.end(complete);
      closeReader();
      PrefetchExecutor.complete(path());
    }
  }

  WarmupProgress getProgress() {
    return progress;
  }

  private Path path() {
    return context.getFilePath();
  }

  private void warm() throws IOException, InterruptedException {
    missesSeen = cache.getStats().getMissCachingCount();
    warmIndex();
    warmAll(BlockCategory.BLOOM);
    if (extent == Extent.EVERYTHING) {
      warmAll(BlockCategory.DATA);
    }
    settle(BlockCategory.INDEX);
    settle(BlockCategory.BLOOM);
    settle(BlockCategory.DATA);
    CacheWarmup.forget(file);
    MetricsCacheWarmup.get().missing(missing);
    if (full || missing > 0) {
      LOG.info("{} of {} blocks of {} are in the block cache{}", progress.getBlocksDone(),
        progress.getBlocks(), path(), full ? ", which has no room for more data" : "");
    } else if (extent == Extent.EVERYTHING && BlockResidency.isFileForgotten(dataTier)) {
      cache.notifyFileCachingCompleted(path(), (int) progress.getBlocks(),
        layout.of(BlockCategory.DATA).count(), info.getTrailer().getLoadOnOpenDataOffset());
    }
  }

  private void warmIndex() throws IOException, InterruptedException {
    int levels = info.getTrailer().getNumDataIndexLevels();
    NoOpEncodedSeeker root = rootIndex(info);
    progress.addBlocks(layout.of(BlockCategory.BLOOM).count());
    if (knowsBlocks) {
      progress.addBlocks(layout.of(BlockCategory.INDEX).count());
      if (extent == Extent.EVERYTHING) {
        progress.addBlocks(layout.of(BlockCategory.DATA).count());
      }
      for (int i = 0; levels == KNOWN_LEVELS && root != null && i < root.rootCount; i++) {
        progress.addBlocks(1);
        warm(BlockCategory.INDEX, root.blockOffsets[i], root.blockDataSizes[i]);
      }
      warmAll(BlockCategory.INDEX);
    } else if (root != null && (levels > ROOT_LEVEL || extent == Extent.EVERYTHING)) {
      for (int i = 0; i < root.rootCount; i++) {
        walk(root.blockOffsets[i], root.blockDataSizes[i], levels - 1);
      }
    }
  }

  /** Notes a data block; or warms an index block and goes on with what it names. */
  private void walk(long offset, int size, int levelsBelow)
    throws IOException, InterruptedException {
    progress.addBlocks(1);
    if (levelsBelow == 0) {
      layout.add(BlockCategory.DATA, offset, size);
    } else if (levelsBelow == 1 && extent == Extent.METADATA) {
      warm(BlockCategory.INDEX, offset, size);
    } else {
      HFileBlock block = readIndex(offset, size);
      try {
        ByteBuff entries = block.getBufferWithoutHeader();
        int count = entries.getInt(0);
        // Behind the count and, for each entry and for their end, where it begins.
        int first = Integer.BYTES * (count + 2);
        for (int i = 0; i < count; i++) {
          int entry = first + entries.getInt(Integer.BYTES * (i + 1));
          walk(entries.getLong(entry), entries.getInt(entry + Long.BYTES), levelsBelow - 1);
        }
      } finally {
        block.release();
      }
    }
  }

  /** Returns An index block, which the caller releases, from the cache if it is there. */
  private HFileBlock readIndex(long offset, int size) throws IOException, InterruptedException {
    checkNotClosed();
    if (residency(offset) == BlockResidency.ABSENT) {
      return read(BlockCategory.INDEX, offset, size);
    }
    progress.cachedBefore();
    waiting.add(BlockCategory.INDEX, offset, size);
    return reader().readBlock(offset, size, true, true, false, false, null, null);
  }

  private void warmAll(BlockCategory category) throws IOException, InterruptedException {
    Blocks blocks = layout.of(category);
    for (int i = 0; i < blocks.count(); i++) {
      warm(category, blocks.offset(i), blocks.size(i));
    }
  }

  private void warm(BlockCategory category, long offset, int size)
    throws IOException, InterruptedException {
    checkNotClosed();
    BlockResidency residency = residency(offset);
    if (residency == BlockResidency.ABSENT) {
      if (hasRoom(category, size)) {
        read(category, offset, size).release();
      }
      return;
    }
    progress.cachedBefore();
    if (residency == BlockResidency.WAITING) {
      waiting.add(category, offset, size);
    }
  }

  /**
   * Metadata and in-memory families are worth the room of others. Other data isn't, also not what
   * others have got after the cache was full once: that is the room that they are to have.
   */
  private boolean hasRoom(BlockCategory category, int size) {
    if (!BlockResidency.isPossible(tier(category))) {
      return false;
    }
    if (category == BlockCategory.DATA && !family.isInMemory()) {
      full |= !CacheWarmupPolicy.hasRoom(dataTier, SLOT * cachedSize(size));
      return !full;
    }
    return true;
  }

  /** Returns Bytes of a block in the cache, roughly, if that unpacks it. */
  private long cachedSize(int size) {
    FixedFileTrailer trailer = info.getTrailer();
    return family.shouldCacheDataCompressed() ? size
      : Math.max(size, size * trailer.getTotalUncompressedBytes() / context.getFileSize());
  }

  private static void checkNotClosed() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private BlockResidency residency(long offset) {
    return BlockResidency.of(cache, new BlockCacheKey(file, offset));
  }

  /** Reads a block from the file and caches it. The caller releases it. */
  private HFileBlock read(BlockCategory category, long offset, int size)
    throws IOException, InterruptedException {
    CacheWarmup.THROTTLE.acquire(size);
    long start = System.nanoTime();
    HFileBlock block =
      reader().readBlock(offset, size, true, category != BlockCategory.DATA, false, false, null,
        null, true);
    try {
      long nanos = System.nanoTime() - start;
      progress.read(size);
      if (isTaken(category, offset, block)) {
        progress.cached();
        waiting.add(category, offset, size);
      } else {
        missing++;
      }
      giveWay(nanos);
      return block;
    } catch (InterruptedException | RuntimeException e) {
      block.release();
      throw e;
    }
  }

  /** Offers a block again while the cache's queue is full. */
  private boolean isTaken(BlockCategory category, long offset, HFileBlock block)
    throws InterruptedException {
    long start = System.nanoTime();
    while (residency(offset) == BlockResidency.ABSENT) {
      if (!hasQueue(category) || System.nanoTime() - start > OFFER_TIMEOUT_NANOS) {
        return false;
      }
      Thread.sleep(POLL_MS);
      cache.cacheBlock(new BlockCacheKey(path(), offset, context.isPrimaryReplicaReader(),
        block.getBlockType()), block, family.isInMemory(), true);
    }
    return true;
  }

  private boolean hasQueue(BlockCategory category) {
    BlockCache tier = tier(category);
    return tier instanceof BucketCache && BlockResidency.isPossible(tier);
  }

  /** Returns Where blocks are cached first. */
  private BlockCache tier(BlockCategory category) {
    if (cache instanceof CombinedBlockCache && category != BlockCategory.DATA) {
      BlockCache first = ((CombinedBlockCache) cache).getFirstLevelCache();
      return BlockResidency.isPossible(first) ? first : dataTier;
    }
    return dataTier;
  }

  /** Reads of users go first: if some wait for the file system as well, it rests. */
  private void giveWay(long nanos) throws InterruptedException {
    long misses = cache.getStats().getMissCachingCount();
    if (misses != missesSeen) {
      missesSeen = misses;
      TimeUnit.NANOSECONDS.sleep(Math.min(REST * nanos, MAX_REST_NANOS));
    }
  }

  /** Waits for the cache to write what it has taken, and reads once more what it dropped then. */
  private void settle(BlockCategory category) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Blocks blocks = waiting.of(category);
    int first = blocks.count();
    for (int i = 0; i < blocks.count(); i++) {
      while (
        residency(blocks.offset(i)) == BlockResidency.WAITING
          && System.nanoTime() - start < WRITE_TIMEOUT_NANOS
      ) {
        Thread.sleep(POLL_MS);
      }
      if (residency(blocks.offset(i)) == BlockResidency.ABSENT) {
        progress.dropped();
        if (i < first && hasRoom(category, blocks.size(i))) {
          read(category, blocks.offset(i), blocks.size(i)).release();
        } else {
          missing++;
        }
      }
    }
  }

  private HFile.Reader reader() throws IOException {
    if (reader == null) {
      Path source = context.getInputStreamWrapper().getReaderPath();
      FSDataInputStreamWrapper stream =
        new FSDataInputStreamWrapper(context.getFileSystem(), source);
      reader = new HFileStreamReader(ReaderContextBuilder.newBuilder(context)
        .withInputStreamWrapper(stream).withReaderType(ReaderContext.ReaderType.STREAM).build(),
        info, family, conf);
    }
    return reader;
  }

  private void closeReader() {
    if (reader != null) {
      try {
        reader.close(false);
      } catch (IOException e) {
        LOG.debug("Can't close {}", path(), e);
      }
    }
  }
}
