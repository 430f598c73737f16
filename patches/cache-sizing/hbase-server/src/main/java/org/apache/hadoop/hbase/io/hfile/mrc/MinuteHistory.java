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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.CompositeCacheStats;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a block cache did in each of the last minutes, from its statistics. Used by one thread at a
 * time.
 */
@InterfaceAudience.Private
final class MinuteHistory {
  private static final int MINUTES = 60;

  private final BlockCache cache;
  private final CacheModel model;
  private final RepeatedMisses repeated;
  private final Deque<CacheMinute> minutes = new ArrayDeque<>();
  /** Totals since the start of the cache. */
  private CacheMinute before;

  MinuteHistory(BlockCache cache, CacheModel model, RepeatedMisses repeated) {
    this.cache = cache;
    this.model = model;
    this.repeated = repeated;
    before = totals(0);
  }

  /**
   * Ends a minute.
   * @param time milliseconds since 1970
   */
  void endMinute(long time) {
    CacheMinute now = totals(time);
    minutes.add(new CacheMinute(time, now.getReferences() - before.getReferences(),
      now.getL1Hits() - before.getL1Hits(), now.getL2Hits() - before.getL2Hits(),
      now.getEvictions() - before.getEvictions(), now.getPromotions() - before.getPromotions(),
      now.getDemotions() - before.getDemotions()));
    before = now;
    if (minutes.size() > MINUTES) {
      minutes.remove();
    }
  }

  private CacheMinute totals(long time) {
    CacheStats all = cache.getStats();
    CacheStats first = model.getL1().getCache().getStats();
    CacheStats second = model.getL2() == null ? null : model.getL2().getCache().getStats();
    boolean moves = all instanceof CompositeCacheStats;
    return new CacheMinute(time, all.getRequestCachingCount() - repeated.all(),
      first.getHitCachingCount(),
      second == null ? 0 : second.getHitCachingCount(),
      first.getEvictedCount() + (second == null ? 0 : second.getEvictedCount()),
      moves ? ((CompositeCacheStats) all).getPromotionCount() : 0,
      moves ? ((CompositeCacheStats) all).getDemotionCount() : 0);
  }

  /** Returns the minutes, the oldest in front. */
  List<CacheMinute> getMinutes() {
    return new ArrayList<>(minutes);
  }

  /** Returns the sum of the last minutes. */
  CacheMinute sumOfLast(int count) {
    return CacheMinute.sum(before.getTime(), CacheMinute.last(count, getMinutes()));
  }
}
