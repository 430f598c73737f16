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

import org.apache.hadoop.hbase.io.hfile.bucket.FirstTierBucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.TierBucketCache;

/** Makes composites of tiers that a test has made. */
public final class Composites {
  private static final int BLOCKS = 100;

  private Composites() {
  }

  public static CompositeBucketCache of(FirstTierBucketCache first, TierBucketCache second) {
    return CompositeBucketCache.of(first, second, BLOCKS, true);
  }
}
