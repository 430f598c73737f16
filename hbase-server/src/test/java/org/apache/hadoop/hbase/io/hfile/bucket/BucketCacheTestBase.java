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

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.assertIsBlock;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.junit.After;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;

/** A test of a small BucketCache, whose files are deleted with the test. */
public abstract class BucketCacheTestBase {
  static final String FILE = "0123456789abcdef0123456789abcdef";
  /** Bytes of a block without its header. */
  static final int SIZE = 8 * 1024;
  static final int BLOCKS = 40;
  static final long CAPACITY = 4 << 20;
  static final int SLOT_SIZE = 12 * 1024;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  final Configuration conf = new Configuration(false);
  final List<BlockCacheKey> keys = new ArrayList<>();
  BucketCache cache;

  @After
  public void tearDown() {
    if (cache != null) {
      cache.shutdown();
    }
  }

  final File file() {
    return new File(folder.getRoot(), "cache");
  }

  final File list() {
    return new File(folder.getRoot(), "list");
  }

  /**
   * Starts a cache.
   * @param ioEngineName with its files
   * @param kept         whether the list of blocks is persisted
   */
  final void start(String ioEngineName, boolean kept) throws IOException {
    start(ioEngineName, CAPACITY, kept, BucketCache.DEFAULT_ERROR_TOLERATION_DURATION);
  }

  final void start(String ioEngineName, long capacity, boolean kept, int toleratedMs)
    throws IOException {
    cache = new BucketCache(ioEngineName, capacity, SIZE, new int[] { SLOT_SIZE }, 1, 64,
      kept ? list().toString() : null, toleratedMs, conf);
  }

  final void cacheBlock(BlockCacheKey key) throws InterruptedException {
    cache.cacheBlock(key, block(key, SIZE));
    BucketCacheValidator.awaitWritten(cache);
  }

  /** Caches {@link #BLOCKS} new blocks, which are then in {@link #keys}. */
  final void fill() throws InterruptedException {
    keys.clear();
    for (int i = 0; i < BLOCKS; i++) {
      BlockCacheKey key = key(FILE, i * 10_000L, BlockType.DATA);
      keys.add(key);
      cache.cacheBlock(key, block(key, SIZE));
    }
    BucketCacheValidator.awaitWritten(cache);
  }

  /** Returns false if the block is missed. Fails if it isn't what was cached. */
  final boolean read(BlockCacheKey key) {
    Cacheable found = cache.getBlock(key, true, false, true);
    if (found == null) {
      return false;
    }
    assertIsBlock(key, SIZE, found);
    found.release();
    return true;
  }

  final int countServed() {
    int served = 0;
    for (BlockCacheKey key : keys) {
      served += read(key) ? 1 : 0;
    }
    return served;
  }
}
