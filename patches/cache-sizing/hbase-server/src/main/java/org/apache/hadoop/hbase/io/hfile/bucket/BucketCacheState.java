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

import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/** What a BucketCache tells only its package. Stateless. */
@InterfaceAudience.Private
public final class BucketCacheState {
  private BucketCacheState() {
  }

  /** Returns false after shutdown, and if too many errors of the engine have disabled the cache. */
  public static boolean isEnabled(BucketCache cache) {
    return cache.isCacheEnabled();
  }

  /** Returns the sizes of slots that are configured, ascending; not each has slots now. */
  public static int[] slotSizes(BucketAllocator allocator) {
    return Arrays.stream(allocator.getIndexStatistics())
      .mapToInt(size -> (int) size.itemSize()).toArray();
  }
}
