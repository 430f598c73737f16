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

import java.util.Collections;
import java.util.Iterator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Stands for a cache without Java heap before the heap memory tuner: it is empty, evicts nothing,
 * and its size can't be changed.
 */
@InterfaceAudience.Private
public final class NoHeapBlockCache implements ResizableBlockCache {
  private final CacheStats stats = new CacheStats("NoHeapBlockCache");

  @Override
  public void setMaxSize(long size) {
    // There is no heap to give back or to take.
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void cacheBlock(BlockCacheKey key, Cacheable block) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Cacheable getBlock(BlockCacheKey key, boolean caching, boolean repeat,
    boolean updateCacheMetrics) {
    return null;
  }

  @Override
  public BlockCache[] getBlockCaches() {
    return null;
  }

  @Override
  public boolean evictBlock(BlockCacheKey key) {
    return false;
  }

  @Override
  public int evictBlocksByHfileName(String hfileName) {
    return 0;
  }

  @Override
  public CacheStats getStats() {
    return stats;
  }

  @Override
  public void shutdown() {
    // The owner of the cache that this stands for shuts it down.
  }

  @Override
  public long size() {
    return 0;
  }

  @Override
  public long getMaxSize() {
    return 0;
  }

  @Override
  public long getFreeSize() {
    return 0;
  }

  @Override
  public long getCurrentSize() {
    return 0;
  }

  @Override
  public long getCurrentDataSize() {
    return 0;
  }

  @Override
  public long getBlockCount() {
    return 0;
  }

  @Override
  public long getDataBlockCount() {
    return 0;
  }

  @Override
  public Iterator<CachedBlock> iterator() {
    return Collections.emptyIterator();
  }
}
