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

import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Get;
import org.apache.yetus.audience.InterfaceAudience;

/** On which terms the gets of a batch are read; the same for all of them. Immutable. */
@InterfaceAudience.Private
final class GetTerms {
  private final long readPoint;
  private final boolean shared;
  private final boolean memoryOnly;
  private final boolean cacheBlocks;
  /** Whether gets look for the latest data, and files without it can be left out. */
  private final boolean latest;

  /**
   * @param get        the first one
   * @param shared     whether others may follow
   * @param memoryOnly whether nothing may be waited for
   */
  GetTerms(Get get, boolean shared, boolean memoryOnly, long readPoint) {
    this.readPoint = readPoint;
    this.shared = shared;
    this.memoryOnly = memoryOnly;
    cacheBlocks = get.getCacheBlocks();
    latest = isLatest(get);
  }

  private static boolean isLatest(Get get) {
    return get.getTimeRange().getMax() == HConstants.LATEST_TIMESTAMP;
  }

  /** Returns true if the get can be read on these, at the read point that is its own. */
  boolean fit(Get get, long readPointOfGet) {
    return readPoint == readPointOfGet && cacheBlocks == get.getCacheBlocks()
      && latest == isLatest(get);
  }

  long getReadPoint() {
    return readPoint;
  }

  boolean isShared() {
    return shared;
  }

  boolean isMemoryOnly() {
    return memoryOnly;
  }

  boolean isCacheBlocks() {
    return cacheBlocks;
  }

  boolean isLatest() {
    return latest;
  }
}
