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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Offers a block again to a cache that had no room for it. Such an offer never counts as one of a
 * block that wasn't cached: the first offer, which wasn't made by this class, has counted it once,
 * however often it fails after that. If the first one didn't fail, because the cache was off, or
 * took the block and lost it before anyone looked, the block doesn't count at all.
 */
@InterfaceAudience.Private
final class RepeatedOffer {
  private static final ThreadLocal<Boolean> OF_THREAD = new ThreadLocal<>();

  private RepeatedOffer() {
  }

  static void cacheBlock(BlockCache cache, BlockCacheKey key, Cacheable block, boolean inMemory) {
    OF_THREAD.set(true);
    try {
      cache.cacheBlock(key, block, inMemory, true);
    } finally {
      OF_THREAD.remove();
    }
  }

  /** Returns true if the thread offers a block again. */
  static boolean isMade() {
    return OF_THREAD.get() != null;
  }
}
