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

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.HeapSize;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.ReaderFile;
import org.apache.hadoop.hbase.io.hfile.bucket.FileBlockSource;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.yetus.audience.InterfaceAudience;

/** What a cache of segments knows by its index alone, and what it removes from it. Thread-safe. */
@InterfaceAudience.Private
public abstract class IndexedCache implements BlockCache, FileBlockSource, HeapSize {
  private final SegmentIndex index;
  private final Occupancy occupancy;

  IndexedCache(SegmentIndex index) {
    this.index = index;
    occupancy = index.getOccupancy();
  }

  final SegmentIndex getIndex() {
    return index;
  }

  final Occupancy getOccupancy() {
    return occupancy;
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    FileTable file = index.get(key);
    if (file == null || file.remove(key.getOffset()) == EntryWord.NONE) {
      return false;
    }
    index.removeIfEmpty(file);
    return true;
  }

  @Override
  public int evictBlocksByHfileName(String hfileName) {
    return index.remove(hfileName);
  }

  @Override
  public int evictBlocksRangeByHfileName(String hfileName, long initOffset, long endOffset) {
    return initOffset <= 0 && endOffset == Long.MAX_VALUE
      ? index.remove(hfileName)
      : index.removeRange(hfileName, initOffset, endOffset);
  }

  @Override
  public Optional<Boolean> isAlreadyCached(BlockCacheKey key) {
    return Optional.of(findSize(key) > 0);
  }

  @Override
  public Optional<Integer> getBlockSize(BlockCacheKey key) {
    int size = findSize(key);
    return size > 0 ? Optional.of(size) : Optional.empty();
  }

  /** Returns the bytes on disk of a block, 0 if it isn't cached. */
  private int findSize(BlockCacheKey key) {
    int size = findOwnSize(key);
    BlockCacheKey referred = size > 0 ? key : ReaderFile.referredKey(key);
    return referred == key ? size : findOwnSize(referred);
  }

  private int findOwnSize(BlockCacheKey key) {
    FileTable file = index.get(key);
    return file == null ? 0 : file.findSize(key.getOffset());
  }

  /** Marks the file as fully cached, until a block of it is evicted, if its data is here. */
  @Override
  public void notifyFileCachingCompleted(Path file, int totalBlockCount, int dataBlockCount,
    long size) {
    FileTable table = index.get(file.getName());
    if (table != null) {
      table.setFullyCached(file.getParent().getParent().getName(), size, dataBlockCount);
    }
  }

  @Override
  public Optional<Map<String, Pair<String, Long>>> getFullyCachedFiles() {
    return Optional.of(Collections.unmodifiableMap(CachedFiles.fully(index)));
  }

  @Override
  public Optional<Map<String, Long>> getRegionCachedInfo() {
    return Optional.of(Collections.unmodifiableMap(CachedFiles.bytesByRegion(index)));
  }

  @Override
  public long size() {
    return getCurrentSize();
  }

  @Override
  public long getFreeSize() {
    return getMaxSize() - getCurrentSize();
  }

  @Override
  public long getCurrentSize() {
    return occupancy.getBytes();
  }

  @Override
  public long getCurrentDataSize() {
    return occupancy.getBytes(BlockCategory.DATA);
  }

  @Override
  public long getBlockCount() {
    return occupancy.getBlocks();
  }

  @Override
  public long getDataBlockCount() {
    return occupancy.getBlocks(BlockCategory.DATA);
  }

  /** Is told what a file has in the cache. */
  public interface FileVisitor {
    /** @param bytes of the blocks' records */
    void visit(String file, long blocks, long bytes);
  }

  /** Visits all files with blocks, and makes no object for a block. */
  public void forEachFile(FileVisitor visitor) {
    long[] sums = new long[2];
    for (FileTable table : index.tables()) {
      Arrays.fill(sums, 0);
      table.visit((offset, size, word) -> {
        sums[0]++;
        sums[1] += EntryWord.length(word);
      });
      if (sums[0] > 0) {
        visitor.visit(table.getName(), sums[0], sums[1]);
      }
    }
  }

  @Override
  public void visitBlocks(String hfileName, FileBlockSource.Visitor visitor) {
    FileTable table = index.get(hfileName);
    if (table != null) {
      table.visit((offset, size, word) -> visitor.visit(offset, size,
        BlockClass.isData(EntryWord.blockClass(word)), EntryWord.frequency(word)));
    }
  }

  @Override
  public Set<String> getFiles() {
    return index.tables().stream().map(FileTable::getName).collect(Collectors.toSet());
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return CachedFiles.blocks(index).iterator();
  }
}
