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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.conf.Setting.InvalidSettingException;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheKeys;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.yetus.audience.InterfaceAudience;

/** The rules for the keys of a single BucketCache. */
@InterfaceAudience.Private
final class BucketCacheRules {
  private static final String ENGINE_KEY = HConstants.BUCKET_CACHE_IOENGINE_KEY;
  private static final String SIZE_KEY = HConstants.BUCKET_CACHE_SIZE_KEY;

  private final Configuration conf;
  private final Refusals refusals;

  private BucketCacheRules(Configuration conf, Refusals refusals) {
    this.conf = conf;
    this.refusals = refusals;
  }

  /**
   * Refuses settings with which no BucketCache can be created, for a server that has one.
   * @param directMemory bytes that the JVM allows
   */
  static void check(Configuration conf, long directMemory, Refusals refusals) {
    String engine = conf.get(ENGINE_KEY, "");
    NumericKeys.checkBucketCache(conf, refusals);
    NumericKeys.checkSingleBucketCache(conf, refusals);
    BucketCacheRules rules = new BucketCacheRules(conf, refusals);
    rules.checkEngine(engine);
    rules.checkSizes(engine, directMemory);
    rules.checkWriters();
  }

  /**
   * Reads the sizes, as tiers do.
   * @throws InvalidSettingException if a value isn't allowed
   */
  static void readSizes(Configuration conf) {
    int[] sizes = BucketCacheKeys.readBucketSizes(conf);
    double megabytes = megabytes(conf.get(SIZE_KEY, ""));
    String fix = BucketCacheKeys.fixOfSize(megabytes * (1 << 20), sizes);
    if (megabytes >= 1 && fix != null) {
      throw Setting.invalid(SIZE_KEY, conf.get(SIZE_KEY), fix);
    }
  }

  /** Returns 0 for what is no number. */
  private static double megabytes(String value) {
    try {
      return Float.parseFloat(value.trim());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private void checkEngine(String engine) {
    if (!IOEngineType.of(engine).isOfBucketCache()) {
      refusals.add(ENGINE_KEY, engine,
        "Allowed are " + IOEngineType.prefixes() + ", with a path behind a colon and no blank"
          + " before it, and " + IOEngineType.SEGMENTS.prefix() + ".");
    }
  }

  private void checkSizes(String engine, long directMemory) {
    String value = conf.get(SIZE_KEY, "missing");
    double megabytes = megabytes(value);
    if (!(megabytes >= 1)) {
      refusals.add(SIZE_KEY, value, "Give MB, at least 1, without a unit, such as 1024.");
      return;
    }
    double bytes = megabytes * (1 << 20);
    if (IOEngineType.of(engine).isInDirectMemory() && bytes > directMemory) {
      refusals.add(SIZE_KEY, value, "The JVM allows " + (directMemory >> 20)
        + " MB of direct memory. Lower it, or raise HBASE_OFFHEAPSIZE"
        + " (-XX:MaxDirectMemorySize) to more than that.");
    }
  }

  private void checkWriters() {
    refusals.atLeast(conf, BlockCacheFactory.BUCKET_CACHE_WRITER_THREADS_KEY, 0);
    refusals.atLeast(conf, BlockCacheFactory.BUCKET_CACHE_WRITER_QUEUE_KEY, 1);
  }
}
