/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.bench;

import java.util.Map;

/**
 * What a region server used, read from its process. A figure that wasn't measured is null. Counters
 * are the difference between the readings after and before the measured part of the run.
 * @param cpuSeconds           user and system CPU time of the process, in seconds
 * @param allocatedBytes       bytes allocated on the heap by all threads; when null, the sum of the
 *                             JFR samples stands in
 * @param heapAfterFullGcBytes heap in use after a full collection at the end, in bytes
 * @param offHeapBytes         direct and mapped buffers at the end, in bytes
 * @param residentBytes        resident set of the process at the end, in bytes
 * @param cacheTiers           hits and misses by tier of the block cache, such as "L1" and "L2", in
 *                             the order of look-ups; null or empty when not known
 * @param hdfsBlocksRead       HFile blocks read from HDFS
 * @param deviceBytesRead      bytes read from the device of the block cache; 0 when it has none
 * @param deviceIos            read and write requests completed by all devices under HDFS and the
 *                             block cache
 * @param warmAfterMillis      after a restart, milliseconds from when its regions were open until
 *                             95 % of look-ups in the block cache hit; null without a restart, and
 *                             if that didn't come to be
 */
public record Server(Double cpuSeconds, Long allocatedBytes, Long heapAfterFullGcBytes,
  Long offHeapBytes, Long residentBytes, Map<String, CacheTier> cacheTiers, Long hdfsBlocksRead,
  Long deviceBytesRead, Long deviceIos, Long warmAfterMillis) {

  public Server {
    cacheTiers = Checks.map(cacheTiers);
  }

  /**
   * Look-ups in one tier of the block cache.
   * @param hits   blocks found
   * @param misses blocks not found
   */
  public record CacheTier(long hits, long misses) {
    public CacheTier minus(CacheTier before) {
      return new CacheTier(hits - before.hits, misses - before.misses);
    }

    public CacheTier plus(CacheTier more) {
      return new CacheTier(hits + more.hits, misses + more.misses);
    }
  }
}
