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

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.yetus.audience.InterfaceAudience;

/** The rules for the keys of a single BucketCache. */
@InterfaceAudience.Private
final class BucketCacheRules {
  private static final String ENGINE_KEY = HConstants.BUCKET_CACHE_IOENGINE_KEY;
  private static final String SIZE_KEY = HConstants.BUCKET_CACHE_SIZE_KEY;
  private static final int DEFAULT_SIZES = 14;
  private static final int DEFAULT_BIGGEST_SIZE = 513 * 1024;
  private static final int SIZE_UNIT = 256;
  private static final int FEWEST_BLOCKS_IN_BUCKET = 4;
  private static final String PREFIX = "hbase.bucketcache.";

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
    rules.checkFactors();
  }

  private void checkEngine(String engine) {
    if (!IOEngineType.of(engine).isOfBucketCache()) {
      refusals.add(ENGINE_KEY, engine,
        "Allowed are " + IOEngineType.prefixes() + ", with a path behind a colon and no blank"
          + " before it, and " + IOEngineType.SEGMENTS.prefix() + ".");
    }
  }

  private void checkSizes(String engine, long directMemory) {
    int[] sizes = bucketSizes();
    String value = conf.get(SIZE_KEY, "missing");
    double megabytes;
    try {
      megabytes = Float.parseFloat(value.trim());
    } catch (NumberFormatException e) {
      megabytes = 0;
    }
    if (!(megabytes >= 1)) {
      refusals.add(SIZE_KEY, value, "Give MB, at least 1, without a unit, as 1024.");
      return;
    }
    double bytes = megabytes * (1 << 20);
    if (sizes != null) {
      checkThatBucketsFit(value, bytes, sizes);
    }
    if (IOEngineType.of(engine).isInDirectMemory() && bytes > directMemory) {
      refusals.add(SIZE_KEY, value, "The JVM allows " + (directMemory >> 20)
        + " MB of direct memory. Lower it, or raise HBASE_OFFHEAPSIZE"
        + " (-XX:MaxDirectMemorySize) to more than that.");
    }
  }

  /**
   * Checks the cache's size. The allocator needs a bucket for each slot size, and a bucket holds
   * four of the biggest blocks.
   */
  private void checkThatBucketsFit(String value, double bytes, int[] sizes) {
    long biggest = Arrays.stream(sizes).max().orElse(DEFAULT_BIGGEST_SIZE);
    int count = sizes.length == 0 ? DEFAULT_SIZES : sizes.length;
    long needed = count * FEWEST_BLOCKS_IN_BUCKET * biggest;
    if (bytes < needed) {
      refusals.add(SIZE_KEY, value, "With " + count + " sizes of up to " + biggest + " bytes in "
        + BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY + " it must be at least "
        + ((needed >> 20) + 1) + " MB.");
    }
  }

  /** Returns the slot sizes in bytes: empty for the default sizes, null if they are refused. */
  private int[] bucketSizes() {
    String[] values = conf.getStrings(BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY);
    int[] sizes = new int[values == null ? 0 : values.length];
    for (int i = 0; i < sizes.length; i++) {
      try {
        sizes[i] = Integer.parseInt(values[i].trim());
      } catch (NumberFormatException e) {
        sizes[i] = 1;
      }
      if (sizes[i] <= 0 || sizes[i] % SIZE_UNIT != 0) {
        refusals.add(BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY, values[i],
          SettingsReader.multiplesOf(SIZE_UNIT));
        return null;
      }
    }
    return sizes;
  }

  private void checkWriters() {
    refusals.atLeast(conf, BlockCacheFactory.BUCKET_CACHE_WRITER_THREADS_KEY, 0);
    refusals.atLeast(conf, BlockCacheFactory.BUCKET_CACHE_WRITER_QUEUE_KEY, 1);
  }

  private void checkFactors() {
    float accept = factor("acceptfactor", 0.95f, 1);
    float min = factor("minfactor", 0.85f, 1);
    factor("extrafreefactor", 0.10f, Float.MAX_VALUE);
    float single = factor("single.factor", 0.25f, 1);
    float multi = factor("multi.factor", 0.50f, 1);
    float memory = factor("memory.factor", 0.25f, 1);
    if (min > accept) {
      refusals.add(PREFIX + "minfactor", String.valueOf(min),
        "It must not be above " + PREFIX + "acceptfactor, " + accept + ".");
    }
    if (single + multi + memory != 1) {
      refusals.add(PREFIX + "single.factor", String.valueOf(single),
        "With " + PREFIX + "multi.factor, " + multi + ", and " + PREFIX + "memory.factor, " + memory
          + ", it must add up to 1.");
    }
  }

  private float factor(String name, float byDefault, float most) {
    float factor = conf.getFloat(PREFIX + name, byDefault);
    if (factor >= 0 && factor <= most) {
      return factor;
    }
    refusals.add(PREFIX + name, conf.get(PREFIX + name), SettingsReader.numberFrom0(most == 1));
    return byDefault;
  }
}
