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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheWarmup.WrittenFile;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Extent;
import org.apache.hadoop.hbase.io.hfile.HFileBlockLayout.Blocks;
import org.apache.hadoop.hbase.io.hfile.NoOpIndexBlockEncoder.NoOpEncodedSeeker;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the blocks of one file into the block cache that aren't there: index and bloom filter first;
 * data when no other file waits for these. It finds the blocks through the index, or knows them
 * from the file's writer. For {@link PrefetchExecutor}, which runs it again, to go on, if its delay
 * is changed. Thread-safe; it runs on one thread at a time.
 */
/*
 * A reader refers to its warm-up until the file is closed, and all files of a server may wait for
 * their turn at once. So the positions of index and data blocks, 12 bytes or more of each, aren't
 * kept here: a run looks up what the writer said, which CacheWarmup keeps within a bound, or else
 * walks the index, of which it holds one block of each level.
 */
@InterfaceAudience.Private
final class HFileWarmup implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(HFileWarmup.class);

  private static final int ROOT_LEVEL = 1;
  /** Index levels whose blocks a writer's layout and the root index name together. */
  private static final int KNOWN_LEVELS = 3;

  private final ReaderContext context;
  private final HFileInfo info;
  private final CacheConfig family;
  private final Configuration conf;
  private final Extent extent;
  /** Of a few bloom blocks; what tells where they are is freed when the file is closed. */
  private final Blocks bloom;
  private final WarmupProgress progress;
  private volatile boolean cancelled;

  // Guarded by this.
  private boolean metadataDone;
  /** Number of data blocks. Known once metadata is done. */
  private int dataBlocks;

  private HFileWarmup(HFileReaderImpl opened, HFileInfo info, CacheConfig family,
    Configuration conf, Extent extent, HFileBlockLayout written) throws IOException {
    context = opened.getContext();
    this.info = info;
    this.family = family;
    this.conf = conf;
    this.extent = extent;
    if (written == null) {
      bloom = new Blocks();
      addBloomBlocks(opened.getGeneralBloomFilterMetadata());
      addBloomBlocks(opened.getDeleteBloomFilterMetadata());
    } else {
      bloom = written.of(BlockCategory.BLOOM);
    }
    progress = new WarmupProgress(context.getFilePath());
  }

  /**
   * Prepares to warm a file that is open. Reads nothing.
   * @param written what the file's writer said, or null
   * @return null if the file's blocks can't be found without reading all of it
   */
  static HFileWarmup create(HFileReaderImpl opened, HFileInfo info, CacheConfig family,
    Configuration conf, Extent extent, WrittenFile written) throws IOException {
    HFileBlockLayout layout = layout(info, written);
    if (rootIndex(info) == null && layout == null && extent == Extent.EVERYTHING) {
      LOG.debug("{} has an encoded index, so it is prefetched from begin to end",
        opened.getPath());
      return null;
    }
    return new HFileWarmup(opened, info, family, conf, extent, layout);
  }

  /** Returns Where the writer put all blocks, or null if it didn't tell or not of all. */
  private static HFileBlockLayout layout(HFileInfo info, WrittenFile written) {
    int levels = info.getTrailer().getNumDataIndexLevels();
    boolean known = written != null && levels <= KNOWN_LEVELS
      && !(levels == KNOWN_LEVELS && rootIndex(info) == null);
    return known ? written.layout() : null;
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
      bloom.add(index.getRootBlockOffset(i), index.getRootBlockDataSize(i));
    }
  }

  WarmupProgress getProgress() {
    return progress;
  }

  private Path path() {
    return context.getFilePath();
  }

  /** Ends it, or has it never begin. */
  void cancel() {
    cancelled = true;
    PrefetchExecutor.cancel(path(), this);
  }

  /** For {@link PrefetchExecutor}, since one may be cancelled while it is requested anew. */
  static boolean isCancelled(Runnable requested) {
    return requested instanceof HFileWarmup && ((HFileWarmup) requested).cancelled;
  }

  @Override
  public synchronized void run() {
    if (cancelled) {
      return;
    }
    boolean complete = false;
    // By being cancelled, or to be run again.
    boolean left = false;
    try (BlockWarmer warmer = new BlockWarmer(context, info, family, conf, progress)) {
      progress.begin();
      HFileBlockLayout layout =
        layout(info, CacheWarmup.written(path().getName(), family.getBlockCache().get()));
      NoOpEncodedSeeker root = rootIndex(info);
      // Neither is there if the index is encoded, and what the writer said is forgotten by now.
      boolean everything = extent == Extent.EVERYTHING && (layout != null || root != null);
      if (!metadataDone) {
        warmMetadata(warmer, layout, root, everything);
        left = everything && letOthersGoFirst();
      }
      if (!left) {
        if (everything) {
          warmData(warmer, layout, root);
        }
        complete = everything || extent != Extent.EVERYTHING;
        onComplete(everything);
      }
    } catch (InterruptedException e) {
      left = true;
    } catch (IOException e) {
      left = cancelled || Thread.interrupted();
      if (!left) {
        LOG.warn("{} isn't warm, for reading it failed: {}", path(), e.toString());
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("{} isn't warm", path(), e);
    } finally {
      if (left && !cancelled) {
        progress.pause();
      } else {
        progress.end(complete, cancelled);
      }
      if (!left) {
        CacheWarmup.forget(path().getName());
        PrefetchExecutor.complete(path());
      }
    }
  }

  private void warmMetadata(BlockWarmer warmer, HFileBlockLayout layout, NoOpEncodedSeeker root,
    boolean everything) throws IOException, InterruptedException {
    int levels = info.getTrailer().getNumDataIndexLevels();
    dataBlocks = 0;
    progress.addBlocks(bloom.count());
    if (layout != null) {
      dataBlocks = everything ? layout.of(BlockCategory.DATA).count() : 0;
      progress.addBlocks(layout.of(BlockCategory.INDEX).count() + dataBlocks);
      if (levels == KNOWN_LEVELS) {
        warmIndex(warmer, below(root), ROOT_LEVEL, false);
      }
      warmAll(warmer, BlockCategory.INDEX, layout.of(BlockCategory.INDEX));
    } else if (root != null) {
      warmIndex(warmer, below(root), levels - ROOT_LEVEL, everything);
    }
    warmAll(warmer, BlockCategory.BLOOM, bloom);
    warmer.settle(BlockCategory.INDEX);
    warmer.settle(BlockCategory.BLOOM);
    metadataDone = true;
    progress.endMetadata();
  }

  private static Blocks below(NoOpEncodedSeeker root) {
    Blocks below = new Blocks();
    for (int i = 0; i < root.rootCount; i++) {
      below.add(root.blockOffsets[i], root.blockDataSizes[i]);
    }
    return below;
  }

  /**
   * Warms index blocks and those below them.
   * @param levels     of index blocks, these included; 0 if these are data blocks
   * @param countsData whether data blocks are counted
   */
  private void warmIndex(BlockWarmer warmer, Blocks blocks, int levels, boolean countsData)
    throws IOException, InterruptedException {
    if (levels == 0) {
      dataBlocks += countsData ? blocks.count() : 0;
      progress.addBlocks(countsData ? blocks.count() : 0);
      return;
    }
    progress.addBlocks(blocks.count());
    for (int i = 0; i < blocks.count(); i++) {
      if (levels == 1 && !countsData) {
        warm(warmer, BlockCategory.INDEX, blocks, i);
      } else {
        checkNotCancelled();
        warmIndex(warmer, entries(warmer.readIndex(blocks.offset(i), blocks.size(i))), levels - 1,
          countsData);
      }
    }
  }

  private void warmData(BlockWarmer warmer, HFileBlockLayout layout, NoOpEncodedSeeker root)
    throws IOException, InterruptedException {
    if (layout != null) {
      warmAll(warmer, BlockCategory.DATA, layout.of(BlockCategory.DATA));
    } else {
      warmData(warmer, below(root), info.getTrailer().getNumDataIndexLevels() - ROOT_LEVEL);
    }
    warmer.settle(BlockCategory.DATA);
  }

  /** @param levels of index blocks, these included; 0 if these are the data blocks */
  private void warmData(BlockWarmer warmer, Blocks blocks, int levels)
    throws IOException, InterruptedException {
    if (levels == 0) {
      warmAll(warmer, BlockCategory.DATA, blocks);
      return;
    }
    for (int i = 0; i < blocks.count() && !warmer.isFull(BlockCategory.DATA); i++) {
      checkNotCancelled();
      warmData(warmer, entries(warmer.readIndexAgain(blocks.offset(i), blocks.size(i))),
        levels - 1);
    }
  }

  /** Returns What an index block names, and releases it. */
  private static Blocks entries(HFileBlock block) {
    try {
      ByteBuff index = block.getBufferWithoutHeader();
      Blocks entries = new Blocks();
      int count = index.getInt(0);
      // Behind the count and, for each entry and for their end, where it begins.
      int first = Integer.BYTES * (count + 2);
      for (int i = 0; i < count; i++) {
        int entry = first + index.getInt(Integer.BYTES * (i + 1));
        entries.add(index.getLong(entry), index.getInt(entry + Long.BYTES));
      }
      return entries;
    } finally {
      block.release();
    }
  }

  private void warmAll(BlockWarmer warmer, BlockCategory category, Blocks blocks)
    throws IOException, InterruptedException {
    for (int i = 0; i < blocks.count() && !warmer.isFull(category); i++) {
      warm(warmer, category, blocks, i);
    }
  }

  private void warm(BlockWarmer warmer, BlockCategory category, Blocks blocks, int i)
    throws IOException, InterruptedException {
    checkNotCancelled();
    warmer.warm(category, blocks.offset(i), blocks.size(i));
  }

  private void checkNotCancelled() throws InterruptedException {
    if (cancelled || Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Index and bloom blocks of other files are worth more than data of this one. */
  private boolean letOthersGoFirst() {
    if (MetricsCacheWarmup.unended().noneMatch(WarmupProgress::isBeforeMetadata)) {
      return false;
    }
    PrefetchExecutor.request(path(), this);
    return true;
  }

  private void onComplete(boolean everything) {
    long missing = progress.getBlocks() - progress.getBlocksDone();
    LOG.debug("{} of {} blocks of {} aren't in the block cache", missing, progress.getBlocks(),
      path());
    BlockCache cache = family.getBlockCache().get();
    BlockCache tier = CacheWarmupPolicy.dataTier(cache);
    // Of a file that is noted no block is cached when it is read, and the region's cached size,
    // which follows the notes, knows of no block that was cached as it was written. So only a cache
    // that keeps its list takes note.
    if (
      missing == 0 && everything && tier instanceof BucketCache
        && ((BucketCache) tier).isCachePersistent()
    ) {
      cache.notifyFileCachingCompleted(path(), (int) progress.getBlocks(), dataBlocks,
        info.getTrailer().getLoadOnOpenDataOffset());
    }
  }
}
