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

import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.yetus.audience.InterfaceAudience;

/** What the cache did in a minute. Immutable. */
@InterfaceAudience.Private
public final class CacheMinute {
  private final long time;
  private final long references;
  private final long l1Hits;
  private final long l2Hits;
  private final long evictions;
  private final long promotions;
  private final long demotions;

  CacheMinute(long time, long references, long l1Hits, long l2Hits, long evictions, long promotions,
    long demotions) {
    this.time = time;
    this.references = references;
    this.l1Hits = l1Hits;
    this.l2Hits = l2Hits;
    this.evictions = evictions;
    this.promotions = promotions;
    this.demotions = demotions;
  }

  /**
   * Returns the sum of minutes, as one.
   * @param time milliseconds since 1970
   */
  static CacheMinute sum(long time, List<CacheMinute> minutes) {
    return new CacheMinute(time, sum(minutes, CacheMinute::getReferences),
      sum(minutes, CacheMinute::getL1Hits), sum(minutes, CacheMinute::getL2Hits),
      sum(minutes, CacheMinute::getEvictions), sum(minutes, CacheMinute::getPromotions),
      sum(minutes, CacheMinute::getDemotions));
  }

  private static long sum(List<CacheMinute> minutes, ToLongFunction<CacheMinute> count) {
    return minutes.stream().mapToLong(count).sum();
  }

  /** Returns the last of some minutes, all if they are fewer. */
  static List<CacheMinute> last(int count, List<CacheMinute> minutes) {
    return minutes.subList(Math.max(0, minutes.size() - count), minutes.size());
  }

  /** Returns when the minute ended, in milliseconds since 1970. */
  public long getTime() {
    return time;
  }

  /** Returns the references that may fill the cache. */
  public long getReferences() {
    return references;
  }

  /** Returns those that L1 served. */
  public long getL1Hits() {
    return l1Hits;
  }

  /** Returns those that L2 served. */
  public long getL2Hits() {
    return l2Hits;
  }

  /** Returns the blocks that were evicted to make room. */
  public long getEvictions() {
    return evictions;
  }

  /** Returns the blocks that L2 copied to L1. */
  public long getPromotions() {
    return promotions;
  }

  /** Returns the blocks that L1 moved to L2. */
  public long getDemotions() {
    return demotions;
  }
}
