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

import java.io.IOException;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Reads the blocks of gets. What is cached is found with the file's name as it is, not cut from its
 * path again. Index and bloom blocks are kept for the next gets of the same request, which find
 * them without the cache. Between {@link #begin} and {@link #end} a thread's readers of files use
 * it by themselves. Used by one thread at a time.
 */
@InterfaceAudience.Private
public final class GetBlocks {
  private static final ThreadLocal<GetBlocks> OF_THREAD = new ThreadLocal<>();
  private static final int SLOT_BITS = 4;

  /** Null if nothing is kept. */
  private final HFileReaderImpl[] readers;
  private final KeptBlock[] blocks;
  /** Null unless a block that isn't in memory ends the reading, by {@link NotInMemoryError}. */
  private final GetBudget budget;
  /** If memory only, the look-ups that the cache has counted; else those that it doesn't count. */
  private int countedLookups;

  /** @param keeps whether index and bloom blocks are kept, 16 at most */
  public GetBlocks(boolean keeps) {
    this(keeps, null, 0);
  }

  private GetBlocks(boolean keeps, GetBudget budget, int countedLookups) {
    this.budget = budget;
    this.countedLookups = countedLookups;
    readers = keeps ? new HFileReaderImpl[1 << SLOT_BITS] : null;
    blocks = keeps ? new KeptBlock[1 << SLOT_BITS] : null;
  }

  /** Creates what reads no block that isn't in memory, and within the budget. */
  public static GetBlocks inMemory(GetBudget budget) {
    return new GetBlocks(false, budget, 0);
  }

  /**
   * Creates what reads a get again that wasn't in memory.
   * @param countedLookups of {@link #getCountedLookups()} then; so many aren't counted again
   */
  public static GetBlocks again(boolean keeps, int countedLookups) {
    return new GetBlocks(keeps, null, countedLookups);
  }

  /** Returns what bounds the reading in memory only; null if it may be waited for. */
  public GetBudget getBudget() {
    return budget;
  }

  /** Returns the number of look-ups that the cache has counted as hits or misses. */
  public int getCountedLookups() {
    return countedLookups;
  }

  /** Has so many look-ups that were counted not made again. */
  public void skipCounted(int lookups) {
    countedLookups = Math.max(0, countedLookups - lookups);
  }

  /** Has this used by the thread until {@link #end}. */
  public void begin() {
    OF_THREAD.set(this);
    if (budget != null) {
      DeviceReadTime.forbid();
    }
  }

  public void end() {
    OF_THREAD.set(null);
    if (budget != null) {
      DeviceReadTime.allow();
    }
  }

  /** Returns what reads the blocks of the thread; null if readers of files do it themselves. */
  static GetBlocks ofThread() {
    return OF_THREAD.get();
  }

  /**
   * A cell isn't to be seen by the thread's reader.
   * @return false if this isn't to look for further ones, since the get in memory costs too much,
   *         which is found out next
   */
  public static boolean skipsCell() {
    GetBlocks blocks = OF_THREAD.get();
    return blocks == null || blocks.budget == null || blocks.budget.skipsCell();
  }

  /** Releases the blocks that are kept. */
  public void close() {
    for (int i = 0; blocks != null && i < blocks.length; i++) {
      forget(i);
    }
  }

  private void forget(int slot) {
    KeptBlock block = blocks[slot];
    if (block != null) {
      readers[slot] = null;
      blocks[slot] = null;
      block.release();
    }
  }

  /**
   * Reads a block, as the reader does.
   * @param type null if it isn't known, as of the block behind another
   * @return the block, which the caller releases
   * @throws NotInMemoryError if it isn't in memory, and has to be
   */
  HFileBlock read(HFileReaderImpl reader, long offset, long onDiskSize, boolean cacheBlock,
    boolean pread, boolean updateCacheMetrics, BlockType type, DataBlockEncoding encoding)
    throws IOException {
    int slot = blocks == null || !isKept(type) ? -1 : slotOf(reader, offset);
    if (slot >= 0) {
      KeptBlock kept = blocks[slot];
      if (kept != null && readers[slot] == reader && kept.getOffset() == offset) {
        return kept.retain();
      }
      forget(slot);
    }
    boolean counts = updateCacheMetrics;
    if (counts && budget == null && countedLookups > 0) {
      countedLookups--;
      counts = false;
    }
    HFileBlock block = budget != null
      ? find(reader, offset, cacheBlock, counts, type, encoding)
      : load(reader, offset, onDiskSize, cacheBlock, pread, counts, type, encoding);
    if (slot < 0) {
      return block;
    }
    KeptBlock kept = new KeptBlock(block);
    readers[slot] = reader;
    blocks[slot] = kept;
    return kept.retain();
  }

  private HFileBlock find(HFileReaderImpl reader, long offset, boolean cacheBlock,
    boolean updateCacheMetrics, BlockType type, DataBlockEncoding encoding) throws IOException {
    budget.countBlock();
    HFileBlock block = reader.findCached(offset, cacheBlock, updateCacheMetrics, type, encoding);
    if (updateCacheMetrics) {
      countedLookups++;
    }
    if (block == null) {
      throw NotInMemoryError.get();
    }
    if (block.getBlockType().isData()) {
      count(reader, block);
      if (updateCacheMetrics) {
        HFile.DATABLOCK_READ_COUNT.increment();
      }
    }
    return block;
  }

  private void count(HFileReaderImpl reader, HFileBlock block) {
    int bytes = block.getUncompressedSizeWithoutHeader();
    FixedFileTrailer trailer = reader.getTrailer();
    boolean counted = false;
    try {
      budget.countDataBlock(bytes,
        bytes * trailer.getEntryCount() / Math.max(1, trailer.getTotalUncompressedBytes()),
        block.getBlockType() == BlockType.ENCODED_DATA,
        reader.cacheConf.shouldCacheCompressed(block.getBlockType().getCategory())
          && reader.getFileContext().getCompression() != Compression.Algorithm.NONE);
      counted = true;
    } finally {
      if (!counted) {
        block.release();
      }
    }
  }

  private static boolean isKept(BlockType type) {
    return type == BlockType.LEAF_INDEX || type == BlockType.INTERMEDIATE_INDEX
      || type == BlockType.BLOOM_CHUNK;
  }

  private static int slotOf(HFileReaderImpl reader, long offset) {
    long mixed = (offset ^ (long) System.identityHashCode(reader) << Integer.SIZE)
      * 0x9e3779b97f4a7c15L;
    return (int) (mixed >>> Long.SIZE - SLOT_BITS);
  }

  private HFileBlock load(HFileReaderImpl reader, long offset, long onDiskSize, boolean cacheBlock,
    boolean pread, boolean updateCacheMetrics, BlockType type, DataBlockEncoding encoding)
    throws IOException {
    end();
    try {
      HFileBlock block =
        reader.findCached(offset, cacheBlock, updateCacheMetrics, type, encoding);
      if (block == null) {
        // A miss has been counted.
        block =
          reader.readBlock(offset, onDiskSize, cacheBlock, pread, false, false, type, encoding);
      }
      if (updateCacheMetrics && block.getBlockType().isData()) {
        HFile.DATABLOCK_READ_COUNT.increment();
      }
      return block;
    } finally {
      begin();
    }
  }
}
