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
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.WrittenFiles.WrittenFile;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Extent;
import org.apache.hadoop.hbase.io.hfile.HFileBlockLayout.Blocks;
import org.apache.hadoop.hbase.io.hfile.NoOpIndexBlockEncoder.NoOpEncodedSeeker;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts those blocks of a file into the block cache that it lacks: index and bloom blocks first,
 * data blocks once no other file waits for its index and bloom blocks. Finds the blocks through the
 * index, or knows them from the file's writer. {@link PrefetchExecutor} runs it, again if its delay
 * is changed: then it continues. Thread-safe; runs on one thread at a time.
 */
/*
 * A reader refers to its warm-up until the file is closed, and all files of a server may wait for
 * their turn at once. So a warm-up doesn't keep the positions of index and data blocks, which take
 * 12 bytes each. A run looks up the writer's layout, of which WrittenFiles keeps a limited amount.
 * If there is none it walks the index, and holds one block of each level.
 */
@InterfaceAudience.Private
final class HFileWarmup implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(HFileWarmup.class);

  private static final int ROOT_LEVEL = 1;
  private static final long POLL_MS = 5;
  /** The number of index levels whose blocks the root index and a writer's layout name together. */
  private static final int KNOWN_LEVELS = 3;

  /** Null until there is a warm-up. */
  private static volatile CacheWarmupReport report;

  private final ReaderContext context;
  private final HFileInfo info;
  private final CacheConfig family;
  private final Configuration conf;
  private final Extent extent;
  /** Few blocks. Kept here, since the metadata that names them is freed with the file. */
  private final Blocks bloom;
  private final WarmupProgress progress;
  private volatile boolean cancelled;

  // Guarded by this.
  private boolean metadataDone;
  /** Number of data blocks; known once metadata is done. */
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
    progress = new WarmupProgress(context.getFilePath(), HFileWarmup::unended);
  }

  /**
   * Prepares to warm a file that is open. Reads nothing.
   * @param written what the file's writer recorded, or null
   * @return the warm-up; null if the file's blocks can't be found without reading all of it
   */
  static HFileWarmup create(HFileReaderImpl opened, HFileInfo info, CacheConfig family,
    Configuration conf, Extent extent, WrittenFile written) throws IOException {
    HFileBlockLayout layout = layout(info, written);
    if (rootIndex(info) == null && layout == null && extent == Extent.EVERYTHING) {
      LOG.debug("{} has an encoded index, so it is prefetched from begin to end",
        opened.getPath());
      return null;
    }
    getReport();
    return new HFileWarmup(opened, info, family, conf, extent, layout);
  }

  /** Returns the positions of all blocks; null if the writer recorded none, or not all of them. */
  private static HFileBlockLayout layout(HFileInfo info, WrittenFile written) {
    int levels = info.getTrailer().getNumDataIndexLevels();
    boolean known = written != null && levels <= KNOWN_LEVELS
      && !(levels == KNOWN_LEVELS && rootIndex(info) == null);
    return known ? written.layout() : null;
  }

  /** Returns the root index, or null if it is encoded. */
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
    // Skips bytes, hash count, hash type, keys, and the maximum of keys.
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

  /** Returns the warm-ups that are running or wait. */
  private static Stream<WarmupProgress> unended() {
    return PrefetchExecutor.getRequested().filter(HFileWarmup.class::isInstance)
      .map(warmup -> ((HFileWarmup) warmup).progress).filter(file -> !file.isEnded());
  }

  /** Returns what shows the warm-ups of the process. */
  static synchronized CacheWarmupReport getReport() {
    if (report == null) {
      report = new CacheWarmupReport(HFileWarmup::unended);
    }
    return report;
  }

  /** Forgets the ended warm-ups of a region that closes. */
  static void forgetRegion(String region) {
    CacheWarmupReport current = report;
    if (current != null) {
      current.closed(region);
    }
  }

  WarmupProgress getProgress() {
    return progress;
  }

  private Path path() {
    return context.getFilePath();
  }

  /** Ends the warm-up, or prevents that it begins. */
  void cancel() {
    cancelled = true;
    PrefetchExecutor.cancel(path(), this);
  }

  /** Tells {@link PrefetchExecutor} of a warm-up that was cancelled while it was requested anew. */
  static boolean isCancelled(Runnable requested) {
    return requested instanceof HFileWarmup && ((HFileWarmup) requested).cancelled;
  }

  @Override
  public synchronized void run() {
    if (cancelled) {
      return;
    }
    boolean complete = false;
    // True if this run ends early: it was cancelled, or continues in a later run.
    boolean left = false;
    try (BlockWarmer warmer = new BlockWarmer(context, info, family, conf, progress)) {
      progress.begin();
      BlockCache cache = family.getBlockCache().get();
      if (!metadataDone) {
        awaitRecovery(CacheWarmupPolicy.metadataTier(cache), () -> false);
      }
      HFileBlockLayout layout = layout(info, WrittenFiles.get(path().getName(), cache));
      NoOpEncodedSeeker root = rootIndex(info);
      // Both are null if the index is encoded and the writer's layout has been forgotten.
      boolean everything = extent == Extent.EVERYTHING && (layout != null || root != null);
      if (!metadataDone) {
        warmMetadata(warmer, layout, root, everything);
        left = everything && letOthersGoFirst();
      }
      if (!left && everything) {
        left = awaitRecovery(CacheWarmupPolicy.dataTier(cache), this::letOthersGoFirst);
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
        LOG.warn("{} wasn't warmed, since reading it failed: {}", path(), e.toString());
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("{} wasn't warmed", path(), e);
    } finally {
      if (left && !cancelled) {
        progress.pause();
      } else {
        progress.end(complete, cancelled);
        report.ended(progress);
      }
      if (!left) {
        WrittenFiles.forget(path().getName());
        PrefetchExecutor.complete(path(), this);
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
   * Warms index blocks and the index blocks below them.
   * @param levels     number of index levels from these blocks on; 0 if these are data blocks
   * @param countsData whether to count data blocks
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

  /**
   * Warms the data blocks below index blocks.
   * @param levels number of index levels from these blocks on; 0 if these are data blocks
   */
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

  /** Returns the blocks that an index block refers to, and releases it. */
  private static Blocks entries(HFileBlock block) {
    try {
      ByteBuff index = block.getBufferWithoutHeader();
      Blocks entries = new Blocks();
      int count = index.getInt(0);
      // The entries follow their count and offsets: one for each entry, and one for their end.
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

  /**
   * Waits while the recovery of a tier is awaited, unless there is a reason to leave.
   * @return whether there was
   */
  private boolean awaitRecovery(BlockCache tier, BooleanSupplier leaves)
    throws InterruptedException {
    while (CacheWarmupPolicy.isRecoveryAwaited(tier)) {
      if (leaves.getAsBoolean()) {
        return true;
      }
      Thread.sleep(POLL_MS);
      checkNotCancelled();
    }
    return false;
  }

  private void checkNotCancelled() throws InterruptedException {
    if (cancelled || Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  /** Lets other files' metadata go first: it is worth more than this file's data. */
  private boolean letOthersGoFirst() {
    if (unended().noneMatch(WarmupProgress::isBeforeMetadata)) {
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
    // Only a cache whose blocks outlive a restart benefits from the mark, which has its price:
    // the blocks of a marked file aren't cached when they are read, and the region's cached size,
    // which is computed from the marks, lacks the blocks that were cached when they were written.
    if (missing == 0 && everything && tier.isCachePersistent()) {
      cache.notifyFileCachingCompleted(path(), (int) progress.getBlocks(), dataBlocks,
        info.getTrailer().getLoadOnOpenDataOffset());
    }
  }
}
