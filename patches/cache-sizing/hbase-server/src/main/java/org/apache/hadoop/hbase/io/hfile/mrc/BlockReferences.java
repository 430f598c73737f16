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
package org.apache.hadoop.hbase.io.hfile.mrc;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BlockCacheKeys;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells the block cache's {@link CacheSizing} of references to the blocks of an open file, if they
 * are in the sample. That is decided by a hash of the file's name and the block's offset. What
 * isn't in the sample costs the hash and a comparison, and writes nothing. Thread-safe.
 */
@InterfaceAudience.Private
public final class BlockReferences {
  private static final int NO_TABLE_YET = -1;

  private final CacheSizing sizing;
  private final Path path;
  private final long fileHash;
  /** Found out at the first sampled reference. */
  private int table = NO_TABLE_YET;

  private BlockReferences(CacheSizing sizing, Path path) {
    this.sizing = sizing;
    this.path = path;
    // Half of a split region reads the file of its parent, whose blocks are cached.
    fileHash = hashOf(BlockCacheKeys.referredKey(new BlockCacheKey(path.getName(), 0))
      .getHfileName());
  }

  /**
   * Returns what the reader of a file tells its references to.
   * @param cache may be null
   * @return null if the cache's references aren't sampled
   */
  public static BlockReferences of(BlockCache cache, Path path) {
    CacheSizing sizing = cache == null ? null : CacheSizing.of(cache);
    return sizing == null ? null : new BlockReferences(sizing, path);
  }

  /**
   * Called after a look-up in the cache that counts, and whose block may be cached.
   * @param block  as it is cached; null if it isn't
   * @param repeat whether the look-up repeats one that found nothing
   */
  public void onLookUp(BlockCacheKey key, HFileBlock block, boolean repeat) {
    if (repeat && block == null) {
      BlockType type = key.getBlockType();
      sizing.getRepeatedMisses().add(type != null && !type.isData());
      return;
    }
    long hash = hashOf(fileHash, key.getOffset());
    if (StackDistances.isSampled(hash, sizing.getThreshold())) {
      sampled(hash, block, repeat);
    }
  }

  private void sampled(long hash, HFileBlock block, boolean repeat) {
    if (block == null) {
      sizing.offer(new BlockReference(BlockReference.Kind.MISS, hash, file(), table(), 0, false));
    } else {
      offer(repeat ? BlockReference.Kind.LOAD : BlockReference.Kind.HIT, hash, block);
    }
  }

  /**
   * Called when a block was read from the file.
   * @param block as it is cached
   */
  public void onLoad(long offset, HFileBlock block) {
    long hash = hashOf(fileHash, offset);
    if (StackDistances.isSampled(hash, sizing.getThreshold())) {
      offer(BlockReference.Kind.LOAD, hash, block);
    }
  }

  /** Called when the file's blocks are evicted, since it is no more. */
  public void onFileGone() {
    sizing.offer(new BlockReference(BlockReference.Kind.FILE_GONE, 0, file(), 0, 0, false));
  }

  private void offer(BlockReference.Kind kind, long hash, HFileBlock block) {
    boolean metadata = !block.getBlockType().isData();
    sizing.offer(new BlockReference(kind, hash, file(), table(), sizing.bytesOf(block, metadata),
      metadata));
  }

  long fileHash() {
    return fileHash;
  }

  private int file() {
    return (int) (fileHash >>> Integer.SIZE);
  }

  private int table() {
    int number = table;
    if (number == NO_TABLE_YET) {
      number = sizing.getTables().numberOf(path);
      table = number;
    }
    return number;
  }

  private static long hashOf(String name) {
    long hash = 0;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001B3L;
    }
    return mix(hash);
  }

  static long hashOf(long fileHash, long offset) {
    return mix(fileHash + offset);
  }

  /** Spreads the bits of a number over all of another. */
  private static long mix(long x) {
    long mixed = (x ^ x >>> 32) * 0xD6E8FEB86659FD93L;
    mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
    return mixed ^ mixed >>> 32;
  }
}
