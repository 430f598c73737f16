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
  /** Index and data blocks are in it only if a writer has told them. */
  private final HFileBlockLayout layout;
  private final boolean told;
  private final WarmupProgress progress;
  private volatile boolean cancelled;

  // Guarded by this.
  private boolean metadataDone;
  /** Known once metadata is done. */
  private Blocks data;

  private HFileWarmup(HFileReaderImpl opened, HFileInfo info, CacheConfig family,
    Configuration conf, Extent extent, HFileBlockLayout written) throws IOException {
    context = opened.getContext();
    this.info = info;
    this.family = family;
    this.conf = conf;
    this.extent = extent;
    told = written != null;
    layout = told ? written : new HFileBlockLayout();
    if (!told) {
      // Now, since the blocks that tell it are freed when the file is closed.
      addBloomBlocks(opened.getGeneralBloomFilterMetadata());
      addBloomBlocks(opened.getDeleteBloomFilterMetadata());
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
    int levels = info.getTrailer().getNumDataIndexLevels();
    boolean encoded = rootIndex(info) == null;
    boolean told = written != null && levels <= KNOWN_LEVELS
      && !(encoded && levels == KNOWN_LEVELS);
    if (encoded && !told && extent == Extent.EVERYTHING) {
      LOG.debug("{} has an encoded index, so it is prefetched from begin to end",
        opened.getPath());
      return null;
    }
    return new HFileWarmup(opened, info, family, conf, extent, told ? written.layout() : null);
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
      if (!metadataDone) {
        warmMetadata(warmer);
        left = extent == Extent.EVERYTHING && letOthersGoFirst();
      }
      if (!left) {
        if (extent == Extent.EVERYTHING) {
          warmAll(warmer, BlockCategory.DATA, data);
          warmer.settle(BlockCategory.DATA);
        }
        complete = true;
        onComplete();
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
        PrefetchExecutor.complete(path());
      }
    }
  }

  private void warmMetadata(BlockWarmer warmer) throws IOException, InterruptedException {
    Blocks found = new Blocks();
    int levels = info.getTrailer().getNumDataIndexLevels();
    NoOpEncodedSeeker root = rootIndex(info);
    progress.addBlocks(layout.of(BlockCategory.BLOOM).count());
    if (told) {
      found = layout.of(BlockCategory.DATA);
      progress.addBlocks(layout.of(BlockCategory.INDEX).count());
      progress.addBlocks(extent == Extent.EVERYTHING ? found.count() : 0);
      if (levels == KNOWN_LEVELS) {
        warmRoot(warmer, root, ROOT_LEVEL, null);
      }
      warmAll(warmer, BlockCategory.INDEX, layout.of(BlockCategory.INDEX));
    } else if (root != null) {
      warmRoot(warmer, root, levels - 1, found);
    }
    warmAll(warmer, BlockCategory.BLOOM, layout.of(BlockCategory.BLOOM));
    warmer.settle(BlockCategory.INDEX);
    warmer.settle(BlockCategory.BLOOM);
    data = found;
    metadataDone = true;
    progress.endMetadata();
  }

  private void warmRoot(BlockWarmer warmer, NoOpEncodedSeeker root, int levels, Blocks found)
    throws IOException, InterruptedException {
    Blocks below = new Blocks();
    for (int i = 0; i < root.rootCount; i++) {
      below.add(root.blockOffsets[i], root.blockDataSizes[i]);
    }
    walk(warmer, below, levels, found);
  }

  /**
   * Warms index blocks and goes on with those that they name.
   * @param levels of index blocks to warm, these included; 0 if these are data blocks
   * @param found  takes the data blocks; null if nobody wants to know what the last level names
   */
  private void walk(BlockWarmer warmer, Blocks blocks, int levels, Blocks found)
    throws IOException, InterruptedException {
    if (levels == 0 && (found == null || extent != Extent.EVERYTHING)) {
      return;
    }
    progress.addBlocks(blocks.count());
    for (int i = 0; i < blocks.count(); i++) {
      if (levels == 0) {
        found.add(blocks.offset(i), blocks.size(i));
      } else if (levels == 1 && (found == null || extent != Extent.EVERYTHING)) {
        warm(warmer, BlockCategory.INDEX, blocks, i);
      } else {
        checkNotCancelled();
        HFileBlock block = warmer.readIndex(blocks.offset(i), blocks.size(i));
        Blocks below;
        try {
          below = entries(block.getBufferWithoutHeader());
        } finally {
          block.release();
        }
        walk(warmer, below, levels - 1, found);
      }
    }
  }

  private static Blocks entries(ByteBuff index) {
    Blocks entries = new Blocks();
    int count = index.getInt(0);
    // Behind the count and, for each entry and for their end, where it begins.
    int first = Integer.BYTES * (count + 2);
    for (int i = 0; i < count; i++) {
      int entry = first + index.getInt(Integer.BYTES * (i + 1));
      entries.add(index.getLong(entry), index.getInt(entry + Long.BYTES));
    }
    return entries;
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

  private void onComplete() {
    CacheWarmup.forget(path().getName());
    long missing = progress.getBlocks() - progress.getBlocksDone();
    LOG.debug("{} of {} blocks of {} aren't in the block cache", missing, progress.getBlocks(),
      path());
    BlockCache cache = family.getBlockCache().get();
    BlockCache tier = CacheWarmupPolicy.dataTier(cache);
    // Of a file that is noted no block is cached when it is read, and the region's cached size,
    // which follows the notes, knows of no block that was cached as it was written. So only a cache
    // that keeps its list takes note.
    if (
      missing == 0 && extent == Extent.EVERYTHING && tier instanceof BucketCache
        && ((BucketCache) tier).isCachePersistent()
    ) {
      cache.notifyFileCachingCompleted(path(), (int) progress.getBlocks(), data.count(),
        info.getTrailer().getLoadOnOpenDataOffset());
    }
  }
}
