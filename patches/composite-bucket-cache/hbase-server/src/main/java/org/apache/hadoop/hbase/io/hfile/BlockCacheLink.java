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
package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.hbase.io.hfile.bucket.TierEngine;
import org.apache.yetus.audience.InterfaceAudience;

/** Tells where the region server's page links the class name of a block cache to. */
@InterfaceAudience.Private
public final class BlockCacheLink {
  private static final String TIERS = "https://issues.apache.org/jira/browse/HBASE-23296";

  private BlockCacheLink() {
  }

  /**
   * Returns the URL that describes a cache.
   * @param cache    may be null
   * @param released URL in the API documentation of a release, which doesn't have the classes of
   *                 tiers
   */
  public static String of(BlockCache cache, String released) {
    return cache instanceof CompositeBucketCache || cache instanceof TierEngine ? TIERS
      : released;
  }
}
