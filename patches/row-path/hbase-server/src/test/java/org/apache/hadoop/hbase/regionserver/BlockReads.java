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

import static org.junit.Assert.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFile;

/** The blocks that a get reads, from the cache or a disk. */
final class BlockReads {
  /** By the name of the file and the category of the blocks. */
  private final Map<String, Integer> lookups;
  final long data;
  /** Bytes of blocks scanned. */
  final long bytes;

  private BlockReads(Map<String, Integer> lookups, long data, long bytes) {
    this.lookups = lookups;
    this.data = data;
    this.bytes = bytes;
  }

  /** Whether all data blocks were looked for; those of families that aren't cached may not be. */
  private boolean isDataLookedFor() {
    return count(BlockType.BlockCategory.DATA) == data;
  }

  /** Asserts that no more blocks of a file are read than by the others. */
  void assertNoneBeside(String message, BlockReads others) {
    StringBuilder more = new StringBuilder();
    boolean byFile = isDataLookedFor() && others.isDataLookedFor();
    for (Map.Entry<String, Integer> file : lookups.entrySet()) {
      int byOthers = others.lookups.getOrDefault(file.getKey(), 0);
      if (file.getValue() > byOthers && (byFile || !file.getKey().endsWith(" DATA"))) {
        more.append('\n').append(file).append(", not ").append(byOthers);
      }
    }
    assertTrue(message + more, more.length() == 0);
    assertTrue(message + ": data blocks " + data + ", not " + others.data, data <= others.data);
    assertTrue(message + ": " + this + ", not " + others, bytes <= others.bytes);
  }

  boolean isEmpty() {
    return lookups.isEmpty() && data == 0 && bytes == 0;
  }

  int count(BlockType.BlockCategory category) {
    return lookups.entrySet().stream()
      .filter(file -> file.getKey().endsWith(" " + category))
      .mapToInt(Map.Entry::getValue).sum();
  }

  @Override
  public String toString() {
    return data + " data blocks, " + bytes + " bytes, look-ups " + lookups;
  }

  /** Passes on to the caches of another one, and counts the blocks that are looked for. */
  static final class Cache extends CombinedBlockCache {
    private final Map<String, Integer> lookups = new TreeMap<>();
    private long dataBefore;

    Cache(CombinedBlockCache counted) {
      super(counted.getFirstLevelCache(), counted.getSecondLevelCache());
    }

    /** Returns what was read since the last call, with bytes that the caller has counted. */
    synchronized BlockReads take(long bytes) {
      long data = HFile.DATABLOCK_READ_COUNT.sum();
      BlockReads reads = new BlockReads(new TreeMap<>(lookups), data - dataBefore, bytes);
      lookups.clear();
      dataBefore = data;
      return reads;
    }

    @Override
    public Cacheable getBlock(BlockCacheKey key, boolean caching, boolean repeat,
      boolean updateCacheMetrics) {
      if (!repeat && updateCacheMetrics) {
        count(key);
      }
      return super.getBlock(key, caching, repeat, updateCacheMetrics);
    }

    private synchronized void count(BlockCacheKey key) {
      BlockType type = key.getBlockType();
      BlockType.BlockCategory category =
        type == null ? BlockType.BlockCategory.DATA : type.getCategory();
      lookups.merge(key.getHfileName() + " " + category, 1, Integer::sum);
    }
  }
}
